"""`tokenlint explain`: what it shows, with every option, and what it says where it cannot."""

from __future__ import annotations

import io
import json
import sys
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as Engine
from tokenizers import models, pre_tokenizers

from tokenlint.cli import main
from tokenlint.reports.explain_text import View, rows
from tokenlint.reports.explain_visible import Marks
from tokenlint.tokens import load_tokenizer
from tokenlint.tokens.cutting import cut

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "Nguyễn Văn A sẽ đến"
NFD = unicodedata.normalize("NFD", "Tiếng Việt")

pytestmark = pytest.mark.usefixtures("folder")


@dataclass(frozen=True)
class Ran:
    """What a run came to: its exit code, standard output, and standard error."""

    code: int
    out: str
    err: str


class Run(Protocol):
    def __call__(self, *arguments: str, stdin: bytes | None = None) -> Ran:
        """Run `tokenlint explain`; without stdin it is a terminal."""


class Terminal(io.TextIOWrapper):
    """Standard input on which nobody types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line in this process, 80 columns wide."""
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: str, stdin: bytes | None = None) -> Ran:
        kind = Terminal if stdin is None else io.TextIOWrapper
        monkeypatch.setattr(sys, "stdin", kind(io.BytesIO(stdin or b"")))
        code = main(["explain", *arguments])
        return Ran(code, *capsys.readouterr())

    return run


def unigram() -> str:
    """A small Unigram, as its tokenizer.json."""
    pieces = [("<unk>", 0.0), ("\u2581the", -1.0), ("\u2581", -2.0), *((c, -3.0) for c in "aeht")]
    engine = Engine(models.Unigram(pieces, unk_id=0))
    engine.pre_tokenizer = pre_tokenizers.Metaspace()
    return str(engine.to_str())


def write(files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        raw = content if isinstance(content, bytes) else content.encode()
        Path(name).write_bytes(raw)


# --- a text

EXPLAINED = """\
the text: 19 characters, 27 bytes, 5 words

cl100k_base: 14 tokens, 2.80 per word
│Ng   │uy  │\\xe1\\xbb│\\x85│n │·V │ă   │n │·A │·s │\\xe1\\xba│\\xbd│·đ   │ến   │
│21567│4168│5080    │227 │77│650│6845│77│362│274│6655    │121 │15199│71348│
\\xe1\\xbb + \\x85 is ễ U+1EC5 LATIN SMALL LETTER E WITH CIRCUMFLEX AND TILDE
\\xe1\\xba + \\xbd is ẽ U+1EBD LATIN SMALL LETTER E WITH TILDE

o200k_base: 6 tokens, 1.20 per word
│Ng   │uyễn  │·Văn  │·A │·sẽ  │·đến │
│22602│131125│153106│355│27574│27528│
"""


def test_a_text_with_two_tokenizers(run: Run) -> None:
    assert run("--text", NAME, "-t", "cl100k_base", "-t", "o200k_base") == Ran(0, EXPLAINED, "")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ["the text: 0 characters, 0 bytes, 0 words", "", "o200k_base: 0 tokens"]),
        (
            "a\n\n b\tc",
            [
                "the text: 7 characters, 7 bytes, 3 words",
                "",
                "o200k_base: 4 tokens, 1.33 per word",
                "│a │⏎⏎ │",
                "│64│279│",
                "│·b │\\tc │",
                "│287│2736│",
            ],
        ),
        (
            "\U0001f9d1",
            [
                "the text: 1 character, 4 bytes, 0 words",
                "",
                "o200k_base: 3 tokens",
                "│\\xf0\\x9f│\\xa7│\\x91│",
                "│4103    │100 │239 │",
                "\\xf0\\x9f + \\xa7 + \\x91 is 🧑 U+1F9D1 ADULT",
            ],
        ),
        (
            "مر",
            [
                "the text: 2 characters, 4 bytes, 1 word",
                "",
                "o200k_base: 1 token, 1.00 per word",
                "│مر\u200e  │",
                "│9045│",
            ],
        ),
    ],
)
def test_small_texts(run: Run, text: str, shown: list[str]) -> None:
    ran = run("--text", text)
    assert (ran.code, ran.out.splitlines(), ran.err) == (0, shown, "")


