"""What makes a finding the same one from run to run, wherever its line has moved to."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tokenlint.diagnostic import Diagnostic
    from tokenlint.reports.checked import Place

_NUMBER = re.compile(r"\d[\d,.]*")


def fingerprints(diagnostics: Sequence[Diagnostic], place: Place) -> list[str]:
    """A fingerprint for each finding, unique among them.

    It is made from the path, the rule, the line as far as a report quotes it, and the message
    without its numbers, because a count changes with every edit. Of several alike, the first in
    the file is the first.
    """
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for diagnostic in diagnostics:
        about = (place.from_root(diagnostic.path), diagnostic.code, *_content(diagnostic))
        seen[about] += 1
        text = "\0".join((*about, str(seen[about])))
        found.append(hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest())
    return found


def _content(diagnostic: Diagnostic) -> tuple[str, str]:
    return diagnostic.line.strip(), _NUMBER.sub("0", diagnostic.message)
