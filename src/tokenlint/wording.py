"""Numbers as sentences say them."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """A number and what it counts: `1 file`, `2,000 files`."""
    return f"{number:,} {what}" + "s" * (number != 1)


def precise(number: float) -> str:
    """A change in percent: one decimal, or as many as it takes to show that there is something."""
    if not number:
        return "0.0"
    if abs(number) >= 0.05:
        return f"{number:+,.1f}"
    places = next((places for places in range(2, 9) if round(number, places)), 9)
    return f"{number:+.{places}f}"
