"""The files that differ, read, with what was renamed put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint import git, progress
from tokenlint.commands.diff_reading import LFS, LeftOut
from tokenlint.commands.diff_renames import Named, renames
from tokenlint.commands.diff_sources import Pair
from tokenlint.frozen import frozen
from tokenlint.tokens import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from tokenlint.commands.diff_sources import Item, Source

    Read = Callable[[Item], Document | LeftOut]
    Readings = Callable[[Item, int], tuple[str, ...]]


@frozen
class Opened:
    """A file before and after, with its texts, or why there is none; None where it is not there."""

    pair: Pair
    before: Document | LeftOut | None
    after: Document | LeftOut | None

    @property
    def left_out(self) -> LeftOut | None:
        """Why it cannot be counted now, or could not before."""
        for content in (self.after, self.before):
            if isinstance(content, LeftOut):
                return content
        return None

    @property
    def is_same_text(self) -> bool:
        """Whether the text, as it is counted by default, is the same."""
        before, after = self.before, self.after
        if not isinstance(before, Document) or not isinstance(after, Document):
            return False
        if self._is_checked_out:
            return before.countable() == after.countable()  # git may have written CRLF
        return before.text == after.text and before.bom == after.bom

    @property
    def is_only_touched(self) -> bool:
        """Whether nothing about a file differs once it is read: not its text, name or mode."""
        before, after = self.pair.before, self.pair.after
        if before is None or after is None or before.shown != after.shown:
            return False
        same = self.is_same_text or self._is_real_one
        return same and before.mode == after.mode

    @property
    def _is_checked_out(self) -> bool:
        """Whether an object is compared with a file that git may have made of it."""
        before, after = self.pair.before, self.pair.after
        return before is not None and after is not None and bool(before.id) and not after.id

    @property
    def _is_real_one(self) -> bool:
        """Whether a file is the very one that Git LFS puts in place of its pointer."""
        disk = None if self.pair.after is None else self.pair.after.disk
        return disk is not None and git.has_hash(disk, _pointed(self.before))


def differing(source: Source, concerns: Callable[[Path], bool]) -> Iterator[Pair]:
    """The pairs that somebody needs and that differ, with all their files expected at once."""
    pairs = [pair for pair in source.changed() if concerns(pair.item.file)]
    if source.base.commit:  # folders were listed, and their files are expected by now
        progress.expect(sum(map(_files, pairs)))
    for pair in pairs:
        if source.differs(pair):
            yield pair
        else:
            for _ in range(_files(pair)):
                progress.step()


def _files(pair: Pair) -> int:
    """How many files there are to be read of a pair."""
    sides = (pair.before, pair.after)
    return sum(item is not None and not item.left_out for item in sides)


def opened(pairs: Iterable[Pair], read: Read, readings: Readings) -> Iterator[Opened]:
    """Each pair with its texts. Only files that came or went are held in memory together.

    `readings` are the texts that a broken file of at most so many bytes may have had.
    """
    deleted, added = [], []
    for pair in pairs:
        if pair.after is None:
            deleted.append(_opened(pair, read))
        elif pair.before is None:
            added.append(_opened(pair, read))
        else:
            yield _opened(pair, read)
    yield from _renamed(deleted, added, readings)


def _opened(pair: Pair, read: Read) -> Opened:
    before = None if pair.before is None else read(pair.before)
    after = None if pair.after is None else read(pair.after)
    if _pointed(before) and isinstance(after, Document) and pair.after and pair.after.disk:
        return Opened(pair, before, LeftOut(LFS))  # else the whole of it would count as new
    return Opened(pair, before, after)


def _pointed(content: Document | LeftOut | None) -> str:
    """The hash of the file that stands where a pointer of Git LFS stood."""
    return content.real if isinstance(content, LeftOut) else ""


def _renamed(deleted: list[Opened], added: list[Opened], readings: Readings) -> Iterator[Opened]:
    old, texts = {one.pair.item.name: one for one in deleted}, _named(deleted)
    found = renames(texts, [*_named(added), *_broken(added, texts, readings)])
    for one in added:
        name = found.get(one.pair.item.name)
        if name is None:
            yield one
        else:
            was = old.pop(name)
            yield Opened(Pair(was.pair.before, one.pair.after), was.before, one.after)
    yield from old.values()


def _named(files: Iterable[Opened]) -> list[Named]:
    """The files whose texts can be compared."""
    return [
        Named(one.pair.item.name, content.text)
        for one in files
        if isinstance(content := one.after or one.before, Document)
    ]


_WIDEST = 8
"Bytes of a file that is like another one, for each character of that: twice the text in UTF-32."


def _broken(added: Iterable[Opened], old: list[Named], readings: Readings) -> Iterator[Named]:
    """What the new files that are no text may have been, so that none passes for another's end."""
    most = _WIDEST * max((len(file.text) for file in old), default=0)
    for one in added if most else ():
        if isinstance(one.after, LeftOut) and one.after.is_no_text:
            item = one.pair.item
            yield from (Named(item.name, text) for text in readings(item, most))
