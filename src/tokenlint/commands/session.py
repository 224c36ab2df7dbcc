"""What the files of one run share: configurations, loaded tokenizers, limits, counts."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tokenlint import progress
from tokenlint.config import Config, Configs
from tokenlint.files import Listing, find_files
from tokenlint.frozen import frozen, replace
from tokenlint.patterns import folder_of
from tokenlint.tokens import Document, Unreadable, decode
from tokenlint.tokens.counts import Counts
from tokenlint.tokens.document import read_bytes
from tokenlint.walking import LeftOut

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tokenlint.budgets import Budgets
    from tokenlint.files import Found
    from tokenlint.premiums import Premiums
    from tokenlint.rules import Context
    from tokenlint.rules.base import Reference, Trust
    from tokenlint.tokens import Limit, Loader
    from tokenlint.tokens.extract import Extract
    from tokenlint.tokens.prompts import Prompt


@dataclass(eq=False, repr=False)
class Scope:
    """One configuration at work: its tokenizers, its budgets, and what its rules are told."""

    config: Config
    counts: Counts = field(default_factory=Counts)
    loader: Loader = field(init=False)
    budgets: Budgets = field(init=False)
    premiums: Premiums = field(init=False)
    context: Context = field(init=False)
    limits: dict[str, tuple[Limit, ...]] = field(default_factory=dict)
    references: dict[str, tuple[Reference, ...]] = field(default_factory=dict)
    trusts: dict[str, Trust] = field(default_factory=dict)
    extracts: dict[str, tuple[Extract | None, Extract | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Make the parts; nothing is loaded before it is asked for."""
        config = self.config
        self.loader = replace(config.loader(), counts=self.counts)
        self.budgets = config.limits()
        self.premiums = config.translations()
        self.context = config.context(
            self.limits, self.references, self.loader, self.trusts, self.extracts
        )

    @cached_property
    def minds_paths(self) -> bool:
        """Whether anything that holds for a file depends on its path: mostly nothing does."""
        config = self.config
        said = (config.per_file_ignores, config.trust, config.budgets, config.premiums)
        return any(said) or bool(config.extract) or config.extract_as is not None

    def knows(self, path: Path, shown: str) -> None:
        """Note what of a file is the prompt, for those who count it by the path that is shown."""
        if (how := self.config.counted_as(path)) is not None:
            self.extracts[shown] = self.config.extract_of(path), how

    def is_whole(self, shown: str) -> bool:
        """Whether all of a file that was read is one prompt."""
        return self.extracts.get(shown, (None, None))[1] is None

    def unknown_tokenizers(self) -> list[str]:
        """What is wrong with the names of tokenizers, seen without loading any.

        A mistyped name must not wait for the day on which something is counted.
        """
        budgets = (name for entry in self.config.budgets for name in entry.tokenizers or ())
        names = dict.fromkeys((*self.config.tokenizers, *budgets))
        errors = map(self.loader.surely_unknown, (n for n in names if n not in self.loader.loaded))
        return [str(error) for error in errors if error is not None]

    @property
    def remarks(self) -> list[str]:
        """What was met in files and is counted otherwise than it looks."""
        made = "prompts" in vars(self.context)
        return self.context.prompts.remarks if made else []


