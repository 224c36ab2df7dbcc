"""Everything that can be configured, as one frozen Config, and what follows from it."""

from __future__ import annotations

import os
from dataclasses import field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from tokenlint.budgets import Budget, Budgets
from tokenlint.files import DEFAULT_EXCLUDE, find_files
from tokenlint.frozen import frozen, replace
from tokenlint.growth import DiffSettings
from tokenlint.patterns import PathPatterns
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

_Said = TypeVar("_Said")

Origin = Literal["file", "command line"]
"Who said a value; what nobody said is the default."


@frozen
class Config:
    """Everything that can be configured. `root` is the folder that its paths start from.

    `anchors` has another folder for `exclude` or `extend_exclude`; `beneath` is what `select`,
    `extend_select` and `ignore` are said on top of; `origins` has where each value was said.
    `extract_as` is what of every file is counted, whatever `extract` says of it.
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
        ignored = [
            word
            for patterns, inside, words in self._ignores
            if patterns.match(path) == inside
            for word in words
        ]
        if not ignored:
            return self.rules
        return tuple(r for r in self.rules if not any(matches(w, r.code, r.name) for w in ignored))

    def trust_of(self, path: Path) -> Trust | None:
        """Who is declared to write a file: the last pattern that matches it says so."""
        said = (trust for patterns, inside, trust in self._trusts if patterns.match(path) == inside)
        return next(said, None)

    def extract_of(self, path: Path) -> Extract | None:
        """What of a file is the prompt: the last pattern of `extract` that matches it says so."""
        if self.extract_as is not None or not self.extract:
            return self.extract_as
        said = (how for patterns, inside, how in self._extracts if patterns.match(path) == inside)
        return next(said, None)

    def counted_as(self, path: Path) -> Extract | None:
        """What of a file is counted where no limit is asked about.

        Where `extract` says nothing of it, that is what the first budget with an extraction says.
        """
        if (how := self.extract_of(path)) is not None or not self._extracting:
            return how
        said = (how for patterns, how in self._extracting if patterns.match(path))
        return next(said, None)

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
        if inside not in self._excluded_inside:
            patterns = self._excluded_inside[None]
            self._excluded_inside[inside] = [
                each.not_matching(inside) for each in patterns if inside is not None
            ]
        return any(patterns.match(path) for patterns in self._excluded_inside[inside])

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
        """A loader for this configuration's tokenizers."""
        loaded = loaded_plugins(self.plugins)
        from_plugins = None if loaded is None else loaded.load_tokenizer
        return Loader(
            self.folder,
            self.tokenizer,
            self.network,
            from_plugins=from_plugins,
            within=self.boundary,
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

    @cached_property
    def _ignores(self) -> list[tuple[PathPatterns, bool, tuple[str, ...]]]:
        return self._by_pattern(self.per_file_ignores)

    @cached_property
    def _trusts(self) -> list[tuple[PathPatterns, bool, Trust]]:
        return self._by_pattern(self.trust)[::-1]

    @cached_property
    def _extracting(self) -> list[tuple[PathPatterns, Extract]]:
        """The budgets that say what of their files is the prompt."""
        return [(p, b.extract) for b, p in self.limits().patterns if b.extract is not None]

    @cached_property
    def _extracts(self) -> list[tuple[PathPatterns, bool, Extract]]:
        return self._by_pattern(self.extract)[::-1]

    def _by_pattern(self, said: Mapping[str, _Said]) -> list[tuple[PathPatterns, bool, _Said]]:
        """Patterns, whether their files or all others are meant (`!`), and what is said of them."""
        return [
            (PathPatterns(self.root, (key.removeprefix("!"),)), not key.startswith("!"), value)
            for key, value in said.items()
        ]

    @cached_property
    def _excluded_inside(self) -> dict[Path | None, list[PathPatterns]]:
        """What is left out below a named folder, by that folder; None is for no folder."""
        patterns: dict[Path, tuple[str, ...]] = {}
        for name, said in (("exclude", self.exclude), ("extend_exclude", self.extend_exclude)):
            root = self.anchors.get(name, self.root)
            patterns[root] = patterns.get(root, ()) + said
        return {None: [PathPatterns(root, said) for root, said in patterns.items()]}


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
