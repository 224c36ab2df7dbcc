"""`--output-format markdown`: a comment of a pull request, or the summary of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.reports.comment import CLOSED, fitted, marker, opened, shortened
from tokenlint.reports.escaping import markdown_cell, markdown_code
from tokenlint.reports.rule_pages import url_of
from tokenlint.reports.tables import bar, markdown_lines
from tokenlint.reports.text import costs, counted, files, is_safe

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenlint.diagnostic import Diagnostic
    from tokenlint.reports.checked import Checked
    from tokenlint.reports.style import Style

_LONGEST_MESSAGE = 500
_MOST_PROBLEMS = 10
_DETAILS = ("place", "rule", "level", "what")


def lines(checked: Checked, _style: Style) -> Iterator[str]:
    """What was found in a sentence, then rule by rule, then finding by finding, folded."""
    head = [marker("check"), f"### {_headline(checked)}", ""]
    head += _problems(checked.problems)
    found = checked.diagnostics
    if not found:
        yield from (*head, files(checked.summary))
        return
    said = (*map(markdown_cell, costs(checked.summary)), files(checked.summary))
    head += [*_rules(checked), "", *(f"{sentence}  " for sentence in said), ""]
    head += opened(f"All {counted(len(found), 'finding')}" if len(found) > 1 else "The finding")
    head += markdown_lines([_DETAILS], _DETAILS)
    yield from fitted(head, list(map(_row, found)), CLOSED, _more)


def _headline(checked: Checked) -> str:
    """The sentence that a busy reader takes away."""
    failed = f"incomplete, {counted(len(checked.problems), 'problem')}" if checked.problems else ""
    if not checked.diagnostics:
        return f"tokenlint: {failed or 'nothing found'}"
    errors, warnings = len(checked.errors), len(checked.warnings)
    levels = [counted(errors, "error")] * bool(errors) + [counted(warnings, "warning")] * bool(
        warnings
    )
    where = counted(len({diagnostic.path for diagnostic in checked.diagnostics}), "file")
    fixable = sum(map(is_safe, checked.diagnostics))
    mend = f", {fixable:,} fixable with `--fix`" if fixable else ""
    what = f"{' and '.join(levels)} in {where}{mend}"
    return f"tokenlint: {what}{f' ({failed})' if failed else ''}"


def _problems(problems: Sequence[str]) -> Iterator[str]:
    if not problems:
        return
    yield "Not everything could be checked:"
    yield ""
    for problem in problems[:_MOST_PROBLEMS]:
        yield f"- **error:** {markdown_cell(shortened(problem, _LONGEST_MESSAGE))}"
    if len(problems) > _MOST_PROBLEMS:
        yield f"- and {counted(len(problems) - _MOST_PROBLEMS, 'more problem')}"
    yield ""


def _rules(checked: Checked) -> Iterator[str]:
    """A table of the rules that found something, the most frequent first."""
    by_code: dict[str, list[Diagnostic]] = {}
    for diagnostic in checked.diagnostics:
        by_code.setdefault(diagnostic.code, []).append(diagnostic)
    order = sorted(by_code.items(), key=lambda item: (-len(item[1]), item[0]))
    summaries = {rule.code: rule.summary for rule in checked.rules}
    rows = [_summed(found, summaries.get(code, "")) for code, found in order]
    head = ("rule", "what it finds", "errors", "warnings", "files", "fixable")
    return markdown_lines([head, *rows], head[:2])


def _summed(found: Sequence[Diagnostic], summary: str) -> tuple[str, ...]:
    errors = sum(diagnostic.is_error for diagnostic in found)
    figures = (
        errors,
        len(found) - errors,
        len({diagnostic.path for diagnostic in found}),
        sum(map(is_safe, found)),
    )
    rule = f"{_linked(found[0])} {markdown_cell(found[0].name)}"
    return (rule, markdown_cell(summary), *(f"{figure:,}" for figure in figures))


def _linked(diagnostic: Diagnostic) -> str:
    url = url_of(diagnostic.code)
    code = markdown_cell(diagnostic.code)
    return code if url is None else f"[{code}]({url})"


def _row(diagnostic: Diagnostic) -> str:
    row, column = diagnostic.location
    message = markdown_cell(shortened(diagnostic.message, _LONGEST_MESSAGE))
    place = markdown_code(f"{diagnostic.path}:{row}:{column}")
    return bar((place, markdown_cell(diagnostic.code), diagnostic.level, message))


def _more(number: int) -> list[str]:
    what = counted(number, "more finding")
    return ["", f"{what} left out: a comment holds 65,536 characters. `tokenlint check` shows all."]
