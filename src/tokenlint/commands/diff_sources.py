"""The two states that are compared, and the files in which they differ."""

from __future__ import annotations

import os
from filecmp import cmp
from typing import TYPE_CHECKING, Protocol

from tokenlint import git
from tokenlint.atomic import is_unfinished
from tokenlint.errors import GitError, TokenlintError
from tokenlint.files import absolute
from tokenlint.frozen import frozen, replace
from tokenlint.patterns import shown_path
from tokenlint.reports.diff_values import State

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence
    from pathlib import Path

    from tokenlint.commands.session import Session
    from tokenlint.git import Base, Change, Entry


@frozen
class Item:
    """A file in one state. `file` is where it stands in the working tree, or would: this decides
    which configuration governs it. Its content is an object of git, or is on `disk`; where it has
    none that could be read, `left_out` says why.
    """

    name: str
    file: Path
    shown: str
    mode: str = "100644"
    id: str | None = None
    disk: Path | None = None
    left_out: str = ""


@frozen
class Pair:
    """A file before and after; None where it is not there.

    `is_given`: these are two files that the user named, whatever their names.
    """

    before: Item | None
    after: Item | None
    is_given: bool = False

    @property
    def item(self) -> Item:
        """What it is now, else what it was."""
        item = self.after or self.before
        assert item is not None  # noqa: S101  (a pair of nothing is never made)
        return item


class Source(Protocol):
    """Two states of files."""

    @property
    def base(self) -> State:
        """The earlier state."""

    @property
    def head(self) -> State:
        """The later one."""

    @property
    def top(self) -> Path:
        """Where objects are read."""

    def changed(self) -> Iterable[Pair]:
        """The files that may differ."""

    def differs(self, pair: Pair) -> bool:
        """Whether one of them does, as far as its bytes can tell."""

    def unchanged(self, differing: Container[str]) -> Iterable[Item]:
        """The files of both states that are not among these names."""

    def at(self, file: Path, *, before: bool) -> Item | None:
        """A file in one state; None where it is not there, or that state is what is on disk."""


def open_source(
    revisions: Sequence[str], session: Session, *, staged: bool, no_index: bool
) -> Source:
    """The two states that the words of a command line mean.

    Raises TokenlintError.
    """
    if no_index:
        return _folders(revisions, session)
    try:
        top = git.top_of(session.working_folder)
    except GitError as error:
        raise GitError(
            f"{error}; to compare two folders without git, give --no-index OLD NEW"
        ) from None
    return _Repository(top, session.working_folder, *_states(revisions, top, staged=staged))


_NO_FILES = {"120000": "symbolic link", "160000": "submodule"}
"What the modes of git say of entries that are no files."

_INDEX, _WORKING_TREE = State("the index"), State("the working tree")


def _states(revisions: Sequence[str], top: Path, *, staged: bool) -> tuple[State, State]:
    if staged and (len(revisions) > 1 or any(".." in word for word in revisions)):
        raise TokenlintError("--staged compares the index with one commit; name no other")
    if staged:
        return _commit(top, *revisions or ("HEAD",)), _INDEX
    match revisions:
        case []:
            return _state(git.default_base(top)), _WORKING_TREE
        case [word] if ".." in word:
            return _range(top, word)
        case [word]:
            return _commit(top, word), _WORKING_TREE
        case [one, other] if ".." not in one + other:
            return _commit(top, one), _commit(top, other)
    raise TokenlintError(
        f"two revisions at most can be compared, found {' '.join(revisions)!r}; paths are given "
        "behind --"
    )


def _range(top: Path, word: str) -> tuple[State, State]:
    """`A...B` is B beside what it has in common with A, `A..B` is B beside A, as in git."""
    merge = "..." in word
    one, _, other = word.partition("..." if merge else "..")
    one, other = one or "HEAD", other or "HEAD"
    base = _state(git.base_of_merge(top, one, other)) if merge else _commit(top, one)
    return base, _commit(top, other)


def _commit(top: Path, revision: str) -> State:
    return State(revision, git.commit_of(top, revision))


def _state(base: Base) -> State:
    return State(base.name, base.commit, base.why)


