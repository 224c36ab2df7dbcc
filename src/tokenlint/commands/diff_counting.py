"""The figures of a file in one state."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tokenlint import progress
from tokenlint.commands.ahead import Begun, ahead, begin
from tokenlint.commands.diff_noise import cleaned
from tokenlint.errors import TokenizerError
from tokenlint.frozen import frozen
from tokenlint.reports.diff_values import Figures
from tokenlint.tokens import DEFAULT_TOKENIZER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from tokenlint.commands.diff_pairs import Opened
    from tokenlint.commands.diff_reading import LeftOut
    from tokenlint.commands.diff_sources import Item
    from tokenlint.commands.diff_variables import States
    from tokenlint.commands.session import Scope, Session
    from tokenlint.tokens import Document, Limit
    from tokenlint.tokens.prompts import Prompt

T = TypeVar("T")


@frozen
class Counting:
    """Counts documents with tokenizers that the working folder's configuration knows."""

    session: Session
    tokenizers: Sequence[str]
    states: States

    def ahead(
        self, pairs: Iterable[Opened], is_counted: Callable[[Path], bool]
    ) -> Iterator[Opened]:
        """Each pair in its turn, its texts and some behind them begun where there are `figures`."""

        def begun() -> Iterator[Begun[Opened]]:
            for one in pairs:
                file = one.pair.item.file
                is_asked = is_counted(file) and not one.is_same_text
                yield self._begun(one, file, *((one.before, one.after) if is_asked else ()))

        return ahead(begun(), self.session.counts)

    def read_ahead(
        self, items: Sequence[Item], read: Callable[[Item], Document | LeftOut]
    ) -> Iterator[tuple[Item, Document | LeftOut]]:
        """Each file that is the same in both states, with its text, as above."""
        progress.expect(sum(not item.left_out for item in items))
        opened = ((item, read(item)) for item in items)
        begun = (self._begun(one, one[0].file, one[1]) for one in opened)
        return ahead(begun, self.session.counts)

    def _begun(self, thing: T, file: Path, *texts: object) -> Begun[T]:
        by, of = self.session.scope(self.session.config), self.session.scope_for(file)
        started = [begin(text, self.tokenizers, of, by) for text in texts]
        size = sum(characters for characters, _ in started)
        return Begun(thing, size, [one for _, found in started for one in found])

    def figures(self, document: Document, file: Path, *, before: bool = False) -> Figures:
        """What a document has, where `file` says which configuration finds the prompts in it.

        Raises TokenlintError where they cannot be read or counted.
        """
        of = self.states.context(self.session.scope_for(file), before=before)
        scope = self.session.scope(self.session.config)
        prompts = of.prompts_of(document)
        texts = [prompt.text for prompt in prompts]
        words = self.session.counts.words("\n".join(texts))
        noisy = [(text, *cleaned(text, of)) for text in texts]
        noise = {name: self._noise(noisy, name, scope) for name in self.tokenizers}
        return Figures(
            sum(prompt.bytes for prompt in prompts),
            sum(len(prompt.text) for prompt in prompts),
            words.count if words.unit == "word" else None,
            {name: sum(self._counts(prompts, name, scope)) for name in self.tokenizers},
            {name: decomposed for name, (decomposed, _) in noise.items()},
            {name: other for name, (_, other) in noise.items()},
        )

    def limited(
        self, document: Document, limit: Limit, scope: Scope, *, before: bool = False
    ) -> int | None:
        """The tokens of what a limit is about: the largest prompt where it is for each of them.

        None where the tokenizer of the limit cannot be had, or there is no prompt.
        """
        name = limit.tokenizer or DEFAULT_TOKENIZER
        if isinstance(scope.loader.get(name), TokenizerError):
            return None
        prompts = self.states.context(scope, before=before).prompts_of(document, limit)
        counts = self._counts(prompts, name, scope)
        return max(counts, default=None) if limit.each else sum(counts)

    def _counts(self, prompts: Sequence[Prompt], name: str, scope: Scope) -> list[int]:
        return [scope.context.prompts.count(prompt, name) for prompt in prompts]

    def _noise(
        self, texts: Sequence[tuple[str, str, str]], name: str, scope: Scope
    ) -> tuple[int, int]:
        """The tokens that decomposed text takes in excess, and those of other noise.

        Each text is given as it is, composed, and clean.
        """
        decomposed = other = 0
        for as_is, composed, clean in texts:
            if clean != as_is:
                counts = [scope.loader.count(name, text) for text in (as_is, composed, clean)]
                decomposed += counts[0] - counts[1]
                other += counts[1] - counts[2]
        return decomposed, other
