"""`[tool.tokenlint]` becomes one frozen Config: DEFAULT, then the file, then the command line."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from tokenlint import schema
from tokenlint.budgets import Budget
from tokenlint.errors import ConfigError
from tokenlint.files import DEFAULT_EXCLUDE, PathPatterns
from tokenlint.rules import RULES, Context, Rule, SpecialTokens
from tokenlint.rules.special_token import resolve_families
from tokenlint.suppress import matches
from tokenlint.tokens import (
    DEFAULT_TOKENIZER,
    MAX_FILE_SIZE,
    WARN_AT,
    Limit,
    Loader,
    TokenizerTable,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FILE_NAMES = ("tokenlint.toml", ".tokenlint.toml", "pyproject.toml")
"Where a folder's configuration may stand; the first that has one holds."


@dataclass(frozen=True)
class Config:
    """Everything that can be configured. `root` is the folder that its paths start from."""

    DEFAULT: ClassVar[Config]

    root: Path = field(default_factory=Path.cwd)
    path: Path | None = None
    tokenizers: tuple[str, ...] = (DEFAULT_TOKENIZER,)
    tokenizer: Mapping[str, TokenizerTable] = field(default_factory=dict)
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
    budgets: tuple[Budget, ...] = ()
    warn_at: float = WARN_AT
    max_file_size: int = MAX_FILE_SIZE
    newlines: Literal["lf", "as-is"] = "lf"
    count_bom: bool = False
    network: bool = False

    def apply(self, values: Mapping[str, Any]) -> Config:
        """The same with other values; None means "not said" and changes nothing.

        A `select` drops the ignores that were configured before it, as in ruff.
        """
        said = {name: value for name, value in values.items() if value is not None}
        if "select" in said:
            said = {"ignore": (), "extend_select": (), **said}
        return replace(self, **said)

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """The rules that are on, in order of their codes."""
        return tuple(rule for rule in RULES if self._is_on(rule))

    def rules_for(self, path: Path) -> tuple[Rule, ...]:
        """The rules that are on for a file: without those that per-file-ignores takes out."""
        ignored = [
            word for patterns, words in self._ignores if patterns.match(path) for word in words
        ]
        if not ignored:
            return self.rules
        return tuple(r for r in self.rules if not any(matches(w, r.code, r.name) for w in ignored))

    def excludes(self, path: Path) -> bool:
        """Whether the configuration leaves a path out."""
        return self._excluded.match(path)

    def loader(self) -> Loader:
        """A loader for this configuration's tokenizers."""
        return Loader(self.root, self.tokenizer, self.network)

    def context(self, limits: Mapping[str, tuple[Limit, ...]], loader: Loader) -> Context:
        """What the rules are told; `limits` by the path that is shown."""
        return Context(
            special_tokens=self.special_tokens,
            limits_for=lambda path: limits.get(path, ()),
            loader=loader,
            is_known_rule=is_known_rule,
            newlines=self.newlines,
            count_bom=self.count_bom,
        )

    def _is_on(self, rule: Rule) -> bool:
        wanted = max(_weights(self.extend_select, rule), default=-1)
        if self.select is None:
            wanted = max(wanted, 0 if rule.default else -1)
        else:
            wanted = max(wanted, *_weights(self.select, rule), -1)
        return wanted > max(_weights(self.ignore, rule), default=-1)

    @cached_property
    def _ignores(self) -> list[tuple[PathPatterns, tuple[str, ...]]]:
        return [
            (PathPatterns(self.root, (pattern,)), words)
            for pattern, words in self.per_file_ignores.items()
        ]

    @cached_property
    def _excluded(self) -> PathPatterns:
        return PathPatterns(self.root, self.exclude + self.extend_exclude)


Config.DEFAULT = Config()


def _weights(words: Iterable[str], rule: Rule) -> list[int]:
    """How closely each word that means a rule names it: the closer one holds."""
    found = [word for word in words if matches(word, rule.code, rule.name)]
    return [0 if word == "ALL" else min(len(word), len(rule.code)) for word in found]


def is_known_rule(word: str) -> bool:
    """Whether a word means at least one rule."""
    return any(matches(word, rule.code, rule.name) for rule in RULES)


def rule_words(key: str, value: object) -> tuple[str, ...]:
    """A list of codes, names and prefixes of codes, each of which must mean something."""
    words = schema.strings(key, value)
    for word in words:
        if not is_known_rule(word):
            known = ", ".join(f"{rule.code} {rule.name}" for rule in RULES)
            schema.fail(key, f"unknown rule {word!r}; the rules are {known}")
    return words


def _special_tokens(key: str, value: object) -> SpecialTokens:
    said = _SPECIAL_TOKENS(key, value)
    if (families := said.get("families")) is not None:
        try:
            resolve_families(families)
        except ConfigError as error:
            schema.fail(f"{key}.families", str(error))
    return SpecialTokens(**said)


