"""`tokenlint rule`: a rule's manual page, which is the docstring of its file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tokenlint.commands.families import as_json as families_json
from tokenlint.commands.families import as_table as families_table
from tokenlint.commands.families import catalogue
from tokenlint.errors import ConfigError
from tokenlint.keys import unknown_rule
from tokenlint.rules import RULES, Rule
from tokenlint.suppress import matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenlint.commands.session import Session


def known(word: str | None, session: Session) -> tuple[list[Rule], ConfigError | None]:
    """The rules that a word means, those of plugins among them.

    Where the configuration cannot be used, the built-in ones, and why if more may be missing.
    """
    try:
        return find(word, session.config.known_rules), None
    except ConfigError as error:
        if word is None:
            return list(RULES), error
        found = [rule for rule in RULES if matches(word, rule.code, rule.name)]
        if not found:
            raise
        return found, None


def find(word: str | None, rules: Sequence[Rule] = RULES) -> list[Rule]:
    """The rules that a code, a name or a prefix means; all where nothing was said.

    Raises ConfigError where there is none.
    """
    if word is None:
        return list(rules)
    found = [rule for rule in rules if matches(word, rule.code, rule.name)]
    if not found:
        raise ConfigError(unknown_rule(word, rules))
    return found


def page(rule: Rule) -> str:
    """A rule's page."""
    state = "on by default" if rule.default else "off by default"
    mend = {"safe": "a safe fix", "unsafe": "an unsafe fix", "no": "no fix"}[rule.fixable]
    return f"{_title(rule)} ({state}; {mend})\n\n{rule.doc.strip()}\n"


def table(rules: Sequence[Rule]) -> Iterator[str]:
    """A line a rule."""
    size = max(len(rule.name) for rule in rules)
    for rule in rules:
        mark = "*" if rule.fixable == "safe" else " "
        off = "" if rule.default else " (off by default)"
        yield f"{rule.code} [{mark}] {rule.name:{size}}  {rule.summary}{off}"


def as_json(rules: Iterable[Rule]) -> list[str]:
    """The rules and their pages for another program."""
    return [json.dumps([_facts(rule) for rule in rules], indent=2)]


def _facts(rule: Rule) -> dict[str, str | bool]:
    return {
        "code": rule.code,
        "name": rule.name,
        "summary": rule.summary,
        "default": rule.default,
        "fix": rule.fixable,
        "explanation": rule.doc.strip(),
    }


def families(word: str | None, width: int, *, as_json: bool) -> Iterable[str]:
    """The families of the control strings that a rule looks for.

    Raises ConfigError where the rule looks for none.
    """
    if not any(rule.code in _OF_FAMILIES for rule in find(word)):
        raise ConfigError(f"{word} has no families; tokenlint rule TL201 --families lists them")
    found = catalogue()
    return [families_json(found)] if as_json else families_table(found, width)


_OF_FAMILIES = ("TL201", "TL202")


def _title(rule: Rule) -> str:
    return f"{rule.code} {rule.name}"