def test_a_control_string_is_marked_as_text(run: Run) -> None:
    lines = run("--text", "<|im_start|>x<|im_start|>", "-t", "qwen2.5").out.splitlines()
    assert lines[2] == "qwen2.5: 13 tokens, 2.60 per word"
    assert lines[-1] == (
        '"<|im_start|>" is text here, 2 times: 6 tokens; as a control token it would be 151644'
    )


DECOMPOSED = """\
Not in NFC: 8 tokens as written, 3 in NFC (-5, -62.5 %), 8 in NFD
  as written               in NFC
  Tie│\\u0302│\\u0301│ng  4  Ti│ếng  2
  ·Vie│\\u0323│\\u0302│t  4  ·Việt   1
"""


def test_decomposed_text_beside_composed(run: Run) -> None:
    assert run("--text", NFD).out.endswith(DECOMPOSED)


def test_a_tokenizer_that_composes_says_so(run: Run) -> None:
    lines = run("--text", NFD, "-t", "qwen2.5").out.splitlines()
    assert lines[5:7] == [
        "qwen2.5 normalises the text before it is cut: the pieces are those of its own form.",
        "Not in NFC: 4 tokens as written, 4 in NFC (no difference), 4 in NFD",
    ]


def test_many_remarks_are_counted(run: Run) -> None:
    emoji = "".join(map(chr, range(0x1F9D0, 0x1F9DF)))
    lines = run("--text", emoji + "ẽẽẽ", "-t", "cl100k_base").out.splitlines()
    assert lines[-1] == "... and 6 more like these"
    words = unicodedata.normalize("NFD", "ẽ ễ ệ ấ ầ ẩ")
    assert run("--text", words).out.splitlines()[-1] == "  ... and 1 more word"


def test_quiet_says_nothing_about_the_pieces(run: Run) -> None:
    lines = run("--text", NAME, "-t", "cl100k_base", "-q").out.splitlines()
    assert lines == EXPLAINED.splitlines()[:5]


def test_raw_shows_the_names_of_the_vocabulary(run: Run) -> None:
    both = ("-t", "cl100k_base", "-t", "qwen2.5")
    lines = run("--text", " chào", "--raw", *both).out.splitlines()
    assert lines[3] == "│Ġch│Ãł  │o │"
    assert lines[7] == "│ĠchÃło│"


def test_raw_shows_the_marks_of_sentencepiece(run: Run) -> None:
    write({"u.json": unigram()})
    lines = run("--text", "the the", "--raw", "-t", "./u.json").out.splitlines()
    assert lines[3].startswith("│▁the")


# --- colours, widths, encodings


def test_colours_alternate_and_mark(run: Run) -> None:
    lines = run("--text", "a b", "--color", "always").out.splitlines()
    assert lines[3] == "\x1b[30;106ma\x1b[0m  \x1b[30;103m·b\x1b[0m"
    assert lines[4] == "64 287"
    lines = run("--text", "<|endoftext|>", "--color", "always").out.splitlines()
    assert lines[3].count("\x1b[4;30;105m") == 7


@pytest.mark.parametrize("width", [5, 20, 40, 80])
@given(text=st.text())
def test_lines_keep_the_width_and_hold_every_token(width: int, text: str) -> None:
    found = cut(load_tokenizer("cl100k_base"), text)
    lines = list(rows(found.tokens, View(width=width)))
    assert len(lines) % 2 == 0
    ids = [int(id_) for line in lines[1::2] for id_ in line.strip("│").split("│")]
    assert ids == [token.id for token in found.tokens]
    pieces = [cells.split("│")[1:-1] for cells in lines[::2]]
    assert sum(map(len, pieces)) == found.total
    for line, cells in zip(lines[1::2], pieces, strict=True):
        assert len(cells) == 1 or len(line) <= width


