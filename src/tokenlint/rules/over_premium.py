"""A translation that takes too many tokens beside the text that it translates.

The premium is the tokens of a file divided by the tokens of its reference, both as they stand and
with the same tokenizer. It is what a language pays for the same content.

    [[tool.tokenlint.premiums]]
    reference = "prompts/en/{name}.md"
    files = "prompts/{language}/{name}.md"
    max-premium = 1.5
    tokenizers = ["o200k_base"]

Paths start at the folder of the configuration. `{name}` may span folders; `{language}` is a
folder or a part of a name between dots, as in `{name}.{language}.md`. A folder that is no language
code, such as `system`, counts as one only where its reference exists. The reference is not held to
itself. A reference that cannot be read makes the run fail, because the premium is then unknown;
an empty one is reported as a warning. When only the reference changed, its translations are held
to their limits by a run over all files or by `tokenlint check --budgets`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Finding, Measured, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.rules.base import Reference
    from tokenlint.tokens import Document


def check(document: Document, context: Context) -> Iterator[Finding]:
    """One finding for each premium limit that the file breaks."""
    for reference in context.references_for(document.path):
        yield from _judge(document, reference, context)


def _judge(document: Document, reference: Reference, context: Context) -> Iterator[Finding]:
    tokens = context.count(document, reference.tokenizer)
    base = context.count(reference.document, reference.tokenizer)
    if tokens is None or base is None:
        return
    path, limit = reference.document.path, f"{reference.maximum:g}"
    if not base:
        message = f"{path} has no tokens, so no premium to hold to {limit} ({reference.tokenizer})"
        yield RULE.finding(document.path, message, level="warning")
    elif tokens > reference.maximum * base:
        about, text = ("premium",), document.text
        language = f" ({reference.language})" if reference.language else ""
        yield RULE.finding(
            document.path,
            f"{_figure(tokens / base, reference.maximum)} times the tokens of {path}{language}, "
            f"over the premium limit of {limit} ({reference.tokenizer})",
            measured=Measured(tokens / base, about, reference.tokenizer, beside=path, text=text),
        )


def _figure(premium: float, maximum: float) -> str:
    """Two decimals, or as many as show that the limit is broken."""
    short = f"{premium:.2f}"
    return short if float(short) > maximum else f"{premium:.6g}"


RULE = Rule(
    code="TL304",
    name="over-premium",
    summary="a translation over its premium against the reference language",
    doc=__doc__,
    check=check,
)
