"""`@pytest.mark.prompt_files` runs a test once for each prompt file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_tokenbudget.errors import Mistake
from pytest_tokenbudget.fixtures import PromptFile
from pytest_tokenbudget.globs import matching
from pytest_tokenbudget.markers import extract_of, globs
from pytest_tokenbudget.measuring import measure_of
from tokenlint.nearest import did_you_mean
from tokenlint.printable import printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tokenlint.tokens.extract import Extract

KNOWN = ("extract", "variables")
USAGE = 'write @pytest.mark.prompt_files("prompts/**/*.md")'


def parametrize(metafunc: pytest.Metafunc) -> None:
    """One run of the test for each file that its markers match.

    Raises CollectError, with the file and line of the test, where there is none.
    """
    from tokenlint.errors import TokenlintError

    try:
        found = _files(metafunc)
    except (Mistake, TokenlintError) as error:
        path, line, _ = metafunc.definition.location
        raise pytest.Collector.CollectError(
            f"{path}:{(line or 0) + 1}: {printable(str(error))}"
        ) from None
    metafunc.parametrize("prompt_file", found, ids=str)


def _files(metafunc: pytest.Metafunc) -> list[PromptFile]:
    marks = list(metafunc.definition.iter_markers("prompt_files"))
    if "prompt_file" not in metafunc.fixturenames:
        raise Mistake("prompt_files: the test takes no argument prompt_file, so it checks nothing")
    found = {
        path: PromptFile(path, metafunc.config, how)
        for mark in reversed(marks)
        for path, how in _matched(mark, metafunc.config)
    }
    return [found[path] for path in sorted(found)]


def _matched(mark: pytest.Mark, config: pytest.Config) -> Iterator[tuple[Path, Extract | None]]:
    for name in mark.kwargs:
        if name not in KNOWN:
            near = did_you_mean(name, KNOWN) or f"; {USAGE}"
            raise Mistake(f"prompt_files: unknown argument {name}{near}")
    how = extract_of("prompt_files", mark.kwargs.get("extract"), mark.kwargs.get("variables"))
    if not mark.args:
        raise Mistake(f"prompt_files: no glob is given; {USAGE}")
    patterns = [
        pattern for argument in mark.args for pattern in globs("prompt_files: the globs", argument)
    ]
    measure = measure_of(config)
    for pattern in patterns:
        paths = matching(measure.root, pattern, measure.config.excludes)
        if not paths:
            raise Mistake(
                f"{pattern}: no such file for prompt_files, tried {measure.root / pattern}"
            )
        yield from ((path, how) for path in paths)


def widen(metafunc: pytest.Metafunc) -> None:
    """Let `parametrize("tokenizer", [...])` serve the fixtures of the session that count.

    pytest gives what is parametrized the scope of a function unless the mark says otherwise,
    and `count_tokens` could then not ask for it.
    """
    for node in metafunc.definition.listchain():
        for at, mark in enumerate(node.own_markers):
            if mark.name == "parametrize" and _is_about_tokenizer(mark):
                kwargs = {**mark.kwargs, "scope": "session"}
                node.own_markers[at] = pytest.mark.parametrize(*mark.args, **kwargs).mark


def _is_about_tokenizer(mark: pytest.Mark) -> bool:
    names = mark.args[0] if mark.args else mark.kwargs.get("argnames", ())
    names = names.split(",") if isinstance(names, str) else names
    wide = {"scope", "indirect"} & set(mark.kwargs) or len(mark.args) > 2
    return not wide and [name.strip() for name in names] == ["tokenizer"]
