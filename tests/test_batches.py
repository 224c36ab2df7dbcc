"""Columns of texts: figures and findings equal to those of files, whatever the batch."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import warnings
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokenlint.batches import Batches
from tokenlint.commands import check, count
from tokenlint.commands.session import Session, Stdin
from tokenlint.errors import TokenlintError
from tokenlint.reports.csv_report import COLUMNS
from tokenlint.tokens.extract import Extract

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

COUNTED = Batches(tokenizers=["o200k_base", "cl100k_base"])
AS_FILES = Batches(as_files=True, tokenizers=["o200k_base", "cl100k_base"])

PIECES = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        [
            *(
                "<|im_start|>",
                "[INST]",
                "e\u0302",
                "\u1100\u1161",
                "\u200b",
                "\u202e",
                "\U000e0041",
            ),
            *("\r\n", "\r", "\n", "\ufeff", "\0", "\ufffd", "caf\u00e9 ", "tokenlint: ignore-file"),
            *("\u3042\u306a\u305f", "\U0001f468\u200d\U0001f469", '{"a": "\\u0301"}', "[TL201]"),
        ]
    ),
)
TEXTS = st.lists(PIECES, max_size=5).map("".join)
COLUMNS_OF_TEXTS = st.lists(st.none() | TEXTS, max_size=6)


def rows(columns: dict[str, list[Any]]) -> list[tuple[Any, ...]]:
    """Columns as rows."""
    return list(zip(*columns.values(), strict=True))


def session(**overrides: Any) -> Session:
    """A local run, without a configuration file."""
    tokenizers = ("o200k_base", "cl100k_base")
    return Session(Path.cwd(), isolated=True, overrides={"tokenizers": tokenizers, **overrides})


# What must not happen


@pytest.mark.parametrize("texts", [[], (), iter(())])
def test_nothing_comes_to_nothing(texts: Iterable[str]) -> None:
    names = ("bytes", "characters", "words", "o200k_base", "cl100k_base", "error")
    assert COUNTED.columns == names
    assert COUNTED.count(texts) == {name: [] for name in names}
    assert COUNTED.check([]) == {name: [] for name in COLUMNS}


CLEAN = [
    "",
    "You are a helper.",
    "Ba\u0323\u0301n"[:2],
    "\u1eb9\u0301",
    "<s>",
    "caf\u00e9\r\n",
    None,
]


def test_clean_texts_have_no_findings() -> None:
    assert rows(COUNTED.check(CLEAN)) == []


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    script = (
        "import sys; from tokenlint.batches import Batches\n"
        "made = Batches(tokenizers=['qwen2.5'], select=['TL1'])\n"
        "heavy = {'tiktoken', 'tokenizers', 'pandas', 'pyarrow', 'dask', 'numpy', 'yaml'}\n"
        "made.check(['a'])\n"
        "print(sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert (done.stdout.decode().strip(), done.stderr) == ("[]", b"")


# What comes out


def test_figures_are_those_of_the_text(official_count: Callable[[str, str], int]) -> None:
    as_text = ["Xin ch\u00e0o", "", "a\r\nb", "<|endoftext|>", "\ufeffa", "\u3042\u306a", "a\u00e9"]
    texts = [*as_text[:-1], as_text[-1].encode()]
    words = [2, 0, 2, 1, 1, None, 1]
    tokens = {
        name: [official_count(name, text) for text in as_text]
        for name in ("o200k_base", "cl100k_base")
    }
    assert COUNTED.count(texts) == {
        "bytes": [len(text.encode()) for text in as_text],
        "characters": [len(text) for text in as_text],
        "words": words,
        **tokens,
        "error": [None] * 7,
    }


def test_findings_are_rows() -> None:
    url = "https://github.com/tokenlint/pytest-tokenbudget/blob/main/docs/rules/TL101.md"
    message = "decomposed text: U+0065 U+0301 is U+00E9 LATIN SMALL LETTER E WITH ACUTE in NFC"
    found = COUNTED.check(["clean", None, "a\ncafe\u0301"], [7, 8, 9])
    row = (9, 2, 4, 2, 6, "TL101", "decomposed", "error", message, "safe", url)
    assert found == {name: [value] for name, value in zip(COLUMNS, row, strict=True)}
    assert COUNTED.check(["clean", None, "a\ncafe\u0301"])["path"] == [2]


BROKEN = "not UTF-8: byte 0xff at offset 1 (line 1); convert the text to UTF-8"


def test_a_text_that_cannot_be_read_loses_no_other() -> None:
    counted = COUNTED.count(["a", b"b\xff", None, "c"])
    nothing = (None,) * 5
    assert rows(counted) == [
        (1, 1, 1, 1, 1, None),
        (*nothing, BROKEN),
        (*nothing, None),
        (1, 1, 1, 1, 1, None),
    ]
    found = COUNTED.check(["a", b"b\xff", None, "c"])
    assert [(row[0], row[5], row[8]) for row in rows(found)] == [(1, "TL901", BROKEN)]
    binary = "binary data (it holds NUL bytes), not checked"
    assert AS_FILES.count(["\0", "a"])["error"] == [binary, None]
    assert rows(AS_FILES.check(["\0", "a"])) == [
        (0, 1, 1, 1, 1, "", "", "error", binary, None, None)
    ]


def test_a_text_that_a_tokenizer_refuses_loses_no_other(folder: Path) -> None:
    ranks = (f"{b64encode(bytes([rank])).decode()} {rank}\n" for rank in range(256))
    (folder / "small.tiktoken").write_text("".join(ranks))
    table = {"source": "./small.tiktoken", "pattern": "a"}
    found = Batches(tokenizers=["small"], tokenizer={"small": table}).count(["a", "ab", "aa"])
    (reason,) = filter(None, found.pop("error"))
    assert found == {
        "bytes": [1, None, 2],
        "characters": [1, None, 2],
        "words": [1, None, 1],
        "small": [1, None, 2],
    }
    assert reason.startswith("small cannot cut this text: its pattern leaves some of the text out")


UNKNOWN = (
    "unk.json: cannot cut this text (WordLevel error: Missing [UNK] token from the vocabulary); "
    "leave the text out, or use another tokenizer"
)
UTF16 = "not UTF-8: the byte order mark says UTF-16 LE; convert the text to UTF-8"


def test_no_sentence_sends_to_a_file_that_there_is_not(folder: Path) -> None:
    model = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "[UNK]"}
    (folder / "unk.json").write_text(json.dumps({"added_tokens": [], "model": model}))
    made = Batches(tokenizers=["./unk.json"])
    said = made.count(["a", "b", b"\xff\xfea\0"])["error"]
    assert [one and one.removeprefix("./") for one in said] == [None, UNKNOWN, UTF16]
    assert made.check([b"\xff\xfea\0"])["message"] == [UTF16]


def test_directives_hold_unless_told_not_to() -> None:
    text = "tokenlint: ignore-file[TL201] <|im_start|>"
    assert COUNTED.check([text])["code"] == []
    assert Batches(inline_directives=False).check([text])["code"] == ["TL201"]


def test_settings_are_those_of_the_configuration() -> None:
    made = Batches(select=["TL2", "TL102"], ignore=["TL202"], special_tokens={"extra": ["<<MY>>"]})
    assert made.check(["<<MY>> e\u0302 \u212b"])["code"] == ["TL201", "TL102"]
    assert eval(repr(made)).check(["<<MY>> \u212b"]) == made.check(["<<MY>> \u212b"])  # noqa: S307


# What is refused


class Table:
    """What a data frame looks like."""

    columns = ("text",)


ONE = "a batch is a column of texts, and this is one text; put it in a list"
VALUE = "a batch is a column of texts, and this is one value, of type {}; put all of them in a list"
WHOLE = "a batch is one column, and this is a table; name its column of texts"
NO_TEXT = (
    "row {} of the batch, counted from 0, is of type {} and not text; name a column of texts, or "
    "make it one"
)


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ("text", ONE),
        (b"text", ONE),
        (None, VALUE.format("NoneType")),
        (5, VALUE.format("int")),
        ({"text": ["a"]}, WHOLE),
        (Table(), WHOLE),
        (["a", None, 1], NO_TEXT.format(2, "int")),
        ([["a"]], NO_TEXT.format(0, "list")),
        ([1.5], NO_TEXT.format(0, "float")),
    ],
)
@pytest.mark.parametrize("method", ["count", "check"])
def test_what_is_no_column_of_texts_is_refused(method: str, column: Any, said: str) -> None:
    with pytest.raises(TokenlintError) as caught:
        getattr(COUNTED, method)(column)
    assert str(caught.value) == said


def test_every_text_needs_its_name() -> None:
    with pytest.raises(TokenlintError, match=r"^2 texts have 1 names; give each text one$"):
        COUNTED.check(["a", "b"], ["x"])


def test_names_are_a_column() -> None:
    said = "names are a column as well, and this is one value, of type int; put all of them in a "
    with pytest.raises(TokenlintError, match=f"^{said}list$"):
        COUNTED.check(["a"], 5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("keywords", "begins"),
    [
        ({"tokenizers": ["o200k"]}, "unknown tokenizer 'o200k': did you mean o200k_base?"),
        ({"tokenizers": "gpt2"}, "tokenizers: expected a list of strings, found a string"),
        ({"inline_directives": 0}, "inline-directives: expected true or false, found a number"),
        ({"as_files": "yes"}, "as_files: expected true or false, found a value of type str"),
        ({"as_files": None}, "as_files: expected true or false, found a value of type NoneType"),
        ({"selct": ["TL1"]}, "selct: unknown key; did you mean select?"),
        ({"select": ["TL999"]}, "select: unknown rule 'TL999'"),
        ({"budgets": []}, "budgets: says something of files, and a batch has none; leave it out."),
        ({"exclude": []}, "exclude: says something of files, and a batch has none; leave it out."),
        ({"select": {"TL1"}}, "the settings hold what no configuration file can (Object of type"),
        (
            {"tokenizers": ["words"], "tokenizer": {"words": {"source": "gpt2"}}},
            "tokenizers: 'words' is a column already; name it otherwise",
        ),
    ],
)
def test_what_cannot_be_used_is_refused_at_once(keywords: dict[str, Any], begins: str) -> None:
    with pytest.raises(TokenlintError) as caught:
        Batches(**keywords)
    assert str(caught.value).startswith(begins)


def test_a_missing_file_is_missed_where_it_is_needed(folder: Path) -> None:
    """The process that makes the object need not have what those that count have."""
    made = Batches(tokenizers=["./here.json"], special_tokens={"families": "tokenizers"})
    for method in (made.count, made.check):
        with pytest.raises(TokenlintError, match=r"here\.json: No such file"):
            method(["a"])


# Columns of others


@pytest.mark.parametrize("method", ["count", "check"])
def test_columns_of_others_are_columns(method: str) -> None:
    texts = ["a", None, "cafe\u0301", "\ufeff\r\n", "<|im_end|>"]
    wanted = getattr(COUNTED, method)(texts)
    pd, pa, np = map(pytest.importorskip, ("pandas", "pyarrow", "numpy"))
    arrow = pa.array(texts)
    columns = [
        arrow,
        pa.chunked_array([arrow[:2], arrow[2:]]),
        arrow.dictionary_encode(),
        pa.array([None if text is None else text.encode() for text in texts]),
        np.array(texts, dtype=object),
        pd.Series(texts, index=[9, 9, 1, 0, 4]),
        pd.Series(texts, dtype=object).fillna(np.nan),
        pd.Series(texts, dtype=object).fillna(pd.NA),
        [pd.NaT if text is None else text for text in texts],
        pd.Series(texts, dtype=pd.ArrowDtype(pa.string())),
        pd.Series(texts, dtype="category"),
    ]
    for column in columns:
        assert getattr(COUNTED, method)(column) == wanted
    names = pd.Series(list("abcde"), index=[3, 3, 3, 3, 3])
    assert COUNTED.check(arrow, names)["path"] == ["c", "e"]


@pytest.mark.parametrize("method", ["count", "check"])
def test_single_values_of_others_are_no_columns(method: str) -> None:
    pd, pa, np = map(pytest.importorskip, ("pandas", "pyarrow", "numpy"))
    values = {"ndarray": np.array("a"), "StringScalar": pa.scalar("a"), "NAType": pd.NA}
    for name, value in values.items():
        with pytest.raises(TokenlintError) as caught:
            getattr(COUNTED, method)(value)
        assert str(caught.value) == VALUE.format(name)


class LazyTable:
    """A table that, as Polars' lazy ones do, warns whoever asks for its columns."""

    @property
    def columns(self) -> tuple[str, ...]:
        warnings.warn("resolving the schema is expensive", stacklevel=2)
        return ("text",)