def test_plain_marks_where_the_output_lacks_the_others() -> None:
    tokens = cut(load_tokenizer("o200k_base"), "a |\n").tokens
    view = View(Marks("\\s", "\\n", "|", "ascii"))
    assert list(rows(tokens, view)) == ["|a |\\s\\u007c\\n|", "|64|15972     |"]


# --- files

LINES = "one\r\ntwo\r\nthree\nfour\n"


@pytest.mark.parametrize(
    ("arguments", "label", "pieces"),
    [
        (("a.md",), "a.md", "one ⏎ │"),
        (("a.md:2",), "a.md, line 2", "two"),
        (("a.md", "--lines", "2"), "a.md, line 2", "two"),
        (("a.md", "--lines", "2-2"), "a.md, line 2", "two"),
        (("a.md:4-4",), "a.md, line 4", "four"),
        (("sub/../a.md:4",), "sub/../a.md, line 4", "four"),
        (("b:2",), "b:2", "file"),
        (("b:2:1",), "b:2, line 1", "file"),
    ],
)
def test_files_and_their_lines(
    run: Run, arguments: tuple[str, ...], label: str, pieces: str
) -> None:
    Path("sub").mkdir()
    write({"a.md": LINES, "b:2": "file"})
    lines = run(*arguments).out.splitlines()
    assert lines[0].startswith(f"{label}: ")
    assert pieces.split()[0] in lines[3]


def test_lines_are_a_text_of_their_own_without_the_end_of_the_last(run: Run) -> None:
    write({"a.md": LINES})
    assert text_of(run("a.md:2-3", "--output-format", "json")) == "two\nthree"
    assert text_of(run("a.md:1-4", "--output-format", "json")) == "one\ntwo\nthree\nfour"
    assert text_of(run("a.md", "--output-format", "json")) == LINES.replace("\r\n", "\n")


def text_of(ran: Ran) -> str:
    (explained,) = json.loads(ran.out)["texts"]
    (one,) = explained["tokenizers"]
    return str(one["text"])


def test_standard_input(run: Run) -> None:
    for arguments in (("-",), (), ("-", "--stdin-filename", "a.md")):
        ran = run(*arguments, stdin=b"\xef\xbb\xbfone")
        label = arguments[-1] if arguments else "-"
        assert ran.out.splitlines()[0] == f"{label}: 3 characters, 3 bytes, 1 word"
    assert run("-", "--lines", "2", stdin=b"one\ntwo").out.startswith("-, line 2: 3 characters")


def test_what_of_a_file_is_the_prompt(run: Run) -> None:
    write({"p.yaml": "a:\n  system: >\n    Xin\n    chào\n  other: bye\n"})
    ran = run("p.yaml", "--extract", "a.*")
    assert [line for line in ran.out.splitlines() if line.startswith("p.yaml")] == [
        "p.yaml, a.system: 9 characters, 10 bytes, 2 words",
        "p.yaml, a.other: 3 characters, 3 bytes, 1 word",
    ]


# --- long texts


def test_a_long_text_is_cut_short_for_people_and_whole_for_programs(run: Run) -> None:
    write({"a.md": "one " * 1500})
    lines = run("a.md").out.splitlines()
    assert lines[2] == "o200k_base: 1,501 tokens, 1.00 per word"
    assert lines[-1] == "... and 501 more tokens (--lines 3-7 shows those of some lines)"
    (text,) = json.loads(run("a.md", "--output-format", "json").out)["texts"]
    assert len(text["tokenizers"][0]["tokens"]) == 1501


# --- JSON


