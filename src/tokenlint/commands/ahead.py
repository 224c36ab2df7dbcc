"""Files that are read, and begun to be counted, while those before them are looked at.

What is seen of a file, and in which order, does not change: whoever wants a count finds it done, or
waits for it. How much is begun is bounded, and nothing is before the first file was looked at,
because a run about one file need not know of this, and the tokenizers are loaded by then.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Generic, TypeVar

from tokenlint.frozen import frozen
from tokenlint.tokens import Document, Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenlint.commands.session import Scope, Session
    from tokenlint.files import Found
    from tokenlint.tokens import Limit
    from tokenlint.tokens.counts import Counts, Expected

T = TypeVar("T")

_FILES, _CHARACTERS = 64, 4_000_000
"How much is begun at once."

_COUNTING = ("TL301", "TL303")


@frozen
class Begun(Generic[T]):
    """A thing whose turn will come, the characters that it holds, and what is counted of it."""

    thing: T
    characters: int = 0
    expected: Sequence[Expected] = ()


def ahead(begun: Iterable[Begun[T]], counts: Counts) -> Iterator[T]:
    """Each thing in its turn, with those behind it begun; none is begun before the first is done.

    What nobody asked about in its turn is not waited for.
    """
    waiting: deque[Begun[T]] = deque()
    characters, most = 0, 0
    for one in begun:
        waiting.append(one)
        characters += one.characters
        while len(waiting) > most or (len(waiting) > 1 and characters > _CHARACTERS):
            first = waiting.popleft()
            characters -= first.characters
            yield first.thing
            counts.forget(first.expected)
        most = _FILES
    for one in waiting:
        yield one.thing
        counts.forget(one.expected)


def read_ahead(
    files: Sequence[Found], session: Session, *, may_change: bool
) -> Iterator[tuple[Found, Document | Unreadable | None]]:
    """Each file of a check, with its document where a limit of tokens holds for it.

    Files that the check itself may change are not read before their turn.
    """
    if may_change or not any(session.scope_for(one.file).config.budgets for one in files):
        return ((found, None) for found in files)
    return ahead((_begun(found, session) for found in files), session.counts)


def documents(
    files: Iterable[Found], names: Sequence[str], scope: Scope, session: Session
) -> Iterator[Document | Unreadable]:
    """The documents of files, all of which are counted with some tokenizers."""

    def begun() -> Iterator[Begun[Document | Unreadable]]:
        for found in files:
            document = session.read(found)
            yield Begun(document, *begin(document, names, scope, scope))

    return ahead(begun(), session.counts)


def begin(
    document: object, names: Iterable[str], of: Scope, by: Scope
) -> tuple[int, Sequence[Expected]]:
    """Start to count all of a document: how long it is, and the counts that are expected.

    `of` is the configuration that governs the file, `by` the one whose tokenizers count. Where only
    some of a file is a prompt, nothing is begun: it would have to be parsed twice.
    """
    if not isinstance(document, Document):
        return 0, ()
    if not of.is_whole(document.path):
        return len(document.text), ()
    text = document.countable(newlines=of.config.newlines, count_bom=of.config.count_bom)
    found = (by.loader.expect(name, text) for name in dict.fromkeys(names))
    return len(text), tuple(one for one in found if one is not None)


def limits_of(found: Found, scope: Scope) -> tuple[Limit, ...]:
    """The limits of a file, looked for once: where two are about the same, that is noted."""
    if found.shown not in scope.limits:
        scope.limits[found.shown] = scope.budgets.limits_for(found.path)
    return scope.limits[found.shown]


def _begun(found: Found, session: Session) -> Begun[tuple[Found, Document | Unreadable | None]]:
    scope = session.scope_for(found.file)
    limits = [limit for limit in _counted(found, scope) if limit.extract is None]
    if not limits:
        return Begun((found, None))
    document = session.read(found)
    open_ = (limit.tokenizer or "" for limit in limits if not _surely_holds(document, limit, scope))
    return Begun((found, document), *begin(document, open_, scope, scope))


def _counted(found: Found, scope: Scope) -> Iterator[Limit]:
    """The limits for which the tokens of a file are counted."""
    if scope.config.budgets and any(
        r.code in _COUNTING for r in scope.config.rules_for(found.path)
    ):
        yield from (limit for limit in limits_of(found, scope) if limit.tokenizer)


def _surely_holds(document: Document | Unreadable, limit: Limit, scope: Scope) -> bool:
    """Whether a limit on all of a document holds whatever the count is, as far as is known now."""
    if limit.quantity != "tokens" or limit.tokenizer not in scope.loader.loaded:
        return False
    if not isinstance(document, Document) or len(document.text) > limit.maximum:
        return False
    context = scope.context
    return context.surely_fits(context.prompts.of(document), limit)