@pytest.mark.filterwarnings("error")
def test_a_lazy_table_is_refused_without_being_asked() -> None:
    with pytest.raises(TokenlintError) as caught:
        COUNTED.count(LazyTable())  # type: ignore[arg-type]
    assert str(caught.value) == WHOLE


def test_arrow_may_hold_what_is_not_utf_8() -> None:
    pd, pa = map(pytest.importorskip, ("pandas", "pyarrow"))
    column = pa.array([b"a", b"b\xff", None]).view(pa.string())
    for given_ in (column, pd.Series(column, dtype=pd.ArrowDtype(pa.string()))):
        assert COUNTED.count(given_)["error"] == [None, BROKEN, None]
        assert COUNTED.check(given_)["message"] == [BROKEN]


# Laws


@given(COLUMNS_OF_TEXTS, st.integers(1, 4))
def test_a_batch_is_its_texts_one_by_one(texts: list[str | None], size: int) -> None:
    names = [f"{at}.md" for at in range(len(texts))]
    parts = [slice(at, at + size) for at in range(0, len(texts), size)]
    for made in (COUNTED, AS_FILES):
        whole = rows(made.count(texts))
        assert whole == list(chain(*(rows(made.count([text])) for text in texts)))
        assert whole == list(chain(*(rows(made.count(texts[part])) for part in parts)))
        found = rows(made.check(texts, names))
        assert found == list(chain(*(rows(made.check(texts[p], names[p])) for p in parts)))


