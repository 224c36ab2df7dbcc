"""A file that takes more tokens for each of its words than its limit allows.

Fertility is tokens divided by words, over the whole text. It shows what a tokenizer charges a
language: about 1.2 for English, and 1.3 to 4 for others, depending on the tokenizer.

    [[tool.tokenlint.budgets]]
    files = ["prompts/vi/*.md"]
    max-fertility = 2.2

A word is a run of letters, marks and digits; punctuation is none. Text that is mostly Chinese,
Japanese, Thai, Lao, Khmer, Burmese or Tibetan, which do not separate words, is measured in
graphemes, and the message says so. A file without words has no fertility, and is reported as a
warning: the limit neither held nor broke.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Finding, Measured, Rule
from tokenlint.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.tokens import Document, Limit


def check(document: Document, context: Context) -> Iterator[Finding]:
    """One finding for each fertility limit that the file breaks."""
    for limit in context.limits_for(document.path):
        if limit.quantity == "fertility":
            yield from _judge(document, limit, context)


def _judge(document: Document, limit: Limit, context: Context) -> Iterator[Finding]:
    measured = context.fertility(document, limit)
    if measured is None:
        return
    if measured.value is None:
        message = f"no words, so no fertility to hold to {limit.maximum:g} ({limit.origin})"
        yield RULE.finding(document.path, message, level="warning")
    elif limit.is_over(measured.value):
        yield RULE.finding(
            document.path,
            f"{measured.value:.2f} tokens per {measured.unit}, over the limit of "
            f"{limit.maximum:g} ({counted(measured.tokens, 'token')}, "
            f"{counted(measured.words, measured.unit)}; {limit.tokenizer}; {limit.origin})",
            measured=_measured(measured.value, document, limit),
        )


def _measured(value: float, document: Document, limit: Limit) -> Measured:
    about = ("fertility", *([] if limit.extract is None else [str(limit.extract)]))
    return Measured(value, about, limit.tokenizer, text=document.text)


RULE = Rule(
    code="TL303",
    name="over-fertility",
    summary="a file over its limit of tokens per word",
    doc=__doc__,
    check=check,
)
