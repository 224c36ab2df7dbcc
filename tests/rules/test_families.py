"""`families = "tokenizers"`, with the real engines as judges, and the list of all families."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer as Engine

from tokenlint.cli import main
from tokenlint.rules import Context, SpecialTokens, disguised_special_token, special_token
from tokenlint.rules.search import find
from tokenlint.tokens import Document, Loader, Tokenizer, load_tokenizer
from tokenlint.tokens.control import ControlSource
from tokenlint.tokens.hf_backend import from_json

if TYPE_CHECKING:
    from conftest import Project

PLAIN = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
ADDED: tuple[dict[str, Any], ...] = (
    {"content": "<|end|>", "special": True, "rstrip": True},
    {"content": "<|end|>x", "special": True},
    {"content": "[Think]", "special": False, "normalized": True},
    {"content": "sop", "special": True, "single_word": True},
    {"content": "<m>", "special": True, "lstrip": True, "rstrip": True, "single_word": True},
    {"content": "\n\n", "special": False},
    {"content": "<b>", "special": False},
    {"content": "<s>", "special": True},
)
NORMALIZERS: dict[str, dict[str, Any] | None] = {
    "none": None,
    "nothing": {"type": "Sequence", "normalizers": []},
    "nfkc": {"type": "NFKC"},
    "bert": {
        "type": "Sequence",
        "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}, {"type": "StripAccents"}],
    },
    "prepend": {"type": "Prepend", "prepend": "\u2581"},
}


def tokenizer_json(normalizer: str) -> str:
    """A tokenizer.json with a word for each letter, and added tokens of every flag."""
    letters = {"[UNK]": 0}
    added = [{**PLAIN, **token, "id": number} for number, token in enumerate(ADDED, 1)]
    return json.dumps({
        "version": "1.0",
        "added_tokens": added,
        "normalizer": NORMALIZERS[normalizer],
        "model": {"type": "WordLevel", "vocab": letters, "unk_token": "[UNK]"},
    })  # fmt: skip


@cache
def engine(normalizer: str) -> Engine:
    return Engine.from_str(tokenizer_json(normalizer))


@cache
def source(normalizer: str) -> ControlSource:
    raw = tokenizer_json(normalizer).encode()
    return ControlSource(from_json(raw, name="mine", source="mine"))


def cut_out(normalizer: str, text: str) -> list[tuple[int, int, str]]:
    """What the real engine cuts out: ranges with the white space that it swallows."""
    real = engine(normalizer)
    names = {id_: token.content for id_, token in real.get_added_tokens_decoder().items()}
    encoding = real.encode(text, add_special_tokens=False)
    pairs = zip(encoding.ids, encoding.offsets, strict=True)
    found = [(*offsets, names[id_]) for id_, offsets in pairs if id_ in names]
    return [one for one in found if one[2] != "\n\n"]


TEXTS = st.lists(
    st.sampled_from([token["content"] for token in ADDED])
    | st.sampled_from(
        ["x", " ", "\n", "<", "\u1ec7", "e\u0301", "\u0301", "_", "[THINK]", "[think]"]
    )
    | st.sampled_from(["\uff3bThink\uff3d", "SOP", "\u00bd", "9", "[Thi\u00f1k]", "\U0001f600"]),
    max_size=8,
).map("".join)


@given(TEXTS, st.sampled_from(list(NORMALIZERS)))
def test_the_engine_cuts_out_the_same(text: str, normalizer: str) -> None:
    own = list(source(normalizer).spans(text))
    real = cut_out(normalizer, text)
    assert [span.string for span in own] == [string for _, _, string in real]
    for span, (start, end, _) in zip(own, real, strict=True):
        assert start <= span.start <= span.end <= end
        assert text[start : span.start].strip() == text[span.end : end].strip() == ""
        assert span.takes_space == ((span.start, span.end) != (start, end))


def test_long_texts_are_cut_without_a_seam() -> None:
    text = ("ab\u1ec7 " * 24_990 + "x [THINK]" + "<|end|>  " + "y" * 30) * 3
    own = [(one.start, one.string) for one in source("bert").spans(text)]
    assert own == [
        (at, string)
        for at in range(len(text))
        for string in ("[Think]", "<|end|>")
        if text[at : at + 7].lower() == string.lower()
    ]
    assert len(own) == 6


def test_a_lone_surrogate_moves_nothing() -> None:
    assert [one.start for one in source("bert").spans("\ud800\udc00\ud800[think]")] == [3]


@cache
def harmony() -> tuple[Tokenizer, tiktoken.Encoding]:
    """The tokenizer with the most control strings, and tiktoken with those and single bytes."""
    tokenizer = load_tokenizer("o200k_harmony")
    bare = tiktoken.Encoding(
        "bare",
        pat_str=r"(?s:.)",
        mergeable_ranks={bytes([byte]): byte for byte in range(256)},
        special_tokens=dict(tokenizer.special_tokens),
    )
    return tokenizer, bare


def tiktoken_strings() -> st.SearchStrategy[str]:
    names = sorted(load_tokenizer("o200k_harmony").special_tokens)
    return st.lists(st.sampled_from([*names, "<|", "reserved_", "|>", "x"]), max_size=6).map(
        "".join
    )


@given(tiktoken_strings())
def test_tiktoken_cuts_out_the_same(text: str) -> None:
    tokenizer, bare = harmony()
    ids = [id_ for id_ in bare.encode(text, allowed_special="all") if id_ > 255]
    found = [tokenizer.special_tokens[span.string] for span in ControlSource(tokenizer).spans(text)]
    assert found == ids


def context(folder: Path, *names: str, extra: tuple[str, ...] = ()) -> Context:
    """What rules are told where the strings are those of these tokenizers."""
    chosen = SpecialTokens("high", "tokenizers", extra)
    return Context(special_tokens=chosen, tokenizers=names, loader=Loader(folder))


def findings(told: Context, text: str) -> list[tuple[int, int, str, str]]:
    document = Document("a.md", text)
    return [
        (one.start, one.end, one.code, one.message)
        for rule in (special_token.RULE, disguised_special_token.RULE)
        for one in rule.check(document, told)  # type: ignore[misc]
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<|im_start|> <|return|> [INST] <unused7>",  # nobody's here, whatever the catalogue says
        "<b>bold</b>\n\n  <think>",  # a token of Gemma, of Phi: text to people
        "philosophy sopx",
        "<|END|> <|end |>",
        "&lt;|end|&gt;",
    ],
)
def test_clean(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.json").write_text(tokenizer_json("none"), "utf-8")
    assert findings(context(tmp_path, "./t.json", "o200k_base"), text) == []


OTHER = "is a control string in"


@pytest.mark.parametrize(
    ("normalizer", "text", "expected"),
    [
        ("none", "a<|end|>x", [(1, 9, "TL201", f'"<|end|>x" {OTHER} ./t.json (2)')]),
        (
            "none",
            "a<|end|> \n b <|endoftext|>",
            [
                (
                    1,
                    8,
                    "TL201",
                    '"<|end|>" closes a turn in ./t.json (1), with the white space around it',
                ),
                (13, 26, "TL201", '"<|endoftext|>" ends the text in o200k_base (199999)'),
            ],
        ),
        ("none", "a sop.", [(2, 5, "TL201", '"sop" begins the text in ./t.json (4)')]),
        ("none", "<s>", [(0, 3, "TL201", '"<s>" begins the text in ./t.json (8)')]),
        ("none", "[THINK] [Think]", [(8, 15, "TL201", f'"[Think]" {OTHER} ./t.json (3)')]),
        (
            "bert",
            "x [TH\u00cdNK]",
            [
                (
                    2,
                    9,
                    "TL201",
                    f'"[Think]" {OTHER} ./t.json (3), which reads "[TH\\u00cdNK]" as the same',
                )
            ],
        ),
        (
            "none",
            "<|e\u200bnd|>",
            [
                (
                    0,
                    8,
                    "TL202",
                    '"<|e<U+200B>nd|>" becomes "<|end|>" once invisible characters (U+200B) are '
                    "removed",
                )
            ],
        ),
    ],
)
def test_found(
    tmp_path: Path, normalizer: str, text: str, expected: list[tuple[int, int, str, str]]
) -> None:
    (tmp_path / "t.json").write_text(tokenizer_json(normalizer), "utf-8")
    assert findings(context(tmp_path, "./t.json", "o200k_base"), text) == expected


def test_several_tokenizers_and_strings_of_ones_own(tmp_path: Path) -> None:
    told = context(tmp_path, "o200k_base", "cl100k_base", extra=("<b>", "<|endoftext|>!"))
    ends = '"<|endoftext|>" ends the text in o200k_base (199999) and cl100k_base (100257)'
    assert findings(told, "<|endoftext|> <b> <|endoftext|>!") == [
        (0, 13, "TL201", ends),
        (14, 17, "TL201", '"<b>" is listed in special-tokens.extra'),
        (18, 32, "TL201", '"<|endoftext|>!" is listed in special-tokens.extra'),
    ]


class Odd:
    """A tokenizer as somebody else may write one: it has a name and strings, and no hash."""

    name = "odd"
    special_tokens = {"<|odd|>": 7}  # noqa: RUF012
    __hash__ = None  # type: ignore[assignment]


def test_a_tokenizer_of_somebody_else(tmp_path: Path) -> None:
    told = context(tmp_path, "odd")
    told.loader.loaded["odd"] = Odd()  # type: ignore[assignment]
    assert findings(told, "<|odd|>") == [(0, 7, "TL201", f'"<|odd|>" {OTHER} odd (7)')]


def test_nothing_is_loaded_for_other_families() -> None:
    told = Context(special_tokens=SpecialTokens(families=("chatml",)))
    assert findings(told, "<|im_end|>")
    assert told.loader.loaded == {}
    assert list(find("<|im_end|>", SpecialTokens(families="tokenizers"))) == []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("<|endoftext|> <|im_end|>", "utf-8")
    return tmp_path


def configure(folder: Path, families: str, tokenizers: str = '["o200k_base"]') -> None:
    text = f"tokenizers = {tokenizers}\n[special-tokens]\nfamilies = {families}\n"
    (folder / "tokenlint.toml").write_text(text, "utf-8")


def test_the_configuration(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure(folder, '"tokenizers"')
    assert main(["check", "--output-format", "concise", "-q"]) == 1
    assert capsys.readouterr() == (
        'a.md:1:1: TL201 "<|endoftext|>" ends the text in o200k_base (199999)\n',
        "",
    )
    assert main(["check", "-t", "cl100k_base", "--output-format", "concise", "-q"]) == 1
    assert capsys.readouterr().out.endswith("in cl100k_base (100257)\n")


def test_a_tokenizer_that_cannot_be_had(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure(folder, '"tokenizers"', '["o200k_base", "./no.json"]')
    assert main(["check", "--output-format", "concise", "-q"]) == 2
    out, err = capsys.readouterr()
    assert out == 'a.md:1:1: TL201 "<|endoftext|>" ends the text in o200k_base (199999)\n'
    missing = folder / "no.json"
    assert err == f"error: {missing}: No such file or directory; no tokenizer there\n"


PLUGIN_TEST = """\
def test_special(assert_no_special_tokens):
    assert_no_special_tokens("<|endoftext|>")
