"""Rules and tokenizers from modules that the configuration names; only here is pluggy imported.

A module marks its functions with `hookimpl` and gives them the name and the arguments of a hook:

- `tokenlint_rules()` returns the module's rules;
- `tokenlint_load_tokenizer(name)` returns the tokenizer of a name, or None where it has none.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pluggy

from tokenlint.errors import ConfigError, TokenizerError, TokenlintError
from tokenlint.frozen import frozen
from tokenlint.rules import RULES, Rule
from tokenlint.tokens import Tokenizer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType

__all__ = ["Plugins", "hookimpl", "load"]

hookimpl = pluggy.HookimplMarker("tokenlint")
"Marks a function of a plugin as a hook."

_hookspec = pluggy.HookspecMarker("tokenlint")
_CODE = re.compile(r"[A-Z]{2,10}[0-9]{3}")
_ABILITIES = [name for name in vars(Tokenizer) if not name.startswith("_")]
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


class _Hooks:
    """What a plugin can bring."""

    @_hookspec
    def tokenlint_rules(self) -> Iterable[Rule]:
        """The rules that the plugin brings."""
        raise NotImplementedError

    @_hookspec(firstresult=True)
    def tokenlint_load_tokenizer(self, name: str) -> Tokenizer | None:
        """The tokenizer of a name; None where the plugin has none of that name."""


@frozen
class Plugins:
    """The plugins of one configuration: their rules, and whom to ask for a tokenizer."""

    rules: tuple[Rule, ...]
    manager: pluggy.PluginManager

    def load_tokenizer(self, name: str) -> Tokenizer | None:
        """The tokenizer that the first plugin to have one gives for a name.

        Raises TokenizerError, also for whatever a plugin raises.
        """
        try:
            loaded: Tokenizer | None = self.manager.hook.tokenlint_load_tokenizer(name=name)
        except TokenlintError as error:
            raise TokenizerError(str(error)) from None
        except (Exception, SystemExit) as error:  # noqa: BLE001  (whatever the plugin raises)
            raise TokenizerError(f"{name}: a plugin failed to load it: {said(error)}") from None
        missing = [one for one in _ABILITIES if loaded is not None and not hasattr(loaded, one)]
        if missing:
            raise TokenizerError(f"{name}: what a plugin gave for it has no {', '.join(missing)}")
        return loaded


@cache
def load(names: tuple[str, ...]) -> Plugins:
    """Import the modules and register them, once in a process.

    Raises ConfigError.
    """
    manager = pluggy.PluginManager("tokenlint")
    manager.add_hookspecs(_Hooks)
    found: list[Rule] = []
    for name in names:
        _register(manager, name, _imported(name))
        for rule in _rules_of(name, manager):
            _require_fitting(name, rule, [*RULES, *found])
            found.append(rule)
    return Plugins(tuple(sorted(found, key=lambda rule: rule.code)), manager)


def said(error: BaseException) -> str:
    """An error in a few words: its kind, and the first line of what it says."""
    first = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {first}" if first else type(error).__name__


def _imported(name: str) -> ModuleType:
    try:
        return import_module(name)
    except (Exception, SystemExit) as error:  # noqa: BLE001  (whatever the module does)
        raise ConfigError(
            f"plugins: {name} cannot be imported ({said(error)}); install it where tokenlint runs, "
            "or correct its name"
        ) from None


def _register(manager: pluggy.PluginManager, name: str, module: ModuleType) -> None:
    try:
        manager.register(module, name)
        manager.check_pending()
    except (ValueError, pluggy.PluginValidationError) as error:
        raise ConfigError(f"plugins: {name} does not fit the hooks: {said(error)}") from None
    if not manager.get_hookcallers(module):
        raise ConfigError(
            f"plugins: {name} has no hook; put @tokenlint.plugins.hookimpl on its tokenlint_rules "
            "or tokenlint_load_tokenizer"
        )


def _rules_of(name: str, manager: pluggy.PluginManager) -> list[Any]:
    hooks = manager.hook.tokenlint_rules.get_hookimpls()
    functions: list[Any] = [hook.function for hook in hooks if hook.plugin_name == name]
    try:
        return [rule for function in functions for rule in function()]
    except (Exception, SystemExit) as error:  # noqa: BLE001  (whatever the plugin raises)
        raise ConfigError(f"plugins: tokenlint_rules of {name} failed: {said(error)}") from None


def _require_fitting(plugin: str, rule: Any, others: Iterable[Rule]) -> None:
    if not isinstance(rule, Rule):
        raise ConfigError(f"plugins: {plugin} brings {rule!r}, which is not a tokenlint.rules.Rule")
    title = f"plugins: {plugin} brings the rule {rule.code} {rule.name}"
    if not _CODE.fullmatch(str(rule.code)) or rule.code.startswith("TL"):
        raise ConfigError(
            f"{title}, but a code is two to ten capital letters, which do not begin with TL, "
            "and three digits, such as MC001"
        )
    if not _NAME.fullmatch(str(rule.name)):
        raise ConfigError(f"{title}, but a name is small letters and hyphens, such as no-secrets")
    for other in others:
        if other.code == rule.code or other.name == rule.name:
            raise ConfigError(f"{title}, but there is {other.code} {other.name}; rename one")
