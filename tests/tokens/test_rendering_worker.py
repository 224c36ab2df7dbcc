"""The code of the child, called in this process: coverage cannot look into the other one."""

from __future__ import annotations

import io
import os
import signal
import sys
import warnings
from types import SimpleNamespace
from typing import Any

import pytest
from test_rendering import FILTERED, RENDERED, VARIABLES, WRONG
from test_rendering_attacks import LATE, LIMIT, OUTSIDE, TOO_MUCH
from test_rendering_chat import CONTEXT, JSON, PARTS
from test_rendering_chat import WRONG as WRONG_CHAT

from tokenlint.tokens.rendering.jinja_child import limits, worker
from tokenlint.tokens.rendering.jinja_child.lines import from_line, to_line
from tokenlint.tokens.rendering.plain import plain


def _request(kind: str, template: str, variables: Any, characters: int = 10**7) -> dict[str, Any]:
    settings = {"seconds": 30, "characters": characters, "now": "2024-07-26T00:00:00"}
    return {"kind": kind, "template": template, "variables": plain(variables), **settings}


def _none(name: str) -> dict[str, str]:
    return {"missing": f"the template {name!r} is not to be had: no folder for it is set"}


def _answers(kind: str, templates: Any, variables: Any, characters: int = 10**7) -> dict[str, Any]:
    return {
        template: worker.answer(_request(kind, template, variables, characters), _none)
        for template in templates
    }


def test_prompts() -> None:
    expected = {template: {"text": text} for template, text in RENDERED.items()}
    assert _answers("prompt", RENDERED, VARIABLES) == expected


def test_prompts_that_cannot_be_rendered() -> None:
    expected = {template: {"error": sentence} for template, sentence in WRONG.items()}
    assert _answers("prompt", WRONG, VARIABLES) == expected


def test_chats() -> None:
    templates = [*PARTS, *JSON, "{% generation %}x{% endgeneration %}{{ strftime_now('%Y') }}"]
    answers = _answers("chat", templates, CONTEXT)
    assert all("text" in answer for answer in answers.values())
    assert answers[templates[-1]] == {"text": "x2024"}


def test_what_is_drawn_is_drawn_alike() -> None:
    once, twice = (_answers("prompt", ["{{ lipsum() }}{{ [1, 2]|random }}"], {}) for _ in "ab")
    assert once == twice
    assert len(str(once)) > 500


def test_chats_that_cannot_be_rendered() -> None:
    expected = {template: {"error": sentence} for template, sentence in WRONG_CHAT.items()}
    assert _answers("chat", WRONG_CHAT, CONTEXT) == expected


def test_attacks() -> None:
    quick = {template: said for template, said in TOO_MUCH.items() if said != LATE}
    expected = {template: {"error": sentence} for template, sentence in quick.items()}
    assert _answers("prompt", quick, {}, LIMIT) == expected


def test_escapes() -> None:
    expected = {template: {"error": sentence} for template, sentence in OUTSIDE.items()}
    assert _answers("chat", OUTSIDE, {"messages": [{"role": "user"}]}) == expected


def test_filters() -> None:
    templates = [f"{{{{ {expression} }}}}" for expression in FILTERED.values()]
    answers = _answers("prompt", templates, VARIABLES)
    assert [one for one, answer in answers.items() if "text" not in answer] == []


def test_no_memory_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> str:
        raise MemoryError

    monkeypatch.setattr(worker, "_rendered", full)
    answer = worker.answer(_request("prompt", "", {}), _none)
    assert answer == {"error": "the template needs more than 1 GiB of memory", "spent": True}


INCLUDES = {
    "{% include 'a' %}": {"text": "<A>"},
    "{% include 'gone' %}": {"error": "line 1: there is none"},
    "{% include 'gone' ignore missing %}": {"text": ""},
    "{% include 'far' ignore missing %}": {"error": "line 1: too far"},
}


