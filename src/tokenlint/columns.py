"""A column of texts, whoever made it: a list, or a column of Arrow, pandas, Polars or NumPy.

None of these is imported here. Their columns are told by what they can do.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from tokenlint.errors import TokenlintError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Text: TypeAlias = str | bytes
"A text, or its bytes, which should be UTF-8."


def texts_of(column: Iterable[Any]) -> Iterator[Text | None]:
    """The texts of a column; None stands for a missing one.

    Raises TokenlintError where it is no column, or has something else in it.
    """
    if isinstance(column, str | bytes):
        raise TokenlintError("a batch is a column of texts, and this is one text; put it in a list")
    if isinstance(column, Mapping) or _has_columns(column):
        raise TokenlintError("a batch is one column, and this is a table; name its column of texts")
    for at, value in enumerate(_each(column, "a batch is a column of texts")):
        if isinstance(value, str | bytes):
            yield value
        elif _is_missing(value):
            yield None
        else:
            raise TokenlintError(
                f"row {at} of the batch, counted from 0, is of type {type(value).__name__} and "
                "not text; name a column of texts, or make it one"
            )


def named(
    texts: Iterator[Text | None], names: Iterable[Any] | None
) -> Iterator[tuple[Text | None, Any]]:
    """Texts, and the name of each; one that has none goes by its place, counted from 0.

    Raises TokenlintError where there are more of the ones than of the others, or no column.
    """
    if names is None:
        yield from ((text, at) for at, text in enumerate(texts))
        return
    known, found = list(_each(names, "names are a column as well")), list(texts)
    if len(known) != len(found):
        raise TokenlintError(f"{len(found):,} texts have {len(known):,} names; give each text one")
    yield from zip(found, known, strict=True)


def _has_columns(column: object) -> bool:
    """Whether it is a table; its class is asked first, as a lazy table warns of its answer."""
    return hasattr(type(column), "columns") or hasattr(column, "columns")


def _each(column: Iterable[Any], wanted: str) -> Iterator[Any]:
    """The values of a column. Raises TokenlintError for what is a single value."""
    try:
        return iter(_values(column))
    except TypeError as error:
        said = f"this is one value, of type {type(column).__name__}"
        raise TokenlintError(f"{wanted}, and {said}; put all of them in a list") from error


def _values(column: Iterable[Any]) -> Iterable[Any]:
    """The values of a column as objects of Python; that of pandas may be one of Arrow within."""
    inner = getattr(column, "array", column)
    if hasattr(inner, "__arrow_array__"):
        column = inner.__arrow_array__()
    if not hasattr(column, "to_pylist"):
        return column
    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:  # Arrow does not look into texts that a file says are UTF-8
        return map(_as_python, column)
    return values


def _as_python(scalar: Any) -> Any:
    """The value of Arrow's scalar, or its bytes where they are not UTF-8."""
    try:
        return scalar.as_py()
    except UnicodeDecodeError:
        return scalar.as_buffer().to_pybytes()


def _is_missing(value: Any) -> bool:
    """Whether a value is the null of plain Python, Arrow, NumPy or pandas."""
    if value is None or (isinstance(value, float) and value != value):
        return True
    pandas = sys.modules.get("pandas")  # whoever holds one of its values has imported it
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)
