"""Everything that can be configured, as one frozen Config, and what follows from it."""

from __future__ import annotations

import os
from dataclasses import field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tokenlint.budgets import Budget, Budgets
from tokenlint.by_path import ByPath
from tokenlint.errors import ConfigError
from tokenlint.files import DEFAULT_EXCLUDE, find_files
from tokenlint.frozen import frozen, replace
from tokenlint.growth import DiffSettings
from tokenlint.places import OUTSIDE, repository_of
from tokenlint.premiums import Premium, Premiums
from tokenlint.rules import RULES, Context, Rule, SpecialTokens
from tokenlint.suppress import matches
from tokenlint.tokens import (
    DEFAULT_TOKENIZER,
    MAX_FILE_SIZE,
    WARN_AT,
    Limit,
    Loader,
    TokenizerTable,
    Unreadable,
    read_document,
)
from tokenlint.tokens.boundary import ANYWHERE, Boundary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tokenlint.plugins import Plugins
    from tokenlint.prices.own import Price
    from tokenlint.rules.base import NotNfc, Reference, Trust
    from tokenlint.tokens import Document
    from tokenlint.tokens.extract import Extract

Origin = Literal["file", "command line"]
"Who said a value; what nobody said is the default."


@frozen
class Config:
    """Everything that can be configured. `root` is the folder that its paths start from.

    `anchors` has another folder for `exclude` or `extend_exclude`; `beneath` is what `select`,
    `extend_select` and `ignore` are said on top of; `origins` has where each value was said.
    `extract_as` is what of every file is counted, whatever `extract` says of it; `spoken` has the
    files of tokenizers that the command line names, by these names.
    """

    DEFAULT: ClassVar[Config]

    root: Path = field(default_factory=Path.cwd)
    path: Path | None = None
    tokenizers: tuple[str, ...] = (DEFAULT_TOKENIZER,)
    tokenizer: Mapping[str, TokenizerTable] = field(default_factory=dict)
    plugins: tuple[str, ...] = ()
    select: tuple[str, ...] | None = None
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exclude: tuple[str, ...] = tuple(DEFAULT_EXCLUDE.split())
    extend_exclude: tuple[str, ...] = ()
    force_exclude: bool = False
    respect_gitignore: bool = True
    inline_directives: bool = True
    special_tokens: SpecialTokens = field(default_factory=SpecialTokens)
    trust: Mapping[str, Trust] = field(default_factory=dict)
    extract: Mapping[str, Extract] = field(default_factory=dict)
    budgets: tuple[Budget, ...] = ()
    premiums: tuple[Premium, ...] = ()
    diff: DiffSettings = field(default_factory=DiffSettings)
    baseline: str | None = None
    models: tuple[str, ...] = ()
    calls: int | None = None
    prices: Mapping[str, Price] = field(default_factory=dict)
    warn_at: float = WARN_AT
    max_file_size: int = MAX_FILE_SIZE
    newlines: Literal["lf", "as-is"] = "lf"
    count_bom: bool = False
    soft_hyphens: Literal["report", "allow"] = "report"
    not_nfc: tuple[NotNfc, ...] = Context.not_nfc
    network: bool = False
    outside: bool = False
    extract_as: Extract | None = None
    spoken: Mapping[str, Path] = field(default_factory=dict)
    anchors: Mapping[str, Path] = field(default_factory=dict)
    beneath: Config | None = field(default=None, repr=False, compare=False)
    origins: Mapping[str, Origin] = field(default_factory=dict, repr=False, compare=False)

    def apply(self, values: Mapping[str, Any], origin: Origin = "command line") -> Config:
        """The same with other values; None means "not said" and changes nothing.

        As in ruff, a `select` forgets what was selected and ignored before, and an `ignore` or
        `extend_select` without one is said on top of that.
        """
        said = {name: value for name, value in values.items() if value is not None}
        origins = {**self.origins, **dict.fromkeys(said, origin)}
        if not said.keys().isdisjoint(_NOTHING_SAID):
            for name in _NOTHING_SAID.keys() - said.keys():
                origins.pop(name, None)
            said = {**_NOTHING_SAID, "beneath": self, **said}
        if "tokenizers" in said:
            said["tokenizers"] = tuple(dict.fromkeys(said["tokenizers"]))
        return replace(self, **said, origins=origins)

    @cached_property
    def known_rules(self) -> tuple[Rule, ...]:
        """Every rule that can be on: the built-in ones, then those of the plugins."""
        loaded = loaded_plugins(self.plugins)
        return RULES if loaded is None else (*RULES, *loaded.rules)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that are on, in order of their codes."""
        return tuple(rule for rule in self.known_rules if self._is_on(rule))

    def rules_for(self, path: Path) -> tuple[Rule, ...]:
        """The rules that are on for a file: without those that per-file-ignores takes out."""
        ignored = self._by_path.ignored(path)
        if not ignored:
            return self.rules
        return tuple(r for r in self.rules if not any(matches(w, r.code, r.name) for w in ignored))

    def trust_of(self, path: Path) -> Trust | None:
        """Who is declared to write a file: the last pattern that matches it says so."""
        return self._by_path.trust(path)

    def extract_of(self, path: Path) -> Extract | None:
        """What of a file is the prompt: the last pattern of `extract` that matches it says so."""
        return self._by_path.extract(path)

    def counted_as(self, path: Path) -> Extract | None:
        """What of a file is counted where no limit is asked about.

        Where `extract` says nothing of it, that is what the first budget with an extraction says.
        """
        return self._by_path.counted(path)

    def read_inside(self, path: Path) -> Document | Unreadable:
        """A file that the configuration names from its folder, which it may not leave.

        What the command line names may stand anywhere.
        """
        said_here = self.extract_as is not None and path == self.extract_as.variables
        if not said_here and (why := self.boundary.refusal(self.root / path)) is not None:
            return Unreadable(str(path), "unreadable", why)
        return read_document(self.root / path, str(path), max_size=self.max_file_size)

    @cached_property
    def boundary(self) -> Boundary:
        """How far what the configuration names may reach: its repository, unless allowed."""
        if self.outside or os.environ.get(OUTSIDE) == "1":
            return ANYWHERE
        said = self.tokenizers if self.origins.get("tokenizers") == "file" else ()
        limits: tuple[Budget | Premium, ...] = (*self.budgets, *self.premiums)
        named = chain(said, *(entry.tokenizers or () for entry in limits))
        folders = dict.fromkeys(map(repository_of, (self.root, self.folder)))
        return Boundary(tuple(folders), frozenset(named))

    @property
    def folder(self) -> Path:
        """The folder of the configuration file, which the paths of tokenizers start from."""
        return self.root if self.path is None else self.root / self.path.parent

    def excludes(self, path: Path | str, *, inside: Path | None = None) -> bool:
        """Whether the configuration leaves a path out; patterns on `inside` itself do not count."""
        return self._by_path.excludes(path, inside)

    def excluded_names(self, inside: Path) -> frozenset[str] | None:
        """The names that alone are left out below a folder; None where patterns say more."""
        return self._by_path.excluded_names(inside)

    def limits(self) -> Budgets:
        """The budgets, to be asked about one file at a time."""
        return Budgets(self.budgets, self.root, self.tokenizers, self.warn_at)

    def translations(self) -> Premiums:
        """The premiums, to be asked about one file at a time."""
        return Premiums(self.premiums, self.root)

    def files(self) -> list[Path]:
        """Every file below `root` that neither git nor this configuration leaves out."""
        listing = find_files(
            [str(self.root)],
            working_folder=self.root,
            excludes=lambda path, **_: self.excludes(path),
            respect_gitignore=self.respect_gitignore,
        )
        return [found.path for found in listing.found]

    def loader(self) -> Loader:
        """A loader for this configuration's tokenizers.

        Raises ConfigError where the command line means another file by one of their names.
        """
        self._require_one_meaning()
        loaded = loaded_plugins(self.plugins)
        from_plugins = None if loaded is None else loaded.load_tokenizer
        return Loader(
            self.folder,
            self.tokenizer,
            self.network,
            from_plugins=from_plugins,
            within=self.boundary,
            spoken=self.spoken,
        )

    def context(
        self,
        limits: Mapping[str, tuple[Limit, ...]],
        references: Mapping[str, tuple[Reference, ...]],
        loader: Loader,
        trusts: Mapping[str, Trust] | None = None,
        extracts: Mapping[str, tuple[Extract | None, Extract | None]] | None = None,
    ) -> Context:
        """What the rules are told; limits and the like by the path that is shown."""
        return Context(
            special_tokens=self.special_tokens,
            limits_for=lambda path: limits.get(path, ()),
            references_for=lambda path: references.get(path, ()),
            trust_for=({} if trusts is None else trusts).get,
            extracts_for=lambda path: ({} if extracts is None else extracts).get(
                path, (None, None)
            ),
            read=self.read_inside,
            folders=(self.root,),
            tokenizers=self.tokenizers,
            loader=loader,
            is_known_rule=self._knows_rule,
            newlines=self.newlines,
            count_bom=self.count_bom,
            soft_hyphens=self.soft_hyphens,
            not_nfc=self.not_nfc,
        )

    def _knows_rule(self, word: str) -> bool:
        return any(matches(word, rule.code, rule.name) for rule in self.known_rules)

    def _is_on(self, rule: Rule) -> bool:
        wanted = max(_weights((*(self.select or ()), *self.extend_select), rule), default=-1)
        unwanted = max(_weights(self.ignore, rule), default=-1)
        if self.select is None and wanted == unwanted == -1:
            return rule.default if self.beneath is None else rule in self.beneath.rules
        return wanted > unwanted

    def _require_one_meaning(self) -> None:
        limits: tuple[Budget | Premium, ...] = (*self.budgets, *self.premiums)
        named = {name for entry in limits for name in entry.tokenizers or ()}
        named.update(table.source for table in self.tokenizer.values())
        for name in named.intersection(self.spoken):
            here, there = self.spoken[name], self.folder / name
            if os.path.abspath(here) != os.path.abspath(there):  # noqa: PTH100  (links stay)
                raise ConfigError(
                    f"the tokenizer {name} is {here} on the command line and {there} in "
                    f"{self.path}; give its whole path on the command line"
                )

    @cached_property
    def _by_path(self) -> ByPath:
        return ByPath(self)


_NOTHING_SAID: Mapping[str, Any] = {"select": None, "extend_select": (), "ignore": ()}

Config.DEFAULT = Config()


def _weights(words: Iterable[str], rule: Rule) -> list[int]:
    """How closely each word that means a rule names it: the closer one holds."""
    found = [word for word in words if matches(word, rule.code, rule.name)]
    return [0 if word == "ALL" else min(len(word), len(rule.code)) for word in found]


def loaded_plugins(plugins: tuple[str, ...]) -> Plugins | None:
    """The plugins at work. The module is imported for nobody who has none."""
    if not plugins:
        return None
    from tokenlint.plugins import load

    return load(plugins)
