"""A file that is over its budget, or near it.

Budgets stand in the configuration. Where a vendor limits bytes or characters and not tokens,
those can be limited as well:

    [[tool.tokenlint.budgets]]
    files = ["prompts/system/*.md"]
    max-tokens = 1200
    max-bytes = 16000
    max-characters = 12000
    tokenizers = ["o200k_base"]     # default: the tokenizers of the configuration
    warn-at = 0.9                   # the share of a limit from which a warning is given

The whole file is counted, front matter and inline directives included, as plain text: a control
string costs what its characters cost. A leading byte order mark is not counted, and CRLF counts
as LF. A file at its limit is within it. From `warn-at` on, 90 % by default, the finding is a
warning, which does not make the run fail.

Where only a part of a file is the prompt, `extract` says which: `"body"` leaves front matter out,
a path such as `"prompts.*.system"` selects values in YAML, JSON and TOML, `"jinja"` renders the
file with the values in `variables`, and `"chat"` counts messages with what the model's chat format
adds. `max-tokens` then limits what was selected in a file together, `max-each` each value or
request by itself:

    [[tool.tokenlint.budgets]]
    files = ["prompts/*.yaml"]
    extract = "prompts.*.system"
    max-each = 800

Where two budgets limit the same file, one that names the file outright holds before one that
matches it by a wildcard, and of two alike the smaller holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.rules.base import Context, Finding, Measured, Rule
from tokenlint.tokens import DEFAULT_TOKENIZER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tokenlint.tokens import Document, Limit
    from tokenlint.tokens.prompts import Prompt


def check(document: Document, context: Context) -> Iterator[Finding]:
    """One finding for each limit that the file breaks or nears."""
    for limit in context.limits_for(document.path):
        if limit.quantity != "fertility":
            yield from _judge(document, limit, context)


def _judge(document: Document, limit: Limit, context: Context) -> Iterator[Finding]:
    prompts = context.prompts_of(document, limit)
    if limit.quantity == "tokens" and context.surely_fits(prompts, limit):
        return
    by = _by(limit, prompts, context)
    if limit.each:
        for prompt in prompts:
            value = _measure([prompt], limit, context)
            yield from _found(document, limit, value, [prompt], by)
    else:
        tokens = limit.quantity == "tokens"
        value = (
            context.count(document, limit.tokenizer, limit)
            if tokens
            else _measure(prompts, limit, context)
        )
        yield from _found(document, limit, value, prompts, by)


def _measure(prompts: Sequence[Prompt], limit: Limit, context: Context) -> int | None:
    if limit.quantity == "bytes":
        return sum(prompt.bytes for prompt in prompts)
    if limit.quantity == "characters":
        return sum(len(prompt.text) for prompt in prompts)
    name = limit.tokenizer or DEFAULT_TOKENIZER
    if not context.has(name):
        return None
    return sum(context.prompts.count(prompt, name) for prompt in prompts)


def _found(
    document: Document, limit: Limit, value: int | None, prompts: Sequence[Prompt], by: str
) -> Iterator[Finding]:
    if value is None:
        return
    has = f"{_amount(value, limit)}{_in(prompts)}"
    span, measured = _first_line(document, prompts[0]), _measured(value, limit, prompts)
    if limit.is_over(value):
        over = f"{value - limit.maximum:,.0f} over the budget of {limit.maximum:,.0f}"
        message = f"{has}, {over} {by}"
        yield RULE.finding(document.path, message, span, measured=measured)
    elif limit.is_near(value):
        share = f"{int(100 * value / limit.maximum)} % of the budget of {limit.maximum:,.0f}"
        message = f"{has}, {share} {by}"
        yield RULE.finding(document.path, message, span, level="warning", measured=measured)


def _measured(value: int, limit: Limit, prompts: Sequence[Prompt]) -> Measured:
    about = [limit.quantity, *(["each"] if limit.each else [])]
    if limit.extract is not None:
        about.append(str(limit.extract))
    name = prompts[0].name if limit.each else ""
    text = "\n".join(prompt.text for prompt in prompts)
    return Measured(value, tuple(about), limit.tokenizer, name, text=text)


def _in(prompts: Sequence[Prompt]) -> str:
    """What of the file is meant, where it is not the whole."""
    if len(prompts) > 1:
        what = "requests" if prompts[0].conversation else "values"
        return f" in {len(prompts):,} {what}"
    return f" in {prompts[0].name}" if prompts[0].name else ""


def _first_line(document: Document, prompt: Prompt) -> tuple[int, int]:
    """Where a finding about a value stands: on its first line."""
    end = document.text.find("\n", prompt.start, prompt.end)
    return prompt.start, end if end >= 0 else prompt.end


def _amount(value: float, limit: Limit) -> str:
    unit = limit.quantity if value != 1 else limit.quantity[:-1]
    return f"{value:,.0f} {unit}"


def _by(limit: Limit, prompts: Sequence[Prompt], context: Context) -> str:
    """Who counted, how where that is not by encoding text, and whose limit it is."""
    name = limit.tokenizer
    if name and prompts[0].conversation and context.has(name):
        name = f"{name}, {context.prompts.frame(name).label}"
    return f"({name}; {limit.origin})" if name else f"({limit.origin})"


RULE = Rule(
    code="TL301",
    name="over-budget",
    summary="a file over its budget of tokens, bytes or characters, or near it",
    doc=__doc__,
    check=check,
)
