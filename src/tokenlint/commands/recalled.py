"""The files of a count; those that were counted before are known by their bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.tokens import Unreadable, decode
from tokenlint.tokens.recall import digest_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Sequence

    from tokenlint.commands.session import Session
    from tokenlint.files import Found
    from tokenlint.tokens import Document
    from tokenlint.tokens.recall import Figures, Recall

    _Read = tuple[Found, bytes | Unreadable, bytes | None]

_FILES, _BYTES = 200, 8_000_000
"How much is read before what is known of it is looked up."


@frozen
class Met:
    """A file: what is known of it, and the sha256 of what is counted of it, where all of it is."""

    path: str
    raw: bytes | Unreadable
    named: bool
    digest: bytes | None = None
    figures: Figures | None = None

    @property
    def document(self) -> Document | Unreadable:
        """The text, or why there is none."""
        return self.raw if isinstance(self.raw, Unreadable) else decode(self.path, self.raw)

    @property
    def size(self) -> int:
        """Its bytes, where they were read."""
        return len(self.raw) if isinstance(self.raw, bytes) else 0


def files(
    paths: Sequence[str], session: Session, skipped: Counter[str], recall: Recall | None
) -> Iterator[Met]:
    """Each file that arguments mean; what is left out is counted in `skipped`."""
    listing = session.find(paths)
    skipped.update(one.reason for one in listing.skipped)
    for batch in _batches(_read(found, session) for found in listing.found):
        digests = [digest for _, _, digest in batch]
        known = [None] * len(batch) if recall is None else recall.look(digests)
        for (found, raw, digest), figures in zip(batch, known, strict=True):
            yield Met(found.shown, raw, found.named, digest, figures)


def _batches(files: Iterable[_Read]) -> Iterator[list[_Read]]:
    batch: list[_Read] = []
    size = 0
    for read in files:
        batch.append(read)
        size += len(read[1]) if isinstance(read[1], bytes) else 0
        if len(batch) >= _FILES or size >= _BYTES:
            yield batch
            batch, size = [], 0
    yield batch


def _read(found: Found, session: Session) -> _Read:
    raw = session.read_bytes(found)
    scope = session.scope_for(found.file)
    if isinstance(raw, Unreadable) or not scope.is_whole(found.shown):
        return found, raw, None
    config = scope.config
    return found, raw, digest_of(raw, newlines=config.newlines, count_bom=config.count_bom)
