"""What is said to a program that hands over something else than a text or token ids."""

from __future__ import annotations


def not_text(found: object) -> TypeError:
    """The error of what is no text; to be raised where a text was expected."""
    hint = "; decode them first" if isinstance(found, bytes | bytearray | memoryview) else ""
    return TypeError(f"expected a text (str), found {type(found).__name__}{hint}")


def not_ids(found: object) -> TypeError:
    """The error of what are no token ids."""
    what = type(found).__name__
    if isinstance(found, list | tuple):
        wrong = (type(id_).__name__ for id_ in found if not hasattr(id_, "__index__"))
        what = f"{next(wrong, 'something else')} in a {what}"
    return TypeError(f"expected token ids (a list of int), found {what}")
