"""TOML is what tomllib says, but for keys that it would take for ever to read."""

from __future__ import annotations

import tomllib

import pytest

from tokenlint.tokens.toml_text import loads

SAMPLES = [
    "",
    'a = "1.2.3"\n[b.c]\nd = 1',
    "a." * 199 + "a = 1",
    f'a = "{"." * 999}"',
    f"a = '''{'x. ' * 150}'''",
    f"# {'-.' * 150}",
    '"a.b"."c" = 1',
]


@pytest.mark.parametrize("text", SAMPLES)
def test_it_is_what_tomllib_reads(text: str) -> None:
    assert loads(text) == tomllib.loads(text)


@pytest.mark.parametrize("part", ["a.", '"".', "'x' . ", "-\t."])
@pytest.mark.parametrize("whole", ["{0}a = 1", "[{0}a]", "[[{0}a]]", "x = {{{0}a = 1}}", "{0}"])
def test_a_key_of_too_many_parts(part: str, whole: str) -> None:
    with pytest.raises(ValueError, match="a key of more than 200 parts is not read"):
        loads(whole.format(part * 200))


@pytest.mark.parametrize("text", ["a = ", "[a", "a = 1\na = 2"])
def test_broken_toml(text: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        loads(text)