def test_everything_as_json(run: Run) -> None:
    ran = run("--text", "ẽ<|endoftext|>", "-t", "cl100k_base", "--output-format", "json")
    (text,) = json.loads(ran.out)["texts"]
    (one,) = text.pop("tokenizers")
    assert text == {
        "name": "the text",
        "characters": 14,
        "bytes": 16,
        "words": 2,
        "word_unit": "word",
    }
    first, second, third, *_ = one.pop("tokens")
    whole = {"text": None, "start": 0, "end": 1, "special": None, "content": True}
    assert first == {"id": 6655, "bytes": "e1ba", **whole, "printed": "áº"}
    assert second == {"id": 121, "bytes": "bd", **whole, "printed": "½"}
    special = {"string": "<|endoftext|>", "id": 100257, "control": False}
    assert third["special"] == special
    assert one == {
        "tokenizer": "cl100k_base",
        "total": 9,
        "tokens_per_word": 4.5,
        "normalized": False,
        "forms": None,
        "request": None,
        "text": "ẽ<|endoftext|>",
        "split_characters": [{"character": "ẽ", "at": 0, "bytes": ["e1ba", "bd"]}],
    }


def test_forms_as_json(run: Run) -> None:
    (text,) = json.loads(run("--text", NFD, "--output-format", "json").out)["texts"]
    assert text["tokenizers"][0]["forms"] == {"nfc": 3, "nfd": 8}


# --- merges

MERGES = """\
cl100k_base, đến: 6 bytes, 4 merges, 2 tokens
   rank  merge            pieces
                          \\xc4│\\x91│\\xe1│\\xba│\\xbf│n
   6655  \\xe1 + \\xba      \\xc4│\\x91│\\xe1\\xba│\\xbf│n
  27160  \\xe1\\xba + \\xbf  \\xc4│\\x91│ế│n
  52096  \\xc4 + \\x91      đ│ế│n
  71348  ế + n            đ│ến
         ids              52096│71348
"""


def test_the_merges_of_a_word(run: Run) -> None:
    word = "đến"
    assert run("--merges", word, "-t", "cl100k_base") == Ran(0, MERGES, "")
    raw = run("--merges", " " + word, "-t", "cl100k_base", "--raw").out.splitlines()
    assert raw[-2].endswith("ĠÄĳ│áº¿n")


def test_a_word_that_the_vocabulary_has(run: Run) -> None:
    lines = run("--merges", "the cat").out.splitlines()
    assert lines[0] == "o200k_base, the: 3 bytes, 2 merges, 1 token"
    said = "  The vocabulary has the word: it is taken at once, and these merges are behind it."
    assert lines.count(said) == 2


def test_merges_as_json(run: Run) -> None:
    ran = run("--merges", "to", "-t", "cl100k_base", "--output-format", "json")
    t, o, to = ({"bytes": p.encode().hex(), "printed": p} for p in ("t", "o", "to"))
    step = {"rank": 998, "left": t, "right": o, "pieces": [to]}
    word = {"bytes": "746f", "whole": True, "letters": [t, o], "steps": [step], "ids": [998]}
    assert json.loads(ran.out) == {"merges": [{"tokenizer": "cl100k_base", "words": [word]}]}


def test_a_model_without_merges_does_not_keep_the_others_back(run: Run) -> None:
    write({"u.json": unigram()})
    ran = run("--merges", "the", "-t", "./u.json", "-t", "cl100k_base")
    assert ran.code == 2
    assert ran.out.startswith("cl100k_base, the: 3 bytes")
    assert ran.err.endswith(
        "u.json has no merges: its model, Unigram, chooses the pieces of a word all at once, by "
        "the score of each\n"
    )


# --- what cannot be explained

NOTHING = (
    "there is nothing to explain; name a file (tokenlint explain prompts/a.md:3-7) or give a text "
    "(tokenlint explain --text 'Xin chào')"
)