"""


@pytest.mark.parametrize(
    ("tokenizer", "failure"),
    [
        ("cl100k_base", "holds control strings"),
        ("./no.json", "no tokenizer there"),
    ],
)
def test_the_fixture_asks_the_tokenizers_too(
    project: Project, tokenizer: str, failure: str
) -> None:
    config = f'tokenizers = ["{tokenizer}"]\n[special-tokens]\nfamilies = "tokenizers"\n'
    ran = project.run({"tokenlint.toml": config, "test_a.py": PLUGIN_TEST})
    assert failure in ran.failures["test_special"]


@pytest.mark.parametrize(
    ("families", "message"),
    [
        ('"chatml"', 'expected a list such as ["chatml"], or "tokenizers"'),
        ('["tokenizers"]', 'no family or group is called "tokenizers"'),
        ("[]", "is an empty list; name at least one"),
        ("3", "expected a list of strings, found a number"),
    ],
)
def test_a_wrong_configuration(
    folder: Path, capsys: pytest.CaptureFixture[str], families: str, message: str
) -> None:
    configure(folder, families)
    assert main(["check"]) == 2
    assert message in capsys.readouterr().err


SOURCE = tomllib.loads(
    (Path(special_token.__file__).parents[1] / "special_tokens.toml").read_text("utf-8")
)["family"]


def test_every_family_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "TL201", "--families", "--output-format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [one["id"] for one in listed] == [family["id"] for family in SOURCE]
    for one, family in zip(listed, SOURCE, strict=True):
        tokens = family["tokens"]
        assert one["name"] == family["name"]
        assert (one["groups"], one["models"]) == (family["groups"], family.get("models", []))
        assert sum(one["strings"].values()) == len(tokens)
        assert one["strings"]["low"] == sum(token.get("tier") == "low" for token in tokens)
        assert one["runs"] == len(family.get("runs", []))
        assert one["example"] in [token["text"] for token in tokens]


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_the_table_fits_the_terminal(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert main(["rule", "special-token", "--families"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= max(width, len(lines[0]))
    assert lines[0] == "family            high  medium  low  runs  example"
    ids = [line.split()[0] for line in lines[1:] if not line.startswith(" ")]
    assert ids == [family["id"] for family in SOURCE]


def test_a_row_of_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["rule", "--families"]) == 0
    assert (
        "openai-harmony      10       0    0     1  <|start|>\n"
        "    OpenAI harmony / o200k_harmony (gpt-oss)\n"
        "    models: gpt-oss-20b, gpt-oss-120b\n"
        "    groups: openai, harmony, gpt-oss\n"
    ) in capsys.readouterr().out


def test_another_rule_has_no_families(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "TL101", "--families"]) == 2
    told = "error: TL101 has no families; tokenlint rule TL201 --families lists them\n"
    assert capsys.readouterr() == ("", told)


def test_the_pages_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "TL201", "--output-format", "json"]) == 0
    (page,) = json.loads(capsys.readouterr().out)
    assert page == {
        "code": "TL201",
        "name": "special-token",
        "summary": "a control string that a tokenizer or chat template knows",
        "default": True,
        "fix": "no",
        "explanation": special_token.RULE.doc.strip(),
    }