@dataclass(eq=False, repr=False)
class Session:
    """The configurations of a run, each made once; `reports` are the files that it will write."""

    working_folder: Path
    explicit: Path | None = None
    isolated: bool = False
    overrides: Mapping[str, Any] = field(default_factory=dict)
    allow_plugins: bool | None = None
    reports: frozenset[Path] = frozenset()
    counts: Counts = field(default_factory=Counts)
    _configs: Configs = field(init=False)
    _scopes: dict[int, Scope] = field(default_factory=dict)
    _by_folder: dict[str, Config] = field(default_factory=dict)
    _by_name: dict[str, Scope] = field(default_factory=dict)
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

    @property
    def remarks(self) -> list[str]:
        """What was met in files of any configuration and is counted otherwise than it looks."""
        return [remark for scope in self.scopes for remark in scope.remarks]

    def scope(self, config: Config) -> Scope:
        """A configuration at work."""
        if id(config) not in self._scopes:
            self._scopes[id(config)] = Scope(config, self.counts)
        return self._scopes[id(config)]

    def scope_for(self, path: Path | str) -> Scope:
        """The configuration that governs a file, at work."""
        file = os.fspath(path)
        folder = file[: file.rfind(os.sep) + 1]  # mostly that of the file before
        if folder not in self._by_name:
            whole = os.path.abspath(file)  # noqa: PTH100  (links stay)
            self._by_name[folder] = self.scope(self._config_in(folder_of(whole)))
        return self._by_name[folder]

    def _config_in(self, folder: str) -> Config:
        """The configuration of a folder: most files are in the folder of the one before."""
        if folder not in self._by_folder:
            self._by_folder[folder] = self._configs.for_folder(Path(folder))
        return self._by_folder[folder]

    def config_of(self, path: Path) -> Config:
        """The configuration that governs a file, or a folder itself."""
        return self._configs.for_folder(path if path.is_dir() else path.parent)

    def excludes(self, path: Path | str, *, inside: Path | None = None) -> bool:
        """Whether a path is left out, by the configuration that governs it or as a report.

        Below `inside`, a folder that is being walked, only the path itself is asked about.
        """
        if inside is None:
            return self._from_top(path)
        if self.reports and Path(path) in self.reports:  # it quotes what was found before
            return True
        return self._config_in(folder_of(os.fspath(path))).excludes(path, inside=inside)

    def _excluded_names(self, folder: str, inside: Path) -> frozenset[str] | None:
        return None if self.reports else self._config_in(folder).excluded_names(inside)

    def find(self, paths: Sequence[str]) -> Listing:
        """The files that arguments mean."""
        listing = find_files(
            paths,
            working_folder=self.working_folder,
            excludes=self.excludes,
            names=self._excluded_names,
            force_exclude=self.config.force_exclude,
            respect_gitignore=self.config.respect_gitignore,
        )
        progress.expect(len(listing.found))
        return listing

    def read(self, found: Found) -> Document | Unreadable:
        """The document of a file, under the size limit of its configuration."""
        raw = self.read_bytes(found)
        return raw if isinstance(raw, Unreadable) else decode(found.shown, raw)

    def read_bytes(self, found: Found) -> bytes | Unreadable:
        """The bytes of a file, which may be no text."""
        progress.step()
        scope = self.scope_for(found.file)
        if scope.minds_paths:
            scope.knows(found.path, found.shown)  # totals read as well
        limit = scope.config.max_file_size
        raw = read_bytes(found.file, found.shown, max_size=limit)
        if found.named and isinstance(raw, Unreadable) and raw.reason == "a directory":
            # A named folder is walked, so this one could not be listed.
            return Unreadable(found.shown, "no permission", "no permission to list this folder")
        return raw

    def documents(
        self,
        paths: Sequence[str],
        stdin: Stdin | None,
        skipped: Counter[str],
        without: Callable[[Found], str | None] = lambda _: None,
    ) -> Iterator[tuple[Document | Unreadable, bool]]:
        """Each file that arguments mean, or standard input, and whether it was named.

        What is left out is counted in `skipped`; `without` may give a reason to leave a file out.
        """
        if stdin is not None:
            yield stdin.document(), True
            return
        listing = self.find(paths)
        skipped.update(one.reason for one in listing.skipped)
        for found in listing.found:
            if (reason := without(found)) is None:
                yield self.read(found), found.named
            else:
                skipped[reason] += 1

    def prompts_of(self, document: Document) -> tuple[Prompt, ...]:
        """The prompts in a document, as the configuration that governs its file says.

        Raises TokenlintError, which does not name the document.
        """
        path = self.working_folder / document.path
        scope = self.scope_for(path)
        scope.knows(path, document.path)
        return scope.context.prompts_of(document)


@frozen
class Stdin:
    """Standard input as a file: its bytes, and the name that it goes by."""

    raw: bytes
    name: str = "-"

    def document(self) -> Document | Unreadable:
        """The text, or why there is none."""
        return decode(self.name, self.raw)
