"""The values that rules deal in: what they are given, and what they report."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from tokenlint.errors import TokenizerError
from tokenlint.frozen import frozen, replace
from tokenlint.tokens import DEFAULT_TOKENIZER, Fertility, Loader, read_document
from tokenlint.tokens.prompts import Prompts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from tokenlint.rules.quick import Look
    from tokenlint.tokens import Document, Limit, Unreadable
    from tokenlint.tokens.control import ControlSource
    from tokenlint.tokens.extract import Extract
    from tokenlint.tokens.prompts import Prompt

Level = Literal["error", "warning"]
Applicability = Literal["safe", "unsafe"]
Trust = Literal["owner", "outside"]
"Who wrote a file: the owner of the repository, or somebody else."
NotNfc = Literal["singleton", "excluded", "mark-order"]
"A kind of what TL102 reports."


@frozen
class Edit:
    """Replace the text from `start` up to `end` (code point offsets) by `content`."""

    start: int
    end: int
    content: str


@frozen
class Fix:
    """Edits that mend a finding, and whether they may change what the text means."""

    message: str
    edits: tuple[Edit, ...]
    applicability: Applicability = "safe"


@frozen
class Measured:
    """The figure that a limit was held to, for a baseline: there it may shrink and not grow.

    `about` says what it is a figure of, in words that stay the same from run to run; `name` which
    of several in the file, `beside` the path of a reference, `text` what was measured.
    """

    value: float
    about: tuple[str, ...]
    tokenizer: str | None = None
    name: str = ""
    beside: str = ""
    text: str = ""


@frozen
class Finding:
    """One thing that a rule reports, with its range in the document's text.

    `start` and `end` are code point offsets; a finding about a whole file stands at offset 0.
    `help` says what to do; what is `firm` is not silenced by a directive in the file itself.
    `measured` is there where a limit is broken or near.
    """

    path: str
    start: int
    end: int
    code: str
    name: str
    message: str
    level: Level = field(default="error", compare=False)
    fix: Fix | None = field(default=None, compare=False)
    help: str = field(default="", compare=False)
    firm: bool = field(default=False, compare=False)
    measured: Measured | None = field(default=None, compare=False, repr=False)

    def __lt__(self, other: Finding) -> bool:
        """Findings are in the order of their places."""
        return self._order < other._order

    @property
    def _order(self) -> tuple[str, int, int, str, str, str]:
        return self.path, self.start, self.end, self.code, self.name, self.message


@frozen
class SpecialTokens:
    """Which control strings of the catalogue TL201 looks for, and which of the user's own.

    `families` "tokenizers" means the strings of the configured tokenizers and nothing else of the
    catalogue; `tokenizers` are those, once loaded.
    """

    level: Literal["high", "medium", "low"] | None = None
    families: tuple[str, ...] | Literal["tokenizers"] | None = None
    extra: tuple[str, ...] = ()
    tokenizers: tuple[ControlSource, ...] = ()


@frozen
class Reference:
    """The text that a file translates, and the most that the file may cost beside it."""

    document: Document
    maximum: float
    tokenizer: str
    language: str | None = None


@frozen
class Context:
    """What a rule may know besides the document.

    `limits_for`, `references_for`, `trust_for` and `extracts_for` take the path of a document as
    reports show it; `is_known_rule` a word. `extracts_for` says what of a file is the prompt to a
    limit that says nothing of it, and to a count that no limit asks for. `tokenizers` are the
    names of the configured ones; `read` reads another file of the repository.
    """

    special_tokens: SpecialTokens = SpecialTokens()
    limits_for: Callable[[str], Iterable[Limit]] = lambda _path: ()
    references_for: Callable[[str], Iterable[Reference]] = lambda _path: ()
    trust_for: Callable[[str], Trust | None] = lambda _path: None
    extracts_for: Callable[[str], tuple[Extract | None, Extract | None]] = lambda _: (None, None)
    read: Callable[[Path], Document | Unreadable] = read_document
    folders: tuple[Path, ...] = ()
    tokenizers: tuple[str, ...] = (DEFAULT_TOKENIZER,)
    loader: Loader = field(default_factory=Loader)
    is_known_rule: Callable[[str], bool] = lambda _word: True
    newlines: Literal["lf", "as-is"] = "lf"
    count_bom: bool = False
    soft_hyphens: Literal["report", "allow"] = "report"
    not_nfc: tuple[NotNfc, ...] = ("singleton", "excluded", "mark-order")
    counted: dict[tuple[str, int, str, Extract | None], int] = field(
        default_factory=dict, compare=False
    )

    @cached_property
    def control_strings(self) -> SpecialTokens:
        """Which control strings are looked for; tokenizers are loaded where they decide it.

        One that cannot be had is left out; why it is missing stands in `loader.failures`.
        """
        if self.special_tokens.families != "tokenizers":
            return self.special_tokens
        from tokenlint.tokens.control import ControlSource

        asked = map(self.loader.get, self.tokenizers)
        had = (ControlSource(one) for one in asked if not isinstance(one, TokenizerError))
        return replace(self.special_tokens, tokenizers=tuple(had))

    @cached_property
    def prompts(self) -> Prompts:
        """Reads and counts the prompts of documents."""
        return Prompts(self.loader, self.read, self.newlines, self.count_bom, self.folders)

    def prompts_of(self, document: Document, limit: Limit | None = None) -> tuple[Prompt, ...]:
        """The prompts in a document: what a limit is about, or what holds for the file.

        Raises TokenlintError where they cannot be read.
        """
        return self.prompts.of(document, self._extract(document, limit))

    def count(
        self, document: Document, tokenizer: str | None, limit: Limit | None = None
    ) -> int | None:
        """The tokens of the prompts in a document, or None without the tokenizer.

        Raises TokenlintError where they cannot be read, UncountableTextError among them. Why a
        tokenizer is missing stands in `loader.failures`.
        """
        name = tokenizer or DEFAULT_TOKENIZER
        if not self.has(name):
            return None
        how = self._extract(document, limit)
        key = (document.path, hash(document.text), name, how)
        if key not in self.counted:
            found = self.prompts.of(document, how)
            self.counted[key] = sum(self.prompts.count(prompt, name) for prompt in found)
        return self.counted[key]

    def surely_fits(self, prompts: Iterable[Prompt], limit: Limit) -> bool:
        """Whether prompts have too few bytes to come near a limit of tokens, seen without counting.

        False says nothing. A tokenizer that cannot be had fits nothing.
        """
        loaded = self.loader.get(limit.tokenizer or DEFAULT_TOKENIZER)
        most_tokens = getattr(loaded, "most_tokens", None)
        if most_tokens is None:
            return False
        most = 0
        for prompt in prompts:
            bound = None if prompt.conversation is not None else most_tokens(prompt.text)
            if bound is None:
                return False
            most += bound
        return not limit.is_near(most) and not limit.is_over(most)

    def has(self, tokenizer: str) -> bool:
        """Whether a tokenizer can be had; why not stands in `loader.failures`."""
        return not isinstance(self.loader.get(tokenizer), TokenizerError)

    def fertility(self, document: Document, limit: Limit) -> Fertility | None:
        """Tokens per word of what a limit is about, or None without the tokenizer.

        The frame of a request has no words, so its tokens do not count here.
        """
        loaded = self.loader.get(limit.tokenizer or DEFAULT_TOKENIZER)
        if isinstance(loaded, TokenizerError):
            return None
        texts = [prompt.text for prompt in self.prompts_of(document, limit)]
        counts = self.loader.counts
        words = counts.words("\n".join(texts))
        tokens = sum(counts.tokens(text, loaded) for text in texts)
        return Fertility(tokens, words.count, words.unit)

    def _extract(self, document: Document, limit: Limit | None) -> Extract | None:
        for_limits, otherwise = self.extracts_for(document.path)
        return otherwise if limit is None else limit.extract or for_limits


@frozen
class Total:
    """What the files of a group come to: counts by path, and the configuration's own path."""

    path: str
    limit: Limit
    counts: Mapping[str, int]


@frozen
class Rule:
    """A rule: its code, its name, its manual page, and how it looks at a document.

    `may_find` is False where a first look shows that `check` would find nothing; a rule that
    `asks_for_suspects` finds nothing in a document that has none, and no long run of marks.
    """

    code: str
    name: str
    summary: str
    doc: str
    check: Callable[[Document, Context], Iterator[Finding]] | None = None
    check_total: Callable[[Total], Iterator[Finding]] | None = None
    check_unreadable: Callable[[Unreadable], Iterator[Finding]] | None = None
    may_find: Callable[[Document, Look, Context], bool] | None = None
    asks_for_suspects: bool = False
    default: bool = True
    fixable: Literal["safe", "unsafe", "no"] = "no"

    def finding(
        self,
        path: str,
        message: str,
        span: tuple[int, int] = (0, 0),
        *,
        level: Level = "error",
        fix: Fix | None = None,
        help: str = "",  # noqa: A002  (what reports call it)
        firm: bool = False,
        measured: Measured | None = None,
    ) -> Finding:
        """A finding of this rule."""
        what = (path, *span, self.code, self.name, message)
        return Finding(*what, level, fix, help, firm, measured)
