"""Which of the deleted files are the added ones under their old names.

Git could say so, but it would send files of the working tree through the filters of the repository
to compare them, and it knows nothing of files that are not tracked yet. As in git, half of a text
has to be the same.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, TypeVar

from tokenlint.commands.diff_noise import in_nfc
from tokenlint.frozen import frozen
from tokenlint.patterns import nfc

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

LEAST = 0.5
"The share of the larger text that has to be the same, as git has it by default."

_COMMON = 50
"A line that this many files have says nothing of which of them is which."

_CHUNK = re.compile(r"[^\n]{1,64}\n?|\n")

K = TypeVar("K", bound="Hashable")


@frozen
class Named:
    """A file that may have had, or got, another name."""

    name: str
    text: str

    @property
    def base(self) -> str:
        """Its name without the folder."""
        return self.name.rpartition("/")[2]


def renames(deleted: Sequence[Named], added: Sequence[Named]) -> dict[str, str]:
    """The old name of each added file that has one.

    A name that differs by its Unicode form alone is the surest sign, the same text the second.
    """
    found: dict[str, str] = {}
    for way in (_by_form, _by_text, _by_likeness):
        taken = set(found.values())
        old = [file for file in deleted if file.name not in taken]
        new = [file for file in added if file.name not in found]
        if old and new:
            found |= way(old, new)
    return found


def _by_form(deleted: Sequence[Named], added: Sequence[Named]) -> dict[str, str]:
    return _by_key(deleted, added, lambda file: nfc(file.name))


def _by_text(deleted: Sequence[Named], added: Sequence[Named]) -> dict[str, str]:
    """The same text under the same last name first; an empty text is no sign of anything."""
    old, new = ([file for file in files if file.text] for files in (deleted, added))
    found = _by_key(old, new, lambda file: (file.text, file.base))
    taken = set(found.values())
    old = [file for file in old if file.name not in taken]
    new = [file for file in new if file.name not in found]
    return found | _by_key(old, new, lambda file: file.text)


def _by_key(
    deleted: Sequence[Named], added: Sequence[Named], key: Callable[[Named], Hashable]
) -> dict[str, str]:
    waiting: defaultdict[Hashable, list[str]] = defaultdict(list)
    for file in reversed(deleted):
        waiting[key(file)].append(file.name)
    return {file.name: names.pop() for file in added if (names := waiting.get(key(file)))}


def _by_likeness(deleted: Sequence[Named], added: Sequence[Named]) -> dict[str, str]:
    """The pairs that have most in common, each file once."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for _, new, old in sorted(_likely(deleted, added)):
        if new not in found and old not in taken:
            found[new] = old
            taken.add(old)
    return found


def _likely(
    deleted: Sequence[Named], added: Sequence[Named]
) -> Iterator[tuple[tuple[float, bool], str, str]]:
    """Pairs that have enough in common, with what sorts the likeliest first."""
    old = {file.name: _Chunks.of(file) for file in deleted}
    having = _having(old)
    for file in added:
        mine = _Chunks.of(file)
        for name, same in _in_common(mine, old, having).items():
            likeness = same / max(mine.size, old[name].size)
            if likeness >= LEAST:
                yield (-likeness, file.base != name.rpartition("/")[2]), file.name, name


@frozen
class _Chunks:
    """A text in lines, long ones cut as git cuts them; the Unicode form makes no difference."""

    counts: Mapping[str, int]
    size: int

    @classmethod
    def of(cls, file: Named) -> _Chunks:
        text = in_nfc(file.text)
        return cls(Counter(_CHUNK.findall(text)), len(text))


def _having(old: Mapping[str, _Chunks]) -> Mapping[str, list[str]]:
    """The files that have a chunk, where they are not too many."""
    having: defaultdict[str, list[str]] = defaultdict(list)
    for name, chunks in old.items():
        for chunk in chunks.counts:
            having[chunk].append(name)
    return {chunk: names for chunk, names in having.items() if len(names) <= _COMMON}


def _in_common(
    mine: _Chunks, old: Mapping[str, _Chunks], having: Mapping[str, list[str]]
) -> Counter[str]:
    """How many characters a text has in common with each of the old ones."""
    same: Counter[str] = Counter()
    for chunk, count in mine.counts.items():
        for name in having.get(chunk, ()):
            same[name] += len(chunk) * min(count, old[name].counts[chunk])
    return same