_SPECIAL_TOKENS = schema.table(
    {
        "level": schema.choice("high", "medium", "low"),
        "families": schema.some_strings,
        "extra": schema.strings,
    }
)


def _tokenizer(key: str, value: object) -> TokenizerTable:
    if not isinstance(value, dict):
        schema.fail(key, 'expected a table with a source; a list of names is "tokenizers"')
    said = _TOKENIZER(key, value)
    if "source" not in said:
        schema.fail(key, "has no source: name an encoding, a file or a hub repository")
    return TokenizerTable(**said)


_TOKENIZER = schema.table(
    {
        "source": schema.string,
        "sha256": schema.string,
        "pattern": schema.string,
        "special-tokens": schema.mapping_of(schema.whole),
    }
)


def _tokenizers(key: str, value: object) -> dict[str, TokenizerTable]:
    if isinstance(value, str):
        schema.fail(key, f'expected tables; to choose a tokenizer write tokenizers = ["{value}"]')
    tables: dict[str, TokenizerTable] = schema.mapping_of(_tokenizer)(key, value)
    return tables


def _budget(key: str, value: object) -> Budget:
    said = _BUDGET(key, value)
    if "files" not in said:
        schema.fail(key, 'has no files: name them, for example files = ["prompts/**/*.md"]')
    if not any(name.startswith("max_") for name in said):
        schema.fail(key, "has no limit: give max-tokens, max-total or another max- key")
    return Budget(**said)


_BUDGET = schema.table(
    {
        "files": schema.some_strings,
        "max-tokens": schema.whole,
        "max-total": schema.whole,
        "max-bytes": schema.whole,
        "max-characters": schema.whole,
        "max-fertility": schema.positive,
        "tokenizers": schema.some_strings,
        "warn-at": schema.share,
    }
)

_FILE = schema.table(
    {
        "tokenizers": schema.some_strings,
        "tokenizer": _tokenizers,
        "select": rule_words,
        "extend-select": rule_words,
        "ignore": rule_words,
        "per-file-ignores": schema.mapping_of(rule_words),
        "exclude": schema.strings,
        "extend-exclude": schema.strings,
        "force-exclude": schema.boolean,
        "respect-gitignore": schema.boolean,
        "inline-directives": schema.boolean,
        "special-tokens": _special_tokens,
        "budgets": schema.list_of(_budget),
        "warn-at": schema.share,
        "max-file-size": schema.whole,
        "newlines": schema.choice("lf", "as-is"),
        "count-bom": schema.boolean,
    }
)


def read_config(path: Path) -> Config | None:
    """The configuration in a file, or None where a pyproject.toml has none of ours.

    Raises ConfigError, whose text names the file and the key.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from None
    in_pyproject = path.name == "pyproject.toml"
    if in_pyproject and b"tokenlint" not in raw:  # parsing TOML takes longer than a whole check
        return None
    content = _parse(path, raw)
    if in_pyproject:
        content = content.get("tool", {}).get("tokenlint")
        if content is None:
            return None
    try:
        return Config(root=path.parent, path=path).apply(_FILE("", content))
    except ConfigError as error:
        where = "[tool.tokenlint] " if in_pyproject else ""
        raise ConfigError(f"{path}: {where}{error}") from None


def _parse(path: Path, raw: bytes) -> Any:
    import tomllib

    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from None


@dataclass
class Configs:
    """Finds the configuration that governs a path: the nearest one at or above it."""

    working_folder: Path
    explicit: Path | None = None
    isolated: bool = False
    overrides: Mapping[str, Any] = field(default_factory=dict)
    _found: dict[Path, Config] = field(default_factory=dict)

    def for_folder(self, folder: Path) -> Config:
        """The configuration of a folder.

        Raises ConfigError.
        """
        if folder not in self._found:
            self._found[folder] = self._find(folder)
        return self._found[folder]

    def _find(self, folder: Path) -> Config:
        if self.explicit is not None or self.isolated:
            if folder != self.working_folder:
                return self.for_folder(self.working_folder)
            return self._finish(None if self.explicit is None else self._named(self.explicit))
        for name in FILE_NAMES:
            if (folder / name).is_file() and (config := read_config(folder / name)) is not None:
                return self._finish(config)
        if folder.parent == folder:
            return self._finish(None)
        return self.for_folder(folder.parent)

    def _named(self, path: Path) -> Config:
        config = read_config(path)
        if config is None:
            raise ConfigError(f"{path}: has no [tool.tokenlint] table")
        return replace(config, root=self.working_folder)

    def _finish(self, config: Config | None) -> Config:
        return (config or Config(root=self.working_folder)).apply(self.overrides)


def load_config(folder: Path) -> Config:
    """The configuration that governs a folder.

    Raises ConfigError.
    """
    return Configs(folder).for_folder(folder)
