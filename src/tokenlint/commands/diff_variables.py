"""Templates of both states: each is rendered with the variables that its own state has."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from tokenlint.commands import diff_reading
from tokenlint.files import absolute
from tokenlint.frozen import replace
from tokenlint.tokens import Document, Unreadable

if TYPE_CHECKING:
    from pathlib import Path

    from tokenlint.commands.diff_sources import Source
    from tokenlint.commands.session import Scope, Session
    from tokenlint.config import Config
    from tokenlint.git import Blobs
    from tokenlint.rules import Context


class States:
    """What the rules are told of a configuration at work, before and after a change."""

    def __init__(self, source: Source, session: Session, blobs: Blobs) -> None:
        self._source, self._session, self._blobs = source, session, blobs
        self._contexts: dict[tuple[int, bool], Context] = {}

    def context(self, scope: Scope, *, before: bool) -> Context:
        """The context of a state: only where variables are named do the two differ."""
        if not _names_variables(scope.config):
            return scope.context
        key = (id(scope), before)
        if key not in self._contexts:
            read = partial(self._read, scope.config, before)
            self._contexts[key] = replace(scope.context, read=read, counted={})
        return self._contexts[key]

    @property
    def remarks(self) -> list[str]:
        """What was met in templates of either state and is counted otherwise than it looks."""
        return [remark for one in self._contexts.values() for remark in one.prompts.remarks]

    def _read(self, config: Config, before: bool, path: Path) -> Document | Unreadable:
        """A file that the configuration names, as it was; one that was not there as it is."""
        item = self._source.at(absolute(config.root / path), before=before)
        if item is None or config.boundary.refusal(config.root / path) is not None:
            return config.read_inside(path)
        found = diff_reading.read(replace(item, shown=str(path)), self._session, self._blobs)
        if isinstance(found, Document):
            return found
        return Unreadable(str(path), "unreadable", found.detail or found.reason)


def _names_variables(config: Config) -> bool:
    """Whether the configuration does; what the command line names is one file for both states."""
    said = (*config.extract.values(), *(budget.extract for budget in config.budgets))
    return config.extract_as is None and any(how and how.variables for how in said)
