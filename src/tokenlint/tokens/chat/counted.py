"""A request of a file as it was counted, turn by turn and role by role."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tokenlint.frozen import frozen
from tokenlint.tokens.chat.frame import OPENING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tokenlint.tokens.chat.frame import Request


@frozen
class RoleCount:
    """What the messages of one role come to; `frame` is None where it cannot be told by turn."""

    role: str
    messages: int
    content: int
    frame: int | None

    @property
    def total(self) -> int | None:
        """Content and frame together, where both are known."""
        return None if self.frame is None else self.content + self.frame


@frozen
class CountedRequest:
    """One conversation of a file with one tokenizer: `number` and `row` say which and where."""

    path: str
    number: int
    row: int
    tokenizer: str
    label: str
    request: Request

    @property
    def roles(self) -> tuple[RoleCount, ...]:
        """The turns of each role together, in the order in which the roles come up."""
        turns = self.request.turns
        roles = dict.fromkeys(turn.role for turn in turns)
        return tuple(
            RoleCount(
                role,
                0 if role == OPENING else sum(turn.role == role for turn in turns),
                sum(turn.content for turn in turns if turn.role == role),
                _sum(turn.frame for turn in turns if turn.role == role),
            )
            for role in roles
        )

    def as_json(self) -> dict[str, Any]:
        """The figures for other programs."""
        request = self.request
        return {
            "path": self.path,
            "number": self.number,
            "row": self.row,
            "tokenizer": self.tokenizer,
            "format": self.label,
            "content": request.content,
            "frame": request.frame,
            "total": request.total,
            "roles": [vars(role) for role in self.roles],
            "turns": [vars(turn) for turn in request.turns],
        }


def _sum(values: Iterable[int | None]) -> int | None:
    """The sum of what is known; None where anything is not."""
    total = 0
    for value in values:
        if value is None:
            return None
        total += value
    return total
