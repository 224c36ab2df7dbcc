"""`tokenlint rule`: a rule's manual page, which is the docstring of its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.errors import ConfigError
from tokenlint.rules import RULES, Rule
from tokenlint.suppress import matches

if TYPE_CHECKING:
    from collections.abc import Iterator


def find(word: str) -> list[Rule]:
    """The rules that a code, a name or a prefix means.

    Raises ConfigError where there is none.
    """
    found = [rule for rule in RULES if matches(word, rule.code, rule.name)]
    if not found:
        raise ConfigError(f"unknown rule {word!r}; the rules are {', '.join(map(_title, RULES))}")
    return found


def page(rule: Rule) -> str:
    """A rule's page."""
    state = "on by default" if rule.default else "off by default"
    mend = {"safe": "a safe fix", "unsafe": "an unsafe fix", "no": "no fix"}[rule.fixable]
    return f"{_title(rule)} ({state}; {mend})\n\n{rule.doc.strip()}\n"


def table() -> Iterator[str]:
    """A line a rule."""
    size = max(len(rule.name) for rule in RULES)
    for rule in RULES:
        mark = "*" if rule.fixable == "safe" else " "
        off = "" if rule.default else " (off by default)"
        yield f"{rule.code} [{mark}] {rule.name:{size}}  {rule.summary}{off}"


def _title(rule: Rule) -> str:
    return f"{rule.code} {rule.name}"
