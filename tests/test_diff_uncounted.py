"""`tokenlint diff`: a text that cannot be counted is no saving, and passes no limit."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from repositories import Repository, stand
from tokenlint.cli import main

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "One two three four five.\n"
LONGER = TEXT * 3
LATIN = LONGER.encode() + b"caf\xe9\n"
CHAT = json.dumps({"messages": [{"role": "user", "content": "One."}]})
LOST = (
    "error: p.md: it could be counted before and cannot be now ({}), so that its increase cannot "
    "be held to the limit; make a text of it that can be counted, or delete it\n"
)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """main with one commit, where the run stands."""
    return stand(monkeypatch, tmp_path, {"p.md": TEXT, "q.md": TEXT, "r.md": TEXT})


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(capsys)


class Run:
    """Runs the command and reads what it says."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        code = main(["diff", "-q", *arguments])
        out, err = self._capsys.readouterr()
        return code, out, err

    def json(self, *arguments: str, code: int = 0) -> dict[str, Any]:
        got, out, err = self("--output-format", "json", *arguments)
        assert got == code, err
        report: dict[str, Any] = json.loads(out)
        return report


def body(out: str) -> list[str]:
    """A table without the line that says what was compared."""
    return out.splitlines()[2:]


# What stays as it was


@pytest.mark.parametrize("arguments", [[], ["--fail-on-increase"]])
def test_a_file_that_is_gone_is_a_saving(
    repository: Repository, run: Run, arguments: list[str]
) -> None:
    repository.write({"p.md": None, "new.png": b"\0"})
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    assert body(out) == [
        "-6 tokens (-100.0 %) in p.md with o200k_base.",
        "",
        "file  status   before  after  change         %",
        "p.md  deleted       6      -      -6  -100.0 %",
    ]


@pytest.mark.parametrize("target", ["q.md", "gone.md"])
def test_a_file_that_became_a_link_is_gone(repository: Repository, run: Run, target: str) -> None:
    (repository.folder / "p.md").unlink()
    (repository.folder / "p.md").symlink_to(target)
    report = run.json("--fail-on-increase")
    (row,) = report["files"]
    assert (row["counted"], row["change"]["o200k_base"]["tokens"]) == (True, -6)
    assert report["total"]["uncounted"] == 0


# No saving


def test_one_byte_is_no_saving(repository: Repository, run: Run) -> None:
    repository.write({"p.md": LATIN})
    code, out, err = run()
    assert (code, err) == (0, "")
    assert body(out) == [
        "1 file could not be counted.",
        "",
        "file  status    before        after  change  %",
        "p.md  modified       6  not counted       -  -",
        "",
        "p.md: could not be counted now, so no sum has it; now left out: not UTF-8",
    ]
    assert (
        run("--output-format", "markdown")[1].splitlines()[1] == "### 1 file could not be counted"
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [(LATIN, "not UTF-8"), (b"\0", "binary"), (b"x" * 2000, "over the size limit")],
)
def test_no_sum_has_it(repository: Repository, run: Run, content: bytes, reason: str) -> None:
    repository.commit({"tokenlint.toml": "max-file-size = 1000\n"})
    repository.write({"p.md": content, "q.md": LONGER})
    report = run.json()
    row, total = report["files"][0], report["total"]
    assert (row["path"], row["counted"], row["after"], row["change"]) == ("p.md", False, None, None)
    assert row["note"] == f"could not be counted now, so no sum has it; now left out: {reason}"
    sums = [total[when]["tokens"]["o200k_base"] for when in ("before", "after")]
    assert (sums, total["uncounted"], total["files_before"], total["files_after"]) == (
        [6, 18],
        *(1, 1, 1),
    )
    assert run.json("--all")["total"]["change"]["o200k_base"]["tokens"] == 12


