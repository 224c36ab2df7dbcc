"""Counts that are made beside each other: tiktoken's engine works without Python's lock."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from tokenlint import progress

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future, ThreadPoolExecutor

    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

AT_ONCE = 60_000
"Characters that are counted without threads: a short run is over before they are there."

MOST = 8
"Threads, at the most. One more than there are processors: one often waits for Python's lock."


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(eq=False, repr=False)
class Workers:
    """Threads that count texts, made once there is enough to do."""

    threads: int = field(default_factory=lambda: min(processors() + 1, MOST))
    _seen: int = 0

    def are_for(self, text: str) -> bool:
        """Whether a text is worth a thread, after all that was counted before it."""
        self._seen += len(text)
        return self._seen > AT_ONCE and self.threads > 2

    def begin(self, text: str, tokenizer: TiktokenTokenizer) -> Callable[[], int]:
        """Start to count a text, in parts where it is long; the function waits for the sum."""
        from tokenlint.tokens.cuts import spans

        tokenizer.expect(len(text))
        begun: list[Future[int]] = [
            self._pool.submit(_count, text, part, tokenizer)
            for part in spans(text, tokenizer.pattern)
        ]

        def wait() -> int:
            total = 0
            for part in begun:
                total += part.result()
                progress.tick()
            return total

        return wait

    def stop(self) -> None:
        """Begin nothing more; what is being counted is not waited for."""
        if "_pool" in self.__dict__:
            self._pool.shutdown(wait=False, cancel_futures=True)
            del self._pool

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        from concurrent.futures import ThreadPoolExecutor

        return ThreadPoolExecutor(self.threads, "tokenlint")


def _count(text: str, part: slice, tokenizer: TiktokenTokenizer) -> int:
    return tokenizer.count(text[part])  # cut out only now: a copy of each part would be a lot
