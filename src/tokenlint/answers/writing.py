"""Reports in files."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.atomic import make_folder_for, replace_file
from tokenlint.errors import TokenlintError
from tokenlint.streams import stream_of

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
        if (stream := stream_of(file)) is not None:
            _write_to_stream(stream, raw)
        elif report.append or (file.exists() and not file.is_file()):  # such as a pipe
            with file.open("ab") as target:
                target.write(raw)
        else:
            make_folder_for(file)
            replace_file(file, raw, lasting=False)  # it can be made again
    except OSError as error:
        why = error.strerror or error
        raise TokenlintError(f"{file}: the report cannot be written: {why}") from None


def _write_to_stream(number: int, raw: bytes) -> None:
    """Write where the stream stands: to open its name anew would begin its file from the start."""
    with os.fdopen(os.dup(number), "wb") as target:
        target.write(raw)
