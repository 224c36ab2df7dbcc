"""Reports in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.atomic import replace_file
from tokenlint.errors import TokenlintError

if TYPE_CHECKING:
    from tokenlint.answers.base import Report


def write(report: Report) -> None:
    """Put a report where it belongs: whole or not at all, or behind what the file holds already.

    Raises TokenlintError.
    """
    text = report.raw
    if text is None:
        text = "".join(f"{line}\n" for line in report.lines)
    raw, file = text.encode(errors="backslashreplace"), report.file or Path()
    try:
        if report.append or (file.exists() and not file.is_file()):  # such as /dev/stdout
            with file.open("ab") as stream:
                stream.write(raw)
        else:
            replace_file(file, raw)
    except OSError as error:
        why = error.strerror or error
        raise TokenlintError(f"{file}: the report cannot be written: {why}") from None