@frozen
class _Repository:
    """Two states that git knows, of which the later can be the index or the working tree."""

    top: Path
    working_folder: Path
    base: State
    head: State

    def changed(self) -> Iterator[Pair]:
        """The files that differ by mode or object, or whose time stamp differs."""
        changes = {change.path: change for change in self._differing()}
        if self.head is _WORKING_TREE:
            self._add_untracked(changes)
        for change in changes.values():
            before, after = self._item(change.before), self._item(change.after)
            if change.unmerged:
                after = after or self._item(change.before)
                after = after and replace(after, left_out="unmerged")
            yield Pair(before, after)

    def differs(self, pair: Pair) -> bool:
        """A file that was only touched has the bytes of its object."""
        before, after = pair.before, pair.after
        if before is None or before.id is None or after is None or after.disk is None:
            return True
        return before.mode != after.mode or not git.is_object(after.disk, before.id)

    def unchanged(self, differing: Container[str]) -> Iterator[Item]:
        """The other files of the base: their objects are the same in both states."""
        for entry in git.in_commit(self.top, self.base.commit or ""):
            if entry.path not in differing and (item := self._item(entry)) is not None:
                yield item

    def at(self, file: Path, *, before: bool) -> Item | None:
        """A file in a commit or in the index."""
        state = self.base if before else self.head
        if state is _WORKING_TREE or not file.is_relative_to(self.top):
            return None
        name = file.relative_to(self.top).as_posix()
        return self._item(git.entry_of(self.top, state.commit, name))

    def _differing(self) -> list[Change]:
        base = self.base.commit or ""
        if self.head is _INDEX:
            return git.staged(self.top, base)
        if self.head is _WORKING_TREE:
            return git.in_working_tree(self.top, base)
        return git.between_commits(self.top, base, self.head.commit or "")

    def _add_untracked(self, changes: dict[str, Change]) -> None:
        """Untracked files are added ones; one that was taken out of the index only is changed."""
        for path in git.untracked(self.top):
            if is_unfinished(path):  # a run was killed while it wrote
                continue
            mode = "160000" if path.endswith("/") else "100644"
            known = changes.get(path)
            before = None if known is None else known.before
            changes[path] = git.Change(before, git.Entry(path.rstrip("/"), mode))

    def _item(self, entry: Entry | None) -> Item | None:
        if entry is None:
            return None
        file = self.top / entry.path
        disk = file if entry.id is None else None
        shown = shown_path(file, self.working_folder)
        left_out = _NO_FILES.get(entry.mode, "")
        return Item(entry.path, file, shown, entry.mode, entry.id, disk, left_out)


def _folders(words: Sequence[str], session: Session) -> Source:
    if len(words) != 2:
        raise TokenlintError("--no-index compares two folders or two files: give OLD and NEW")
    old, new = (absolute(session.working_folder / word) for word in words)
    for word, path in zip(words, (old, new), strict=True):
        if not os.path.lexists(path):
            raise TokenlintError(f"{word}: no such file or directory")
    if old.is_dir() != new.is_dir():
        raise TokenlintError(f"{words[0]} and {words[1]} are a folder and a file; give two alike")
    return _Folders(session, old, new, State(words[0]), State(words[1]))


@frozen
class _Folders:
    """Two folders, or two files, without git. Names are those inside the folders."""

    session: Session
    old: Path
    new: Path
    base: State
    head: State

    @property
    def top(self) -> Path:
        """There are no objects to be read here."""
        return self.new

    def changed(self) -> Iterator[Pair]:
        """Every file of both folders."""
        if not self.new.is_dir():
            yield Pair(self._given(self.old), self._given(self.new), is_given=True)
            return
        before, after = self._listed(self.old), self._listed(self.new)
        for name in sorted({*before, *after}):
            yield Pair(before.get(name), after.get(name))

    def differs(self, pair: Pair) -> bool:
        """Whether the bytes differ."""
        return pair.before is None or pair.after is None or not _alike(pair.before, pair.after)

    def unchanged(self, differing: Container[str]) -> Iterator[Item]:
        """The files of both folders that have the same bytes."""
        return (item for name, item in self._listed(self.new).items() if name not in differing)

    def at(self, file: Path, *, before: bool) -> Item | None:
        """A file of the old folder: that of the new one is on disk."""
        if not before or not file.is_relative_to(self.new):
            return None
        there = self.old / file.relative_to(self.new)
        return self._item(there, self.old) if there.is_file() else None

    def _listed(self, folder: Path) -> dict[str, Item]:
        here = self.session.working_folder
        listing = self.session.find([str(folder)])
        items = [self._item(found.path, folder) for found in listing.found]
        for skipped in listing.skipped:
            item = self._item(absolute(here / skipped.shown), folder)
            items.append(replace(item, left_out=skipped.reason))
        return {item.name: item for item in items}

    def _given(self, path: Path) -> Item:
        """A file that was named is read through a link, as everywhere."""
        shown = shown_path(path, self.session.working_folder)
        return Item(path.name, self.new, shown, disk=path.resolve())

    def _item(self, path: Path, folder: Path) -> Item:
        name = path.relative_to(folder).as_posix()
        return Item(name, self.new / name, name, disk=path)


def _alike(before: Item, after: Item) -> bool:
    """Whether two files on disk have the same bytes, or two links the same target."""
    if before.disk is None or after.disk is None or before.left_out != after.left_out:
        return False
    try:
        if before.left_out:
            return before.disk.readlink() == after.disk.readlink()
        return cmp(before.disk, after.disk, shallow=False)
    except OSError:  # reading it will say why
        return False
