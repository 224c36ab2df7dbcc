"""Assertions about texts: that they are in NFC, and that they hold no control strings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

from pytest_tokenbudget.errors import mistakes_fail
from pytest_tokenbudget.measuring import measure_of
from tokenlint.printable import printable

if TYPE_CHECKING:
    import os

    import pytest

    from tokenlint.tokens import Document

MOST_FINDINGS = 6


@final
@dataclass(frozen=True)
class AssertClean:
    """What the fixtures `assert_nfc` and `assert_no_special_tokens` give: rules on one text."""

    _config: pytest.Config = field(repr=False)
    _rules: tuple[str, ...]
    _claim: str

    def __call__(self, text: str | os.PathLike[str], *, label: str | None = None) -> None:
        """Raise an AssertionError that shows where a text, or the file at a path, is not clean."""
        __tracebackhide__ = True
        with mistakes_fail():
            found = self._find(text, label)
        if found:
            raise AssertionError("\n".join(map(printable, found)))

    def _find(self, source: object, label: str | None) -> list[str]:
        from tokenlint.errors import TokenlintError
        from tokenlint.linter import lint

        measure = measure_of(self._config)
        text = measure.text(source, label)
        document = _document(text.label, text.content)
        config = measure.config.apply({"select": self._rules, "tokenizers": measure.tokenizers})
        # A comment in a text that a test builds must not silence the test.
        context = config.context({}, {}, measure.loader)
        if config.special_tokens.families == "tokenizers":
            for name in config.tokenizers:  # a text is not clean because nobody could look
                measure.loader.require(name)
        linted = lint(document, config.rules, context, directives=False)
        if linted.problems:
            raise TokenlintError(linted.problems[0])
        lines = [
            f"  {place.row}:{place.column}: {finding.message}"
            for finding in linted.findings
            for place in [document.location(finding.start)]
        ]
        if not lines:
            return []
        rest = [f"  ... and {len(lines) - MOST_FINDINGS} more"] if lines[MOST_FINDINGS:] else []
        return [f"{text.label} {self._claim}:", *lines[:MOST_FINDINGS], *rest]


def _document(label: str, content: str) -> Document:
    from tokenlint.tokens import Document as Made

    return Made(label, content)


def nfc(config: pytest.Config) -> AssertClean:
    """That a text is in NFC."""
    return AssertClean(config, ("TL101", "TL102"), "is not in NFC")


def no_special_tokens(config: pytest.Config) -> AssertClean:
    """That a text holds no control string of the configured families and level."""
    return AssertClean(config, ("TL201",), "holds control strings")
