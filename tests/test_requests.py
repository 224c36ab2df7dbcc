"""`tokenlint count --chat`: what models receive, role by role, in each format."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from tokenlint.cli import main
from tokenlint.reports.requests_report import RequestTable, as_csv, as_markdown, as_table
from tokenlint.tokens.chat import OPENING, Request, Turn
from tokenlint.tokens.chat.counted import CountedRequest, RoleCount

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TALK = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Xin ch\u00e0o"},
    {"role": "assistant", "content": "Ch\u00e0o"},
    {"role": "user", "content": "hi"},
]
MARKED = "<|im_start|>{}<|im_end|>"  # text for cl100k_base, which knows no ChatML
TEMPLATE = f"{{% for m in messages %}}{MARKED.format('{{ m.content }}')}{{% endfor %}}"
CONFIG = '[tokenizer.mine]\nsource = "cl100k_base"\nchat-template = "x/t.jinja"\n'


@pytest.fixture(autouse=True)
def files(folder: Path) -> Path:
    """A working folder with a conversation in it."""
    (folder / "talk.json").write_text(json.dumps(TALK))
    return folder


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> list[str]:
    """The lines on standard output; nothing may stand on the other one where all is well."""
    assert main(["count", "--chat", *arguments]) == code
    out, err = capsys.readouterr()
    assert bool(err) == bool(code)
    return out.splitlines()


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "talk.json") == [
        "talk.json:1 request 1, o200k_base (estimate by OpenAI's documented formula)",
        "role               messages  content  frame  total",
        "system                    1        3      4      7",
        "user                      2        4      8     12",
        "assistant                 1        2      4      6",
        "(assistant opens)         0        0      3      3",
        "total                     4        9     19     28",
    ]


def test_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    (found,) = (report := told(capsys, "talk.json"))["requests"]
    assert {key: found[key] for key in ("path", "number", "row", "tokenizer", "format")} == {
        "path": "talk.json",
        "number": 1,
        "row": 1,
        "tokenizer": "o200k_base",
        "format": "estimate by OpenAI's documented formula",
    }
    assert found["roles"] == [
        {"role": "system", "messages": 1, "content": 3, "frame": 4},
        {"role": "user", "messages": 2, "content": 4, "frame": 8},
        {"role": "assistant", "messages": 1, "content": 2, "frame": 4},
        {"role": OPENING, "messages": 0, "content": 0, "frame": 3},
    ]
    assert [turn["content"] for turn in found["turns"]] == [3, 3, 2, 1, 0]
    assert (found["content"], found["frame"], found["total"]) == (9, 19, 28)
    assert report["total"] == {
        "o200k_base": {"requests": 1, "content": 9, "frame": 19, "total": 28}
    }


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    lines = printed(capsys, "--output-format", "json", *arguments, code=code)
    report: dict[str, Any] = json.loads("\n".join(lines))
    return report


def totals(report: dict[str, Any]) -> list[tuple[str, int, int, str, int]]:
    return [
        (one["path"], one["number"], one["row"], one["tokenizer"], one["total"])
        for one in report["requests"]
    ]


def test_several_requests_and_tokenizers(
    files: Path, capsys: pytest.CaptureFixture[str], official_count: Callable[[str, str], int]
) -> None:
    (files / "tokenlint.toml").write_text(CONFIG)
    (files / "x").mkdir()
    (files / "x" / "t.jinja").write_text(TEMPLATE)
    (files / "many.jsonl").write_text(f"{json.dumps(TALK[:2])}\n\n{json.dumps(TALK)}\n")
    arguments = ("-t", "mine", "-t", "o200k_harmony", "many.jsonl")
    report = told(capsys, *arguments)
    texts = ["".join(map(MARKED.format, (one["content"] for one in TALK[:n]))) for n in (2, 4)]
    two, four = (official_count("cl100k_base", text) for text in texts)
    assert totals(report) == [
        ("many.jsonl", 1, 1, "mine", two),
        ("many.jsonl", 1, 1, "o200k_harmony", 7 + 7 + 2),
        ("many.jsonl", 2, 3, "mine", four),
        ("many.jsonl", 2, 3, "o200k_harmony", 7 + 7 + 8 + 5 + 2),
    ]
    content = 2 * 3 + 2 * official_count("cl100k_base", "Xin ch\u00e0o")
    content += official_count("cl100k_base", "Ch\u00e0o") + 1
    mine = {"requests": 2, "content": content, "frame": two + four - content, "total": two + four}
    assert list(report["total"].items()) == [
        ("mine", mine),
        ("o200k_harmony", {"requests": 2, "content": 15, "frame": 30, "total": 45}),
    ]
    assert [line.split() for line in printed(capsys, *arguments)[-3:]] == [
        ["total", "requests", "content", "frame", "total"],
        ["mine", *map(str, mine.values())],
        ["o200k_harmony", "2", "15", "30", "45"],
    ]
    largest = told(capsys, "--sort", "tokens", "--top", "1", *arguments)
    assert totals(largest) == [("many.jsonl", 2, 3, "mine", four)]
    assert largest["total"] == report["total"]


def test_other_formats_hold_the_same(files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (report,) = told(capsys, "talk.json")["requests"]
    lines = printed(
        capsys, "talk.json", "--output-format", "jsonl", "--also", "csv=a.csv", "--also",
        "markdown=a.md",
    )  # fmt: skip
    assert list(map(json.loads, lines)) == [report]
    rows = list(csv.DictReader((files / "a.csv").read_text().splitlines()))
    assert [(row["role"], int(row["content"]), int(row["frame"])) for row in rows] == [
        (role["role"], role["content"], role["frame"]) for role in report["roles"]
    ]
    assert {row["format"] for row in rows} == {"estimate by OpenAI's documented formula"}
    assert (files / "a.md").read_text().splitlines()[-1] == (
        "| talk.json | 1 | 1 | o200k_base | estimate by OpenAI's documented formula | total "
        "| 4 | 9 | 19 | 28 |"
    )


def test_what_is_wrong_with_one_file_leaves_the_others(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "a.json").write_text('[\n{"role": "user"}]')
    calls = {"role": "assistant", "content": "a", "tool_calls": [{"id": "1"}]}
    (files / "b.jsonl").write_text(f"{json.dumps(TALK)}\n{json.dumps([calls])}\n")
    (files / "c.json").write_bytes(b"\xff")
    names = ("a.json", "b.jsonl", "c.json", "gone.json", "talk.json")
    assert main(["count", "--chat", "--output-format", "json", *names]) == 2
    out, err = capsys.readouterr()
    assert [one["path"] for one in json.loads(out)["requests"]] == ["talk.json"]
    assert err.splitlines() == [
        "error: a.json: line 2: message 1 (user) has no content",
        "error: b.jsonl: line 2, conversation 2: message 1 calls tools, and OpenAI does not "
        "document what calls cost; take the calls out to count the messages",
        "error: c.json: not UTF-8: byte 0xff at offset 0 (line 1); convert the file to UTF-8",
        "error: gone.json: no such file or directory",
    ]


def test_a_template_that_raises_names_the_file_and_the_line(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "x").mkdir()
    (files / "x" / "t.jinja").write_text("{{ raise_exception('no system turns') }}")
    (files / "tokenlint.toml").write_text(CONFIG)
    assert main(["count", "--chat", "-t", "mine", "talk.json"]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("error: talk.json: line 1: chat template x/t.jinja, line 1")
    assert "no system turns" in said


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(TALK).encode())))
    found = told(capsys, "-", "--stdin-filename", "x.json")
    assert totals(found) == [("x.json", 1, 1, "o200k_base", 28)]


def test_a_folder_is_walked_for_files_of_messages(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "a.md").write_text("# A\n")
    (files / "b.json").write_bytes(b"\xff")
    assert main(["count", "--chat", "."]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("talk.json:1 request 1, ")
    assert err == "skipped 2 (1 no messages, 1 not UTF-8)\n"
    assert main(["count", "--chat", "a.md"]) == 2
    assert capsys.readouterr().err == (
        "error: a.md: messages are read in .json, .jsonl, .ndjson, .yaml, .yml files only\n"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ("--sort", "bytes", "talk.json"),
            "error: --chat counts requests, which --sort bytes cannot order; use tokens\n",
        ),
        (
            ("-t", "qwen2.5", "talk.json"),
            "error: qwen2.5: no chat format is known for it; add [tool.tokenlint.tokenizer.NAME] "
            'with source = "qwen2.5" and chat-template = the path of its Jinja template\n',
        ),
    ],
)
def test_what_must_be_put_right_first(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    assert main(["count", "--chat", *arguments]) == 2
    assert capsys.readouterr() == ("", sentence)


def one(number: int, *turns: Turn, path: str = "a.json") -> CountedRequest:
    content = sum(turn.content for turn in turns)
    return CountedRequest(path, number, number, "t", "l", Request(content + 5, content, turns))


def test_frames_that_are_not_known_by_turn() -> None:
    counted = one(1, Turn("user", 2, None), Turn("assistant", 1, None), Turn("user", 1, None))
    assert counted.roles == (RoleCount("user", 2, 3, None), RoleCount("assistant", 1, 1, None))
    table = RequestTable([counted], [counted])
    assert list(as_table(table)) == [
        "a.json:1 request 1, t (l)",
        "role       messages  content  frame  total",
        "user              2        3      -      -",
        "assistant         1        1      -      -",
        "total             3        4      5      9",
    ]
    assert as_csv(table)[1:] == ["a.json,1,1,t,l,user,2,3,,", "a.json,1,1,t,l,assistant,1,1,,"]


def test_a_table_of_many_requests_is_cut() -> None:
    many = [one(number, Turn("user", 1, 5)) for number in range(1, 14)]
    lines = list(as_table(RequestTable(many, many)))
    assert sum(" request " in line for line in lines) == 10
    assert lines[-4:] == [
        "a.json, t: 3 more in the total (--top shows as many as it says)",
        "",
        "total  requests  content  frame  total",
        "t            13       13     65     78",
    ]
    everything = list(as_table(RequestTable(many, many, None)))
    assert sum(" request " in line for line in everything) == 13


def test_names_cannot_forge_a_report() -> None:
    odd = one(1, Turn("us\x1b[2Jer|`<b>", 1, 5), path="a\n|b.json")
    table = RequestTable([odd], [odd])
    for lines in (as_table(table), as_csv(table), as_markdown(table)):
        text = "\n".join(lines)
        assert "\x1b" not in text
        assert "a\n" not in text
    assert "us\\x1b" in "\n".join(as_table(table))
    assert len(list(as_markdown(table))) == 4
