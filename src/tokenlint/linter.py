"""Ask each rule about a document, and sort the answers."""

from __future__ import annotations

import os
from dataclasses import field
from typing import TYPE_CHECKING, Any

from tokenlint.errors import TokenlintError
from tokenlint.frozen import frozen
from tokenlint.rules import Finding
from tokenlint.rules.near import calmed
from tokenlint.rules.quick import look_at, once
from tokenlint.suppress import unsuppressed
from tokenlint.tokens import Document, Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokenlint.rules import Context, Rule


@frozen
class Linted:
    """The findings in one file, and what kept a rule from looking."""

    findings: tuple[Finding, ...]
    problems: tuple[str, ...] = ()


def lint(
    document: Document | Unreadable,
    rules: Iterable[Rule],
    context: Context,
    *,
    directives: bool = True,
) -> Linted:
    """What the rules find in a document, in order of place; directives hold unless told not to."""
    if isinstance(document, Unreadable):
        answers = _Answers(document.path)
        for rule in rules:
            if rule.check_unreadable is not None:
                answers.collect(rule, rule.check_unreadable, document)
        return Linted(tuple(answers.findings), tuple(answers.problems))
    asked = _asked(document, rules, context)
    if not asked:
        return _NOTHING
    answers = _Answers(document.path)
    for rule, check in asked:
        answers.collect(rule, check, document, context)
    findings = answers.findings
    if findings and directives:
        findings = list(unsuppressed(document, findings, context.trust_for(document.path)))
    return Linted(tuple(sorted(findings)), tuple(answers.problems))


_NOTHING = Linted(())


def _asked(
    document: Document, rules: Iterable[Rule], context: Context
) -> list[tuple[Rule, Callable[..., Iterable[Finding]]]]:
    """The rules that may find something in a document: for most files there is none."""
    look = look_at(document)
    if look.suspects or look.has_escapes:
        look = calmed(document, look, context)
    if not (look.suspects or look.has_long_run):
        rules = _beside_suspects(rules)
    return [
        (rule, rule.check)
        for rule in rules
        if rule.check is not None
        and (rule.may_find is None or rule.may_find(document, look, context))
    ]


@once
def _beside_suspects(rules: Iterable[Rule]) -> list[Rule]:
    """The rules that may find something where no character is a suspect."""
    return [rule for rule in rules if not rule.asks_for_suspects and rule.check is not None]


@frozen
class _Answers:
    """What rules answer about one file. One that fails keeps no other from answering."""

    path: str
    findings: list[Finding] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def collect(self, rule: Rule, check: Callable[..., Iterable[Finding]], *about: Any) -> None:
        """Take in the findings of a rule, and why it gives no more of them."""
        try:
            for finding in check(*about):
                _require_fitting(finding, rule, *about)
                self.findings.append(finding)
        except TokenlintError as error:
            self.problems.append(f"{self.path}: {error}")
        except (Exception, SystemExit) as error:  # noqa: BLE001  (a defect can be anything)
            self.problems.append(
                f"{self.path}: the rule {rule.code} {rule.name} failed, which is a defect of the "
                f"rule: {_described(error)}"
            )


def _require_fitting(
    finding: Finding, rule: Rule, document: Document | Unreadable, *_: object
) -> None:
    """Rules from outside are held to what every report relies on."""
    if not isinstance(finding, Finding):
        raise TypeError(f"it yields {finding!r} and not a Finding")
    if (finding.code, finding.path) != (rule.code, document.path):
        raise ValueError(f"it yields a finding of {finding.code} in {finding.path}")
    end = len(document.text) if isinstance(document, Document) else 0
    edits = finding.fix.edits if finding.fix is not None else ()
    spans = [(finding.start, finding.end), *((edit.start, edit.end) for edit in edits)]
    for start, stop in spans:
        if not 0 <= start <= stop <= end:
            raise ValueError(f"it yields {start} to {stop} in a text of {end} characters")


def _described(error: BaseException) -> str:
    """The kind of an error, the first line of what it says, and where it was raised."""
    from traceback import extract_tb

    frame = extract_tb(error.__traceback__)[-1]
    first = str(error).strip().partition("\n")[0]
    where = f"({os.path.basename(frame.filename)}, line {frame.lineno})"  # noqa: PTH119
    return f"{type(error).__name__}{': ' if first else ''}{first} {where}"
