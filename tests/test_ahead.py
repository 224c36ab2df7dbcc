"""Files that are counted beside those before them: nothing of what is said may show it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repositories import Repository, pin
from tokenlint import progress
from tokenlint.cli import main
from tokenlint.commands import ahead as reading
from tokenlint.commands.ahead import Begun, ahead
from tokenlint.errors import UncountableTextError
from tokenlint.tokens import counts, workers
from tokenlint.tokens.counts import Counts
from tokenlint.tokens.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tokenlint.tokens.counts import Expected
    from tokenlint.tokens.tokenizer import Tokenizer


# --- the order


@given(sizes=st.lists(st.integers(0, 5), max_size=9), files=st.integers(1, 4))
def test_each_in_its_turn_and_a_bounded_number_begun(sizes: list[int], files: int) -> None:
    begun: list[int] = []

    def things() -> Iterator[Begun[int]]:
        for at, size in enumerate(sizes):
            begun.append(at)
            yield Begun(at, size)

    done = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_FILES", files)
        patch.setattr(reading, "_CHARACTERS", 6)
        for at in ahead(things(), Counts()):
            done.append(at)
            held = sizes[at : len(begun)]
            assert len(held) <= (files + 1 if at else 1)
            assert sum(held[1:-1]) <= 6
    assert done == begun == list(range(len(sizes)))


# --- what is expected


class Counter:
    """A tokenizer that counts characters, and tells what it was asked."""

    def __init__(self) -> None:
        self.identity, self.pattern = "counter", ""
        self.asked: list[str] = []

    def count(self, text: str) -> int:
        self.asked.append(text)
        if "refused" in text:
            raise UncountableTextError("no count")
        return len(text)

    def expect(self, characters: int) -> None:
        """Long texts are nothing special here."""


def made(threads: int = 3) -> tuple[Counts, Any, list[str]]:
    counter = Counter()
    return Counts(workers=Workers(threads, _seen=10**6)), counter, counter.asked


def expected(known: Counts, text: str, tokenizer: Tokenizer) -> Expected:
    found = known.expect(text, tokenizer)
    assert found is not None
    return found


def test_what_is_expected_is_counted_once() -> None:
    known, tokenizer, asked = made()
    text = "x" * 3000
    one = expected(known, text, tokenizer)
    assert known.expect(text, tokenizer) is None
    assert [known.tokens(text, tokenizer), known.tokens("x" * 3000, tokenizer)] == [3000, 3000]
    assert asked == [text]
    known.forget([one])
    assert known.tokens(text, tokenizer) == known.begin(text, tokenizer)() == 3000
    assert asked == [text]
    known.workers.stop()


def test_what_is_known_is_not_counted_ahead() -> None:
    known, tokenizer, asked = made()
    text = "x" * 3000
    known.tokens(text, tokenizer)
    one = expected(known, text, tokenizer)
    assert known.tokens(text, tokenizer) == 3000
    known.forget([one])
    assert (known.tokens(text, tokenizer), asked) == (3000, [text])


def test_what_cannot_be_counted_is_said_to_who_asks() -> None:
    known, tokenizer, _ = made()
    text = "refused" * 1000
    one = expected(known, text, tokenizer)
    for _ in range(2):
        with pytest.raises(UncountableTextError, match="no count"):
            known.tokens(text, tokenizer)
    known.forget([one])
    known.workers.stop()


@pytest.mark.parametrize("length", [3000, 70_000])
def test_what_is_forgotten_leaves_nothing(length: int) -> None:
    known, tokenizer, _ = made()
    texts = [letter * length for letter in "abc"]
    found = [expected(known, text, tokenizer) for text in texts]
    known.tokens(texts[1], tokenizer)
    known.forget(found)
    assert (known._begun, known._met) == ({}, {})
    assert [known.tokens(text, tokenizer) for text in texts] == [length] * 3
    known.workers.stop()


@pytest.mark.parametrize(
    ("text", "threads", "changed"),
    [
        ("x" * 1999, 3, {}),
        ("x" * 3000, 2, {}),
        ("x" * 3000, 3, {"identity": None}),
        ("x" * 3000, 3, {"pattern": None}),
    ],
    ids=["short", "one processor", "nothing to know it by", "no engine for threads"],
)
def test_where_it_does_not_pay_nothing_is_begun(
    text: str, threads: int, changed: Mapping[str, None]
) -> None:
    known, tokenizer, asked = made(threads)
    for name in changed:
        delattr(tokenizer, name)
    assert known.expect(text, tokenizer) is None
    assert known.tokens(text, tokenizer) == len(text)
    assert asked == [text]


# --- the commands

WORDS = "Xin ch\u00e0o, one two three. \u4f60\u597d\n"
FILES: Mapping[str, str | bytes] = {
    **{f"p/{at}.md": f"{at} {WORDS * (40 + 7 * at)}" for at in range(9)},
    "p/same.md": f"1 {WORDS * 47}",
    "p/short.md": "one",
    "p/crlf.md": "\ufeff" + WORDS.replace("\n", "\r\n") * 50,
    "p/nfd.md": "cafe\u0301 <|im_start|>\n" * 90,
    "p/ignored.md": "<!-- tokenlint: ignore-file[TL301] -->\n" + WORDS * 90,
    "p/part.json": json.dumps({"prompt": WORDS * 70, "rest": WORDS}),
    "p/broken.json": "{" + WORDS * 60,
    "p/binary.md": b"\0\1\2" * 999,
    "p/latin.md": "ch\u00e0o ".encode("latin-1") * 900,
    "p/out.md": WORDS * 80,
    "q/free.md": WORDS * 80,
}
CONFIGURATION = """
tokenizers = ["o200k_base", "cl100k_base"]
extend-select = ["TL305"]
[per-file-ignores]
"p/out.md" = ["TL301", "TL303"]
[extract]
"p/*.json" = "$.prompt"
[[budgets]]
files = ["p/*"]
max-tokens = 800
max-fertility = 1.1
[[budgets]]
files = ["p/[0-4].md"]
max-tokens = 700
max-total = 1200
tokenizers = ["o200k_base", "no_such_tokenizer"]
[[budgets]]
files = ["q/*.md"]
max-tokens = 90000
max-characters = 10
"""


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[int]]:
    """Let commands count with so many processors, however short a text is; what threads count."""
    started: list[int] = []
    begin = Workers.begin

    def noted(self: Workers, text: str, tokenizer: Any) -> Callable[[], int]:
        started.append(len(text))
        return begin(self, text, tokenizer)

    def set_(processors: int) -> list[int]:
        started.clear()
        monkeypatch.setattr(workers, "processors", lambda: processors)
        return started

    monkeypatch.setattr(workers, "AT_ONCE", 0)
    monkeypatch.setattr(counts, "_WORTH_A_THREAD", 1)
    monkeypatch.setattr(Workers, "begin", noted)
    return set_


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """All files in one commit, and most of them changed in the next."""
    pin(monkeypatch, tmp_path)
    repository = Repository.make(tmp_path / "r")
    repository.commit({"tokenlint.toml": CONFIGURATION, **FILES})
    changed: dict[str, str | bytes | None] = {
        name: content[: len(content) // 2]
        for name, content in FILES.items()
        if name not in ("p/1.md", "p/2.md", "q/free.md", "p/3.md")
    }
    moved = {"p/moved.md": FILES["p/3.md"], "p/new.md": WORDS * 77, "p/3.md": None}
    repository.commit(changed | moved)
    monkeypatch.chdir(repository.folder)
    return repository


def as_words(value: object) -> str | None:
    return " ".join(value) if isinstance(value, tuple) else None


@pytest.mark.parametrize(
    ("arguments", "in_threads"),
    [
        (("check",), True),
        (("check", "--output-format", "json", "p/7.md", "p/2.md", "p/latin.md"), True),
        (("check", "--budgets"), True),
        (("check", "--select", "TL301", "--isolated"), False),
        (("check", "--diff"), False),
        (("check", "p/8.md"), False),
        (("diff", "HEAD~1", "HEAD"), True),
        (("diff", "HEAD~1", "--output-format", "json"), True),
        (("diff", "HEAD~1", "HEAD", "--all", "--max-increase", "3%"), True),
        (("diff", "HEAD", "HEAD"), False),
        (("diff", "HEAD", "HEAD", "--all"), True),
    ],
    ids=as_words,
)
@pytest.mark.usefixtures("repository")
def test_what_is_said_is_the_same_with_many_processors_as_with_one(
    arguments: tuple[str, ...],
    in_threads: bool,
    many: Callable[[int], list[int]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = []
    for processors in (1, 4):
        started = many(processors)
        said.append((main([*arguments]), *capsys.readouterr()))
        assert (started != []) is (in_threads and processors > 1)
    assert said[0] == said[1]


@pytest.mark.parametrize("paths", [[], ["inner"], ["inner/0.md", "inner/1.md", "inner/2.md"]])
def test_budgets_of_a_folder_below_are_counted_ahead_as_well(
    paths: list[str],
    many: Callable[[int], list[int]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("inner").mkdir()
    budget = '[[budgets]]\nfiles = ["*.md"]\nmax-tokens = 9\n'
    Path("inner/tokenlint.toml").write_text(budget, "utf-8")
    for at in range(3):
        Path(f"inner/{at}.md").write_text(f"{at} {WORDS * 9}", "utf-8")
    started = many(4)
    assert main(["check", *paths]) == 1
    assert started != []


def test_a_fix_changes_files_in_their_turn(
    many: Callable[[int], list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tokenlint.toml").write_text('[[budgets]]\nfiles = ["*.md"]\nmax-tokens = 9\n', "utf-8")
    for at in range(3):
        Path(f"{at}.md").write_text("cafe\u0301 " * 500, "utf-8")
    started = many(4)
    assert main(["check", "--fix"]) == 1
    assert [path.read_text("utf-8") for path in sorted(tmp_path.glob("*.md"))] == [
        "caf\u00e9 " * 500
    ] * 3
    assert started == []


# --- the bar


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (("HEAD~1", "HEAD"), 37),
        (("HEAD~1", "HEAD", "--all"), 39),
        (("HEAD~1", "--", "p/1.md"), 5),
        (("HEAD~1", "--", "p/4.md"), 7),
        (("--no-index", "p", "p"), 40),
    ],
    ids=as_words,
)
@pytest.mark.usefixtures("repository")
def test_the_bar_of_a_comparison_knows_its_end(
    arguments: tuple[str, ...], files: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[int] = []
    expected: list[int] = []
    monkeypatch.setattr(progress, "step", lambda: steps.append(sum(expected)))
    monkeypatch.setattr(progress, "expect", expected.append)
    main(["diff", *arguments])
    assert (len(steps), sum(expected)) == (files, files)
    assert all(total > 0 for total in steps)
