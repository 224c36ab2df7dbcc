"""What broke a limit: each says so in a sentence, and where the tokens are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tokenlint.tokens import Share, Tokenizer
    from tokenlint.tokens.prompts import Prompt

EXCERPT = 40
"Characters of a paragraph that are shown, so that it is recognised and stays on its line."

LOCK_NAME = "tokenbudget.lock"


@dataclass(frozen=True)
class Text:
    """What is counted, and how messages name it; `subject` is its name in the lock file.

    `prompts` are what a file was found to hold, `content` all of their text; `row` is the line of
    the file on which the content begins, None where its lines are not those of the file.
    """

    label: str
    content: str
    subject: str | None = None
    size: int = field(default=0, compare=False)
    prompts: tuple[Prompt, ...] = ()
    row: int | None = 1

    @property
    def each(self) -> list[Text]:
        """Every prompt as a text of its own."""
        if len(self.prompts) < 2:
            return [self]
        return [
            Text(
                f"{self.label}: {one.name}",
                one.text,
                None if self.subject is None else f"{self.subject}: {one.name}",
                one.bytes,
                (one,),
                None,
            )
            for one in self.prompts
        ]


class Verdict(Protocol):
    """Something that broke a limit."""

    @property
    def ratio(self) -> float:
        """The value as a share of its limit: above 1."""

    @property
    def sentence(self) -> str:
        """What is over, by how much, and who counted."""

    def details(self, *, named: bool) -> Iterator[str]:
        """Lines that help to mend it; `named` repeats whose they are."""


@dataclass(frozen=True)
class Over:
    """A text that breaks a limit on tokens, or on tokens per word.

    It counts again only to render itself. `before` is what the lock file has for it, `how` says
    how a request was counted.
    """

    text: Text
    tokenizer: Tokenizer
    maximum: float
    tokens: int
    per_word: float | None = None
    unit: str = "word"
    before: int | None = None
    how: str = ""

    @property
    def ratio(self) -> float:
        """The value as a share of its limit: above 1."""
        return (self.tokens if self.per_word is None else self.per_word) / self.maximum

    @property
    def sentence(self) -> str:
        """The text, how much it takes, how far that is over, and who counted."""
        by = ", ".join(filter(None, (self.tokenizer.name, self.how)))
        more = f"({by}), {percent_more(self.ratio)}"
        if self.per_word is None:
            excess = f"{self.tokens - self.maximum:,.0f} over the budget of {self.maximum:,.0f}"
            return f"{self.text.label}: {amount(self.tokens)}, {excess} {more}"
        per = f"{self.per_word:.2f} tokens per {self.unit}"
        return f"{self.text.label}: {per}, over the limit of {self.maximum:g} {more}"

    def details(self, *, named: bool) -> Iterator[str]:
        """Where the tokens are, what NFC would save, and what it was before."""
        if self.before is not None and self.before < self.tokens:
            grown = f"{self.tokens - self.before:,} more than the {self.before:,}"
            yield f"That is {grown} in {LOCK_NAME}."
        yield from where_the_tokens_are(self.text, self.tokenizer, named=named)


@dataclass(frozen=True)
class Grown:
    """A text that grew beyond what the lock file has for it and the increase that is allowed."""

    text: Text
    tokenizer: Tokenizer
    tokens: int
    before: int
    allowed: str

    @property
    def ratio(self) -> float:
        """The tokens as a share of those before."""
        return self.tokens / max(self.before, 1)

    @property
    def sentence(self) -> str:
        """The text, what it was and is, and what to do."""
        more = f"{self.tokens - self.before:,} more than the {self.before:,} in {LOCK_NAME}"
        by = f"({self.tokenizer.name}), {percent_more(self.ratio)}"
        allowed = "" if self.allowed == "0" else f" where {self.allowed} is allowed"
        do = "shorten it, or accept it with --tokenbudget-update"
        return f"{self.text.label}: {amount(self.tokens)}, {more} {by}{allowed}; {do}"

    def details(self, *, named: bool) -> Iterator[str]:
        """Where the tokens are, and what NFC would save."""
        yield from where_the_tokens_are(self.text, self.tokenizer, named=named)


@dataclass(frozen=True)
class Oversized:
    """A file over a limit on bytes or characters."""

    label: str
    value: int
    unit: str
    maximum: float

    @property
    def ratio(self) -> float:
        """The value as a share of its limit: above 1."""
        return self.value / self.maximum

    @property
    def sentence(self) -> str:
        """The file, how much it has, and how far that is over."""
        excess = f"{self.value - self.maximum:,.0f} over the budget of {self.maximum:,.0f}"
        has = amount(self.value, self.unit)
        return f"{self.label}: {has}, {excess}, {percent_more(self.ratio)}"

    def details(self, *, named: bool) -> Iterator[str]:  # noqa: ARG002  (as every verdict)
        """Nothing more: the file's tokens are another matter."""
        yield from ()


