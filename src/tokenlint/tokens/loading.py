"""A name becomes a tokenizer, once each."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.errors import TokenizerError
from tokenlint.tokens import vocabularies
from tokenlint.tokens.encodings import DEEPSEEK_V3_SPECIAL, ENCODINGS, EXTRAS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer
    from tokenlint.tokens.tokenizer import Tokenizer

DEFAULT_TOKENIZER = "o200k_base"
"What counts where nothing was configured."

_PROVIDERS = ("openai/", "azure/", "azure_openai/", "azure-openai/", "openrouter/openai/")
_MODELS = ("ft:", "gpt", "o1", "o3", "o4", "chatgpt", "text-", "code-", "davinci", "babbage")
"What the names of OpenAI's models begin with: which of them exist tiktoken knows."

_HUB = re.compile(r"[\w.-]+/[\w.-]+(?:@[\w./-]+)?", re.ASCII)


@dataclass(frozen=True)
class TokenizerTable:
    """What `[tool.tokenlint.tokenizer.NAME]` says: where a tokenizer comes from, and its hash."""

    source: str
    sha256: str | None = None
    pattern: str | None = None
    special_tokens: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Loader:
    """Loads tokenizers for one configuration and remembers each, the failures too.

    `base` is the folder that relative paths start from; `network` allows downloads;
    `from_plugins` is asked for names that are no published ones.
    """

    base: Path = field(default_factory=Path)
    tables: Mapping[str, TokenizerTable] = field(default_factory=dict)
    network: bool = False
    loaded: dict[str, Tokenizer | TokenizerError] = field(default_factory=dict, compare=False)
    from_plugins: Callable[[str], Tokenizer | None] | None = None

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

    def surely_unknown(self, name: str) -> TokenizerError | None:
        """The error of a name that nothing can be meant by, seen without loading anything.

        None says nothing: the name may be one of a model, of the hub or of a plugin.
        """
        source = self.tables[name].source if name in self.tables else name
        may_be = source in ENCODINGS or source in EXTRAS or self.from_plugins is not None
        if may_be or _HUB.fullmatch(source) or source.startswith(_MODELS):
            return None
        if not is_path(source):
            folder = is_folder_of_tokenizer(self._in_base(source))
            return None if folder else TokenizerError(_unknown(source, self.tables))
        found = os.path.exists(self._in_base(source))  # noqa: PTH110  (a name may hold a NUL)
        return None if found else TokenizerError(f"{self._in_base(source)}: no tokenizer there")

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
        source = table.source
        if is_path(source):
            return from_file(self._in_base(source), name=name, table=table)
        encoding = encoding_for(source)
        if encoding in ENCODINGS or encoding in EXTRAS:
            return _known(encoding, name, table, network=self.network)
        if (brought := self._from_plugins(table)) is not None:
            return brought.named(name) if name != source else brought
        # Only now: a folder must not change what a published name counts.
        if is_folder_of_tokenizer(self._in_base(source)):
            return from_file(self._in_base(source), name=name, table=table)
        if _HUB.fullmatch(source):
            return _from_hub(name, table, network=self.network)
        raise TokenizerError(_unknown(source, self.tables))

    def _from_plugins(self, table: TokenizerTable) -> Tokenizer | None:
        brought = None if self.from_plugins is None else self.from_plugins(table.source)
        if brought is not None and table.sha256 is not None:
            raise TokenizerError(
                f"{table.source}: comes from a plugin, which has no file to pin; leave out sha256"
            )
        return brought

    def _in_base(self, source: str) -> Path:
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


def encoding_for(name: str) -> str:
    """The encoding of an OpenAI model name; any other name is returned as it is.

    A fine-tuned model counts like its base: `ft:gpt-4.1-mini:org::id` like `gpt-4.1-mini`.
    """
    if name in ENCODINGS or name in EXTRAS:
        return name
    model = name
    for prefix in _PROVIDERS:
        model = model.removeprefix(prefix)
    if model.startswith("ft:"):
        model = model.split(":")[1]
    from tiktoken.model import encoding_name_for_model

    try:
        return encoding_name_for_model(model)
    except KeyError:
        return name


def from_file(path: Path, *, name: str, table: TokenizerTable | None = None) -> Tokenizer:
    """The tokenizer in a tokenizer.json, in a folder that holds one, or in a `.tiktoken` file.

    Raises TokenizerError.
    """
    table = table or TokenizerTable(str(path))
    try:
        if path.is_dir():
            path = path / "tokenizer.json"
        raw = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        why = getattr(error, "strerror", None) or error
        raise TokenizerError(f"{path}: {why}; no tokenizer there") from None
    digest = hashlib.sha256(raw).hexdigest()
    _check_pin(str(path), digest, table)
    if path.suffix == ".tiktoken":
        return _from_rank_file(path, raw, digest, name=name, table=table)
    return _from_json(raw, name=name, source=str(path))


def _check_pin(what: str, digest: str, table: TokenizerTable) -> None:
    if table.sha256 is not None and table.sha256.lower() != digest:
        raise TokenizerError(
            f"{what}: its sha256 is {digest}, but the configuration pins {table.sha256}; "
            "restore the file or change the pin"
        )


def _from_rank_file(
    path: Path, raw: bytes, digest: str, *, name: str, table: TokenizerTable
) -> Tokenizer:
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

    try:
        ranks = vocabularies.parse_ranks(raw)
    except ValueError as error:
        raise TokenizerError(f"{path}: not a usable .tiktoken file ({error})") from None
    pattern, special, nfc = _pattern_of(path, digest, table)
    return TiktokenTokenizer(
        name, ranks, pattern, special, digest=digest, source=str(path), nfc=nfc
    )


def _pattern_of(
    path: Path, digest: str, table: TokenizerTable
) -> tuple[str, Mapping[str, int], bool]:
    """The split pattern and the rest: as the table says, or as the known file's name says."""
    if table.pattern is not None:
        known = ENCODINGS.get(table.pattern)
        if known is not None:
            return known.pattern, table.special_tokens, known.nfc
        return table.pattern, table.special_tokens, False
    for encoding in ENCODINGS.values():
        if vocabularies.RANK_FILES[encoding.vocabulary].sha256 == digest:
            return encoding.pattern, encoding.special_tokens, encoding.nfc
    raise TokenizerError(
        f"{path}: a .tiktoken file does not say how it splits text; give it a table "
        f'[tool.tokenlint.tokenizer.NAME] with source = "{path.name}" and pattern = a regular '
        "expression or the name of an encoding that splits alike"
    )


