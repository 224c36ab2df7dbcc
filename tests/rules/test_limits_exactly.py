"""TL301 to TL305: whole findings, with their places, levels, and the figures for a baseline."""

from __future__ import annotations

import pytest

from tokenlint.growth import MaxIncrease
from tokenlint.linter import lint
from tokenlint.rules import Context, Finding, over_budget, over_fertility, over_premium
from tokenlint.rules.base import Measured, Reference, Total
from tokenlint.rules.over_growth import Growth, check_growth
from tokenlint.rules.over_total_budget import check_total
from tokenlint.tokens import Document, Limit, decode
from tokenlint.tokens.extract import Extract

LIMITS = (over_budget.RULE, over_fertility.RULE)
O200K = "o200k_base"
FIVE = "one two three four five"
TEN = f"{FIVE} six seven eight nine ten"


def shown(finding: Finding) -> tuple[str, int, int, str, str, str]:
    """All of a finding but what a baseline keeps of it."""
    assert (finding.fix, finding.firm) == (None, False)
    where = (finding.path, finding.start, finding.end)
    return (*where, f"{finding.code} {finding.name}", finding.level, finding.message)


def found(path: str, text: str, *limits: Limit) -> list[Finding]:
    """What the two rules find in a file that has limits, among files that have none."""
    context = Context(limits_for=lambda asked: limits if asked == path else ())
    assert lint(Document("other.md", TEN), LIMITS, context).findings == ()
    return list(lint(decode(path, text.encode()), LIMITS, context).findings)


def of(quantity: str, maximum: float, how: str = "", **more: bool) -> Limit:
    """A limit of a quantity, counted by a tokenizer where one is needed."""
    tokenizer = O200K if quantity in ("tokens", "fertility") else None
    extract = Extract.parse(how) if how else None
    return Limit(quantity, maximum, "*.x", tokenizer, extract=extract, **more)  # type: ignore[arg-type]


VALUES = '{"a": "one two three", "b": "one two"}'
LINES = "a: |\n  one two\n  three\nb: x\n"


@pytest.mark.parametrize(
    ("path", "text", "limit"),
    [
        ("a.md", FIVE, of("tokens", 6)),
        ("a.md", FIVE, of("bytes", 26)),
        ("a.md", FIVE, of("characters", 26)),
        ("a.md", FIVE, of("fertility", 1)),
        ("a.md", "\u1ec7" * 9, of("characters", 11)),
        ("a.json", VALUES, of("tokens", 4, "a")),
        ("a.json", VALUES, of("tokens", 4, "*", each=True)),
        ("a.json", VALUES, of("characters", 15, "*", each=True)),
    ],
)
def test_within_a_limit(path: str, text: str, limit: Limit) -> None:
    assert found(path, text, limit) == []