def figures(counted: count.Counts) -> tuple[Any, ...]:
    """What a local run counts, in the order of columns."""
    return counted.bytes, counted.characters, counted.words, *counted.tokens.values()


@given(TEXTS)
def test_a_text_counts_as_its_file(text: str) -> None:
    counted = count.run([], Stdin(text.encode(), "a.md"), session())
    (row,) = rows(AS_FILES.count([text]))
    assert [row[:-1]] == ([*map(figures, counted.rows)] or [(None,) * 5])
    assert bool(row[-1]) == bool(counted.problems)
    if not {*"\r\0\ufeff"} & {*text}:
        assert rows(COUNTED.count([text])) == [row]


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_values_count_as_those_of_json_lines(texts: list[str]) -> None:
    lines = "".join(json.dumps({"text": text}) + "\n" for text in texts)
    chosen = session(extract_as=Extract.parse("[*].text"))
    (local,) = count.run([], Stdin(lines.encode(), "a.jsonl"), chosen).rows
    found = rows(COUNTED.count(texts))
    for at, total in enumerate(figures(local)):
        if COUNTED.columns[at] != "words":  # of which a file's values are looked at together
            assert sum(row[at] for row in found) == total


def local_findings(text: str, name: str) -> list[tuple[Any, ...]]:
    """The rows of a local check of a file."""
    request = check.Request(stdin=Stdin(text.encode(), name))
    found = check.run(request, session()).diagnostics
    return [
        (one.path, *one.location, *one.end_location, one.code, one.name, one.level, one.message)
        for one in found
    ]


