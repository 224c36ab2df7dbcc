"""The fast way for a tokenizer.json: tiktoken's engine, where equal ids are proven.

The proof and the engine take about a second for 150,000 merges, so a short text is not worth
them: they are made once a tokenizer has seen enough.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tokenlint.errors import TokenizerError, UncountableTextError

if TYPE_CHECKING:
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

WORTH_IT = 300_000
"Characters that a tokenizer must have seen before the proof is made."


@dataclass
class FastWay:
    """What a tokenizer.json has seen so far, and its second engine once that pays.

    `raw` are the bytes of the file, and empty where there is no second engine, or no need to look.
    """

    name: str
    digest: str
    source: str
    raw: bytes = field(repr=False)
    worth_it: int = WORTH_IT
    seen: int = 0
    engine: TiktokenTokenizer | None = None

    def encode(self, text: str) -> list[int] | None:
        """The ids of a text, or None where the other engine has to say them."""
        if self.raw:
            self.seen += len(text)
            if self.seen >= self.worth_it:
                self.engine, self.raw = self._made(), b""
        if self.engine is None:
            return None
        try:
            return self.engine.encode(text)
        except UncountableTextError:  # a very long run, which the other engine can cut
            return None

    def _made(self) -> TiktokenTokenizer | None:
        from tokenlint.tokens.equivalence import ranks_of_json
        from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

        table = ranks_of_json(self.raw)
        if table is None:
            return None
        try:
            return TiktokenTokenizer(
                self.name,
                table.ranks,
                table.pattern,
                {},
                digest=self.digest,
                source=self.source,
                nfc=table.nfc,
            )
        except TokenizerError:  # an id that tiktoken has no room for, and the like
            return None
