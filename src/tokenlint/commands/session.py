"""What the files of one run share: configurations, loaded tokenizers, limits, counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenlint.config import Config, Configs
from tokenlint.files import LeftOut, Listing, absolute, find_files
from tokenlint.tokens import Document, Unreadable, decode, read_document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tokenlint.budgets import Budgets
    from tokenlint.files import Found
    from tokenlint.premiums import Premiums
    from tokenlint.rules import Context
    from tokenlint.rules.base import Reference, Trust
    from tokenlint.tokens import Limit, Loader


@dataclass
class Scope:
    """One configuration at work: its tokenizers, its budgets, and what its rules are told."""

    config: Config
    loader: Loader = field(init=False)
    budgets: Budgets = field(init=False)
    premiums: Premiums = field(init=False)
    context: Context = field(init=False)
    limits: dict[str, tuple[Limit, ...]] = field(default_factory=dict)
    references: dict[str, tuple[Reference, ...]] = field(default_factory=dict)
    trusts: dict[str, Trust] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the parts; nothing is loaded before it is asked for."""
        config = self.config
        self.loader = config.loader()
        self.budgets = config.limits()
        self.premiums = config.translations()
        self.context = config.context(self.limits, self.references, self.loader, self.trusts)

    def unknown_tokenizers(self) -> list[str]:
        """What is wrong with the names of tokenizers, seen without loading any.

        A mistyped name must not wait for the day on which something is counted.
        """
        budgets = (name for entry in self.config.budgets for name in entry.tokenizers or ())
        names = dict.fromkeys((*self.config.tokenizers, *budgets))
        errors = map(self.loader.surely_unknown, (n for n in names if n not in self.loader.loaded))
        return [str(error) for error in errors if error is not None]


@dataclass
class Session:
    """The configurations of a run, each made once."""

    working_folder: Path
    explicit: Path | None = None
    isolated: bool = False
    overrides: Mapping[str, Any] = field(default_factory=dict)
    allow_plugins: bool | None = None
    _configs: Configs = field(init=False)
    _scopes: dict[int, Scope] = field(default_factory=dict)
    _from_top: LeftOut = field(init=False)

    def __post_init__(self) -> None:
        """Find configurations from the working folder on."""
        self._configs = Configs(
            self.working_folder, self.explicit, self.isolated, self.overrides, self.allow_plugins
        )
        self._from_top = LeftOut(Path(self.working_folder.anchor), self.excludes)

    @property
    def config(self) -> Config:
        """The configuration of the working folder."""
        return self._configs.for_folder(self.working_folder)

    @property
    def scopes(self) -> list[Scope]:
        """The configurations that were met so far, and what each has loaded."""
        return list(self._scopes.values())

    def scope(self, config: Config) -> Scope:
        """A configuration at work."""
        if id(config) not in self._scopes:
            self._scopes[id(config)] = Scope(config)
        return self._scopes[id(config)]

    def scope_for(self, path: Path) -> Scope:
        """The configuration that governs a file, at work."""
        return self.scope(self._configs.for_folder(absolute(path).parent))

    def config_of(self, path: Path) -> Config:
        """The configuration that governs a file, or a folder itself."""
        return self._configs.for_folder(path if path.is_dir() else path.parent)

    def excludes(self, path: Path, *, inside: Path | None = None) -> bool:
        """Whether the configuration that governs a path leaves it out.

        Below `inside`, a folder that is being walked, only the path itself is asked about.
        """
        if inside is None:
            return self._from_top(path)
        return self._configs.for_folder(path.parent).excludes(path, inside=inside)

    def find(self, paths: Sequence[str]) -> Listing:
        """The files that arguments mean."""
        return find_files(
            paths,
            working_folder=self.working_folder,
            excludes=self.excludes,
            force_exclude=self.config.force_exclude,
            respect_gitignore=self.config.respect_gitignore,
        )

    def read(self, found: Found) -> Document | Unreadable:
        """The document of a file, under the size limit of its configuration."""
        limit = self.scope_for(found.path).config.max_file_size
        document = read_document(found.path, found.shown, max_size=limit)
        if found.named and isinstance(document, Unreadable) and document.reason == "a directory":
            # A named folder is walked, so this one could not be listed.
            return Unreadable(found.shown, "no permission", "no permission to list this folder")
        return document


@dataclass(frozen=True)
class Stdin:
    """Standard input as a file: its bytes, and the name that it goes by."""

    raw: bytes
    name: str = "-"

    def document(self) -> Document | Unreadable:
        """The text, or why there is none."""
        return decode(self.name, self.raw)
