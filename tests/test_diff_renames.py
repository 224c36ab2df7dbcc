"""What was renamed, as git itself sees it, and in what git does not look at."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repositories import Repository, pin
from tokenlint.commands.diff_renames import Named, renames

if TYPE_CHECKING:
    from pathlib import Path

LINES = [f"Rule {number} of the prompt says something of its own.\n" for number in range(20)]


def text(first: int, last: int) -> str:
    return "".join(LINES[first:last])


ONE, OTHER = text(0, 10), text(10, 20)
MOSTLY_ONE = text(0, 8) + text(10, 12)
HALF = text(0, 5) + text(5, 10).replace("Rule", "Norm")
LESS_THAN_HALF = text(0, 4) + text(10, 16)

NONE: list[tuple[dict[str, str], dict[str, str]]] = [
    ({}, {}),
    ({"a.md": ONE}, {}),
    ({}, {"a.md": ONE}),
    ({"a.md": ONE}, {"b.md": OTHER}),
    ({"a.md": ONE}, {"b.md": LESS_THAN_HALF}),
    ({"a.md": ONE}, {"b.md": ONE * 3}),
    ({"a.md": ONE}, {"b.md": text(0, 3)}),
    ({"a.md": "short\n"}, {"b.md": "other\n"}),
]

SOME: list[tuple[dict[str, str], dict[str, str], dict[str, str]]] = [
    ({"a.md": ONE}, {"b.md": ONE}, {"b.md": "a.md"}),
    ({"a.md": ONE}, {"b.md": MOSTLY_ONE}, {"b.md": "a.md"}),
    ({"a.md": ONE}, {"b.md": HALF}, {"b.md": "a.md"}),
    ({"a.md": ONE}, {"b.md": ONE + ONE}, {"b.md": "a.md"}),
    ({"a.md": ONE, "b.md": ONE}, {"c/b.md": ONE}, {"c/b.md": "b.md"}),
    ({"a.md": ONE, "b.md": OTHER}, {"c.md": OTHER, "d.md": ONE}, {"c.md": "b.md", "d.md": "a.md"}),
    ({"a.md": ONE, "b.md": MOSTLY_ONE}, {"c.md": ONE}, {"c.md": "a.md"}),
    ({"a.md": MOSTLY_ONE}, {"b.md": HALF, "c.md": ONE}, {"c.md": "a.md"}),
    ({"a.md": "x" * 640}, {"b.md": "x" * 600}, {"b.md": "a.md"}),
    ({"a.md": "short\n"}, {"b.md": "short\n"}, {"b.md": "a.md"}),
]


def paired(old: dict[str, str], new: dict[str, str]) -> dict[str, str]:
    return renames(
        [Named(*item) for item in sorted(old.items())],
        [Named(*item) for item in sorted(new.items())],
    )


@pytest.mark.parametrize(("old", "new"), NONE)
def test_what_is_no_rename(old: dict[str, str], new: dict[str, str]) -> None:
    assert paired(old, new) == {}


@pytest.mark.parametrize(("old", "new", "expected"), SOME)
def test_renames(old: dict[str, str], new: dict[str, str], expected: dict[str, str]) -> None:
    assert paired(old, new) == expected


JUDGED = [*((*pair, {}) for pair in NONE), *SOME]


@pytest.mark.parametrize(("old", "new", "expected"), JUDGED)
def test_git_sees_the_same(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    old: dict[str, str],
    new: dict[str, str],
    expected: dict[str, str],
) -> None:
    pin(monkeypatch, tmp_path.parent)
    repository = Repository.make(tmp_path)
    base = repository.commit(dict(old))
    head = repository.commit({**dict.fromkeys(old), **new})
    raw = repository.git("diff", "-M", "--name-status", "-z", base, head).split("\0")
    seen = {raw[at + 2]: raw[at + 1] for at, field in enumerate(raw) if field.startswith("R")}
    assert seen == expected


def test_the_last_name_decides_between_the_same_texts() -> None:
    assert paired({"a.md": ONE}, {"b.md": ONE, "c/a.md": ONE}) == {"c/a.md": "a.md"}


def test_an_empty_text_is_no_sign() -> None:
    assert paired({"a.md": "", "b.md": ""}, {"c.md": ""}) == {}


NFC, NFD = "caf\u00e9.md", "cafe\u0301.md"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ({NFD: ONE}, {NFC: OTHER}, {NFC: NFD}),
        ({NFC: ONE}, {NFD: OTHER}, {NFD: NFC}),
        ({NFD: ""}, {NFC: ""}, {NFC: NFD}),
        ({NFD: ONE, "a.md": OTHER}, {NFC: OTHER}, {NFC: NFD}),
        (
            {"a.md": unicodedata.normalize("NFD", "\u1ec7 \u1ea1 \u1ed9\n" * 9)},
            {"b.md": "\u1ec7 \u1ea1 \u1ed9\n" * 8},
            {"b.md": "a.md"},
        ),
    ],
)
def test_the_unicode_form_makes_no_difference(
    old: dict[str, str], new: dict[str, str], expected: dict[str, str]
) -> None:
    assert paired(old, new) == expected


def test_a_line_that_many_files_have_is_no_sign() -> None:
    old = {f"{number}.md": f"the licence\n{number}\n" for number in range(60)}
    assert paired(old, {"new.md": "the licence\nother\n"}) == {}


NAMES = st.text("abc/\u00e9e\u0301", min_size=1, max_size=4)
TEXTS = st.lists(st.sampled_from(LINES[:6]), max_size=5).map("".join)
FILES = st.dictionaries(NAMES, TEXTS, max_size=5)


@given(FILES, FILES)
def test_no_file_is_paired_twice(old: dict[str, str], new: dict[str, str]) -> None:
    found = paired(old, new)
    assert found.keys() <= new.keys()
    assert set(found.values()) <= old.keys()
    assert len(set(found.values())) == len(found)


@given(FILES)
def test_the_same_texts_all_find_their_old_names(old: dict[str, str]) -> None:
    texts = {name: f"{content}{at}\n" for at, (name, content) in enumerate(old.items())}
    new = {f"new/{name}": content for name, content in texts.items()}
    assert paired(texts, new) == {f"new/{name}": name for name in texts}
