"""A string method is refused exactly at the limit, and what is said of a template is harmless."""

from __future__ import annotations

import pytest

from tokenlint.errors import RenderError
from tokenlint.tokens.rendering import Renderer
from tokenlint.tokens.rendering.renderer import _printable


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(10, max_characters=1_000)


FITS = [
    "('a' * 200).replace('a', 'abcde')",
    "('ab' * 400).replace('a', '')",
    "('a' * 400).replace('a', 'bcd', 300)",
    "'a'.ljust(1000)",
    "('\\t' * 10).expandtabs(100)",
]
TOO_MUCH = [
    "('a' * 201).replace('a', 'abcde')",
    "('a' * 334).replace('a', 'bcd')",
    "('a' * 400).replace('a', 'bcd', 301)",
    "'a'.rjust(1001)",
    "('\\t' * 11).expandtabs(100)",
]


@pytest.mark.parametrize("call", FITS)
def test_what_just_fits(renderer: Renderer, call: str) -> None:
    assert renderer.prompt(f"{{% set x = {call} %}}{{{{ x|length }}}}", {}).isdecimal()


@pytest.mark.parametrize("call", TOO_MUCH)
def test_what_is_one_too_many(renderer: Renderer, call: str) -> None:
    """The value is never printed, so only the method itself can be what is refused."""
    with pytest.raises(RenderError) as caught:
        renderer.prompt(f"{{% set x = {call} %}}x", {})
    assert str(caught.value) == "line 1: the template builds more than 1,000 characters"


def test_a_sentence_is_one_harmless_line() -> None:
    said = _printable("it says\n'a\x1bb\u202ec\0\u1ea1'")
    assert said == "it says 'a\\x1bb\\u202ec\\x00\u1ea1'"
