"""Budgets from the configuration file to the exit code."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tokenlint.budgets import Budget, Budgets
from tokenlint.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True)
class Ran:
    """Exit code, the findings as `path: CODE message`, and what was said beside them."""

    code: int
    findings: list[str]
    said: list[str]


pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """`tokenlint check`, with the place of each finding left out."""

    def check(*arguments: str) -> Ran:
        code = main(["check", "--output-format", "json", *arguments])
        out, err = capsys.readouterr()
        findings = [
            f"{found['filename']}: {found['code']} {found['message']}"
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
    """A text of so many tokens, with every tokenizer used here."""
    return " ".join(["a"] * number)


def budget(files: str = "a.md", *, top: str = "", **limits: Any) -> str:
    """A configuration with one budget."""
    keys = "".join(
        f"{name.replace('_', '-')} = {json.dumps(value)}\n" for name, value in limits.items()
    )
    return f'{top}[[budgets]]\nfiles = ["{files}"]\n{keys}'


# The limit itself


@pytest.mark.parametrize(
    ("limits", "content", "finding"),
    [
        ({"max_tokens": 10}, words(8), None),
        (
            {"max_tokens": 10},
            words(9),
            "TL301 9 tokens, 90 % of the budget of 10 (o200k_base; a.md)",
        ),
        (
            {"max_tokens": 10},
            words(10),
            "TL301 10 tokens, 100 % of the budget of 10 (o200k_base; a.md)",
        ),
        (
            {"max_tokens": 10},
            words(11),
            "TL301 11 tokens, 1 over the budget of 10 (o200k_base; a.md)",
        ),
        ({"max_bytes": 10}, "\u1ec7\u1ec7", None),
        ({"max_bytes": 10}, "\u1ec7\u1ec7\u1ec7", "TL301 9 bytes, 90 % of the budget of 10 (a.md)"),
        (
            {"max_bytes": 10},
            "\u1ec7\u1ec7\u1ec7\u1ec7",
            "TL301 12 bytes, 2 over the budget of 10 (a.md)",
        ),
        ({"max_bytes": 1}, "a", "TL301 1 byte, 100 % of the budget of 1 (a.md)"),
        ({"max_characters": 4}, "\u1ec7" * 3, None),
        (
            {"max_characters": 4},
            "\u1ec7" * 5,
            "TL301 5 characters, 1 over the budget of 4 (a.md)",
        ),
        (
            {"max_characters": 2000},
            "x" * 3001,
            "TL301 3,001 characters, 1,001 over the budget of 2,000 (a.md)",
        ),
        ({"max_fertility": 1.5}, "a b", None),
        (
            {"max_fertility": 1.5},
            "a, b.",
            "TL303 2.00 tokens per word, over the limit of 1.5 "
            "(4 tokens, 2 words; o200k_base; a.md)",
        ),
        ({"max_fertility": 2}, "a, b.", None),
        ({"max_fertility": 2}, "", "TL303 no words, so no fertility to hold to 2 (a.md)"),
        ({"max_fertility": 2}, "... !\n", "TL303 no words, so no fertility to hold to 2 (a.md)"),
        (
            {"max_fertility": 0.5},
            "\u65e5\u672c\u8a9e",
            "TL303 0.67 tokens per grapheme, over the limit of 0.5 (2 tokens, 3 graphemes; "
            "o200k_base; a.md)",
        ),
        ({"max_fertility": 0.7}, "\u65e5\u672c\u8a9e", None),
    ],
    ids=repr,
)
def test_limits(
    check: Callable[..., Ran], limits: Mapping[str, Any], content: str, finding: str | None
) -> None:
    write({"tokenlint.toml": budget(**limits), "a.md": content})
    is_error = finding is not None and "over" in finding
    expected = [] if finding is None else [f"a.md: {finding}"]
    assert check("a.md") == Ran(int(is_error), expected, [])


@pytest.mark.parametrize(
    ("share", "maximum", "first"),
    [(0.9, 10, 9), (0.9, 30, 27), (0.7, 10, 7), (0.5, 3, 2), (1, 10, 10), (0.1, 30, 3)],
)
def test_a_warning_begins_exactly_at_its_share(
    check: Callable[..., Ran], share: float, maximum: int, first: int
) -> None:
    write({"tokenlint.toml": budget(max_bytes=maximum, warn_at=share), "a.md": "x" * (first - 1)})
    assert check("a.md").findings == []
    write({"a.md": "x" * first})
    assert len(check("a.md").findings) == 1
    assert check("a.md").code == 0


def test_the_share_of_a_budget_goes_before_that_of_the_file(check: Callable[..., Ran]) -> None:
    text = budget(top="warn-at = 0.5\n", max_bytes=10, warn_at=0.9)
    write({"tokenlint.toml": text, "a.md": "x" * 8})
    assert check("a.md").findings == []
    write({"tokenlint.toml": budget(top="warn-at = 0.5\n", max_bytes=10)})
    assert check("a.md").findings == ["a.md: TL301 8 bytes, 80 % of the budget of 10 (a.md)"]


def test_each_tokenizer_is_held_to_the_limit(check: Callable[..., Ran]) -> None:
    text = "Ti\u1ebfng Vi\u1ec7t"  # 6 tokens with cl100k_base, 3 with o200k_base
    both = ["o200k_base", "cl100k_base", "o200k_base"]
    write({"tokenlint.toml": budget(max_tokens=5, tokenizers=both), "a.md": text})
    over = ["a.md: TL301 6 tokens, 1 over the budget of 5 (cl100k_base; a.md)"]
    assert check("a.md") == Ran(1, over, [])
    write({"tokenlint.toml": budget(top=f"tokenizers = {json.dumps(both)}\n", max_tokens=5)})
    assert check("a.md") == Ran(1, over, [])
    assert check("a.md", "--tokenizer", "o200k_base") == Ran(0, [], [])


def test_several_limits_of_one_budget(check: Callable[..., Ran]) -> None:
    write({"tokenlint.toml": budget(max_tokens=1, max_bytes=2, max_characters=1), "a.md": "a b"})
    assert check("a.md").findings == [
        "a.md: TL301 2 tokens, 1 over the budget of 1 (o200k_base; a.md)",
        "a.md: TL301 3 bytes, 1 over the budget of 2 (a.md)",
        "a.md: TL301 3 characters, 2 over the budget of 1 (a.md)",
    ]


# What is counted


@pytest.mark.parametrize(
    ("settings", "content", "value"),
    [
        ("", "a\nb\n", 4),
        ("", "a\r\nb\r\n", 4),
        ("", "a\rb\r", 4),
        ('newlines = "as-is"\n', "a\r\nb\r\n", 6),
        ('newlines = "lf"\n', "a\r\nb\r\n", 4),
        ("", "\ufeffab", 2),
        ("", "\ufeff\ufeffab", 3),
        ("count-bom = true\n", "\ufeffab", 3),
        ("count-bom = false\n", "\ufeffab", 2),
    ],
)
def test_line_endings_and_the_byte_order_mark(
    check: Callable[..., Ran], settings: str, content: str, value: int
) -> None:
    write({"tokenlint.toml": budget(top=settings, max_characters=1), "a.md": content})
    over = f"{value} characters, {value - 1} over the budget of 1 (a.md)"
    assert check("a.md", "--select", "TL3").findings == [f"a.md: TL301 {over}"]


def test_a_windows_copy_costs_what_the_original_costs(check: Callable[..., Ran]) -> None:
    text = "# Role\n\nYou help.\n\n## Rules\n\n- Be short.\n- Be kind.\n"
    top = 'tokenizers = ["o200k_base", "cl100k_base", "deepseek-v3"]\n'
    write({"tokenlint.toml": budget("*.md", top=top, max_tokens=16)})
    write({"lf.md": text, "crlf.md": text.replace("\n", "\r\n"), "cr.md": text.replace("\n", "\r")})
    ran = check("lf.md", "crlf.md", "cr.md")
    assert ran.findings == [
        f"{name}: TL301 17 tokens, 1 over the budget of 16 ({tokenizer}; *.md)"
        for name in ("cr.md", "crlf.md", "lf.md")
        for tokenizer in ("cl100k_base", "deepseek-v3", "o200k_base")
    ]
    assert Path("crlf.md").read_bytes() == text.replace("\n", "\r\n").encode()


def test_a_byte_order_mark_costs_nothing(check: Callable[..., Ran]) -> None:
    write({"tokenlint.toml": budget(max_tokens=4), "a.md": "\ufeffYou are a helper.\n"})
    assert check("a.md").findings == [
        "a.md: TL301 5 tokens, 1 over the budget of 4 (o200k_base; a.md)"
    ]


def test_front_matter_and_directives_are_part_of_the_file(check: Callable[..., Ran]) -> None:
    text = "---\nname: summarise\nowner: team-a\nmax_tokens: 12\n---\n"
    text += "Summarise the text in one line.\n"
    write({"tokenlint.toml": budget(max_tokens=26), "a.md": text})
    assert check("a.md").findings == [
        "a.md: TL301 27 tokens, 1 over the budget of 26 (o200k_base; a.md)"
    ]


def test_json_escapes_are_counted_as_they_are_written(check: Callable[..., Ran]) -> None:
    write({"tokenlint.toml": budget("*.json", max_tokens=8)})
    write({"raw.json": '{"text": "\uc694\uc57d\ud574 \uc8fc\uc138\uc694"}'})
    write({"esc.json": '{"text": "\\uc694\\uc57d\\ud574 \\uc8fc\\uc138\\uc694"}'})
    assert check("raw.json", "esc.json").findings == [
        "esc.json: TL301 21 tokens, 13 over the budget of 8 (o200k_base; *.json)",
        "raw.json: TL301 9 tokens, 1 over the budget of 8 (o200k_base; *.json)",
    ]


# Which files


@pytest.mark.parametrize(
    ("pattern", "over"),
    [
        ("a.md", ["a.md"]),
        ("./a.md", ["a.md"]),
        ("/a.md", ["a.md"]),
        ("*.md", ["a.md"]),
        ("p/*.md", ["p/a.md", "p/b.md"]),
        ("p", ["p/a.md", "p/b.md", "p/q/a.md"]),
        ("p/", ["p/a.md", "p/b.md", "p/q/a.md"]),
        ("p/**", ["p/a.md", "p/b.md", "p/q/a.md"]),
        ("**/a.md", ["a.md", "p/a.md", "p/q/a.md"]),
        (".", ["a.md", "p/a.md", "p/b.md", "p/q/a.md", "tokenlint.toml"]),
        ('p/*.md", "!p/b.md', ["p/a.md"]),
    ],
)
def test_globs_start_at_the_configuration(
    check: Callable[..., Ran], pattern: str, over: list[str]
) -> None:
    write({"tokenlint.toml": budget(pattern, max_bytes=1)})
    write(dict.fromkeys(("a.md", "p/a.md", "p/b.md", "p/q/a.md"), "xx"))
    assert [finding.split(":")[0] for finding in check().findings] == over


def test_a_glob_matches_a_name_in_either_form(check: Callable[..., Ran]) -> None:
    composed, decomposed = "caf\u00e9.md", "cafe\u0301.md"
    for written in (composed, decomposed):
        write({"tokenlint.toml": budget(written, max_bytes=1), composed: "xx", decomposed: "xx"})
        assert check("--select", "TL301").findings == [
            f"{name}: TL301 2 bytes, 1 over the budget of 1 ({written})"
            for name in (decomposed, composed)
        ]


# Two budgets for one file


def two(first: str, first_limit: int, second: str, second_limit: int) -> str:
    return budget(first, max_bytes=first_limit) + budget(second, max_bytes=second_limit)


NOTE = "note: a.md has two budgets of bytes: {0} ({1}) and {2} ({3}); {0} holds"


@pytest.mark.parametrize(
    ("configuration", "held", "notes"),
    [
        (two("*.md", 5, "a.*", 3), "3 (a.*)", [NOTE.format(3, "a.*", 5, "*.md")]),
        (two("a.*", 3, "*.md", 5), "3 (a.*)", [NOTE.format(3, "a.*", 5, "*.md")]),
        (two("a.md", 5, "*.md", 3), "5 (a.md)", []),
        (two("*.md", 3, "a.md", 5), "5 (a.md)", []),
        (two("*.md", 3, "./a.md", 5), "5 (./a.md)", []),
        (two("a.md", 5, "/a.md", 3), "3 (/a.md)", [NOTE.format(3, "/a.md", 5, "a.md")]),
    ],
)
def test_the_smaller_holds_and_a_name_goes_before_a_wildcard(
    check: Callable[..., Ran], configuration: str, held: str, notes: list[str]
) -> None:
    maximum = int(held[0])
    write({"tokenlint.toml": configuration, "a.md": "x" * 8})
    over = f"a.md: TL301 8 bytes, {8 - maximum} over the budget of {held}"
    assert check("a.md") == Ran(1, [over], notes)
    write({"a.md": "x"})
    assert check("a.md") == Ran(0, [], notes)


def test_budgets_of_different_things_do_not_meet(check: Callable[..., Ran]) -> None:
    text = budget(max_tokens=9, tokenizers=["o200k_base"]) + budget(max_bytes=9)
    text += budget(max_tokens=9, tokenizers=["cl100k_base"])
    write({"tokenlint.toml": text, "a.md": "x"})
    assert check("a.md") == Ran(0, [], [])


def test_the_smaller_limit_is_asked_for_directly() -> None:
    entries = (Budget(("*.md",), max_tokens=9), Budget(("a*",), max_tokens=5))
    budgets = Budgets(entries, Path("/r"), ("o200k_base",))
    assert [limit.maximum for limit in budgets.limits_for(Path("/r/a.md"))] == [5]
    assert [limit.maximum for limit in budgets.limits_for(Path("/r/b.md"))] == [9]
    assert budgets.limits_for(Path("/r/b.txt")) == ()
    assert budgets.covers(Path("/r/a"))
    assert not budgets.covers(Path("/r/b"))


# Totals


def group(maximum: int, **more: Any) -> str:
    return budget("p/*.md", max_total=maximum, **more)


GROUP = {"p/a.md": words(4), "p/b.md": words(3), "p/c.md": words(3), "other.md": words(9)}
LARGEST = "(o200k_base; p/*.md); largest: p/a.md 4, p/b.md 3, p/c.md 3"
TOTAL = {
    9: f"10 tokens, 1 over the total budget of 9 {LARGEST}",
    10: f"10 tokens, 100 % of the total budget of 10 {LARGEST}",
    11: f"10 tokens, 90 % of the total budget of 11 {LARGEST}",
}


@pytest.mark.parametrize(("maximum", "message"), [*TOTAL.items(), (12, None)])
@pytest.mark.parametrize("arguments", [[], ["."], ["p"], ["p/a.md"], ["p/b.md", "other.md"]])
def test_a_total_is_that_of_the_whole_group(
    check: Callable[..., Ran], maximum: int, message: str | None, arguments: list[str]
) -> None:
    write({"tokenlint.toml": group(maximum), **GROUP})
    expected = []
    if message is not None:
        expected = [f"tokenlint.toml: TL302 3 files together are {message}"]
    assert check(*arguments) == Ran(int(maximum < 10), expected, [])


def test_a_run_that_touches_no_file_of_the_group_is_not_held_to_it(
    check: Callable[..., Ran],
) -> None:
    write({"tokenlint.toml": group(1), **GROUP})
    assert check("other.md") == Ran(0, [], [])
    assert check("p/a.md", "--ignore", "TL302") == Ran(0, [], [])


def test_a_total_from_a_folder_below(
    check: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"tokenlint.toml": group(9), **GROUP})
    monkeypatch.chdir("p")
    largest = "(o200k_base; p/*.md); largest: a.md 4, b.md 3, c.md 3"
    message = f"3 files together are 10 tokens, 1 over the total budget of 9 {largest}"
    assert check("a.md") == Ran(1, [f"../tokenlint.toml: TL302 {message}"], [])


def test_files_that_are_ignored_or_excluded_are_not_in_a_group(check: Callable[..., Ran]) -> None:
    top = 'extend-exclude = ["p/c.md"]\n'
    write({"tokenlint.toml": group(3, top=top), ".gitignore": "p/a.md\n", **GROUP})
    message = "1 file is 3 tokens, 100 % of the total budget of 3 (o200k_base; p/*.md)"
    finding = f"tokenlint.toml: TL302 {message}; largest: p/b.md 3"
    assert check() == Ran(0, [finding], [])
    # Naming a file that is left out does not put it into its group.
    assert check(".", "p/a.md", "p/c.md") == Ran(0, [finding], [])


def test_a_total_with_several_tokenizers(check: Callable[..., Ran]) -> None:
    both = ["o200k_base", "cl100k_base"]
    write({"tokenlint.toml": group(5, tokenizers=both), "p/a.md": "Ti\u1ebfng Vi\u1ec7t"})
    message = "1 file is 6 tokens, 1 over the total budget of 5"
    assert check() == Ran(
        1, [f"tokenlint.toml: TL302 {message} (cl100k_base; p/*.md); largest: p/a.md 6"], []
    )


def test_a_total_with_a_tokenizer_that_is_missing(check: Callable[..., Ran]) -> None:
    write({"tokenlint.toml": group(9, tokenizers=["o200k_base", "gpt-99"]), **GROUP})
    ran = check()
    assert (ran.code, ran.findings) == (
        2,
        [f"tokenlint.toml: TL302 3 files together are {TOTAL[9]}"],
    )
    assert len(ran.said) == 1
    assert ran.said[0].startswith("error: unknown tokenizer 'gpt-99': ")


def test_a_member_that_cannot_be_read_leaves_the_total_unknown(check: Callable[..., Ran]) -> None:
    write({"tokenlint.toml": group(1), **GROUP, "p/b.md": b"caf\xe9\n"})
    wrong = "not UTF-8: byte 0xe9 at offset 3 (line 1); convert the file to UTF-8"
    unknown = f"error: p/b.md: {wrong}; so the total of p/*.md is unknown"
    assert check() == Ran(2, [f"p/b.md: TL901 {wrong}"], [unknown])
    assert check("p/a.md") == Ran(2, [], [unknown])


def test_a_member_that_cannot_be_counted_leaves_the_total_unknown(
    check: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tokenlint.errors import UncountableTextError
    from tokenlint.rules import Context

    def refuse(*_: object) -> int:
        raise UncountableTextError("too long for the engine")

    write({"tokenlint.toml": group(1), **GROUP})
    monkeypatch.setattr(Context, "count", refuse)
    assert check("p/a.md") == Ran(
        2, [], ["error: p/a.md: too long for the engine; so the total of p/*.md is unknown"]
    )


# Budgets that check nothing

DEAD = "checks nothing: no file matches q/*.md; correct the pattern or remove the budget"


@pytest.mark.parametrize("limits", [{"max_tokens": 5}, {"max_total": 5}, {"max_bytes": 5}])
def test_a_budget_without_files_is_a_mistake_of_the_whole_run(
    check: Callable[..., Ran], folder: Path, limits: Mapping[str, Any]
) -> None:
    write({"tokenlint.toml": budget(max_bytes=9) + budget("q/*.md", **limits), "a.md": "x"})
    dead = f"error: {folder / 'tokenlint.toml'}: budgets[1] {DEAD}"
    assert check() == Ran(2, [], [dead])
    assert check(".") == Ran(2, [], [dead])
    assert check("--budgets") == Ran(2, [], [dead])
    assert check("a.md") == Ran(0, [], [])
    assert check("--select", "TL1,TL2") == Ran(0, [], [])


def test_a_name_with_brackets_is_a_pattern(check: Callable[..., Ran], folder: Path) -> None:
    write({"tokenlint.toml": budget("p/a [1].md", max_tokens=5), "p/a [1].md": "x"})
    why = "in a pattern [ begins a set of characters: write p/a [[]1].md"
    sentence = f"budgets[0] checks nothing: no file matches p/a [1].md; {why}"
    assert check() == Ran(2, [], [f"error: {folder / 'tokenlint.toml'}: {sentence}"])
    write({"tokenlint.toml": budget("p/a [[]1].md", max_tokens=5)})
    assert check() == Ran(0, [], [])


def test_a_run_from_above_is_a_whole_run(
    check: Callable[..., Ran], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write({"here/tokenlint.toml": budget("q/*.md", max_bytes=5), "here/below/a.md": "x"})
    dead = f"error: {folder / 'here' / 'tokenlint.toml'}: budgets[0] {DEAD}"
    assert check() == Ran(2, [], [dead])
    monkeypatch.chdir("here/below")
    assert check() == Ran(0, [], [])
    assert check("..") == Ran(2, [], [dead])


def test_a_budget_is_dead_where_every_file_is_ignored(
    check: Callable[..., Ran], folder: Path
) -> None:
    write({"tokenlint.toml": budget("q/*.md", max_tokens=5), ".gitignore": "*\n", "q/a.md": "x"})
    dead = f"error: {folder / 'tokenlint.toml'}: budgets[0] {DEAD}"
    assert check() == Ran(2, [], ["note: there is no file to check in .", dead])


# Each file belongs to the configuration nearest to it


def test_a_budget_is_not_about_files_of_another_configuration(
    check: Callable[..., Ran], folder: Path
) -> None:
    write({"tokenlint.toml": budget("**/*.md", max_total=3), "a.md": words(3)})
    write({"sub/tokenlint.toml": budget("b.md", max_tokens=1), "sub/b.md": words(2)})
    near = "tokenlint.toml: TL302 1 file is 3 tokens, 100 % of the total budget of 3"
    expected = [
        "sub/b.md: TL301 2 tokens, 1 over the budget of 1 (o200k_base; b.md)",
        f"{near} (o200k_base; **/*.md); largest: a.md 3",
    ]
    assert check() == Ran(1, expected, [])
    assert check("--budgets") == Ran(1, expected, [])
    write({"tokenlint.toml": budget("sub/*.md", max_tokens=1)})
    dead = "budgets[0] checks nothing: no file matches sub/*.md"
    ran = check()
    assert ran.code == 2
    assert [line.partition(";")[0] for line in ran.said] == [
        f"error: {folder / 'tokenlint.toml'}: {dead}"
    ]


# --budgets


def test_only_budgets_are_checked(check: Callable[..., Ran]) -> None:
    write({"tokenlint.toml": budget("p/*.md", max_bytes=1, max_total=9), **GROUP})
    write({"p/a.md": "<|im_start|> cafe\u0301", "other.md": "<|im_start|>"})
    codes = [finding.split()[1] for finding in check("--budgets").findings]
    assert codes == ["TL301", "TL301", "TL301", "TL302"]


def test_budgets_where_there_are_none(check: Callable[..., Ran], folder: Path) -> None:
    help_ = "no budgets to check; add a [[tool.tokenlint.budgets]] table with files and max-tokens"
    write({"a.md": "x"})
    assert check("--budgets") == Ran(2, [], [f"error: no configuration file was found, so {help_}"])
    write({"tokenlint.toml": ""})
    assert check("--budgets") == Ran(2, [], [f"error: {folder / 'tokenlint.toml'}: {help_}"])


def test_budgets_that_stand_only_in_folders_below(check: Callable[..., Ran]) -> None:
    write({"sub/tokenlint.toml": budget("b.md", max_bytes=1), "sub/b.md": "xx", "a.md": "x"})
    assert check("--budgets") == Ran(
        1, ["sub/b.md: TL301 2 bytes, 1 over the budget of 1 (b.md)"], []
    )


def test_a_file_with_a_budget_that_cannot_be_read_fails_the_run(check: Callable[..., Ran]) -> None:
    write({"tokenlint.toml": budget("p/*", max_bytes=1), "p/a.md": "xx", "p/b.png": b"\0\1"})
    over = "p/a.md: TL301 2 bytes, 1 over the budget of 1 (p/*)"
    binary = "error: p/b.png: binary file (it holds NUL bytes), not checked"
    assert check("--budgets") == Ran(2, [over], [binary])
    assert check() == Ran(1, [over], [])


def test_budgets_in_pyproject(check: Callable[..., Ran]) -> None:
    table = budget(max_bytes=1).replace("[[budgets]]", "[[tool.tokenlint.budgets]]")
    write({"pyproject.toml": table, "a.md": "xx"})
    assert check("a.md") == Ran(1, ["a.md: TL301 2 bytes, 1 over the budget of 1 (a.md)"], [])


def test_a_total_stands_at_the_file_that_was_named(check: Callable[..., Ran]) -> None:
    write({"conf/x.toml": group(9), **GROUP})
    ran = check("--config", os.path.join("conf", "x.toml"))  # noqa: PTH118
    assert ran.findings == [f"conf/x.toml: TL302 3 files together are {TOTAL[9]}"]