@pytest.mark.parametrize(
    ("path", "text", "limit", "place", "level", "message"),
    [
        ("a.md", TEN, of("tokens", 9), (0, 0), "error",
         "10 tokens, 1 over the budget of 9 (o200k_base; *.x)"),
        ("a.md", TEN, of("tokens", 10), (0, 0), "warning",
         "10 tokens, 100 % of the budget of 10 (o200k_base; *.x)"),
        ("a.md", TEN, of("tokens", 11), (0, 0), "warning",
         "10 tokens, 90 % of the budget of 11 (o200k_base; *.x)"),
        ("a.md", "hello", of("tokens", 0.5), (0, 0), "error",
         "1 token, 0 over the budget of 0 (o200k_base; *.x)"),
        ("a.md", "\u1ec7" * 600, of("bytes", 500), (0, 0), "error",
         "1,800 bytes, 1,300 over the budget of 500 (*.x)"),
        ("a.md", "\u1ec7" * 600, of("bytes", 2000), (0, 0), "warning",
         "1,800 bytes, 90 % of the budget of 2,000 (*.x)"),
        ("a.md", "\u1ec7\n" * 600, of("characters", 1199), (0, 0), "error",
         "1,200 characters, 1 over the budget of 1,199 (*.x)"),
        ("a.json", VALUES, of("tokens", 2, "a"), (7, 20), "error",
         "3 tokens in a, 1 over the budget of 2 (o200k_base; *.x)"),
        ("a.json", VALUES, of("tokens", 3, "*"), (7, 20), "error",
         "5 tokens in 2 values, 2 over the budget of 3 (o200k_base; *.x)"),
        ("a.json", VALUES, of("bytes", 19, "*"), (7, 20), "error",
         "20 bytes in 2 values, 1 over the budget of 19 (*.x)"),
        ("a.json", VALUES, of("tokens", 2, "*", each=True), (7, 20), "error",
         "3 tokens in a, 1 over the budget of 2 (o200k_base; *.x)"),
        ("a.json", VALUES, of("characters", 12, "*", each=True), (7, 20), "error",
         "13 characters in a, 1 over the budget of 12 (*.x)"),
        ("a.yaml", LINES, of("characters", 13, "a"), (7, 14), "error",
         "14 characters in a, 1 over the budget of 13 (*.x)"),
        ("a.md", FIVE, of("fertility", 0.5), (0, 0), "error",
         "1.00 tokens per word, over the limit of 0.5 (5 tokens, 5 words; o200k_base; *.x)"),
        ("a.md", "...", of("fertility", 0.5), (0, 0), "warning",
         "no words, so no fertility to hold to 0.5 (*.x)"),
    ],
)  # fmt: skip
def test_at_or_over_a_limit(
    path: str, text: str, limit: Limit, place: tuple[int, int], level: str, message: str
) -> None:
    rule = "TL303 over-fertility" if limit.quantity == "fertility" else "TL301 over-budget"
    (first, *others) = [shown(finding) for finding in found(path, text, limit)]
    assert first == (path, *place, rule, level, message)
    assert [other[5].partition(",")[0] for other in others] == (
        ["2 tokens in b"] if limit.each and limit.quantity == "tokens" else []
    )


@pytest.mark.parametrize(("tokenizer", "tokens"), [("cl100k_base", 6), (O200K, 3), (None, 3)])
def test_each_value_is_counted_with_the_tokenizer_of_the_limit(
    tokenizer: str | None, tokens: int
) -> None:
    limit = Limit("tokens", 1, "*.x", tokenizer, extract=Extract.parse("*"), each=True)
    (finding,) = found("a.json", '{"a": "Ti\u1ebfng Vi\u1ec7t"}', limit)
    assert finding.message.startswith(f"{tokens} tokens in a, {tokens - 1} over the budget of 1 ")


@pytest.mark.parametrize(
    ("path", "text", "limit", "measured"),
    [
        ("a.md", TEN, of("tokens", 9), Measured(10, ("tokens",), O200K, text=TEN)),
        ("a.md", TEN, of("tokens", 10), Measured(10, ("tokens",), O200K, text=TEN)),
        ("a.md", TEN, of("bytes", 9), Measured(len(TEN), ("bytes",), text=TEN)),
        ("a.json", VALUES, of("tokens", 2, "a"),
         Measured(3, ("tokens", "a"), O200K, text="one two three")),
        ("a.json", VALUES, of("tokens", 2, "*"),
         Measured(5, ("tokens", "*"), O200K, text="one two three\none two")),
        ("a.json", VALUES, of("tokens", 2, "*", each=True),
         Measured(3, ("tokens", "each", "*"), O200K, "a", text="one two three")),
        ("a.md", FIVE, of("fertility", 0.5), Measured(1.0, ("fertility",), O200K, text=FIVE)),
        ("a.json", VALUES, of("fertility", 0.5, "a"),
         Measured(1.0, ("fertility", "a"), O200K, text=VALUES)),
    ],
)  # fmt: skip
def test_what_a_baseline_keeps(path: str, text: str, limit: Limit, measured: Measured) -> None:
    assert found(path, text, limit)[0].measured == measured


def premium(text: str, base: str, maximum: float, language: str | None = None) -> list[Finding]:
    """What TL304 finds in a translation of a text, among files that translate nothing."""
    reference = Reference(Document("en.md", base), maximum, O200K, language)
    context = Context(references_for=lambda path: (reference,) if path == "vi.md" else ())
    assert lint(Document("other.md", TEN), [over_premium.RULE], context).findings == ()
    return list(lint(Document("vi.md", text), [over_premium.RULE], context).findings)


PREMIUM = "TL304 over-premium"


