"""Write docs/pictures: what commands print on a terminal, colours included, as SVG.

`python tools/pictures.py` draws them anew, with --check it only says which are out of date. The
text in a picture is text: it can be searched and read aloud, and it is set in the reader's font.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING
from unicodedata import combining, east_asian_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures"

ALL = (slice(None),)
PICTURES: Mapping[str, tuple[str, Sequence[slice]]] = {
    "check.svg": ("tokenlint check examples", (slice(6), slice(23, 32), slice(-6, None))),
    "explain.svg": (
        "tokenlint explain -t cl100k_base -t o200k_base "
        "--text 'Chào bạn, đơn hàng của tôi đâu? <|im_end|>'",  # tokenlint: ignore[TL201]
        ALL,
    ),
    "compare.svg": (
        "tokenlint compare docs/texts --reference docs/texts/en.txt --by language",
        ALL,
    ),
}
"The command of each picture, and which of its lines are shown."

_COLOURS = ("1d1f21", "ff6b6b", "7bd88f", "f5d76e", "6ea8fe", "d39bff", "5fd7d7", "e6e6e6")
_BACK, _FRONT = "16181d", "e6e6e6"
_STYLE = re.compile(r"\x1b\[([\d;]*)m")
_WORDS = re.compile(r"\S+(?: \S+)*")  # SVG folds other white space, so it is left out
_WIDE, _HIGH, _LEFT, _TOP = 8.4, 20, 16, 34
"The size of a character cell, and where the first one stands."


def printed(command: str, parts: Sequence[slice]) -> list[str]:
    """The lines of a command with their colours, and an ellipsis where some are left out."""
    done = subprocess.run(
        [*shlex.split(command), "--color", "always"],
        cwd=ROOT,
        capture_output=True,
        check=False,
        env={**os.environ, "PATH": _path(), "PYTHONIOENCODING": "utf-8"},
    )
    found = done.stdout.decode().rstrip("\n").split("\n")
    first, *others = ([*found[part]] for part in parts)
    return [*first, *(line for other in others for line in ["...", *other])]


def _path() -> str:
    return f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


def runs(line: str) -> Iterator[tuple[str, str, str]]:
    """The stretches of a line that look alike: text, colour, and colour behind it."""
    front, back = _FRONT, ""
    parts = _STYLE.split(line)
    for text, codes in zip(parts[::2], ["", *parts[1::2]], strict=True):
        for code in map(int, filter(None, codes.split(";"))):
            front, back = _styled(code, front, back)
        if text:
            yield text, front, back


def _styled(code: int, front: str, back: str) -> tuple[str, str]:
    kind, colour = divmod(code, 10)
    if code == 0:
        return _FRONT, ""
    if kind in (3, 9):
        return _COLOURS[colour], back
    return (front, _COLOURS[colour]) if kind in (4, 10) else (front, back)


def width(text: str) -> int:
    """The cells that a text takes on a terminal."""
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    return 0 if combining(character) else 1 + (east_asian_width(character) in "WF")


def drawn(title: str, lines: list[str]) -> str:
    """The picture of a terminal that shows these lines below their command."""
    shown = [f"$ {title}", *lines]
    plain = [_STYLE.sub("", line) for line in shown]
    wide = round(max(map(width, plain)) * _WIDE + 2 * _LEFT)
    high = round(len(shown) * _HIGH + _TOP + 12)
    body = "".join(_line(line, _TOP + at * _HIGH) for at, line in enumerate(shown))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" '
        f'role="img">\n<title>{escape(title)}</title>\n'
        f'<rect width="100%" height="100%" rx="8" fill="#{_BACK}"/>\n'
        "<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', "
        f'monospace" font-size="14">\n{body}</g>\n</svg>\n'
    )


def _line(line: str, top: float) -> str:
    made, at = [], 0
    for text, front, back in runs(line):
        made.append(_run(text, front, back, _LEFT + at * _WIDE, top))
        at += width(text)
    return "".join(made)


def _run(text: str, front: str, back: str, left: float, top: float) -> str:
    box = f'<rect x="{left:.1f}" y="{top - 15}" {_long("width", text)} height="{_HIGH}" fill='
    words = (
        f'<text x="{left + width(text[: found.start()]) * _WIDE:.1f}" y="{top}" fill="#{front}" '
        f'{_long("textLength", found[0])} lengthAdjust="spacingAndGlyphs">{escape(found[0])}</text>'
        for found in _WORDS.finditer(text)
    )
    return "".join([f'{box}"#{back}"/>\n' if back else "", *(f"{word}\n" for word in words)])


def _long(name: str, text: str) -> str:
    return f'{name}="{width(text) * _WIDE:.1f}"'


def pictures() -> dict[str, str]:
    """Every picture by its file name."""
    return {
        name: drawn(command, printed(command, parts)) for name, (command, parts) in PICTURES.items()
    }


def main() -> int:
    """Draw the pictures, or check them."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    code = 0
    for name, wanted in pictures().items():
        path = FOLDER / name
        if path.exists() and path.read_text("utf-8") == wanted:
            continue
        if "--check" in sys.argv[1:]:
            print(f"docs/pictures/{name} is out of date; run python tools/pictures.py")
            code = 1
        else:
            path.write_text(wanted, "utf-8")
            print(f"docs/pictures/{name}")
    return code


if __name__ == "__main__":
    raise SystemExit(main())