def test_what_is_included_is_asked_for() -> None:
    known = {"a": {"source": "<A>"}, "gone": {"missing": "there is none"}}

    def look_up(name: str) -> dict[str, str]:
        return known.get(name, {"refused": "too far"})

    answers = {one: worker.answer(_request("prompt", one, {}), look_up) for one in INCLUDES}
    assert answers == INCLUDES


def test_requests_and_answers_are_lines() -> None:
    requests = [_request("prompt", "{% include 'a' %}{{ x }}", {"x": "\ud800\n"}), {"source": "A"}]
    answers = io.BytesIO()
    worker.serve(io.BytesIO(b"".join(map(to_line, requests))), answers)
    said = [from_line(line) for line in answers.getvalue().splitlines()]
    assert said == [{"ready": True}, {"include": "a"}, {"text": "A\ud800\n"}]


@pytest.mark.parametrize(
    "text", ["", "\u1ec5 \U0001f600", "\ud83d\ude00", "a\nb\r\u2028\0", "\udfff", "\\ud83d\\ude00"]
)
def test_a_line_keeps_every_text(text: str) -> None:
    line = to_line({"text": text})
    assert line.index(b"\n") == len(line) - 1
    assert from_line(line) == {"text": text}


class Resource:
    """What the module `resource` offers, and what was asked of it."""

    RLIM_INFINITY = -1
    RLIMIT_AS, RLIMIT_CPU, RLIMIT_NOFILE, RLIMIT_FSIZE = range(4)
    RUSAGE_SELF = 0

    def __init__(self, highest: int = -1) -> None:
        self.highest = highest
        self.asked: dict[int, tuple[int, int]] = {}

    def getrlimit(self, _: int) -> tuple[int, int]:
        return self.highest, self.highest

    def setrlimit(self, what: int, limits: tuple[int, int]) -> None:
        self.asked[what] = limits
        if what == self.RLIMIT_FSIZE:
            raise ValueError("not here")

    def getrusage(self, _: int) -> SimpleNamespace:
        return SimpleNamespace(ru_utime=1.25, ru_stime=0.5)


CONFINED = {
    -1: {0: (2**30, 2**30), 2: (0, 0), 3: (0, 0), 1: (13, -1)},
    1000: {0: (1000, 1000), 2: (0, 0), 3: (0, 0), 1: (13, 1000)},
    5: {0: (5, 5), 2: (0, 0), 3: (0, 0), 1: (5, 5)},
}


@pytest.mark.parametrize("highest", CONFINED)
def test_limits_are_lowered_and_never_raised(highest: int) -> None:
    resource = Resource(highest)
    limits.confine(resource)
    limits.allow_seconds(resource, 10)
    assert resource.asked == CONFINED[highest]


def test_where_there_are_no_limits_to_set() -> None:
    limits.confine(None)
    limits.allow_seconds(None, 10)


@pytest.fixture
def _as_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what `main` does to its own process away from this one."""
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(os, "dup2", lambda *_: None)
    monkeypatch.setattr(limits, "confine", lambda _: None)
    monkeypatch.setattr(limits, "allow_seconds", lambda *_: None)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))


@pytest.mark.usefixtures("_as_a_process")
def test_main_serves_until_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = io.BytesIO()
    monkeypatch.setattr(os, "fdopen", lambda *_: answers)
    monkeypatch.setattr(os, "dup", lambda _: 1)
    with warnings.catch_warnings():
        worker.main()
    assert answers.getvalue() == b'{"ready": true}\n'


@pytest.mark.usefixtures("_as_a_process")
def test_main_without_memory_even_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    codes: list[int] = []

    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(worker, "serve", full)
    monkeypatch.setattr(os, "fdopen", lambda *_: None)
    monkeypatch.setattr(os, "dup", lambda _: 1)
    monkeypatch.setattr(os, "_exit", codes.append)
    monkeypatch.setitem(sys.modules, "resource", None)  # as on Windows
    with warnings.catch_warnings():
        worker.main()
    assert codes == [77]
