"""`--output-format junit`: a test case a file, for whatever shows the results of tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.reports.escaping import xml_text
from tokenlint.reports.printable import printable
from tokenlint.reports.text import counted, files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenlint.diagnostic import Diagnostic
    from tokenlint.reports.checked import Checked
    from tokenlint.reports.style import Style


def lines(checked: Checked, _style: Style) -> Iterator[str]:
    """One suite with a case for each file, so that a viewer shows what passed as well.

    Errors fail the case of their file, warnings are its output, and what could not be checked is
    an error of a case of its own.
    """
    paths = {*checked.clean, *(diagnostic.path for diagnostic in checked.diagnostics)}
    by_file: dict[str, list[Diagnostic]] = {path: [] for path in sorted(paths)}
    for diagnostic in checked.diagnostics:
        by_file[diagnostic.path].append(diagnostic)
    failed = len({diagnostic.path for diagnostic in checked.errors})
    broken = int(bool(checked.problems))
    cases = len(by_file) + broken or 1
    totals = f'tests="{cases}" failures="{failed}" errors="{broken}"'
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield f'<testsuites name="tokenlint" {totals}>'
    yield f'  <testsuite name="tokenlint" {totals} skipped="0">'
    for path, diagnostics in by_file.items():
        yield from _case(path, _results(diagnostics))
    if checked.problems:
        yield from _case("tokenlint", _block("error", "problem", checked.problems))
    if not by_file and not checked.problems:
        yield from _case(files(checked.summary), ())
    yield "  </testsuite>"
    yield "</testsuites>"


def _case(name: str, results: Iterable[str]) -> Iterator[str]:
    yield f'    <testcase classname="tokenlint" name="{xml_text(name)}">'
    yield from results
    yield "    </testcase>"


def _results(diagnostics: Sequence[Diagnostic]) -> Iterator[str]:
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.is_error]
    warnings = [diagnostic for diagnostic in diagnostics if not diagnostic.is_error]
    if errors:
        codes = ", ".join(dict.fromkeys(diagnostic.code for diagnostic in errors))
        yield from _block("failure", "finding", map(_line, errors), codes)
    if warnings:
        yield f"      <system-out>{_text(map(_line, warnings))}</system-out>"


def _block(tag: str, what: str, sentences: Iterable[str], codes: str = "") -> Iterator[str]:
    said = list(sentences)
    message = f"{counted(len(said), what)}: {codes}" if codes else counted(len(said), what)
    head = f'<{tag} type="{what}" message="{xml_text(message)}">'
    yield f"      {head}{_text(said)}</{tag}>"


def _text(sentences: Iterable[str]) -> str:
    return "\n".join(map(xml_text, sentences))


def _line(diagnostic: Diagnostic) -> str:
    row, column = diagnostic.location
    return f"{printable(diagnostic.path)}:{row}:{column}: {diagnostic.code} {diagnostic.message}"