def _from_json(raw: bytes, *, name: str, source: str) -> Tokenizer:
    from tokenlint.tokens import hf_backend

    return hf_backend.from_json(raw, name=name, source=source)


_ENGINES: dict[str, TiktokenTokenizer] = {}
"One engine for each encoding in a process: building one takes 0.1 s and 80 MB."


def _known(encoding: str, name: str, table: TokenizerTable, *, network: bool) -> Tokenizer:
    vocabulary = ENCODINGS[encoding].vocabulary if encoding in ENCODINGS else EXTRAS[encoding]
    _check_pin(table.source, vocabularies.RANK_FILES[vocabulary].sha256, table)
    if encoding not in _ENGINES:
        made = _from_ranks(encoding, network=network) if encoding in ENCODINGS else _deepseek()
        _ENGINES[encoding] = made
    return _ENGINES[encoding].named(name)


def _from_ranks(name: str, *, network: bool) -> TiktokenTokenizer:
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

    encoding = ENCODINGS[name]
    found = vocabularies.find_ranks(encoding.vocabulary, network=network)
    return TiktokenTokenizer(
        name,
        found.ranks,
        encoding.pattern,
        encoding.special_tokens,
        digest=found.sha256,
        source=found.source,
        nfc=encoding.nfc,
    )


def _deepseek() -> TiktokenTokenizer:
    """DeepSeek V3: the vocabulary, merges and splits of the V4 file, V3's own special tokens."""
    from tokenlint.tokens.equivalence import ranks_of_json
    from tokenlint.tokens.tiktoken_backend import TiktokenTokenizer

    raw, source = vocabularies.find_raw("deepseek")
    table = ranks_of_json(raw)
    if table is None:
        raise TokenizerError(f"{source}: the tokenizer there is not the one that was expected")
    return TiktokenTokenizer(
        "deepseek-v3",
        table.ranks,
        table.pattern,
        DEEPSEEK_V3_SPECIAL,
        digest=vocabularies.RANK_FILES["deepseek"].sha256,
        source=source,
    )


def _from_hub(name: str, table: TokenizerTable, *, network: bool) -> Tokenizer:
    repository, _, revision = table.source.partition("@")
    path = _hub_file(repository, revision or None, network=network)
    if path is None:
        raise TokenizerError(
            f"{table.source}: no tokenizer.json of this repository in the hub's cache; give the "
            "path of a local one (./folder/tokenizer.json), or allow the download with "
            f"--allow-network; {_for_a_model(table.source)}"
        )
    return from_file(path, name=name, table=table)


def _hub_file(repository: str, revision: str | None, *, network: bool) -> Path | None:
    import huggingface_hub as hub

    if network:
        try:
            return Path(hub.hf_hub_download(repository, "tokenizer.json", revision=revision))
        except Exception as error:  # noqa: BLE001  (a family of http and repository errors)
            first = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise TokenizerError(
                f"{repository}: the hub did not give its tokenizer.json ({first}); "
                "give the path of a local one (./folder/tokenizer.json)"
            ) from None
    try:
        found = hub.try_to_load_from_cache(repository, "tokenizer.json", revision=revision)
    except (OSError, ValueError):  # ValueError: no repository can have this name
        return None
    return Path(found) if isinstance(found, str) else None


def _unknown(name: str, tables: Mapping[str, TokenizerTable]) -> str:
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
        f"{_for_a_model(name)}"
    )


def _for_a_model(name: str) -> str:
    return (
        "for a name of your own, add "
        f'[tool.tokenlint.tokenizer."{name}"] with source = the encoding or file that it uses'
    )
