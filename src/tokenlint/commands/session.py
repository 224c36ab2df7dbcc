"""What the files of one run share: configurations, loaded tokenizers, limits, counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tokenlint.budgets import Budgets
from tokenlint.config import Config, Configs
from tokenlint.files import Listing, Skipped, absolute, find_files
from tokenlint.tokens import Document, Unreadable, decode, read_document

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tokenlint.files import Found
    from tokenlint.rules import Context
    from tokenlint.tokens import Limit, Loader


@dataclass
class Scope:
    """One configuration at work: its tokenizers, its budgets, and what its rules are told."""

    config: Config
    loader: Loader = field(init=False)
    budgets: Budgets = field(init=False)
    context: Context = field(init=False)
    limits: dict[str, tuple[Limit, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the parts; nothing is loaded before it is asked for."""
        config = self.config
        self.loader = config.loader()
        self.budgets = Budgets(config.budgets, config.root, config.tokenizers, config.warn_at)
        self.context = config.context(self.limits, self.loader)


@dataclass
class Session:
    """The configurations of a run, each made once."""

    working_folder: Path
    explicit: Path | None = None
    isolated: bool = False
    overrides: Mapping[str, Any] = field(default_factory=dict)
    _configs: Configs = field(init=False)
    _scopes: dict[int, Scope] = field(default_factory=dict)
    _left_out: dict[Path, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Find configurations from the working folder on."""
        self._configs = Configs(self.working_folder, self.explicit, self.isolated, self.overrides)

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
        return self._scopes.setdefault(id(config), Scope(config))

    def scope_for(self, path: Path) -> Scope:
        """The configuration that governs a file, at work."""
        return self.scope(self._configs.for_folder(absolute(path).parent))

    def excludes(self, path: Path) -> bool:
        """Whether a configuration leaves a path out: its own, or one above it a folder of its."""
        return self._configs.for_folder(path.parent).excludes(path) or self._is_below(path.parent)

    def _is_below(self, folder: Path) -> bool:
        """Whether a folder is left out by the configuration that governs the folder above it."""
        if folder not in self._left_out:
            inside = folder not in (self.working_folder, folder.parent)
            self._left_out[folder] = inside and self.excludes(folder)
        return self._left_out[folder]

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
        return read_document(found.path, found.shown, max_size=limit)


@dataclass(frozen=True)
class Stdin:
    """Standard input as a file: its bytes, and the name that it goes by."""

    raw: bytes
    name: str = "-"

    def document(self) -> Document | Unreadable:
        """The text, or why there is none."""
        return decode(self.name, self.raw)


def skipped_reason(file: Unreadable | Skipped) -> str:
    """The few words that count a file among those left out."""
    return file.reason