ONLY_TEXT = "--text is the whole text to explain; leave out"
ONLY_WORD = "--merges shows the merges of its own word; leave out"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), NOTHING),
        (("",), "an empty path was given; name a file, or - for standard input"),
        (("none.md",), "none.md: no such file or directory"),
        (("none.md:3",), "none.md: no such file or directory"),
        (
            ("a.md:0",),
            "a.md: '0' names no lines; write a line or a range such as a.md:3 or a.md:3-7, "
            "counted from 1",
        ),
        (
            ("a.md:3-2",),
            "a.md: '3-2' names no lines; write a line or a range such as a.md:3 or a.md:3-7, "
            "counted from 1",
        ),
        (("a.md:9",), "a.md: there is no line 9, it ends with line 4"),
        (("a.md:2-5",), "a.md: there is no line 5, it ends with line 4"),
        (("empty.md:1",), "empty.md: there is no line 1, the file is empty"),
        (
            ("a.md:1", "--lines", "1"),
            "a.md:1 names lines, and so does --lines; leave out one of them",
        ),
        (("sub",), "sub: a directory where a file was expected"),
        (("binary",), "binary: binary file (it holds NUL bytes), not checked"),
        (("--text", "a", "a.md"), f"{ONLY_TEXT} the path"),
        (("--text", "a", "--chat"), f"{ONLY_TEXT} --chat"),
        (("--text", "a", "--lines", "1"), f"{ONLY_TEXT} --lines"),
        (("--merges", "a", "a.md"), f"{ONLY_WORD} the path"),
        (("--merges", "a", "--text", "b"), f"{ONLY_WORD} --text"),
        (("--merges", ""), "--merges needs a word, such as --merges chào"),
        (
            ("a.md:1", "--extract", "body"),
            "lines are of a whole file; leave out --extract and --chat, or them",
        ),
        (
            ("a.md", "--stdin-filename", "b"),
            "--stdin-filename names standard input; give - as the path too",
        ),
        (
            ("a.md", "--chat"),
            "a.md: messages are read in .json, .jsonl, .ndjson, .yaml, .yml files only",
        ),
    ],
)
def test_one_sentence(run: Run, arguments: tuple[str, ...], sentence: str) -> None:
    Path("sub").mkdir()
    write({"a.md": LINES, "empty.md": "", "binary": b"\0"})
    assert run(*arguments) == Ran(2, "", f"error: {sentence}\n")


@pytest.mark.parametrize("lines", ["0", "3-2", "a", "1-", "-1", "\u0661", "1-2-3", ""])
def test_lines_that_are_none(run: Run, capsys: pytest.CaptureFixture[str], lines: str) -> None:
    with pytest.raises(SystemExit) as caught:
        run("a.md", f"--lines={lines}")
    assert caught.value.code == 2
    assert f"expected lines such as 3 or 3-7, found {lines!r}" in capsys.readouterr().err


def test_a_tokenizer_that_cannot_be_had_does_not_keep_the_others_back(run: Run) -> None:
    ran = run("--text", "a", "-t", "cl100k_bass", "-t", "cl100k_base")
    assert ran.code == 2
    assert ran.out.splitlines()[2] == "cl100k_base: 1 token, 1.00 per word"
    assert ran.err.startswith("error: unknown tokenizer 'cl100k_bass': did you mean cl100k_base?")
    ran = run("--text", "a", "-t", "cl100k_bass", "-o", "out.txt")
    assert (ran.code, ran.out, Path("out.txt").exists()) == (2, "", False)


def test_lone_surrogates_are_read_as_the_engines_read_them(run: Run) -> None:
    lines = run("--text", "a\udcff").out.splitlines()
    assert lines[0] == "the text: 2 characters, 4 bytes, 1 word"
    assert lines[3] == "│a │\ufffd   │"


@pytest.mark.parametrize("lines", ["3-2", "0", "x", "2-", "-3", ""])
def test_ranges_that_are_none(
    lines: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("one\ntwo\nthree\n")
    assert main(["explain", f"a.md:{lines}"]) == 2
    assert capsys.readouterr().err == (
        f"error: a.md: {lines!r} names no lines; write a line or a range such as a.md:3 or "
        "a.md:3-7, counted from 1\n"
    )
