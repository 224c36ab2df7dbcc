"""Findings that were accepted as they are: how they are known again, and how a file keeps them.

A finding is known by its file, its rule, and its content: the text that it is about and what stands
close to it on its lines. So it may move within the file, and the rest of the file may change. What
it says is no part of that, because the wording changes between versions of tokenlint. A limit is
known by what it measures, and its figure is recorded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from tokenlint.errors import TokenlintError
from tokenlint.patterns import nfc
from tokenlint.tokens import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tokenlint.rules.base import Finding, Measured
    from tokenlint.tokens import Unreadable

VERSION = 1
"What this tokenlint writes, and the highest that it reads."

_NEAR = 40  # characters of a line that count as close: a line can be a whole JSON file
_DIGITS = 32  # hexadecimal ones of a sha256, so that nobody makes another text with the same


@dataclass(frozen=True, order=True)
class Entry:
    """Findings alike in one file and how many there are, or a figure and the most it may be.

    `of` is what the amount is a figure of, empty for findings; `name` which of several in the file.
    """

    path: str
    code: str
    of: str = ""
    name: str = ""
    content: str = ""
    amount: float = 1

    @property
    def key(self) -> tuple[str, ...]:
        """What no other entry of a baseline has in common with this one."""
        return (self.path, self.code, self.of, self.name, "" if self.of else self.content)

    @property
    def likeness(self) -> tuple[str, ...]:
        """What stays the same wherever the content goes; empty where nothing would tell it."""
        return (self.code, self.of, self.content) if self.of or self.content else ()

    def covers(self, other: Entry) -> bool:
        """Whether a figure is within the recorded one."""
        return other.amount <= self.amount


def entry_of(
    finding: Finding,
    document: Document | Unreadable | None,
    path: str,
    relative: Callable[[str], str],
) -> Entry:
    """A finding as a baseline keeps it; `relative` turns a path that is shown into its own."""
    if finding.measured is not None:
        return _figure(finding.measured, finding.code, nfc(path), relative)
    return Entry(nfc(path), finding.code, content=_content(finding, document))


def _figure(measured: Measured, code: str, path: str, relative: Callable[[str], str]) -> Entry:
    about = [*measured.about]
    if measured.tokenizer is not None:
        is_path = Path(measured.tokenizer).is_absolute()  # named on the command line
        about.append(relative(measured.tokenizer) if is_path else measured.tokenizer)
    if measured.beside:
        about.append(nfc(relative(measured.beside)))
    content = _hash(_lines(measured.text)) if measured.text else ""
    return Entry(path, code, "; ".join(about), measured.name, content, measured.value)


def _content(finding: Finding, document: Document | Unreadable | None) -> str:
    """A hash of what a finding is about; nothing for one about the file as a whole."""
    start, end = finding.start, finding.end
    if not isinstance(document, Document) or start == end == 0:
        return ""
    text = document.text
    before = _lines(text[max(0, start - _NEAR) : start]).rpartition("\n")[2].lstrip()
    after = _lines(text[end : end + _NEAR]).partition("\n")[0].rstrip()
    return _hash("\0".join((finding.level, before, _lines(text[start:end]), after)))


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _hash(text: str) -> str:
    from hashlib import sha256  # a run without a baseline needs none

    return sha256(text.encode(errors="surrogatepass")).hexdigest()[:_DIGITS]


def gathered(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Entries in order, those alike as one: findings are added up, of figures the largest holds."""
    found: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        known = found.get(entry.key)
        if known is None or (entry.of and known.amount < entry.amount):
            found[entry.key] = entry
        elif not entry.of:
            found[entry.key] = replace(known, amount=known.amount + entry.amount)
    return tuple(sorted(found.values()))


def written(entries: Iterable[Entry]) -> str:
    """The text of a baseline: an entry a line in a fixed order, so that git can merge it."""
    import json

    lines = [json.dumps(_fields(entry)) for entry in sorted(entries)]
    lines[:-1] = [f"{line}," for line in lines[:-1]]
    return "\n".join([f'{{"version": {VERSION}, "entries": [', *lines, "]}", ""])


def _fields(entry: Entry) -> dict[str, str | float]:
    amount = "most" if entry.of else "count"
    fields = {"path": entry.path, "code": entry.code, "of": entry.of, "name": entry.name}
    said = {name: value for name, value in fields.items() if value}
    return {**said, amount: entry.amount, **({"content": entry.content} if entry.content else {})}


def parse(raw: bytes) -> tuple[Entry, ...]:
    """The entries of a baseline, each well formed and none twice.

    Raises TokenlintError with a sentence that does not name the file.
    """
    content = _parsed(_decoded(raw))
    version = content.get("version") if isinstance(content, dict) else None
    if type(version) is int and version > VERSION:
        raise TokenlintError(
            f"written by a newer tokenlint (version {version} of the format, and this one knows "
            f"up to {VERSION}); update tokenlint"
        )
    if type(version) is not int or not isinstance(content.get("entries"), list):
        raise TokenlintError("not a baseline; name a file that --write-baseline has written")
    entries = [_entry(fields, at) for at, fields in enumerate(content["entries"], 1)]
    _refuse_twins(entries)
    return tuple(entries)


def _decoded(raw: bytes) -> str:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse(f"not UTF-8 (byte 0x{raw[error.start]:02x} at offset {error.start})")
    marker = re.search(r"^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?\r?$", text, re.MULTILINE)
    if marker is not None:
        row = text.count("\n", 0, marker.start()) + 1
        raise TokenlintError(
            f"line {row} marks a conflict of a merge; keep the entries of both sides, or take one "
            "side and write the baseline anew"
        )
    return text


def _parsed(text: str) -> Any:
    import json

    def number(name: str) -> NoReturn:
        raise ValueError(f"{name} is no number of JSON")

    try:
        return json.loads(text, parse_constant=number)
    except RecursionError:
        _refuse("nested too deeply")
    except ValueError as error:
        _refuse(f"not valid JSON: {error}")


def _entry(fields: object, at: int) -> Entry:
    """One entry; `at` is its number, as people count."""
    if not isinstance(fields, dict) or not _fits(fields):
        _refuse(f"entry {at} is damaged")
    amount = fields["most" if "of" in fields else "count"]
    said = {name: fields.get(name, "") for name in ("of", "name", "content")}
    return Entry(nfc(fields["path"]), fields["code"], **said, amount=amount)


def _fits(fields: dict[str, Any]) -> bool:
    """Whether an entry has what it must have, and nothing that is not understood."""
    texts = {"path", "code", "of", "name", "content"} & fields.keys()
    if not all(isinstance(fields[name], str) and fields[name] for name in texts):
        return False
    if not {"path", "code"} <= texts:
        return False
    if "of" not in fields:
        return fields.keys() - texts == {"count"} and "name" not in texts and _is_count(fields)
    return fields.keys() - texts == {"most"} and _is_figure(fields["most"])


def _is_count(fields: dict[str, Any]) -> bool:
    return type(fields["count"]) is int and fields["count"] > 0


def _is_figure(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value < float("inf")  # type: ignore[operator]


def _refuse_twins(entries: Iterable[Entry]) -> None:
    seen: dict[tuple[str, ...], int] = {}
    for at, entry in enumerate(entries, 1):
        if (first := seen.setdefault(entry.key, at)) != at:
            raise TokenlintError(
                f"entries {first} and {at} are about the same ({entry.code} in {entry.path}); "
                "keep one of them, or write the baseline anew"
            )


def _refuse(what: str) -> NoReturn:
    raise TokenlintError(f"{what}; restore the file, or delete it and write it anew")
