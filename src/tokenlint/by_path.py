"""What a configuration says of files by patterns; each pattern is compiled once, when asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from tokenlint.patterns import PathPatterns

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tokenlint.rules.base import Trust
    from tokenlint.settings import Config
    from tokenlint.tokens.extract import Extract

_Said = TypeVar("_Said")


class ByPath:
    """The answers of one configuration about single files."""

    def __init__(self, config: Config) -> None:
        self._config = config

    def ignored(self, path: Path) -> list[str]:
        """The words of the rules that are off for a file alone."""
        return [
            word
            for patterns, inside, words in self._ignores
            if patterns.match(path) == inside
            for word in words
        ]

    def trust(self, path: Path) -> Trust | None:
        """Who is declared to write a file: the last pattern that matches it says so."""
        said = (trust for patterns, inside, trust in self._trusts if patterns.match(path) == inside)
        return next(said, None)

    def extract(self, path: Path) -> Extract | None:
        """What of a file is the prompt: the last pattern of `extract` that matches it says so."""
        config = self._config
        if config.extract_as is not None or not config.extract:
            return config.extract_as
        said = (how for patterns, inside, how in self._extracts if patterns.match(path) == inside)
        return next(said, None)

    def counted(self, path: Path) -> Extract | None:
        """What of a file is counted where no limit is asked about."""
        if (how := self.extract(path)) is not None or not self._extracting:
            return how
        said = (how for patterns, how in self._extracting if patterns.match(path))
        return next(said, None)

    def excludes(self, path: Path | str, inside: Path | None) -> bool:
        """Whether a path is left out; patterns on `inside` itself do not count."""
        return any(patterns.match(path) for patterns in self._excluded(inside))

    def excluded_names(self, inside: Path) -> frozenset[str] | None:
        """The names that alone are left out below a folder; None where patterns say more."""
        found = [patterns.names for patterns in self._excluded(inside)]
        known = [names for names in found if names is not None]
        return frozenset().union(*known) if len(known) == len(found) else None

    def _excluded(self, inside: Path | None) -> list[PathPatterns]:
        """The patterns of what is left out, without those that match a folder itself."""
        if inside not in self._excluded_inside:
            patterns = self._excluded_inside[None]
            self._excluded_inside[inside] = [
                each.not_matching(inside) for each in patterns if inside is not None
            ]
        return self._excluded_inside[inside]

    @cached_property
    def _ignores(self) -> list[tuple[PathPatterns, bool, tuple[str, ...]]]:
        return self._compiled(self._config.per_file_ignores)

    @cached_property
    def _trusts(self) -> list[tuple[PathPatterns, bool, Trust]]:
        return self._compiled(self._config.trust)[::-1]

    @cached_property
    def _extracts(self) -> list[tuple[PathPatterns, bool, Extract]]:
        return self._compiled(self._config.extract)[::-1]

    @cached_property
    def _extracting(self) -> list[tuple[PathPatterns, Extract]]:
        """The budgets that say what of their files is the prompt."""
        budgets = self._config.limits().patterns
        return [(p, b.extract) for b, p in budgets if b.extract is not None]

    def _compiled(self, said: Mapping[str, _Said]) -> list[tuple[PathPatterns, bool, _Said]]:
        """Patterns, whether their files or all others are meant (`!`), and what is said of them."""
        root = self._config.root
        return [
            (PathPatterns(root, (key.removeprefix("!"),)), not key.startswith("!"), value)
            for key, value in said.items()
        ]

    @cached_property
    def _excluded_inside(self) -> dict[Path | None, list[PathPatterns]]:
        """What is left out below a named folder, by that folder; None is for no folder."""
        config = self._config
        patterns: dict[Path, tuple[str, ...]] = {}
        for name, said in (("exclude", config.exclude), ("extend_exclude", config.extend_exclude)):
            root = config.anchors.get(name, config.root)
            patterns[root] = patterns.get(root, ()) + said
        return {None: [PathPatterns(root, said) for root, said in patterns.items()]}
