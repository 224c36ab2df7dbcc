"""A text, and how each of several tokenizers cuts it; where it is decomposed, composed as well."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from tokenlint.frozen import frozen
from tokenlint.tokens.cutting import Cut, cut
from tokenlint.tokens.surrogates import replace_surrogates
from tokenlint.tokens.words import Words, count_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenlint.tokens.chat import Conversation, Frame, Request
    from tokenlint.tokens.tokenizer import Tokenizer

MOST_WORDS: Final = 5
"How many decomposed words are shown beside their composed form."

_WORD = re.compile(r" ?\S+")


@frozen
class Pair:
    """A word as it is written and in NFC, each cut by itself."""

    written: Cut
    composed: Cut


@frozen
class Forms:
    """What a decomposed text comes to in NFC and in NFD, and some of its words side by side."""

    nfc: int
    nfd: int
    words: tuple[Pair, ...]
    words_left_out: int = 0


@frozen
class Explained:
    """What one tokenizer makes of a text; `forms` is None where the text is in NFC.

    `changed` says that the tokenizer's normaliser wrote the text anew before it was cut. Of
    messages, `request` has the numbers and `frame` says whose chat format it is.
    """

    cut: Cut
    changed: bool = False
    forms: Forms | None = None
    request: Request | None = None
    frame: str = ""


@frozen
class Explanation:
    """A text under its name, such as `prompts/a.md, lines 3-7`, and what tokenizers make of it."""

    label: str
    text: str
    words: Words
    by_tokenizer: tuple[Explained, ...]

    @property
    def bytes(self) -> int:
        """The size of the text in UTF-8."""
        return len(replace_surrogates(self.text).encode())


def explanation(label: str, text: str, by_tokenizer: Sequence[Explained]) -> Explanation:
    """What was found out about a text, under a name."""
    return Explanation(label, text, count_words(text), tuple(by_tokenizer))


def explained(text: str, tokenizer: Tokenizer, most: int | None = None) -> Explained:
    """How a tokenizer cuts a text; no more than the first `most` tokens are told.

    Raises UncountableTextError and TokenizerError.
    """
    found = cut(tokenizer, text, most)
    return Explained(found, found.text != replace_surrogates(text), _forms(text, tokenizer))


def explained_request(
    conversation: Conversation, frame: Frame, tokenizer: Tokenizer, most: int | None = None
) -> Explained:
    """What a model receives for messages.

    Raises ChatError, RenderError and UncountableTextError.
    """
    from tokenlint.tokens.cut_request import cut_request

    request = frame.request(conversation)
    found = cut_request(tokenizer, conversation, request, frame, most)
    return Explained(found, request=request, frame=frame.label)


def _forms(text: str, tokenizer: Tokenizer) -> Forms | None:
    if not is_decomposed(text):
        return None
    words = [word for word in dict.fromkeys(_WORD.findall(text)) if _nfc(word) != word]
    return Forms(
        tokenizer.count(_nfc(text)),
        tokenizer.count(unicodedata.normalize("NFD", text)),
        tuple(
            Pair(cut(tokenizer, word), cut(tokenizer, _nfc(word))) for word in words[:MOST_WORDS]
        ),
        max(0, len(words) - MOST_WORDS),
    )


def is_decomposed(text: str) -> bool:
    """Whether NFC changes a text; one with a hundred marks in a row is no text, and is let be.

    To put so many marks in order takes quadratic time.
    """
    if unicodedata.is_normalized("NFC", text):
        return False
    import regex

    return regex.search(r"\p{M}{100}", text) is None


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
