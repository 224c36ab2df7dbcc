"""A tree of generated files for the other benchmarks: `python benchmarks/tree.py FOLDER [FILES]`.

The words are those of docs/texts, in another order, so the files are in several languages and
scripts, as Markdown, plain text, JSON, YAML and Python. They hold what clean files hold (emoji,
curly quotes, joiners in Persian, HTML, code), and one in a hundred has something that rules report.
The same number gives the same tree.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TEXTS = Path(__file__).parents[1] / "docs" / "texts"
SIZE = 4900  # bytes of text in a file, on average; its format adds some
SPICES = (
    "\u201cquoted\u201d", "\u2013", "\u2026", "\u2764\ufe0f", "\U0001f469\u200d\U0001f4bb",
    "\u00a9 2026", "<b>bold</b>", "`code[0]`", "a|b", "x_of_y", "1 < 2", "(see [1])", "**bold**",
    "[a link](https://x.org/a_b)", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
)  # fmt: skip
FINDINGS = ("<|im_end|>", "Ba\u0323n", "x\u200by", "\ufffd", "\u202eabc")


def paragraph(words: Sequence[str], random: Random, spice: float) -> str:
    """Some sentences on a line, or a few lines."""
    chosen = random.choices(words, k=random.randint(20, 60))
    for at in range(len(chosen)):
        if random.random() < spice:
            chosen[at] = random.choice(SPICES)
    return " ".join(chosen)


def markdown(paragraphs: Sequence[str]) -> str:
    """Headings, lists and paragraphs."""
    heads = ("# ", "", "- ", "", "1. ", "> ")
    return "\n\n".join(heads[at % 6] + text for at, text in enumerate(paragraphs)) + "\n"


def messages(paragraphs: Sequence[str]) -> str:
    """A conversation as JSON, one in four with escapes for what is not ASCII."""
    roles = ("user", "assistant")
    said = [{"role": roles[at % 2], "content": text} for at, text in enumerate(paragraphs)]
    return json.dumps({"messages": said}, indent=1, ensure_ascii=len(said) % 4 == 0)


def settings(paragraphs: Sequence[str]) -> str:
    """YAML with block scalars."""
    return "".join(f"prompt_{at}: |\n  {text}\n" for at, text in enumerate(paragraphs))


def program(paragraphs: Sequence[str]) -> str:
    """Python with texts in it."""
    said = (f"def say_{at}():\n    return {text!r}\n" for at, text in enumerate(paragraphs))
    return "\n".join(said)


FORMATS: tuple[tuple[str, Callable[[Sequence[str]], str]], ...] = (
    (".md", markdown),
    (".md", markdown),
    (".txt", markdown),
    (".json", messages),
    (".yaml", settings),
    (".py", program),
)


def content(vocabularies: Sequence[Sequence[str]], random: Random) -> tuple[str, str]:
    """The suffix and the text of one file."""
    words, size = random.choice(vocabularies), random.expovariate(1 / SIZE)
    paragraphs, length = [], 0
    while length < size:
        paragraphs.append(paragraph(words, random, random.choice((0, 0, 0.02))))
        length += len(paragraphs[-1].encode())
    if random.random() < 0.01:
        paragraphs.append(f"and {random.choice(FINDINGS)} here")
    suffix, form = random.choice(FORMATS)
    return suffix, form(paragraphs)


def grow(folder: Path, files: int) -> int:
    """Write so many files into folders of a hundred; how many bytes that were."""
    random, written = Random(files), 0
    vocabularies = [path.read_text("utf-8").split() for path in sorted(TEXTS.glob("*.txt"))]
    for at in range(files):
        suffix, text = content(vocabularies, random)
        path = folder / f"team_{at // 1000}" / f"part_{at // 100 % 10}" / f"file_{at % 100}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        written += path.write_bytes(text.encode())
    return written


if __name__ == "__main__":
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    print(f"{grow(Path(sys.argv[1]), number):,} bytes in {number:,} files")