EXTRACTS = 'extract = {"*.json" = "chat", "*.yaml" = "system"}\n'


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [("a.json", CHAT, CHAT[:-1]), ("a.yaml", "system: One.\n", "sistem: One.\n")],
)
def test_prompts_that_are_not_found(
    repository: Repository, run: Run, name: str, good: str, bad: str
) -> None:
    repository.commit({name: good, "tokenlint.toml": EXTRACTS})
    whole = run.json("--all")["total"]["before"]["tokens"]["o200k_base"]
    repository.write({name: bad})
    code, out, err = run()
    assert (code, body(out)[0]) == (2, "1 file could not be counted.")
    assert (err.startswith(f"error: {name}: "), err.count("\n")) == (True, 1)
    total = run.json("--all", code=2)["total"]
    assert total["before"] == total["after"]
    assert 0 < total["before"]["tokens"]["o200k_base"] < whole


def test_neither_state_could_be_counted(repository: Repository, run: Run) -> None:
    repository.commit({"a.json": CHAT[:-1], "tokenlint.toml": EXTRACTS})
    repository.write({"a.json": CHAT[:-2]})
    code, out, _ = run()
    assert (code, body(out)[0]) == (2, "1 file could not be counted.")
    assert body(out)[3] == "a.json  modified  not counted  not counted       -  -"
    csv = run("--output-format", "csv")[1].splitlines()
    assert csv[1] == "a.json,,modified,o200k_base,,,,,,,,,"
    repository.write({"p.md": "Five four three two one.\n"})
    out = run()[1]
    assert body(out)[0] == (
        "No change in tokens in what could be counted; 1 file could not be counted."
    )
    assert "1 more file differs and has as many tokens as before." in out


def test_neither_state_is_text(repository: Repository, run: Run) -> None:
    repository.commit({"p.md": LATIN})
    repository.write({"p.md": LATIN * 2})
    assert body(run()[1]) == ["1 file could not be counted."]


def test_one_that_does_not_differ_is_missed_in_the_whole(repository: Repository, run: Run) -> None:
    repository.commit({"a.json": CHAT[:-1], "tokenlint.toml": EXTRACTS})
    repository.write({"p.md": LONGER})
    assert run.json()["total"]["uncounted"] == 0
    report = run.json("--all", code=2)
    assert report["total"]["uncounted"] == 1
    assert report["skipped"] == [{"path": "a.json", "reason": "not countable"}]


def test_a_bill_has_no_part_of_it(repository: Repository, run: Run) -> None:
    repository.write({"p.md": LATIN, "q.md": LONGER})
    cost = json.dumps(run.json("--model", "gpt-4o", "--calls", "1000")["cost"])
    assert ("q.md" in cost, "p.md" in cost) == (True, False)


# Limits


@pytest.mark.parametrize(
    "arguments", [["--fail-on-increase"], ["--max-increase", "500"], ["--max-increase", "5%"]]
)
@pytest.mark.parametrize(("content", "reason"), [(LATIN, "not UTF-8"), (b"\0", "binary")])
def test_breaking_a_file_passes_no_limit(
    repository: Repository, run: Run, arguments: list[str], content: bytes, reason: str
) -> None:
    repository.write({"p.md": content})
    code, out, err = run(*arguments)
    assert (code, err) == (2, LOST.format(reason))
    assert "-100" not in out


PROMPT = "".join(f"Rule {n} d\u00e9j\u00e0 vu, and what it says.\n" for n in range(5))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (PROMPT.encode() + b"\xe9", "not UTF-8"),
        (PROMPT.encode("cp1252"), "not UTF-8"),
        (PROMPT.encode("utf-16"), "UTF-16"),
        (PROMPT.encode("utf-16-be"), "binary"),
        (PROMPT.encode() + b"\0", "binary"),
    ],
)
def test_breaking_a_file_under_a_new_name_passes_no_limit(
    repository: Repository, run: Run, content: bytes, reason: str
) -> None:
    repository.commit({"p.md": PROMPT})
    repository.write({"p.md": None, "sub/new.md": content})
    code, out, err = run("--fail-on-increase")
    assert (code, err) == (2, LOST.format(reason).replace("p.md", "sub/new.md"))
    assert body(out)[:4:3] == [
        "1 file could not be counted.",
        "p.md -> sub/new.md  renamed      55  not counted       -  -",
    ]


