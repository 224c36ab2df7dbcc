"""The templates that a template may include: regular files below the folders it was given."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from tokenlint.tokens.document import Unreadable, read_document

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_MAX_SIZE = 10_000_000


def look_up(name: str, folders: Sequence[Path]) -> dict[str, str]:
    """The `source` of a template, or a sentence: it is `missing`, or it is `refused`.

    The process that renders opens no file itself; it asks here.
    """
    if _leaves(name):
        return {"refused": f"the template {name!r} is outside of the folders of the templates"}
    try:
        return _found(name, folders)
    except ValueError:  # a NUL, or half a surrogate pair
        return {"refused": f"the template {name!r} cannot be read: that is no file name"}
    except (OSError, RuntimeError):  # which of them depends on the version of Python
        return {"refused": f"the template {name!r} cannot be read: its links lead nowhere"}


def _found(name: str, folders: Sequence[Path]) -> dict[str, str]:
    for folder in folders:
        file = (folder / name).resolve()
        if not file.is_relative_to(folder.resolve()):
            return {"refused": f"the template {name!r} is a link that leaves {folder}"}
        read = read_document(file, max_size=_MAX_SIZE)
        if not isinstance(read, Unreadable):
            return {"source": read.text}
        if read.reason != "missing":
            return {"refused": f"the template {name!r} cannot be read: {read.detail}"}
    if not folders:
        return {"missing": f"the template {name!r} is not to be had: no folder for it is set"}
    return {"missing": f"there is no template {name!r} in {', '.join(map(str, folders))}"}


def _leaves(name: str) -> bool:
    """Whether a name is absolute or climbs, on Windows or elsewhere."""
    there = PureWindowsPath(name)  # splits at both kinds of slash
    return PurePosixPath(name).is_absolute() or bool(there.anchor) or ".." in there.parts
