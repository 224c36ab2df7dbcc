"""Amounts of money as people read them: short, and never 0 where something is paid."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal

EXACT = Context(prec=60, rounding=ROUND_HALF_UP)
"Adds and multiplies without loss: prices have few digits, and counts fewer than 20."

_SIGNS = {"USD": "$", "EUR": "\u20ac", "GBP": "\u00a3"}
_CENT = Decimal("0.01")


def money(amount: Decimal, currency: str = "USD") -> str:
    """An amount as `$1,234.50`, or with two digits that say something, as `$0.019`."""
    sign = "-" if amount < 0 else ""
    digits = _digits(amount.copy_abs())  # abs() would round to 28 digits
    symbol = _SIGNS.get(currency)
    return f"{sign}{currency} {digits}" if symbol is None else f"{sign}{symbol}{digits}"


def change(amount: Decimal, currency: str = "USD") -> str:
    """A difference, with its sign."""
    return ("+" if amount > 0 else "") + money(amount, currency)


def in_words(amount: Decimal, currency: str = "USD") -> str:
    """An amount for a headline: `1.9 cents` where dollars or euros would begin with zeros."""
    if currency not in ("USD", "EUR") or not Decimal("0.001") <= abs(amount) < Decimal("0.995"):
        return money(amount, currency)
    cents = _significant(amount * 100)
    of_euro = " (EUR)" if currency == "EUR" else ""
    return f"{cents} cent{'' if abs(Decimal(cents)) == 1 else 's'}{of_euro}"


def plain(amount: Decimal) -> str:
    """An amount without exponent and without trailing zeros, for programs: exact."""
    text = f"{amount:f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) or "0"


def rate(amount: Decimal, currency: str = "USD") -> str:
    """The price of a million tokens: exact, with two decimals at least where it has any."""
    exact = plain(amount)
    whole, _, decimals = exact.partition(".")
    shown = f"{int(whole):,}" + (f".{decimals:0<2}" if decimals else "")
    symbol = _SIGNS.get(currency)
    return f"{currency} {shown}" if symbol is None else f"{symbol}{shown}"


def _digits(amount: Decimal) -> str:
    if not amount:
        return "0"
    cents = amount.quantize(_CENT, context=EXACT)
    if cents >= 1:
        return f"{cents:,}"
    short = Decimal(_significant(amount))
    return f"{short:.2f}" if short == short.quantize(_CENT) else f"{short:f}"


def _significant(amount: Decimal) -> str:
    """Two digits that say something, without zeros behind them."""
    return plain(amount.normalize(Context(prec=2, rounding=ROUND_HALF_UP)))
