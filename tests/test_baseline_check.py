"""`tokenlint check` with a baseline: written, held to, told about, pruned."""

from __future__ import annotations

import io
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenlint.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

pytestmark = pytest.mark.usefixtures("folder")

NFD = "Ba\u0323n\n"
END = "Hi<|im_end|>\n"
BUDGET = '[[budgets]]\nfiles = ["a.md"]\nmax-tokens = 10\n'
TOTAL = '[[budgets]]\nfiles = ["*.md"]\nmax-total = 10\n'


@dataclass(frozen=True)
class Ran:
    """Exit code, the findings as `path:row CODE`, and what was said beside them."""

    code: int
    findings: list[str]
    said: list[str]


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """`tokenlint check`, with JSON read back."""

    def check(*arguments: str) -> Ran:
        code = main(["check", "--output-format", "json", *arguments])
        out, err = capsys.readouterr()
        findings = [
            f"{found['filename']}:{found['location']['row']} {found['code']}"
            for found in (json.loads(out) if out else [])
        ]
        return Ran(code, findings, err.splitlines())

    return check


def write(files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())


def words(number: int) -> str:
    """A text of so many tokens."""
    return " ".join(["a"] * number)


def accept(check: Callable[..., Ran], *arguments: str) -> list[str]:
    """The entries of a baseline that is written now, without the hashes."""
    ran = check("--write-baseline", "b.json", *arguments)
    assert (ran.code, ran.findings) == (0, [])
    return entries("b.json")


def entries(file: str) -> list[str]:
    found = json.loads(Path(file).read_bytes())["entries"]
    return [
        " ".join(str(value) for key, value in entry.items() if key != "content") for entry in found
    ]


# Writing, and holding to it


def test_nothing_is_accepted_where_nothing_is_found(check: Callable[..., Ran]) -> None:
    write({"a.md": "plain\n"})
    assert accept(check) == []
    assert check("--baseline", "b.json") == Ran(0, [], [])


def test_what_was_there_is_accepted_and_what_is_new_is_reported(check: Callable[..., Ran]) -> None:
    write({"a.md": END + NFD + END, "c/b.md": NFD})
    assert accept(check) == ["a.md TL101 1", "a.md TL201 2", "c/b.md TL101 1"]
    assert check("--baseline", "b.json") == Ran(0, [], [])
    write({"a.md": "# New head\n\n" + END + "more\n" + END + NFD + END, "d.md": END})
    assert check("--baseline", "b.json") == Ran(1, ["a.md:7 TL201", "d.md:1 TL201"], [])
    assert check("--baseline", "b.json", "d.md", "c") == Ran(1, ["d.md:1 TL201"], [])
    assert len(check("--baseline", "b.json", "--exit-zero").findings) == 2


def test_what_a_run_with_a_baseline_looks_like(capsys: pytest.CaptureFixture[str]) -> None:
    write({"a.md": END + NFD})
    assert main(["check", "--write-baseline", "b.json"]) == 0
    assert capsys.readouterr() == (
        "Nothing new was found.\nChecked 1 file; the baseline accepts 2 findings.\n",
        "note: b.json: 2 entries now, 0 before\n",
    )
    assert main(["check", "--baseline", "b.json"]) == 0
    assert capsys.readouterr() == (
        "Nothing new was found.\n"
        "Checked 1 file, skipped 1 (1 baseline); the baseline accepts 2 findings.\n",
        "",
    )


