"""The values that rules deal in: what they are given, and what they report."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from tokenlint.errors import TokenizerError
from tokenlint.tokens import DEFAULT_TOKENIZER, Fertility, Loader, fertility

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from tokenlint.tokens import Document, Limit, Unreadable
    from tokenlint.tokens.control import ControlSource

Level = Literal["error", "warning"]
Applicability = Literal["safe", "unsafe"]
Trust = Literal["owner", "outside"]
"Who wrote a file: the owner of the repository, or somebody else."
NotNfc = Literal["singleton", "excluded", "mark-order"]
"A kind of what TL102 reports."


@dataclass(frozen=True)
class Edit:
    """Replace the text from `start` up to `end` (code point offsets) by `content`."""

    start: int
    end: int
    content: str


@dataclass(frozen=True)
class Fix:
    """Edits that mend a finding, and whether they may change what the text means."""

    message: str
    edits: tuple[Edit, ...]
    applicability: Applicability = "safe"


@dataclass(frozen=True, order=True)
class Finding:
    """One thing that a rule reports, with its range in the document's text.

    `start` and `end` are code point offsets; a finding about a whole file stands at offset 0.
    `help` says what to do; what is `firm` is not silenced by a directive in the file itself.
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


@dataclass(frozen=True)
class SpecialTokens:
    """Which control strings of the catalogue TL201 looks for, and which of the user's own.

    `families` "tokenizers" means the strings of the configured tokenizers and nothing else of the
    catalogue; `tokenizers` are those, once loaded.
    """

    level: Literal["high", "medium", "low"] | None = None
    families: tuple[str, ...] | Literal["tokenizers"] | None = None
    extra: tuple[str, ...] = ()
    tokenizers: tuple[ControlSource, ...] = ()


@dataclass(frozen=True)
class Reference:
    """The text that a file translates, and the most that the file may cost beside it."""

    document: Document
    maximum: float
    tokenizer: str
    language: str | None = None


@dataclass(frozen=True)
class Context:
    """What a rule may know besides the document.

    `limits_for`, `references_for` and `trust_for` take the path of a document as reports show it;
    `is_known_rule` a word. `tokenizers` are the names of the configured ones.
    """

    special_tokens: SpecialTokens = SpecialTokens()
    limits_for: Callable[[str], Iterable[Limit]] = lambda _path: ()
    references_for: Callable[[str], Iterable[Reference]] = lambda _path: ()
    trust_for: Callable[[str], Trust | None] = lambda _path: None
    tokenizers: tuple[str, ...] = (DEFAULT_TOKENIZER,)
    loader: Loader = field(default_factory=Loader)
    is_known_rule: Callable[[str], bool] = lambda _word: True
    newlines: Literal["lf", "as-is"] = "lf"
    count_bom: bool = False
    soft_hyphens: Literal["report", "allow"] = "report"
    not_nfc: tuple[NotNfc, ...] = ("singleton", "excluded", "mark-order")
    counted: dict[tuple[str, int, str], int] = field(default_factory=dict, compare=False)

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

    def countable(self, document: Document) -> str:
        """The text of a document as it is counted under the settings."""
        return document.countable(newlines=self.newlines, count_bom=self.count_bom)

    def count(self, document: Document, tokenizer: str | None) -> int | None:
        """The tokens of a document, or None where the tokenizer could not be loaded.

        Raises UncountableTextError. Why a tokenizer is missing stands in `loader.failures`.
        """
        name = tokenizer or DEFAULT_TOKENIZER
        loaded = self.loader.get(name)
        if isinstance(loaded, TokenizerError):
            return None
        key = (document.path, hash(document.text), name)
        if key not in self.counted:
            self.counted[key] = loaded.count(self.countable(document))
        return self.counted[key]

    def fertility(self, document: Document, tokenizer: str | None) -> Fertility | None:
        """Tokens per word of a document, or None where the tokenizer could not be loaded."""
        loaded = self.loader.get(tokenizer or DEFAULT_TOKENIZER)
        if isinstance(loaded, TokenizerError):
            return None
        return fertility(self.countable(document), loaded)


@dataclass(frozen=True)
class Total:
    """What the files of a group come to: counts by path, and the configuration's own path."""

    path: str
    limit: Limit
    counts: Mapping[str, int]


@dataclass(frozen=True)
class Rule:
    """A rule: its code, its name, its manual page, and how it looks at a document."""

    code: str
    name: str
    summary: str
    doc: str
    check: Callable[[Document, Context], Iterator[Finding]] | None = None
    check_total: Callable[[Total], Iterator[Finding]] | None = None
    check_unreadable: Callable[[Unreadable], Iterator[Finding]] | None = None
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
    ) -> Finding:
        """A finding of this rule."""
        return Finding(path, *span, self.code, self.name, message, level, fix, help, firm)