@pytest.mark.parametrize(
    "content", [b"\0" + b"picture" * 9, b"\xff" * 99, PROMPT.encode() * 30 + b"\xff"]
)
def test_what_is_no_text_and_never_was_takes_no_place(
    repository: Repository, run: Run, content: bytes
) -> None:
    repository.commit({"p.md": PROMPT})
    repository.write({"p.md": None, "new": content})
    code, out, err = run("--fail-on-increase")
    assert (code, err) == (0, "")
    assert "-55 tokens (-100.0 %) in p.md with o200k_base" in out


@pytest.mark.parametrize(
    ("configuration", "code"),
    [
        ("[diff]\nmax-increase = 500\n", 2),
        ('[[budgets]]\nfiles = ["p.md"]\nmax-increase = 500\n', 2),
        ('[[budgets]]\nfiles = ["?.md"]\nmax-total-increase = "90%"\n', 2),
        ('[[budgets]]\nfiles = ["q.md"]\nmax-increase = 0\nmax-total-increase = 0\n', 0),
        ('[[budgets]]\nfiles = ["?.md"]\nmax-total = 5000\nmax-tokens = 5000\n', 0),
        ('ignore = ["TL305"]\n[diff]\nmax-increase = 500\n', 0),
    ],
)
def test_limits_of_the_configuration(
    repository: Repository, run: Run, configuration: str, code: int
) -> None:
    repository.commit({"tokenlint.toml": configuration})
    repository.write({"p.md": LATIN})
    got, _, err = run()
    assert (got, err) == (code, LOST.format("not UTF-8") if code else "")


def test_a_group_has_it_in_neither_sum(repository: Repository, run: Run) -> None:
    group = '[[budgets]]\nfiles = ["?.md"]\nmax-total-increase = 0\n'
    repository.commit({"tokenlint.toml": group})
    repository.write({"p.md": LATIN, "q.md": LONGER})
    report = run.json("--", "q.md", code=2)  # p.md is of the group, though not named
    (one,) = report["groups"]
    assert (one["before"], one["after"], one["uncounted"]) == (12, 24, 1)
    assert [finding["code"] for finding in report["findings"]] == ["TL305"]


def test_one_that_is_mended_may_come(repository: Repository, run: Run) -> None:
    """Nobody knows by how much it grew; a limit of its own takes it for new."""
    repository.commit({"p.md": LATIN})
    repository.write({"p.md": LONGER})
    code, out, err = run("--fail-on-increase")
    assert (code, err, body(out)[0]) == (0, "", "1 file could not be counted.")
    repository.write({"tokenlint.toml": '[[budgets]]\nfiles = ["p.md"]\nmax-increase = 10\n'})
    assert run()[0] == 1


# All files together


def test_a_total_counts_files_as_the_headline_does(repository: Repository, run: Run) -> None:
    repository.write({"p.md": LONGER, "q.md": None, "r.md": f"{TEXT}more\n"})
    code, out, _ = run("--fail-on-increase")
    assert code == 1
    assert " in 3 files with " in body(out)[0]
    assert body(out)[-1].startswith("p.md:1:1: TL305 3 files together have ")
    assert " % of all 3 files) " in body(run("--max-increase", "1%")[1])[0]


@pytest.mark.parametrize("form", ["junit", "github"])
def test_a_total_stands_at_the_file_that_grew_most(
    repository: Repository, run: Run, form: str
) -> None:
    repository.commit({"a.md": TEXT * 9})
    repository.write({"a.md": None, "p.md": TEXT * 4, "q.md": TEXT * 9, "r.md": TEXT * 2})
    _, out, _ = run("--fail-on-increase", "--output-format", form)
    where = {"junit": '<testcase classname="tokenlint" name="q.md">', "github": "file=q.md,"}
    assert where[form] in out
    assert "4 files together have " in out
    repository.write({"tokenlint.toml": "[diff]\nmax-increase = 1\n"})
    assert where[form].replace("q.md", "tokenlint.toml") in run("--output-format", form)[1]
