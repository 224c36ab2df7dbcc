"""Which file is the reference of a translation: paths with `{language}` and `{name}` in them."""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from typing import TYPE_CHECKING

from tokenlint.frozen import frozen
from tokenlint.languages import generalized, language_code, language_of
from tokenlint.patterns import nfc

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_MEANING = {"name": ".+", "language": "[^/.]+"}


@frozen
class Template:
    """A path with placeholders. `{name}` may span folders; `{language}` is a part without dots."""

    text: str

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """The placeholders, without their braces."""
        return frozenset(_PLACEHOLDER.findall(self.text))

    @property
    def unknown(self) -> str | None:
        """One sentence where a placeholder means nothing."""
        for name in sorted(self.placeholders - set(_MEANING)):
            return f"unknown placeholder {{{name}}}; the placeholders are {{language}} and {{name}}"
        return None

    def captures(self, path: str) -> dict[str, str] | None:
        """What stands in a path for each placeholder, compared in NFC; None for other paths."""
        match = self._expression.fullmatch(nfc(path))
        return None if match is None else match.groupdict()

    def fill(self, captures: Mapping[str, str]) -> str:
        """The path with something in the place of each placeholder."""
        return _PLACEHOLDER.sub(lambda match: captures[match[1]], self.text)

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        parts, seen = [], set()
        for at, part in enumerate(_PLACEHOLDER.split(nfc(self.text))):
            if at % 2 == 0:
                parts.append(re.escape(part))
            else:
                parts.append(f"(?P={part})" if part in seen else f"(?P<{part}>{_MEANING[part]})")
                seen.add(part)
        return re.compile("".join(parts), re.DOTALL)


@frozen
class Translation:
    """What a path says of a file: its language, and the path of its reference."""

    language: str | None
    reference: str | None


def translation(path: str, reference: Template | None) -> Translation:
    """The language and the reference of a file; both are paths as reports show them.

    In a reference with placeholders, `{name}` is what stands there in the path of the file, where
    the language code of the reference may be another one; in other paths it is the file's name
    without its suffix and its language code.
    """
    if reference is None or not reference.placeholders:
        return Translation(language_of(path), reference.text if reference else None)
    captures = _like(path, reference) or _by_name(path)
    if not reference.placeholders <= captures.keys():
        return Translation(captures.get("language"), None)
    return Translation(captures.get("language"), reference.fill(captures))


def _like(path: str, reference: Template) -> dict[str, str] | None:
    if "language" in reference.placeholders:
        return reference.captures(path)
    captures = Template(generalized(reference.text)).captures(path)
    if captures is None:
        return None
    language = captures.get("language")
    if language is None:
        return captures | _language(path)
    code = language_code(language)
    return None if code is None else captures | {"language": code}


def _by_name(path: str) -> dict[str, str]:
    stem = path.rpartition("/")[2]
    stem = stem.rpartition(".")[0] or stem
    before, dot, last = stem.rpartition(".")
    name = before if dot and language_code(last) else stem
    return {"name": name, **_language(path)}


def _language(path: str) -> dict[str, str]:
    found = language_of(path)
    return {} if found is None else {"language": found}


def on_disk(folder: Path, path: str) -> Path:
    """A path below a folder as the disk spells it: some file systems keep names in NFD."""
    composed, decomposed = folder / path, folder / unicodedata.normalize("NFD", path)
    return decomposed if decomposed.exists() and not composed.exists() else composed
