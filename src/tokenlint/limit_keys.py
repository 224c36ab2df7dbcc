"""The keys that limit files: budgets, and the premiums of translations."""

from __future__ import annotations

from typing import Any

from tokenlint import schema
from tokenlint.budgets import Budget
from tokenlint.extract_keys import EXTRACT, extracted
from tokenlint.glob_keys import some_globs
from tokenlint.growth_keys import increase
from tokenlint.premiums import Premium
from tokenlint.schema import Kind, kind

_LIMITS: dict[str, Kind[Any]] = {
    "max-tokens": schema.natural.about("The most tokens that each file may have."),
    "max-each": schema.natural.about("The most tokens of each value or request in a file."),
    "max-total": schema.natural.about("The most tokens that all files together may have."),
    "max-bytes": schema.natural.about("The most bytes that each file may have."),
    "max-characters": schema.natural.about("The most characters that each file may have."),
    "max-increase": increase.about(
        "The most that each file may grow in a diff: tokens, or a percentage."
    ),
    "max-total-increase": increase.about(
        "The most that all files together may grow in a diff: tokens, or a percentage."
    ),
    "max-fertility": schema.positive.about("The most tokens for each word of a file."),
}
_BUDGET = schema.table(
    {
        "files": some_globs.about("Globs from the folder of the configuration file."),
        **_LIMITS,
        "tokenizers": schema.some_strings.about("What counts; default: the tokenizers above."),
        "warn-at": schema.share.about("The share of a limit from which a warning is given."),
        **EXTRACT,
    },
    required=["files"],
    anyOf=[{"required": [name]} for name in _LIMITS],
)


@kind(_BUDGET.schema)
def budget(key: str, value: object) -> Budget:
    said = _BUDGET(key, value)
    if "files" not in said:
        schema.fail(key, 'has no files: name them, for example files = ["prompts/**/*.md"]')
    if not any(name.startswith("max_") for name in said):
        schema.fail(key, "has no limit: give max-tokens, max-total or another max- key")
    return Budget(**extracted(key, said))


_PREMIUM = schema.table(
    {
        "reference": schema.string.about("The path of the text that is translated, with {name}."),
        "files": schema.string.about("The paths of translations, with {language} and {name}."),
        "max-premium": schema.positive.about(
            "The most tokens of a translation, divided by the tokens of its reference."
        ),
        "tokenizers": schema.some_strings.about("What counts; default: the tokenizers above."),
    },
    required=["reference", "files", "max-premium"],
)


@kind(_PREMIUM.schema)
def premium(key: str, value: object) -> Premium:
    said = _PREMIUM(key, value)
    for name, example in (
        ("files", '"prompts/{language}/{name}.md"'),
        ("reference", '"prompts/en/{name}.md"'),
        ("max-premium", "1.5"),
    ):
        if name.replace("-", "_") not in said:
            schema.fail(key, f"has no {name}: say, for example, {name} = {example}")
    premium = Premium(**said)
    if premium.mistake is not None:
        schema.fail(key, premium.mistake)
    return premium