@pytest.mark.parametrize(
    ("text", "base", "maximum", "language", "expected"),
    [
        (TEN, FIVE, 2, None, []),
        ("", FIVE, 2, None, []),
        (TEN, FIVE, 1.5, None, [
            ("error", "2.00 times the tokens of en.md, over the premium limit of 1.5 (o200k_base)"),
        ]),
        (TEN, FIVE, 1.999, "English", [
            ("error", "2.00 times the tokens of en.md (English), over the premium limit of 1.999 "
             "(o200k_base)"),
        ]),
        (TEN, "one two three", 3.331, None, [
            ("error", "3.33333 times the tokens of en.md, over the premium limit of 3.331 "
             "(o200k_base)"),
        ]),
        (TEN, "", 1.5, None, [
            ("warning", "en.md has no tokens, so no premium to hold to 1.5 (o200k_base)"),
        ]),
    ],
)  # fmt: skip
def test_premiums(
    text: str, base: str, maximum: float, language: str | None, expected: list[tuple[str, str]]
) -> None:
    findings = premium(text, base, maximum, language)
    assert [shown(one) for one in findings] == [("vi.md", 0, 0, PREMIUM, *row) for row in expected]


def test_what_a_baseline_keeps_of_a_premium() -> None:
    (finding,) = premium(TEN, FIVE, 1.5)
    assert finding.measured == Measured(2.0, ("premium",), O200K, beside="en.md", text=TEN)


GROUP = {"b.md": 700, "d.md": 800, "a.md": 700, "c.md": 100, "e.md": 2}
LARGEST = "(o200k_base; *.md); largest: d.md 800, a.md 700, b.md 700"


@pytest.mark.parametrize(
    ("maximum", "counts", "expected"),
    [
        (3000, GROUP, None),
        (2302, GROUP, (
            "warning",
            f"5 files together are 2,302 tokens, 100 % of the total budget of 2,302 {LARGEST}",
        )),
        (1302, GROUP, (
            "error",
            f"5 files together are 2,302 tokens, 1,000 over the total budget of 1,302 {LARGEST}",
        )),
        (2500, {f"{n:04}.md": 2 for n in range(1234)}, (
            "warning", "1,234 files together are 2,468 tokens, 98 % of the total budget of 2,500 "
            "(o200k_base; *.md); largest: 0000.md 2, 0001.md 2, 0002.md 2",
        )),
    ],
)  # fmt: skip
def test_totals(maximum: int, counts: dict[str, int], expected: tuple[str, str] | None) -> None:
    limit = Limit("tokens", maximum, "*.md", O200K)
    findings = [shown(one) for one in check_total(Total("x.toml", limit, counts))]
    rule = "TL302 over-total-budget"
    assert findings == ([("x.toml", 0, 0, rule, *expected)] if expected else [])


@pytest.mark.parametrize(("how", "about"), [("", ()), ("a.b", ("a.b",))])
def test_what_a_baseline_keeps_of_a_total(how: str, about: tuple[str, ...]) -> None:
    extract = Extract.parse(how) if how else None
    limit = Limit("tokens", 9, "*.md", O200K, extract=extract)
    (finding,) = check_total(Total("x.toml", limit, {"a.md": 7, "b.md": 4}))
    assert finding.measured == Measured(11, ("total", "*.md", *about), O200K)


@pytest.mark.parametrize(
    ("growth", "message"),
    [
        (Growth("a.md", MaxIncrease("2"), O200K, 5, 7), None),
        (Growth("a.md", MaxIncrease("0"), O200K, 0, 1234),
         "1,234 tokens more than the 0 before, over the increase of 0 tokens that is allowed "
         "(o200k_base)"),
        (Growth("x.toml", MaxIncrease("1"), O200K, 0, 2, "*.md", 1),
         "1 file has 2 tokens more than the 0 before, over the increase of 1 token that is allowed "
         "(o200k_base; *.md)"),
        (Growth("x.toml", MaxIncrease("1000"), "", 0, 1001, "all files", 1500),
         "1,500 files together have 1,001 tokens more than the 0 before, over the increase of "
         "1,000 tokens that is allowed (all files)"),
    ],
)  # fmt: skip
def test_growth(growth: Growth, message: str | None) -> None:
    findings = [shown(one) for one in check_growth(growth)]
    what = (growth.path, 0, 0, "TL305 over-growth", "error", message)
    assert findings == ([what] if message else [])