@dataclass(frozen=True)
class OverPremium:
    """A translation that takes too many times the tokens of its reference, which are `base`."""

    text: Text
    tokenizer: Tokenizer
    maximum: float
    tokens: int
    base: int
    reference: str

    @property
    def ratio(self) -> float:
        """The premium as a share of its limit: above 1."""
        return self.tokens / self.base / self.maximum

    @property
    def sentence(self) -> str:
        """The text, how many times its reference it takes, and how far that is over."""
        times = f"{self.tokens / self.base:.2f} times the {amount(self.base)} of {self.reference}"
        excess = f"over the premium limit of {self.maximum:g} ({self.tokenizer.name})"
        has = f"{self.text.label}: {amount(self.tokens)}"
        return f"{has}, {times}, {excess}, {percent_more(self.ratio)}"

    def details(self, *, named: bool) -> Iterator[str]:
        """Where the tokens are, and what NFC would save."""
        yield from where_the_tokens_are(self.text, self.tokenizer, named=named)


@dataclass(frozen=True)
class OverTotal:
    """A group of files over its total; `counts` are the tokens by path."""

    label: str
    tokenizer: str
    maximum: float
    counts: Mapping[str, int]

    @property
    def ratio(self) -> float:
        """The total as a share of its limit: above 1."""
        return sum(self.counts.values()) / self.maximum

    @property
    def sentence(self) -> str:
        """The group, how much it takes, and how far that is over."""
        total = sum(self.counts.values())
        has = f"{amount(len(self.counts), 'file')}, {amount(total)}"
        excess = f"{total - self.maximum:,.0f} over the total budget of {self.maximum:,.0f}"
        return f"{self.label}: {has}, {excess} ({self.tokenizer}), {percent_more(self.ratio)}"

    def details(self, *, named: bool) -> Iterator[str]:  # noqa: ARG002  (as every verdict)
        """The five largest files."""
        if len(self.counts) > 1:
            yield "The largest files:"
            largest = sorted(self.counts.items(), key=lambda pair: (-pair[1], pair[0]))
            yield from (f"  {path}: {amount(tokens)}" for path, tokens in largest[:5])


def where_the_tokens_are(text: Text, tokenizer: Tokenizer, *, named: bool) -> Iterator[str]:
    """The heaviest values, or paragraphs with their lines, and what NFC would save."""
    of = f" of {text.label}" if named else ""
    if len(text.prompts) > 1:
        yield f"The heaviest values{of}:"
        yield from _heaviest_values(text, tokenizer)
    else:
        yield from _heaviest_paragraphs(text, tokenizer, of)
    from tokenlint.tokens.canonical import normalized

    texts = [prompt.text for prompt in text.prompts] or [text.content]
    tokens = sum(map(tokenizer.count, texts))
    composed = sum(tokenizer.count(normalized("NFC", one)) for one in texts)
    if composed < tokens:  # it can be more as well: then there is nothing to gain
        fewer = f"{amount(composed)}, {tokens - composed:,} fewer"
        yield f"Normalised to NFC {text.label if named else 'it'} would take {fewer}."


def _heaviest_values(text: Text, tokenizer: Tokenizer) -> Iterator[str]:
    counted = [(tokenizer.count(prompt.text), prompt.name) for prompt in text.prompts]
    for tokens, name in sorted(counted, key=lambda pair: (-pair[0], pair[1]))[:5]:
        yield f"  {name}: {amount(tokens)}"


def _heaviest_paragraphs(text: Text, tokenizer: Tokenizer, of: str) -> Iterator[str]:
    from tokenlint.tokens import heaviest

    shares = heaviest(text.content, tokenizer)
    if len(shares) > 1:
        yield f"The heaviest paragraphs{of}{'' if text.row else ', by lines of the prompt'}:"
        yield from (_paragraph(share, (text.row or 1) - 1) for share in shares)


def amount(number: float, unit: str = "token") -> str:
    """A number and its unit, in the plural where it must be."""
    return f"{number:,.0f} {unit}{'' if number == 1 else 's'}"


def percent_more(ratio: float) -> str:
    """How far a share is above the whole."""
    return f"+{100 * (ratio - 1):,.1f} %"


def _paragraph(share: Share, before: int) -> str:
    first, last = share.row + before, share.end_row + before
    where = f"line {first}" if last == first else f"lines {first}-{last}"
    begin = share.text.strip().splitlines()[0]
    excerpt = begin if len(begin) <= EXCERPT else f"{begin[: EXCERPT - 3]}..."
    # A terminal may lack the letters, and invisible ones would mislead: then the lines suffice.
    shown = f"  {excerpt}" if excerpt.isascii() and excerpt.isprintable() else ""
    return f"  {where}: {amount(share.tokens)}{shown}"
