"""The keys of the configuration: what each may hold, and the sentence that editors show for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

from tokenlint import schema
from tokenlint.errors import ConfigError
from tokenlint.extract_keys import extracts
from tokenlint.glob_keys import globs
from tokenlint.growth_keys import DIFF
from tokenlint.limit_keys import budget, premium
from tokenlint.prices.own import CALLS, MODELS, PRICES
from tokenlint.rules import RULES, Rule, SpecialTokens
from tokenlint.rules.search import resolve_families
from tokenlint.schema import Kind, kind
from tokenlint.suppress import matches
from tokenlint.tokens import TokenizerTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenlint.rules.base import Trust

_MODULE = r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$"
_RULE = {"$ref": "#/definitions/rule"}
_FAMILY = {"$ref": "#/definitions/family"}


def is_known_rule(word: str, rules: Iterable[Rule] = RULES) -> bool:
    """Whether a word means at least one rule."""
    return any(matches(word, rule.code, rule.name) for rule in rules)


def rule_words(key: str, value: object, rules: Iterable[Rule] = RULES) -> tuple[str, ...]:
    """A list of codes, names and prefixes of codes, each of which must mean something."""
    words = schema.strings(key, value)
    for word in words:
        if not is_known_rule(word, rules):
            schema.fail(key, unknown_rule(word, rules))
    return words


def unknown_rule(word: str, rules: Iterable[Rule]) -> str:
    """What is said of a word that means no rule: the nearest that does, or all of them."""
    from tokenlint.nearest import nearest  # only a mistake pays for the import

    names = [name for rule in rules for name in (rule.code, rule.name)]
    if near := nearest(word, names, likeness=0.7):
        return f"unknown rule {word!r}; did you mean {near}?"
    known = ", ".join(f"{rule.code} {rule.name}" for rule in rules)
    return f"unknown rule {word!r}; the rules are {known}"


@kind({"type": "array", "items": {"type": "string", "pattern": _MODULE}})
def modules(key: str, value: object) -> tuple[str, ...]:
    """A list of names of Python modules."""
    names = schema.strings(key, value)
    for name in names:
        if not re.fullmatch(_MODULE, name):
            schema.fail(key, f"{name!r} is not the name of a module, such as my_company.rules")
    return tuple(dict.fromkeys(names))


@kind(
    {
        "anyOf": [
            {"const": "tokenizers"},
            {"type": "array", "items": _FAMILY, "minItems": 1},
        ]
    }
)
def _families(key: str, value: object) -> tuple[str, ...] | Literal["tokenizers"]:
    if value == "tokenizers":
        return "tokenizers"
    if isinstance(value, str):
        schema.fail(key, f'expected a list such as ["{value}"], or "tokenizers"')
    names = schema.some_strings(key, value)
    try:
        resolve_families(names)
    except ConfigError as error:
        schema.fail(key, str(error))
    return names


_SPECIAL_TOKENS = schema.table(
    {
        "level": schema.choice("high", "medium", "low").about(
            "How sure it must be that a string means control; a lower level finds more strings."
        ),
        "families": _families.about(
            "The families of models, or groups of them, whose strings are looked for; or "
            '"tokenizers" for the strings of the configured tokenizers.'
        ),
        "extra": schema.strings.about("Control strings of your own, which are always looked for."),
    }
)


@kind(_SPECIAL_TOKENS.schema)
def _special_tokens(key: str, value: object) -> SpecialTokens:
    return SpecialTokens(**_SPECIAL_TOKENS(key, value))


_TRUST = schema.mapping_of(schema.choice("owner", "outside"))


@kind(_TRUST.schema)
def _trust(key: str, value: object) -> dict[str, Trust]:
    read: dict[str, Trust] = _TRUST(key, value)
    globs(key, list(read))
    return read


_TOKENIZER = schema.table(
    {
        "source": schema.string.about("An encoding, a model, a file or a hub repository."),
        "sha256": schema.string.about("The hash that the file must have."),
        "pattern": schema.string.about(
            "How a .tiktoken file splits text: a regular expression, or an encoding's name."
        ),
        "chat-template": schema.string.about(
            "The Jinja template that messages are rendered with, from the folder of this file."
        ),
        "special-tokens": schema.mapping_of(schema.whole).about(
            "The control strings of a .tiktoken file, and their ids."
        ),
    },
    required=["source"],
)


@kind(_TOKENIZER.schema)
def _tokenizer(key: str, value: object) -> TokenizerTable:
    if not isinstance(value, dict):
        schema.fail(key, 'expected a table with a source; a list of names is "tokenizers"')
    said = _TOKENIZER(key, value)
    if "source" not in said:
        schema.fail(key, "has no source: name an encoding, a file or a hub repository")
    return TokenizerTable(**said)


_TOKENIZERS = schema.mapping_of(_tokenizer)


@kind(_TOKENIZERS.schema)
def _tokenizers(key: str, value: object) -> dict[str, TokenizerTable]:
    if isinstance(value, str):
        schema.fail(key, f'expected tables; to choose a tokenizer write tokenizers = ["{value}"]')
    return _TOKENIZERS(key, value)


def table_with(rules: Iterable[Rule]) -> Kind[dict[str, Any]]:
    """The whole table, where these rules can be named."""
    words = Kind(
        lambda key, value: rule_words(key, value, rules), {"type": "array", "items": _RULE}
    )
    ignores = schema.mapping_of(words)

    @kind(ignores.schema)
    def per_file_ignores(key: str, value: object) -> dict[str, tuple[str, ...]]:
        read = ignores(key, value)
        globs(key, list(read))
        return read

    return schema.table(
        {
            "tokenizers": schema.some_strings.about(
                "The tokenizers that count: encodings, models, paths, or names of your own."
            ),
            "tokenizer": _tokenizers.about("Tokenizers under names of your own."),
            "plugins": modules.about(
                "Python modules that bring rules or tokenizers; they run only with --allow-plugins."
            ),
            "select": words.about("The rules that are on: codes, prefixes of codes, names or ALL."),
            "extend-select": words.about("Rules that are on besides the selected ones."),
            "ignore": words.about("Rules that are off."),
            "per-file-ignores": per_file_ignores.about(
                "Rules that are off in files, by glob; after a ! in all files but those."
            ),
            "exclude": globs.about("What to leave out, as in .gitignore, and not the defaults."),
            "extend-exclude": globs.about("What to leave out besides that, as in .gitignore."),
            "force-exclude": schema.boolean.about(
                "Whether excludes hold for files that are named."
            ),
            "respect-gitignore": schema.boolean.about("Whether to leave out what git ignores."),
            "inline-directives": schema.boolean.about(
                "Whether a comment in a file can silence a finding."
            ),
            "special-tokens": _special_tokens.about("Which control strings TL201 looks for."),
            "trust": _trust.about(
                "Who writes files, by glob: in those of the owner a control string is a warning, "
                "in those from outside no comment silences anything. The last glob that matches "
                "holds."
            ),
            "extract": extracts.about(
                "What of a file is the prompt, by glob. The last glob that matches holds."
            ),
            "budgets": schema.list_of(budget).about("The limits of files and groups of files."),
            "diff": DIFF.about("What `tokenlint diff` allows for all files together."),
            "baseline": schema.string.about(
                "The file with the findings that are accepted, from the folder of this file."
            ),
            "models": MODELS.about("The models whose input is priced by count and diff."),
            "calls": CALLS.about("The calls that money is told for; needs models."),
            "prices": PRICES.about("Prices of your own, by model."),
            "premiums": schema.list_of(premium).about(
                "The limits of translations beside the texts that they translate."
            ),
            "warn-at": schema.share.about("The share of a limit from which a warning is given."),
            "max-file-size": schema.whole.about("The bytes above which a file is skipped."),
            "newlines": schema.choice("lf", "as-is").about(
                "Whether CRLF and CR are counted as LF, or as they are."
            ),
            "count-bom": schema.boolean.about("Whether a leading byte order mark is counted."),
            "soft-hyphens": schema.choice("report", "allow").about(
                "Whether TL401 reports soft hyphens."
            ),
            "not-nfc": schema.some_of("singleton", "excluded", "mark-order").about(
                "The kinds of text that TL102 reports."
            ),
        }
    )


TABLE = table_with(RULES)
"What a configuration file may hold where no plugin brings other rules."
