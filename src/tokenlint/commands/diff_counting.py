"""The figures of a file in one state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.commands.diff_noise import cleaned
from tokenlint.errors import TokenizerError
from tokenlint.frozen import frozen
from tokenlint.reports.diff_values import Figures
from tokenlint.tokens import DEFAULT_TOKENIZER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tokenlint.commands.session import Scope, Session
    from tokenlint.tokens import Document, Limit
    from tokenlint.tokens.prompts import Prompt


@frozen
class Counting:
    """Counts documents with tokenizers that the working folder's configuration knows."""

    session: Session
    tokenizers: Sequence[str]

    def figures(self, document: Document, file: Path) -> Figures:
        """What a document has, where `file` says which configuration finds the prompts in it.

        Raises TokenlintError where they cannot be read or counted.
        """
        of, scope = self.session.scope_for(file), self.session.scope(self.session.config)
        prompts = of.context.prompts_of(document)
        texts = [prompt.text for prompt in prompts]
        words = self.session.counts.words("\n".join(texts))
        noisy = [(text, *cleaned(text, of.context)) for text in texts]
        noise = {name: self._noise(noisy, name, scope) for name in self.tokenizers}
        return Figures(
            sum(prompt.bytes for prompt in prompts),
            sum(len(prompt.text) for prompt in prompts),
            words.count if words.unit == "word" else None,
            {name: sum(self._counts(prompts, name, scope)) for name in self.tokenizers},
            {name: decomposed for name, (decomposed, _) in noise.items()},
            {name: other for name, (_, other) in noise.items()},
        )

    def limited(self, document: Document, limit: Limit, scope: Scope) -> int | None:
        """The tokens of what a limit is about: the largest prompt where it is for each of them.

        None where the tokenizer of the limit cannot be had, or there is no prompt.
        """
        name = limit.tokenizer or DEFAULT_TOKENIZER
        if isinstance(scope.loader.get(name), TokenizerError):
            return None
        prompts = scope.context.prompts_of(document, limit)
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
