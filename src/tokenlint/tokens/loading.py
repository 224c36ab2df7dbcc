"""A name becomes a tokenizer, once each."""

from __future__ import annotations

import os
import re
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.errors import TokenizerError
from tokenlint.frozen import frozen
from tokenlint.tokens.boundary import ANYWHERE, Boundary
from tokenlint.tokens.counts import Counts, Expected
from tokenlint.tokens.encodings import ENCODINGS, EXTRAS
from tokenlint.tokens.model_names import encoding_for

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenlint.tokens.tokenizer import Tokenizer

__all__ = [
    "DEFAULT_TOKENIZER",
    "Loader",
    "TokenizerTable",
    "encoding_for",
    "is_folder_of_tokenizer",
    "is_path",
    "load_tokenizer",
]

DEFAULT_TOKENIZER = "o200k_base"
"What counts where nothing was configured."

_MODELS = ("ft:", "gpt", "o1", "o3", "o4", "chatgpt", "text-", "code-", "davinci", "babbage")
"What the names of OpenAI's models begin with: which of them exist tiktoken knows."

_HUB = re.compile(r"[\w.-]+/[\w.-]+(?:@[\w./-]+)?", re.ASCII)


@frozen
class TokenizerTable:
    """What `[tool.tokenlint.tokenizer.NAME]` says: where a tokenizer comes from, and its hash.

    `chat_template` is the path of a Jinja template that chats are rendered with.
    """

    source: str
    sha256: str | None = None
    pattern: str | None = None
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    chat_template: str | None = None


@frozen
class Loader:
    """Loads tokenizers for one configuration and remembers each, the failures too.

    `base` is the folder that relative paths start from; `network` allows downloads;
    `from_plugins` is asked for names that are no published ones; `counts` knows what was counted;
    `within` holds the files that the configuration names; `spoken` has the files that the command
    line names, which start from another folder.
    """

    base: Path = field(default_factory=Path)
    tables: Mapping[str, TokenizerTable] = field(default_factory=dict)
    network: bool = False
    loaded: dict[str, Tokenizer | TokenizerError] = field(default_factory=dict, compare=False)
    from_plugins: Callable[[str], Tokenizer | None] | None = None
    counts: Counts = field(default_factory=Counts, compare=False)
    within: Boundary = ANYWHERE
    spoken: Mapping[str, Path] = field(default_factory=dict)

    def get(self, name: str) -> Tokenizer | TokenizerError:
        """The tokenizer of a name, or the error that says why there is none."""
        if name not in self.loaded:
            try:
                self.loaded[name] = self._load(name)
            except TokenizerError as error:
                self.loaded[name] = error
        return self.loaded[name]

    def require(self, name: str) -> Tokenizer:
        """The tokenizer of a name.

        Raises TokenizerError.
        """
        tokenizer = self.get(name)
        if isinstance(tokenizer, TokenizerError):
            raise tokenizer
        return tokenizer

    def count(self, name: str, text: str) -> int:
        """The tokens of a text with the tokenizer of a name; what is known is not counted again.

        Raises TokenizerError and UncountableTextError.
        """
        return self.counts.tokens(text, self.require(name))

    def begin(self, name: str, text: str) -> Callable[[], int]:
        """Start to count a text beside other work; the function waits, and returns the count.

        Raises TokenizerError at once; the function raises what `count` raises.
        """
        return self.counts.begin(text, self.require(name))

    def expect(self, name: str, text: str) -> Expected | None:
        """Start to count a text that somebody will ask about, where that pays; see `Counts.expect`.

        Nothing is loaded for it.
        """
        tokenizer = self.loaded.get(name)
        if tokenizer is None or isinstance(tokenizer, TokenizerError):
            return None
        return self.counts.expect(text, tokenizer)

    def table(self, name: str) -> TokenizerTable:
        """What the configuration says of a name; one that it does not know is its own source."""
        return self.tables.get(name) or TokenizerTable(name)

    def is_of_hub(self, source: str) -> bool:
        """Whether a source that was loaded came from the hub or its cache."""
        if is_path(source) or encoding_for(source) in (*ENCODINGS, *EXTRAS):
            return False
        folder = is_folder_of_tokenizer(self.in_base(source))
        return not folder and _HUB.fullmatch(source) is not None

    def surely_unknown(self, name: str) -> TokenizerError | None:
        """The error of a name that nothing can be meant by, seen without loading anything.

        None says nothing: the name may be one of a model, of the hub or of a plugin.
        """
        source = self.tables[name].source if name in self.tables else name
        if is_path(source):
            found = os.path.exists(self.in_base(source))  # noqa: PTH110  (a name may hold a NUL)
            return None if found else TokenizerError(f"{self.in_base(source)}: no tokenizer there")
        may_be = source in ENCODINGS or source in EXTRAS or self.from_plugins is not None
        if may_be or _HUB.fullmatch(source) or source.startswith(_MODELS):
            return None
        folder = is_folder_of_tokenizer(self.in_base(source))
        return None if folder else TokenizerError(_unknown(source, self.tables))

    @property
    def failures(self) -> list[TokenizerError]:
        """Why the tokenizers that were asked for and not had are missing."""
        return [error for error in self.loaded.values() if isinstance(error, TokenizerError)]

    def _load(self, name: str) -> Tokenizer:
        if (table := self.tables.get(name)) is not None:
            return self._from_table(name, table)
        return self._from_source(name, TokenizerTable(name))

    def _from_table(self, name: str, table: TokenizerTable) -> Tokenizer:
        if table.source in self.tables:
            raise TokenizerError(
                f"tokenizer.{name}: its source {table.source!r} is itself a table of the "
                "configuration; name an encoding, a file or a hub repository"
            )
        if (table.pattern or table.special_tokens) and not table.source.endswith(".tiktoken"):
            raise TokenizerError(
                f"tokenizer.{name}: pattern and special-tokens belong to a .tiktoken file; its "
                f"source {table.source!r} brings its own, so leave them out"
            )
        return self._from_source(name, table)

    def _from_source(self, name: str, table: TokenizerTable) -> Tokenizer:
        from tokenlint.tokens.known import known

        source = table.source
        if is_path(source):
            return self._from_file(name, table)
        encoding = encoding_for(source)
        if encoding in ENCODINGS or encoding in EXTRAS:
            return known(encoding, name, table, network=self.network)
        if (brought := self._from_plugins(table)) is not None:
            return brought.named(name) if name != source else brought
        # Only now: a folder must not change what a published name counts.
        if is_folder_of_tokenizer(self.in_base(source)):
            return self._from_file(name, table)
        if _HUB.fullmatch(source):
            from tokenlint.tokens import hub

            return hub.from_hub(name, table, network=self.network, counts=self.counts)
        raise TokenizerError(_unknown(source, self.tables))

    def _from_file(self, name: str, table: TokenizerTable) -> Tokenizer:
        from tokenlint.tokens.tokenizer_files import from_file

        path = self._allowed(name, table.source)
        return from_file(path, name=name, table=table, counts=self.counts)

    def _allowed(self, name: str, source: str) -> Path:
        """The file or folder of a source, where whoever names it may reach it."""
        path = self.in_base(source)
        if name in self.tables or name in self.within.names:
            is_folder = os.path.isdir(path)  # noqa: PTH112  (no error where it may not be looked at)
            self.require_inside(path / "tokenizer.json" if is_folder else path)
        return path

    def require_inside(self, path: Path) -> None:
        """Refuse what the configuration names and may not read.

        Raises TokenizerError.
        """
        if (why := self.within.refusal(path)) is not None:
            raise TokenizerError(f"{path}: {why}")

    def _from_plugins(self, table: TokenizerTable) -> Tokenizer | None:
        brought = None if self.from_plugins is None else self.from_plugins(table.source)
        if brought is not None and table.sha256 is not None:
            raise TokenizerError(
                f"{table.source}: comes from a plugin, which has no file to pin; leave out sha256"
            )
        return brought

    def in_base(self, source: str) -> Path:
        """A path of the configuration: relative ones start from its folder."""
        if source in self.spoken:
            return self.spoken[source]
        try:
            return self.base / Path(source).expanduser()
        except RuntimeError:  # a ~name whose home is not known
            return self.base / source


