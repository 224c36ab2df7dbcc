"""The pages in docs/rules are what the rules themselves say."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from typing import TYPE_CHECKING, Any

import pytest

from console import ROOT
from tokenlint.rules import RULES, Rule

if TYPE_CHECKING:
    from pathlib import Path

TOOL = ROOT / "tools" / "rule_pages.py"


@pytest.fixture(scope="module")
def tool() -> Any:
    """The script as a module."""
    spec = spec_from_file_location("rule_pages", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(TOOL.parent)  # as for a script
        spec.loader.exec_module(module)
    return module


def test_the_pages_are_up_to_date() -> None:
    done = subprocess.run([sys.executable, TOOL, "--check"], capture_output=True, check=False)
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, "", b"")


def test_what_differs_is_named(tool: Any, tmp_path: Path) -> None:
    wanted = tool.pages()
    assert list(wanted) == ["README.md", *(f"{rule.code}.md" for rule in RULES)]
    for name, text in wanted.items():
        (tmp_path / name).write_text(text, "utf-8")
    assert tool.differing(wanted, tmp_path) == []
    (tmp_path / "TL101.md").write_text("changed")
    (tmp_path / "TL201.md").unlink()
    (tmp_path / "TL999.md").write_text("left over")
    assert tool.differing(wanted, tmp_path) == ["TL101.md", "TL201.md", "TL999.md"]


@pytest.mark.parametrize(
    ("doc", "page"),
    [
        ("Plain.", "Plain."),
        ("Say `<s>` or <s>.", "Say `<s>` or \\<s>."),
        ("A * is a * star.", "A \\* is a \\* star."),
        ("Flagged:\n\n    <s>  *\n", "Flagged:\n\n    <s>  *"),
        ("- one `*`\n- two", "- one `*`\n- two"),
    ],
)
def test_text_becomes_markdown(tool: Any, doc: str, page: str) -> None:
    rule = Rule("TL000", "name", "summary", doc, fixable="unsafe", default=False)
    assert tool._page(rule) == (
        "# TL000 name\n\nOff by default; an unsafe fix.\n\n" + page + "\n\n[All rules](README.md)\n"
    )


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_code_in_a_line_ends_on_it(rule: Rule) -> None:
    lines = [line for line in rule.doc.splitlines() if not line.startswith("    ")]
    assert [line for line in lines if line.count("`") % 2] == []