def test_the_baseline_stands_anywhere_and_is_read_from_anywhere(
    check: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a/a.md": END, "ci/x": ""})
    assert check("--write-baseline", "ci/b.json").code == 0
    assert entries("ci/b.json") == ["../a/a.md TL201 1"]
    monkeypatch.chdir("a")
    assert check("--baseline", "../ci/b.json") == Ran(0, [], [])
    Path("../ci/link").symlink_to("../a")
    assert check("--baseline", "../ci/b.json", "../ci/link/a.md") == Ran(0, [], [])


def test_names_in_another_form_are_the_same_names(check: Callable[..., Ran]) -> None:
    write({"e\u0301<|im_end|>.md": END})
    assert accept(check) == [
        "\u00e9<|im_end|>.md TL103 1",
        "\u00e9<|im_end|>.md TL201 1",
    ]
    assert check("--baseline", "b.json") == Ran(0, [], [])
    Path("e\u0301<|im_end|>.md").rename("\u00e9<|im_end|>.md")
    gone = "note: b.json: 1 accepted finding is gone; --prune-baseline writes down what is left"
    assert check("--baseline", "b.json") == Ran(0, [], [gone])


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes only there")
def test_a_name_that_is_no_text(check: Callable[..., Ran]) -> None:
    Path(os.fsdecode(b"\xff.md")).write_text(END)
    accept(check)
    assert check("--baseline", "b.json") == Ran(0, [], [])


def test_a_file_that_is_not_utf_8_can_be_accepted(check: Callable[..., Ran]) -> None:
    write({"a.md": b"caf\xe9"})
    assert accept(check) == ["a.md TL901 1"]
    assert check("--baseline", "b.json", "a.md") == Ran(0, [], [])
    Path("a.md").rename("c.md")
    assert check("--baseline", "b.json", "c.md") == Ran(1, ["c.md:1 TL901"], [])


def test_what_no_directive_silences_can_be_accepted(check: Callable[..., Ran]) -> None:
    write({"a.md": f"{END}tokenlint: ignore-file[TL201]\n", "tokenlint.toml": OUTSIDE})
    assert check().findings == ["a.md:1 TL201"]
    accept(check)
    assert check("--baseline", "b.json") == Ran(0, [], [])


OUTSIDE = '[trust]\n"*.md" = "outside"\n'


def test_what_was_accepted_as_a_warning_is_new_as_an_error(check: Callable[..., Ran]) -> None:
    write({"a.md": END, "tokenlint.toml": '[trust]\n"*.md" = "owner"\n'})
    accept(check)
    write({"tokenlint.toml": OUTSIDE})
    assert check("--baseline", "b.json").findings == ["a.md:1 TL201"]


def test_standard_input_under_the_name_of_a_file(
    check: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a.md": END, "gone.md": NFD})
    accept(check)
    Path("gone.md").unlink()
    for text, findings in ((END, []), (END + END, ["a.md:2 TL201"])):
        stream = io.TextIOWrapper(io.BytesIO(text.encode()))
        monkeypatch.setattr(sys, "stdin", stream)
        ran = check("--baseline", "b.json", "-", "--stdin-filename", "a.md")
        assert (ran.findings, ran.said) == (findings, [])


# Fixes


def test_only_what_is_reported_is_fixed(check: Callable[..., Ran]) -> None:
    write({"a.md": NFD})
    accept(check)
    write({"a.md": NFD + "new a\u0301\n"})
    assert check("--baseline", "b.json", "--fix") == Ran(0, [], [])
    assert Path("a.md").read_bytes() == (NFD + "new \u00e1\n").encode()


# Figures may only shrink


def test_a_budget_is_a_ratchet(
    check: Callable[..., Ran], capsys: pytest.CaptureFixture[str]
) -> None:
    write({"a.md": words(15), "tokenlint.toml": BUDGET})
    assert accept(check) == ["a.md TL301 tokens; o200k_base 15"]
    assert check("--baseline", "b.json") == Ran(0, [], [])
    write({"a.md": words(16)})
    assert main(["check", "--output-format", "concise", "-q", "--baseline", "b.json"]) == 1
    assert capsys.readouterr() == (
        "a.md:1:1: TL301 16 tokens, 6 over the budget of 10 (o200k_base; a.md); "
        "the baseline has 15\n",
        "",
    )
    write({"a.md": words(14)})
    shrunk = "note: b.json: 1 recorded figure has shrunk; --prune-baseline writes down what is left"
    assert check("--baseline", "b.json") == Ran(0, [], [shrunk])


def test_pruning_tightens_the_ratchet_and_never_loosens_it(check: Callable[..., Ran]) -> None:
    write({"a.md": words(15), "tokenlint.toml": BUDGET})
    accept(check)
    for number, recorded, code in ((14, 14, 0), (16, 14, 1), (15, 14, 1), (14, 14, 0)):
        write({"a.md": words(number)})
        assert check("--baseline", "b.json", "--prune-baseline").code == code
        assert entries("b.json") == [f"a.md TL301 tokens; o200k_base {recorded}"]


def test_a_renamed_file_keeps_its_figure_while_its_text_is_the_same(
    check: Callable[..., Ran],
) -> None:
    write({"a.md": words(15), "tokenlint.toml": BUDGET.replace("a.md", "*.md")})
    accept(check)
    Path("a.md").rename("c.md")
    assert check("--baseline", "b.json") == Ran(0, [], [])
    write({"c.md": words(14)})
    assert check("--baseline", "b.json").findings == ["c.md:1 TL301"]


def test_the_total_of_a_group_is_a_ratchet(check: Callable[..., Ran]) -> None:
    write({"a.md": words(8), "c.md": words(7), "tokenlint.toml": TOTAL})
    assert accept(check) == ["tokenlint.toml TL302 total; *.md; o200k_base 15"]
    write({"a.md": words(7), "c.md": words(8)})
    assert check("--baseline", "b.json") == Ran(0, [], [])
    write({"c.md": words(9)})
    assert check("--baseline", "b.json").findings == ["tokenlint.toml:1 TL302"]
    assert check("--baseline", "b.json", "a.md").findings == ["tokenlint.toml:1 TL302"]


def test_the_baseline_is_no_part_of_a_group(check: Callable[..., Ran]) -> None:
    total = TOTAL.replace("*.md", "*").replace("10", "20") + "[per-file-ignores]\n"
    write({"a.md": words(100), "tokenlint.toml": total})
    accept(check)
    assert check("--baseline", "b.json") == Ran(0, [], [])


def test_fertility_and_premium_are_ratchets(check: Callable[..., Ran]) -> None:
    limits = (
        '[[budgets]]\nfiles = ["vi.md"]\nmax-fertility = 0.5\n'
        '[[premiums]]\nreference = "en.md"\nfiles = "{language}.md"\nmax-premium = 1\n'
    )
    write({"vi.md": "one two three four!", "en.md": "one two", "tokenlint.toml": limits})
    assert accept(check) == [
        "vi.md TL303 fertility; o200k_base 1.25",
        "vi.md TL304 premium; o200k_base; en.md 2.5",
    ]
    assert check("--baseline", "b.json") == Ran(0, [], [])
    write({"vi.md": "one two three four!?!"})
    assert check("--baseline", "b.json").findings == ["vi.md:1 TL303", "vi.md:1 TL304"]


# What is no longer needed


def test_entries_that_match_nothing_are_told_and_pruned(check: Callable[..., Ran]) -> None:
    write({"a.md": END + END + NFD, "c.md": END, "d/d.md": NFD})
    accept(check)
    write({"a.md": END})
    Path("c.md").unlink()
    ran = check("--baseline", "b.json")
    assert ran == Ran(
        0,
        [],
        ["note: b.json: 3 accepted findings are gone; --prune-baseline writes down what is left"],
    )
    assert check("--baseline", "b.json", "d") == Ran(0, [], [])
    ran = check("--baseline", "b.json", "--prune-baseline", "d")
    assert ran == Ran(0, [], ["note: b.json: 4 entries now, 4 before"])
    ran = check("--baseline", "b.json", "--prune-baseline", "a.md")
    assert ran == Ran(0, [], ["note: b.json: 3 entries now, 4 before"])
    assert entries("b.json") == ["a.md TL201 1", "c.md TL201 1", "d/d.md TL101 1"]
    check("--baseline", "b.json", "--prune-baseline")
    assert entries("b.json") == ["a.md TL201 1", "d/d.md TL101 1"]


def test_rules_that_did_not_look_make_nothing_stale(check: Callable[..., Ran]) -> None:
    write({"a.md": END + NFD})
    accept(check)
    assert check("--baseline", "b.json", "--select", "TL101") == Ran(0, [], [])
    check("--baseline", "b.json", "--prune-baseline", "--select", "TL101")
    assert check("--baseline", "b.json", "--budgets", "--isolated").code == 2
    assert entries("b.json") == ["a.md TL101 1", "a.md TL201 1"]


def test_writing_again_keeps_what_was_not_looked_at(check: Callable[..., Ran]) -> None:
    write({"a.md": END, "d/d.md": NFD})
    accept(check)
    write({"a.md": NFD})
    assert accept(check, "a.md") == ["a.md TL101 1", "d/d.md TL101 1"]
    assert accept(check, "d") == ["a.md TL101 1", "d/d.md TL101 1"]
    Path("d/d.md").unlink()
    assert accept(check) == ["a.md TL101 1"]


def test_pruning_writes_renamed_files_under_their_new_names(check: Callable[..., Ran]) -> None:
    write({"a.md": END})
    accept(check)
    Path("a.md").rename("c.md")
    check("--baseline", "b.json", "--prune-baseline")
    assert entries("b.json") == ["c.md TL201 1"]


def test_a_run_over_budgets_judges_budgets(check: Callable[..., Ran]) -> None:
    write({"a.md": words(15) + END, "c.md": END, "tokenlint.toml": BUDGET})
    accept(check)
    Path("a.md").unlink()
    write({"d.md": "", "tokenlint.toml": BUDGET.replace("a.md", "d.md")})
    gone = "note: b.json: 1 accepted finding is gone; --prune-baseline writes down what is left"
    assert check("--baseline", "b.json", "--budgets") == Ran(0, [], [gone])


def test_a_run_that_could_not_look_everywhere_tells_nothing(check: Callable[..., Ran]) -> None:
    write({"a.md": END})
    accept(check)
    write({"a.md": ""})
    assert check("--baseline", "b.json", "a.md", "c.md").said == [
        "error: c.md: no such file or directory"
    ]


# The configuration


def test_each_configuration_has_its_own_baseline(
    check: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a/a.md": END, "c/c.md": END, "d/d.md": END})
    for folder in ("a", "c"):
        assert check("--write-baseline", f"{folder}/b.json", folder).code == 0
        write({f"{folder}/tokenlint.toml": 'baseline = "b.json"\n'})
    assert check() == Ran(1, ["d/d.md:1 TL201"], [])
    assert check("--no-baseline").findings == ["a/a.md:1 TL201", "c/c.md:1 TL201", "d/d.md:1 TL201"]
    assert check("--baseline", "a/b.json", "a", "c").findings == ["c/c.md:1 TL201"]
    assert check("--isolated", "a").findings == ["a/a.md:1 TL201"]
    monkeypatch.chdir("d")
    assert check("--config", "../a/tokenlint.toml", "../a") == Ran(0, [], [])
    Path("../a/b.json").unlink()
    ran = check("../a")
    assert (ran.code, ran.findings) == (2, [])
    assert ran.said[0].endswith(
        "b.json: there is no such baseline; make it with --write-baseline, or correct the name"
    )


# Mistakes


def test_a_missing_baseline_is_an_error(check: Callable[..., Ran]) -> None:
    write({"a.md": "plain"})
    said = (
        "error: b.json: there is no such baseline; make it with --write-baseline, or correct the "
        "name"
    )
    assert check("--baseline", "b.json") == Ran(2, [], [said])


def test_a_baseline_that_cannot_be_read(check: Callable[..., Ran]) -> None:
    write({"a.md": "plain", "b.json/x": ""})
    assert check("--baseline", "b.json") == Ran(2, [], ["error: b.json: Is a directory"])


def test_a_broken_baseline_is_an_error_and_is_not_written_over(check: Callable[..., Ran]) -> None:
    write({"a.md": "plain", "b.json": "{}"})
    said = ["error: b.json: not a baseline; name a file that --write-baseline has written"]
    assert check("--baseline", "b.json") == Ran(2, [], said)
    assert check("--write-baseline", "b.json") == Ran(2, [], said)
    assert Path("b.json").read_text() == "{}"


def test_nothing_is_written_where_not_everything_was_checked(check: Callable[..., Ran]) -> None:
    write({"a.md": END})
    ran = check("--write-baseline", "b.json", "a.md", "missing.md")
    assert ran.code == 2
    assert ran.said == [
        "error: missing.md: no such file or directory",
        "error: b.json: not written, because not everything was checked",
    ]
    assert not Path("b.json").exists()


def test_a_baseline_that_cannot_be_written(
    check: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"a.md": END})
    ran = check("--write-baseline", "a.md/b.json", "a.md")
    assert (ran.code, ran.said) == (2, ["error: a.md/b.json: Not a directory"])

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("tokenlint.atomic.replace_file", refuse)
    ran = check("--write-baseline", "b.json", "a.md")
    sentence = "error: b.json: the baseline cannot be written: Permission denied"
    assert (ran.code, ran.said) == (2, [sentence])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--prune-baseline"],
            "error: --prune-baseline: there is no baseline; name it with --baseline FILE",
        ),
        (
            ["--write-baseline", "b.json", "--diff"],
            "error: --diff writes nothing, but a baseline is to be written; leave it out",
        ),
        (
            ["--write-baseline", "b.json", "--fix"],
            "error: --fix mends what --write-baseline accepts; run the one, and then the other",
        ),
    ],
)
def test_what_cannot_be_meant(check: Callable[..., Ran], arguments: list[str], said: str) -> None:
    write({"a.md": END})
    assert check(*arguments) == Ran(2, [], [said])


def test_a_clean_file_needs_no_baseline_code(monkeypatch: pytest.MonkeyPatch) -> None:
    write({"a.md": "plain\n"})
    for name in ("tokenlint.baseline", "tokenlint.commands.ledger"):
        monkeypatch.delitem(sys.modules, name, raising=False)
        monkeypatch.setitem(sys.modules, name, None)
    assert main(["check", "-q"]) == 0
