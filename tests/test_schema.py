"""What each kind of value may be, and the one sentence where it is another."""

from __future__ import annotations

import datetime
import math
from typing import TYPE_CHECKING

import pytest

from tokenlint import schema
from tokenlint.errors import ConfigError

if TYPE_CHECKING:
    from tokenlint.schema import Reader

DATE = datetime.date(2026, 1, 1)

COLOUR = schema.choice("red", "green")
SOME_COLOURS = schema.some_of("red", "green")
NUMBERS = schema.list_of(schema.whole)
BY_NAME = schema.mapping_of(schema.boolean)
TABLE = schema.table({"max-size": schema.whole, "names": schema.strings})


@pytest.mark.parametrize(
    ("read", "value", "expected"),
    [
        (schema.string, "", ""),
        (schema.boolean, False, False),
        (schema.strings, [], ()),
        (schema.strings, ["a", "a"], ("a", "a")),
        (schema.some_strings, ["b", "a", "b"], ("b", "a")),
        (schema.whole, 0, 0),
        (schema.natural, 1, 1),
        (schema.positive, 1, 1.0),
        (schema.positive, 0.5, 0.5),
        (schema.positive, math.inf, math.inf),
        (schema.share, 1, 1.0),
        (schema.share, 0.9, 0.9),
        (COLOUR, "red", "red"),
        (SOME_COLOURS, ["green"], ("green",)),
        (NUMBERS, [1, 2], (1, 2)),
        (BY_NAME, {"a": True}, {"a": True}),
        (TABLE, {}, {}),
        (TABLE, {"max-size": 1, "names": ["x"]}, {"max_size": 1, "names": ("x",)}),
    ],
)
def test_values_that_are_kept(read: Reader, value: object, expected: object) -> None:
    kept = read("key", value)
    assert kept == expected
    assert type(kept) is type(expected)


@pytest.mark.parametrize(
    ("read", "value", "sentence"),
    [
        (schema.string, 1, "expected a string, found a number"),
        (schema.string, True, "expected a string, found true or false"),
        (schema.string, DATE, "expected a string, found a date or time"),
        (schema.boolean, 1, "expected true or false, found a number"),
        (schema.boolean, "true", "expected true or false, found a string"),
        (schema.strings, "a", "expected a list of strings, found a string"),
        (schema.strings, {}, "expected a list of strings, found a table"),
        (schema.strings, ["a", 1], "expected a list of strings, found a number in it"),
        (schema.strings, [["a"]], "expected a list of strings, found a list in it"),
        (schema.some_strings, [], "is an empty list; name at least one"),
        (schema.whole, -1, "expected a whole number that is not negative, found -1"),
        (schema.whole, 1.0, "expected a whole number that is not negative, found 1.0"),
        (schema.whole, "1", "expected a whole number that is not negative, found a string"),
        (schema.whole, True, "expected a whole number that is not negative, found True"),
        (schema.natural, 0, "expected a whole number above 0, found 0"),
        (schema.positive, 0, "expected a number above 0, found 0"),
        (schema.positive, -0.5, "expected a number above 0, found -0.5"),
        (schema.positive, math.nan, "expected a number above 0, found nan"),
        (schema.positive, "2", "expected a number above 0, found a string"),
        (schema.positive, True, "expected a number above 0, found True"),
        (schema.share, 90, "expected a share of at most 1 (0.9 is 90 %), found 90"),
        (COLOUR, "blue", "expected one of red, green, found 'blue'"),
        (COLOUR, ["red"], "expected one of red, green, found ['red']"),
        (SOME_COLOURS, [], "is an empty list; name at least one"),
        (NUMBERS, 1, "expected a list, found a number"),
        (
            NUMBERS,
            {},
            "expected a list, found a table; for a list of tables write [[key]]",
        ),
        (BY_NAME, [], "expected a table, found a list"),
        (TABLE, 3, "expected a table, found a number"),
    ],
)
def test_values_that_are_refused(read: Reader, value: object, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read("key", value)
    assert str(caught.value) == f"key: {sentence}"


@pytest.mark.parametrize(
    ("read", "value", "sentence"),
    [
        (
            NUMBERS,
            [1, "x"],
            "key[1]: expected a whole number that is not negative, found a string",
        ),
        (SOME_COLOURS, ["red", "blue"], "key[1]: expected one of red, green, found 'blue'"),
        (BY_NAME, {"a b": 1}, 'key."a b": expected true or false, found a number'),
        (
            TABLE,
            {"max-size": -1},
            "key.max-size: expected a whole number that is not negative, found -1",
        ),
        (TABLE, {"max_size": 1}, "key.max_size: unknown key; did you mean max-size?"),
        (TABLE, {"mx-size": 1}, "key.mx-size: unknown key; did you mean max-size?"),
        (TABLE, {"": 1}, "key.: unknown key; known keys: max-size, names"),
        (TABLE, {"zzz": 1}, "key.zzz: unknown key; known keys: max-size, names"),
    ],
)
def test_the_place_of_what_is_refused(read: Reader, value: object, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        read("key", value)
    assert str(caught.value) == sentence


def test_the_whole_file_has_no_key() -> None:
    with pytest.raises(ConfigError) as caught:
        TABLE("", 3)
    assert str(caught.value) == "expected a table, found a number"
    with pytest.raises(ConfigError) as caught:
        TABLE("", {"name": []})
    assert str(caught.value) == "name: unknown key; did you mean names?"
