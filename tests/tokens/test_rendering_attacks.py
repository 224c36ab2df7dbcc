"""Templates that mean harm: each ends at once, with one sentence, and the next one is rendered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tokenlint.errors import RenderError
from tokenlint.tokens.rendering import Renderer

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMIT = 100_000
LARGE = "the template builds more than 100,000 characters"
LATE = "the template takes more than 1 s to render"
DEEP = "the template calls, includes or nests itself too deeply"


def _doubled(step: str, start: str = "'abc'", end: str = "") -> str:
    """A template that does one thing with `ns.x` fifty times."""
    return (
        f"{{% set ns = namespace(x={start}) %}}{{% for _ in range(50) %}}{step}{{% endfor %}}{end}"
    )


def _forever(body: str) -> str:
    loops = "{% for i in range(100000) %}{% for j in range(100000) %}"
    return loops + body + "{% endfor %}{% endfor %}"


def _unsafe(attribute: str, kind: str) -> str:
    access = f"access to attribute '{attribute}' of '{kind}' object is unsafe"
    return f"line 1: the sandbox forbids it: {access}"


NESTED = _doubled("{% set ns.x = [ns.x, ns.x] %}", "[1]")

TOO_MUCH = {
    "{% for i in range(10**9) %}x{% endfor %}": (
        "line 1: the template asks for a range of more than 100,000 numbers"
    ),
    "{{ range(10**30)|list }}": (
        "line 1: the template asks for a range of more than 100,000 numbers"
    ),
    _forever("{% set x = j %}"): LATE,
    _forever("{% set _ = c.next() %}").replace("{%", "{% set c = cycler(1, 2) %}{%", 1): LATE,
    _forever("xx"): LARGE,
    "{{ 'a' * 10**10 }}": f"line 1: {LARGE}",
    "{{ 10**10 * 'a' }}": f"line 1: {LARGE}",
    "{% set x = [1] * 10**10 %}": f"line 1: {LARGE}",
    _doubled("{% set ns.x = ns.x ~ ns.x %}"): f"line 1: {LARGE}",
    _doubled("{% set ns.x = ns.x + ns.x %}"): f"line 1: {LARGE}",
    _doubled("{% set ns.x = ns.x + ns.x %}", "[1]"): f"line 1: {LARGE}",
    _doubled("{% set y %}{{ ns.x }}{{ ns.x }}{% endset %}{% set ns.x = y %}"): f"line 1: {LARGE}",
    _doubled("{% set ns.x = [ns.x]|string %}", "'\\\\'"): f"line 1: {LARGE}",
    _doubled("{% set ns.x = ns.x|tojson %}", "'\\\\'"): f"line 1: {LARGE}",
    NESTED + "{{ ns.x }}": f"line 1: {LARGE}",
    NESTED + "{{ ns.x|string }}": f"line 1: {LARGE}",
    NESTED + "{{ ns.x|tojson }}": f"line 1: {LARGE}",
    NESTED + "{{ ns.x|pprint }}": f"line 1: {LARGE}",
    NESTED + "{{ ns.x ~ '' }}": f"line 1: {LARGE}",
    NESTED + "{{ ns.x|join }}": f"line 1: {LARGE}",
    NESTED + "{{ '%s' % (ns.x,) }}": f"line 1: {LARGE}",
    NESTED + "{{ '{}'.format(ns.x) }}": f"line 1: {LARGE}",
    "{{ 'a'|center(10**9) }}": f"line 1: {LARGE}",
    "{{ 'a'.ljust(10**9) }}": f"line 1: {LARGE}",
    "{{ 'a'.zfill(10**9) }}": f"line 1: {LARGE}",
    "{{ ['a']|map('center', 10**9)|list }}": f"line 1: {LARGE}",
    "{% filter center(10**9) %}a{% endfilter %}": f"line 1: {LARGE}",
    "{{ ('a\n' * 9)|indent(10**5) }}": f"line 2: {LARGE}",
    "{{ 'a\tb'.expandtabs(10**9) }}": f"line 1: {LARGE}",
    "{{ (5).to_bytes(10**10, 'big') }}": f"line 1: {LARGE}",
    "{{ '%1000000000d'|format(1) }}": f"line 1: {LARGE}",
    "{{ '%1000000000d' % 1 }}": f"line 1: {LARGE}",
    "{{ '%.1000000f' % 1 }}": f"line 1: {LARGE}",
    "{{ '%*d' % (10**9, 1) }}": f"line 1: {LARGE}",
    "{{ ('%(a)s' * 1000) % {'a': 'x' * 1000} }}": f"line 1: {LARGE}",
    "{{ ('%(a)s' * 1000)|format(a='x' * 1000) }}": f"line 1: {LARGE}",
    "{{ '{:1000000000}'.format(1) }}": f"line 1: {LARGE}",
    "{{ '{:{w}}'.format(1, w='>99999999999') }}": f"line 1: {LARGE}",
    "{{ ('{0}' * 1000).format('x' * 1000) }}": f"line 1: {LARGE}",
    "{{ ('a' * 1000)|replace('a', 'b' * 1000) }}": f"line 1: {LARGE}",
    "{{ ('a' * 1000).replace('', 'b' * 1000) }}": f"line 1: {LARGE}",
    "{{ ('a' * 1000).translate({97: 'b' * 1000}) }}": f"line 1: {LARGE}",
    "{{ range(1000)|join('x' * 1000) }}": f"line 1: {LARGE}",
    "{{ ([{'a': 'x' * 1000}] * 1000)|join(attribute='a') }}": f"line 1: {LARGE}",
    "{{ ('x' * 1000).join('ab' * 1000) }}": f"line 1: {LARGE}",
    "{{ ('ab ' * 1000)|wordwrap(2, wrapstring='x' * 1000) }}": f"line 1: {LARGE}",
    "{{ ('a.org ' * 1000)|urlize(rel='x' * 1000) }}": f"line 1: {LARGE}",
    "{{ [1]|batch(10**9, 1)|list }}": f"line 1: {LARGE}",
    "{{ [1]|slice(10**9)|list }}": f"line 1: {LARGE}",
    "{{ lipsum(n=10**9) }}": f"line 1: {LARGE}",
    "{{ 99**99**99 }}": "line 1: the template computes a number of more than 3,000 digits",
    _doubled("{% set ns.x = ns.x * ns.x %}", "3"): (
        "line 1: the template computes a number of more than 3,000 digits"
    ),
    "{{ 5|round(10**9, 'ceil') }}": "line 1: the template rounds to more than 1,000 digits",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}": f"line 1: {DEEP}",
    "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}": f"line 1: {DEEP}",
    "{{ " + "(" * 500 + ")" * 500 + " }}": DEEP,
    "{% for i in [1] %}" * 30 + "{% endfor %}" * 30: DEEP,
    "{% if 1 %}" * 200 + "{% endif %}" * 200: DEEP,
}

OUTSIDE = {
    "{{ ''.__class__.__mro__ }}": _unsafe("__class__", "str"),
    "{{ ''['__class__'].x }}": _unsafe("__class__", "str"),
    "{{ ('' | attr('__class__')).x }}": _unsafe("__class__", "str"),
    "{{ (lipsum | attr('__globals__')).x }}": _unsafe("__globals__", "method"),
    "{{ self.__init__.__globals__ }}": _unsafe("__init__", "TemplateReference"),
    "{{ lipsum.__globals__['os'] }}": _unsafe("__globals__", "method"),
    "{{ cycler.__init__.__globals__.os.popen('id') }}": _unsafe("__init__", "type"),
    "{{ namespace.__init__.__globals__ }}": _unsafe("__init__", "type"),
    "{{ dict.__class__.x }}": _unsafe("__class__", "_Dict"),
    "{{ range.__class__.x }}": _unsafe("__class__", "function"),
    "{{ range(1).__class__.x }}": _unsafe("__class__", "range"),
    "{{ '{0.__class__.__mro__}'.format(1) }}": _unsafe("__class__", "int"),
    "{{ '{x.__class__.y}'.format_map({'x': 1}) }}": _unsafe("__class__", "int"),
    "{{ 'a'.format.__self__.x }}": "line 1: 'function object' has no attribute '__self__'",
    "{{ 'a'.format.__globals__.x }}": _unsafe("__globals__", "function"),
    "{{ ([1]|map('attr', '__class__')|first).x }}": _unsafe("__class__", "int"),
    "{{ messages.append(1) }}": _unsafe("append", "list"),
    "{{ messages[0].update(a=1) }}": _unsafe("update", "dict"),
    "{{ messages[0].pop('role') }}": _unsafe("pop", "dict"),
    "{{ config.items() }}": "line 1: the variable 'config' is not defined",
    "{{ request.application() }}": "line 1: the variable 'request' is not defined",
    "{{ print('x') }}": "line 1: the variable 'print' is not defined",
    "{{ open('/etc/passwd') }}": "line 1: the variable 'open' is not defined",
    "{{ ''.join.__call__.x }}": _unsafe("__call__", "builtin_function_or_method"),
    "{% import 'os' as os %}": "line 1: a chat template includes no other one, such as 'os'",
    "{% include '/etc/passwd' %}": (
        "line 1: a chat template includes no other one, such as '/etc/passwd'"
    ),
}


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    made = Renderer(1, max_characters=LIMIT)
    yield made
    made.close()


@pytest.mark.parametrize("template", TOO_MUCH)
def test_what_would_take_for_ever_or_all_memory(renderer: Renderer, template: str) -> None:
    with pytest.raises(RenderError) as caught:
        renderer.prompt(template, {})
    assert str(caught.value) == TOO_MUCH[template]
    assert renderer.prompt("{{ 'still' }} here", {}) == "still here"


@pytest.mark.parametrize("template", OUTSIDE)
def test_what_would_leave_the_sandbox(renderer: Renderer, template: str) -> None:
    with pytest.raises(RenderError) as caught:
        renderer.chat(template, {"messages": [{"role": "user"}]})
    assert str(caught.value) == OUTSIDE[template]
    assert renderer.chat("{{ messages[0].role }}", {"messages": [{"role": "user"}]}) == "user"


LARGEST = (
    "{{ 'a' * 1000 }}",
    "{{ 'a' * 500 ~ 'a' * 500 }}",
    "{{ 'a' * 500 + 'a' * 500 }}",
    "{% set x %}{{ 'a' * 1000 }}{% endset %}{{ x }}",
    "{% for _ in range(100) %}0123456789{% endfor %}",
    "{{ 'a'|center(1000) }}",
    "{{ 'a'.rjust(1000) }}",
    "{{ 'a'.zfill(1000) }}",
    "{{ 'a\tb'.expandtabs(999) }}",
    "{{ 'a'|replace('a', 'b' * 1000) }}",
    "{{ 'aa'.replace('a', 'b' * 999, 1) }}",
    "{{ ['a', 'b']|join('c' * 998) }}",
    "{{ ('c' * 998).join('ab') }}",
    "{{ '{}{}'.format('a' * 500, 'b' * 500) }}",
    "{{ '{:>1000}'.format('a') }}",
    "{{ 'aaaa\n' * 200 }}",
    "{{ 'a'.translate({97: 'b' * 1000}) }}",
)


@pytest.fixture(scope="module")
def sizes() -> Iterator[tuple[Renderer, Renderer]]:
    made = Renderer(30, max_characters=1000), Renderer(30, max_characters=999)
    yield made
    for renderer in made:
        renderer.close()


@pytest.mark.parametrize("template", LARGEST)
def test_the_largest_text_is_made_and_a_larger_one_is_not(
    sizes: tuple[Renderer, Renderer], template: str
) -> None:
    within, below = sizes
    assert len(within.prompt(template, {})) == 1000
    with pytest.raises(RenderError, match="the template builds more than 999 characters"):
        below.prompt(template, {})