@given(TEXTS, st.sampled_from(["a.md", "a.json", "t/e\u0302.html", "a.jinja"]))
@settings(max_examples=60)
def test_findings_are_those_of_the_file(text: str, name: str) -> None:
    found = [row for row in rows(AS_FILES.check([text], [name])) if row[5]]
    assert [row[:9] for row in found] == local_findings(text, name)


@pytest.fixture
def hasty() -> Iterator[None]:
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_threads_disturb_nothing(hasty: None) -> None:
    """Every engine runs threads somewhere: what rules remember must not mix."""
    texts = [
        *("cafe\u0301 " * 3, "clean caf\u00e9", "<|im_end|>", "a\u200bb", "{}", "\u202eabc"),
        *('{"a": "e\\u0301"}', "\U000e0041\U000e0042", "plain text, and more of it"),
    ] * 30
    names = [f"{at % 9}.json" for at in range(len(texts))]
    made = Batches()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda *one: made.check(*([each] for each in one)), texts, names))
        counted = list(pool.map(lambda text: made.count([text]), texts))
    assert list(chain(*map(rows, found))) == rows(made.check(texts, names))
    assert list(chain(*map(rows, counted))) == rows(made.count(texts))


def sent(made: Batches) -> Batches:
    """The object as another process gets it."""
    copy: Batches = pickle.loads(pickle.dumps(made))  # noqa: S301
    return copy


def test_only_what_was_said_is_sent() -> None:
    texts = ["a", "cafe\u0301"]
    made = Batches(as_files=True, tokenizers=["cl100k_base"], select=["TL1"])
    before = pickle.dumps(made)
    counted, found = made.count(texts), made.check(texts)
    assert pickle.dumps(made) == before
    assert len(before) < 300
    assert (sent(made).count(texts), sent(made).check(texts)) == (counted, found)
    assert sent(made)._work is made._work  # a task of the same process loads nothing anew