def load_tokenizer(name: str, *, base: Path | None = None, network: bool = False) -> Tokenizer:
    """The tokenizer of a name: an encoding, an OpenAI model, a short name, a file, a hub name.

    `base` is the folder that relative paths start from (default: the working folder).
    Raises TokenizerError, whose text says what was tried and what helps.
    """
    return Loader(base or Path(), network=network).require(name)


def is_path(name: str) -> bool:
    """Whether a tokenizer name can only mean a file or a folder."""
    return name.startswith((".", "/", "~", "\\")) or name.endswith((".json", ".tiktoken"))


def is_folder_of_tokenizer(path: Path) -> bool:
    """Whether a path is a folder that holds a tokenizer.json."""
    try:
        return (path / "tokenizer.json").is_file()
    except (OSError, ValueError):
        return False


def _unknown(name: str, tables: Mapping[str, TokenizerTable]) -> str:
    from difflib import get_close_matches

    from tokenlint.tokens.hub import for_a_model

    encodings = [encoding for encoding in ENCODINGS if encoding not in EXTRAS]
    known = [*encodings, *EXTRAS, *tables]
    near = [other for other in known if len(name) > 3 and other.startswith(name.lower())]
    near = near or get_close_matches(name.lower(), known, n=1, cutoff=0.75)
    hint = f"did you mean {near[0]}? " if near else ""
    if "," in name:
        hint = "name one at a time (--tokenizer can be repeated). "
    return (
        f"unknown tokenizer {name!r}: {hint}use an encoding ({', '.join(encodings)}), "
        f"{' or '.join(EXTRAS)}, a model that tiktoken knows, or a path (./tokenizer.json); "
        f"{for_a_model(name)}"
    )
