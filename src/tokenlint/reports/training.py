"""What `tokenlint train` found out, as tables and as JSON."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from tokenlint.frozen import frozen
from tokenlint.reports.printable import printable, width
from tokenlint.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tokenlint.tokens.bpe import Merge


@frozen
class Training:
    """What was trained, and on how much text; `path` is None where it was not kept."""

    path: Path | None
    vocabulary: int
    merges: int
    asked: int
    special_tokens: Mapping[str, int]
    files: int
    bytes: int

    @property
    def summary(self) -> str:
        """One sentence for a person."""
        specials = f" with {counted(len(self.special_tokens), 'special token')}"
        return (
            f"Learned {counted(self.merges, 'merge')} from {counted(self.files, 'file')} "
            f"({counted(self.bytes, 'byte')}): a vocabulary of {self.vocabulary:,}"
            + (specials if self.special_tokens else "")
            + (f", written to {printable(str(self.path))}." if self.path else ", not kept.")
        )

    @property
    def shortfall(self) -> str | None:
        """Why the vocabulary is smaller than asked for, if it is."""
        if self.vocabulary == self.asked:
            return None
        return (
            f"the text is too small for a vocabulary of {self.asked:,}: after "
            f"{counted(self.merges, 'merge')} no pair was seen twice, so it has {self.vocabulary:,}"
        )


@frozen
class Row:
    """What a tokenizer needs for the held-out text.

    `merges` is how many of the merges trained here were used, None for a tokenizer of others.
    """

    tokenizer: str
    merges: int | None
    vocabulary: int | None
    tokens: int


@frozen
class Evaluation:
    """The held-out text, and a row for each stage of the training and for each vendor."""

    files: int
    bytes: int
    rows: Sequence[Row]

    def bytes_per_token(self, row: Row) -> float:
        """How many bytes of the text, as its files hold it, a token stands for."""
        return self.bytes / row.tokens

    def ratio(self, row: Row) -> float:
        """Tokens of the row for each token of the tokenizer that was trained, all merges used."""
        trained = [row.tokens for row in self.rows if row.merges is not None]
        return row.tokens / trained[-1]


@frozen
class Report:
    """What was trained, and what was asked about it; None for what was not asked."""

    training: Training
    evaluation: Evaluation | None = None
    merges: tuple[Merge[bytes], ...] | None = None


def as_text(report: Report, *, quiet: bool = False) -> Iterator[str]:
    """The tables that were asked for, and without `quiet` a sentence about the training."""
    if report.evaluation is not None:
        yield from evaluation_table(report.evaluation)
        yield from [""] * (report.merges is not None or not quiet)
    if report.merges is not None:
        yield from merges_table(report.merges)
        yield from [""] * (not quiet)
    if not quiet:
        yield report.training.summary


def evaluation_table(evaluation: Evaluation) -> Iterator[str]:
    """The rows in columns; the last column holds each against the trained tokenizer."""
    header = ("tokenizer", "merges", "vocabulary", "tokens", "bytes per token", "to trained")
    lines: list[tuple[str, ...]] = [header]
    for row in evaluation.rows:
        numbers = ("-" if n is None else f"{n:,}" for n in (row.merges, row.vocabulary, row.tokens))
        per_token = f"{evaluation.bytes_per_token(row):.2f}"
        lines.append(
            (printable(row.tokenizer), *numbers, per_token, f"{evaluation.ratio(row):.2f}")
        )
    yield from _columns(lines, left=1)


def merges_table(merges: Sequence[Merge[bytes]]) -> Iterator[str]:
    """Each merge in the order of learning: how often its pair was seen, and its two pieces."""
    lines = [("merge", "seen", "pair")]
    for rank, merge in enumerate(merges, 1):
        pair = f"{readable(merge.left)} + {readable(merge.right)}"
        lines.append((f"{rank:,}", f"{merge.count:,}", pair))
    yield from _columns(lines, right=2)


def readable(piece: bytes) -> str:
    r"""A piece in quotes: text where its bytes are valid UTF-8, `\xe1\xbb` where they are not."""
    text = piece.replace(b"\\", rb"\\").replace(b'"', rb"\"").decode(errors="backslashreplace")
    text = text.replace("\n", r"\n").replace("\r", r"\r").replace("\t", r"\t")
    shown = "".join(_visible(char) for char in printable(text))
    return f'"{shown}"'


def _visible(char: str) -> str:
    """A mark would sit on its neighbour, and white space other than a space would look like one."""
    hidden = char != " " and (char.isspace() or unicodedata.category(char) in ("Mn", "Me", "Cf"))
    return char.encode("ascii", "backslashreplace").decode() if hidden else char


def as_json(report: Report, *, quiet: bool = False) -> Iterator[str]:  # noqa: ARG001
    """The whole report for other programs; what was not asked for is null."""
    training = report.training
    everything = {
        "training": asdict(training) | {"path": training.path and training.path.as_posix()},
        "evaluation": report.evaluation and _evaluation(report.evaluation),
        "merges": None if report.merges is None else list(map(_merge, report.merges)),
    }
    yield json.dumps(everything, indent=2)


FORMATS: Mapping[str, Callable[..., Iterator[str]]] = {"table": as_text, "json": as_json}


def _evaluation(evaluation: Evaluation) -> dict[str, Any]:
    rows = [
        {
            **asdict(row),
            "bytes_per_token": evaluation.bytes_per_token(row),
            "ratio_to_trained": evaluation.ratio(row),
        }
        for row in evaluation.rows
    ]
    return {"files": evaluation.files, "bytes": evaluation.bytes, "rows": rows}


def _merge(merge: Merge[bytes]) -> dict[str, Any]:
    return {
        "left": readable(merge.left)[1:-1],
        "right": readable(merge.right)[1:-1],
        "left_hex": merge.left.hex(),
        "right_hex": merge.right.hex(),
        "count": merge.count,
    }


def _columns(lines: Sequence[tuple[str, ...]], left: int = 0, right: int = 99) -> Iterator[str]:
    """Lines in columns, numbers to the right; those before `left` and from `right` on are words."""
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = [
            cell + " " * (size - width(cell)) if at < left or at >= right else cell.rjust(size)
            for at, (cell, size) in enumerate(zip(line, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()
