"""`--output-format jsonl`: a finding a line, for programs that read a stream."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tokenlint.reports.json_report import as_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.reports.checked import Checked
    from tokenlint.reports.style import Style


def lines(checked: Checked, _style: Style) -> Iterator[str]:
    """The objects of the JSON report, one on each line; no line where nothing was found."""
    for diagnostic in checked.diagnostics:
        yield json.dumps(as_json(diagnostic))
