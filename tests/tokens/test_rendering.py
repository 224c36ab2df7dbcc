"""Prompt templates: what comes of them, and the one sentence where nothing does."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any

import jinja2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2.filters import FILTERS

from tokenlint.errors import RenderError
from tokenlint.tokens.rendering import Renderer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VARIABLES: dict[str, Any] = {
    "customer": {"name": "Nguy\u1ec5n", "orders": [{"id": 7, "total": 1.5}], "note": None},
    "tone": "warm",
    "vip": True,
    "since": date(2024, 2, 29),
}


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    made = Renderer(30)
    yield made
    made.close()


RENDERED = {
    "": "",
    "no template at all": "no template at all",
    "one newline at the end goes\n": "one newline at the end goes",
    "only one\n\n": "only one\n",
    "CRLF\r\nand CR\rare LF": "CRLF\nand CR\nare LF",
    "Hello {{ customer.name }}!": "Hello Nguy\u1ec5n!",
    "{{ customer['name'] }}, {{ customer.orders[0].id }}": "Nguy\u1ec5n, 7",
    "{% if vip %}\n  VIP\n{% endif %}\n": "\n  VIP\n",
    "{% for order in customer.orders %}{{ loop.index }}: {{ order.total }}{% endfor %}": "1: 1.5",
    "{{ customer.note }} {{ vip }} {{ since }}": "None True 2024-02-29",
    "{{ nobody|default('you') }}{% if nobody is defined %}!{% endif %}": "you",
    "{{ nobody.name if vip is false }}": "",
    "{# a comment #}{% raw %}{{ kept }}{% endraw %}": "{{ kept }}",
    "{{ '<' }}{{ ['<']|tojson }}": '<["\\u003c"]',
    "{% macro hi(who) %}Hi {{ who }}{% endmacro %}{{ hi('A') }}": "Hi A",
    "{% set ns = namespace(n=0) %}{% for _ in range(3) %}{% set ns.n = ns.n + 2 %}{% endfor "
    "%}{{ ns.n }}": "6",
    "{{ 'a' ~ 1 ~ [2] }}{{ 'b' * 3 }}{{ 2 ** 10 }}{{ 7 % 4 }}{{ '%03d' % 7 }}": "a1[2]bbb10243007",
    "{{ '{:>5}|{x}'.format(1, x='y') }}{{ '{a}'.format_map({'a': 2}) }}": "    1|y2",
    "{{ ', '.join(['a', 'b']) }}{{ 'abc'.replace('b', '-') }}{{ dict(a=1) }}": "a, ba-c{'a': 1}",
    "{% autoescape true %}{{ '<' ~ '&' }}{{ ('<{}'|safe).format('>') }}{% endautoescape %}": (
        "&lt;&amp;<&gt;"
    ),
    "{{ dict.fromkeys(['a'], 1) }}{{ ''.join([]) }}{{ 'x'.upper() }}": "{'a': 1}X",
}


@pytest.mark.parametrize("template", RENDERED)
def test_what_a_template_renders_to(renderer: Renderer, template: str) -> None:
    assert renderer.prompt(template, VARIABLES) == RENDERED[template]


WRONG = {
    "a\nb\n{{ custmer }}": (
        "line 3: the variable 'custmer' is not defined; did you mean 'customer'?"
    ),
    "{{ topic }}": "line 1: the variable 'topic' is not defined; add it to the variables",
    "{{ topic.name }}": "line 1: the variable 'topic' is not defined; add it to the variables",
    "\n{{ customer.phone }}": (
        "line 2: the variable 'customer.phone' is not defined; add it to the variables"
    ),
    "{{ customer.nam }}": (
        "line 1: the variable 'customer.nam' is not defined; did you mean 'name'?"
    ),
    "{{ customer.orders[0].price }}": (
        "line 1: the variable 'customer.orders[0].price' is not defined; add it to the variables"
    ),
    "{% for order in customer.orders %}\n{{ order.price }}{% endfor %}": (
        "line 2: the variable 'customer.orders[0].price' is not defined; add it to the variables"
    ),
    "{{ tone.colour }}": "line 1: 'str object' has no attribute 'colour'",
    "{{ customer.orders[3] }}": "line 1: list object has no element 3",
    "{{ topic }} " + "x" * 9: (
        "line 1: the variable 'topic' is not defined; add it to the variables"
    ),
    "{% if topic %}{% endif %}": (
        "line 1: the variable 'topic' is not defined; add it to the variables"
    ),
    "{% for x in topic %}{% endfor %}": (
        "line 1: the variable 'topic' is not defined; add it to the variables"
    ),
    "{% macro m(a) %}{{ a }}{% endmacro %}\n{{ m() }}": "line 1: parameter 'a' was not provided",
    "{{ 'a'|center(width) }}": (
        "line 1: the variable 'width' is not defined; add it to the variables"
    ),
    "{{ 'a'.center(width) }}": (
        "line 1: the variable 'width' is not defined; add it to the variables"
    ),
    "{% for i in range(n) %}{% endfor %}": (
        "line 1: the variable 'n' is not defined; add it to the variables"
    ),
    "{{ 'a' * n }}": "line 1: the variable 'n' is not defined; add it to the variables",
    "{{ [topic] }}": "line 1: the variable 'topic' is not defined; add it to the variables",
    "{{ [1]|map(attribute='x')|list }}": "line 1: 'int object' has no attribute 'x'",
    "{{ [1]|map(topic)|list }}": (
        "line 1: the variable 'topic' is not defined; add it to the variables"
    ),
    "{{ 'a'|center('b') }}": "line 1: TypeError: 'str' object cannot be interpreted as an integer",
    "{{ 'a'.center('b') }}": "line 1: TypeError: 'str' object cannot be interpreted as an integer",
    "{% macro m(x) %}{{ 'a' + 1 }}{% endmacro %}{{ m(topic) }}": (
        'line 1: TypeError: can only concatenate str (not "int") to str'
    ),
    "{{ []|first }}": "line 1: No first item, sequence was empty",
    "{{ ": "line 1: not valid Jinja2: unexpected 'end of template'",
    "a\n{% if %}": "line 2: not valid Jinja2: Expected an expression, got 'end of statement block'",
    "{% foo %}": "line 1: not valid Jinja2: Encountered unknown tag 'foo'",
    "{{ 1|nope }}": "line 1: not valid Jinja2: No filter named 'nope'",
    "{% break %}": "line 1: not valid Jinja2: Encountered unknown tag 'break'",
    "{{ 1 / 0 }}": "line 1: ZeroDivisionError: division by zero",
    "{{ 'a' + 1 }}": 'line 1: TypeError: can only concatenate str (not "int") to str',
    "{{ tone() }}": "line 1: TypeError: 'str' object is not callable",
    "{{ {'a': 1}|dictsort(false, 'x') }}": ('line 1: You can only sort by either "key" or "value"'),
    "{{ '{}'.format_map(1, 2) }}": (
        "line 1: TypeError: str.format_map() takes 1 positional argument but 2 were given"
    ),
    "{% set tone.y = 1 %}": "line 1: cannot assign attribute on non-namespace object",
    "{{ namespace(_a=1) }}": (
        "line 1: the sandbox forbids it: a namespace takes no attribute that begins with _, "
        "such as '_a'"
    ),
    "{% set n = namespace() %}{% set n._a = 1 %}": (
        "line 1: the sandbox forbids it: a namespace takes no attribute that begins with _, "
        "such as '_a'"
    ),
    "{% include 'x' %}": "line 1: the template 'x' is not to be had: no folder for it is set",
}


@pytest.mark.parametrize("template", WRONG)
def test_what_is_said_where_it_cannot_be_rendered(renderer: Renderer, template: str) -> None:
    with pytest.raises(RenderError) as caught:
        renderer.prompt(template, VARIABLES)
    assert str(caught.value) == WRONG[template]


FILES = {
    "base.jinja": "<{% block body %}base{% endblock %}>\n",
    "parts/head.jinja": "HEAD {{ tone }}",
    "parts/broken.jinja": "one\n{% if %}",
    "parts/wants.jinja": "one\n\n{{ missing }}",
    "parts/loop.jinja": "{% include 'parts/loop.jinja' %}",
    "macros.jinja": "{% macro greet(who) %}Dear {{ who }},{% endmacro %}",
}

INCLUDED = {
    "{% include 'parts/head.jinja' %}!": "HEAD warm!",
    "{% include './parts/head.jinja' %}": "HEAD warm",
    "{% extends 'base.jinja' %}{% block body %}{{ super() }}+{% endblock %}": "<base+>",
    "{% import 'macros.jinja' as m %}{{ m.greet('A') }}": "Dear A,",
    "{% from 'macros.jinja' import greet %}{{ greet('B') }}": "Dear B,",
    "{% include 'none.jinja' ignore missing %}.": ".",
    "{% include ['none.jinja', 'parts/head.jinja'] %}": "HEAD warm",
    "{% include 'second.jinja' %}": "from the second folder",
    "{% for _ in range(3) %}{% include 'parts/head.jinja' %}{% endfor %}": "HEAD warm" * 3,
}

NOT_INCLUDED = {
    "\n{% include 'none.jinja' %}": "line 2: there is no template 'none.jinja' in FIRST, SECOND",
    "{% include ['a', 'b'] %}": "line 1: none of the templates given were found: a, b",
    "{% include 'parts/broken.jinja' %}": (
        "line 2 of parts/broken.jinja: not valid Jinja2: Expected an expression, got 'end of "
        "statement block'"
    ),
    "{% include 'parts/wants.jinja' %}": (
        "line 3 of parts/wants.jinja: the variable 'missing' is not defined; add it to the "
        "variables"
    ),
    "{% include 'parts/loop.jinja' %}": (
        "line 1 of parts/loop.jinja: the template calls, includes or nests itself too deeply"
    ),
    "{% include '/etc/passwd' %}": (
        "line 1: the template '/etc/passwd' is outside of the folders of the templates"
    ),
    "{% include '../secret' %}": (
        "line 1: the template '../secret' is outside of the folders of the templates"
    ),
    "{% include 'parts/../../secret' ignore missing %}": (
        "line 1: the template 'parts/../../secret' is outside of the folders of the templates"
    ),
    r"{% include 'parts\\..\\..\\secret' %}": (
        "line 1: the template 'parts\\\\..\\\\..\\\\secret' is outside of the folders of the "
        "templates"
    ),
    "{% include 'C:/secret' %}": (
        "line 1: the template 'C:/secret' is outside of the folders of the templates"
    ),
    "{% include 'link.jinja' %}": "line 1: the template 'link.jinja' is a link that leaves FIRST",
    "{% include 'out/secret' %}": "line 1: the template 'out/secret' is a link that leaves FIRST",
    "{% include 'parts' %}": (
        "line 1: the template 'parts' cannot be read: a directory where a file was expected"
    ),
    "{% include 'latin' %}": (
        "line 1: the template 'latin' cannot be read: not UTF-8: byte 0xe9 at offset 0 (line "
        "1); convert the file to UTF-8"
    ),
    r"{% include 'a\0b' %}": r"line 1: the template 'a\x00b' cannot be read: that is no file name",
    "{% include 7 %}": "line 1: TypeError: 'int' object is not iterable",
}


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    first, second = tmp_path / "first", tmp_path / "second"
    for name, text in FILES.items():
        (first / name).parent.mkdir(parents=True, exist_ok=True)
        (first / name).write_bytes(text.encode())
    second.mkdir()
    (second / "second.jinja").write_bytes(b"\xef\xbb\xbffrom the second folder\n")
    (second / "link.jinja").write_bytes(b"not reached")
    (first / "latin").write_bytes(b"\xe9")
    (tmp_path / "secret").write_text("secret")
    try:
        (first / "link.jinja").symlink_to(tmp_path / "secret")
        (first / "out").symlink_to(tmp_path, target_is_directory=True)
    except OSError:  # Windows allows links to few
        pytest.skip("no symbolic links here")
    return [first, second]


def test_templates_below_the_folders_are_included(renderer: Renderer, folders: list[Path]) -> None:
    made = {one: renderer.prompt(one, VARIABLES, folders=folders) for one in INCLUDED}
    assert made == INCLUDED


def test_what_is_not_included(renderer: Renderer, folders: list[Path]) -> None:
    said = {}
    for template in NOT_INCLUDED:
        with pytest.raises(RenderError) as caught:
            renderer.prompt(template, VARIABLES, folders=folders)
        first, second = map(str, folders)
        said[template] = str(caught.value).replace(first, "FIRST").replace(second, "SECOND")
    assert said == NOT_INCLUDED


def test_a_link_to_itself_is_not_included(renderer: Renderer, folders: list[Path]) -> None:
    (folders[0] / "circle.jinja").symlink_to(folders[0] / "circle.jinja")
    with pytest.raises(RenderError, match=r"^line 1: the template 'circle.jinja' cannot be read: "):
        renderer.prompt("{% include 'circle.jinja' %}", VARIABLES, folders=folders)


def test_a_changed_file_is_read_again(renderer: Renderer, folders: list[Path]) -> None:
    template = "{% include 'parts/head.jinja' %}"
    before = renderer.prompt(template, VARIABLES, folders=folders)
    (folders[0] / "parts/head.jinja").write_text("changed")
    assert (before, renderer.prompt(template, VARIABLES, folders=folders)) == (
        "HEAD warm",
        "changed",
    )


def _nested(depth: int) -> Any:
    made: Any = "x"
    for _ in range(depth):
        made = [made]
    return made


def _laughs() -> dict[str, Any]:
    made: list[Any] = ["ha"]
    for _ in range(60):
        made = [made] * 9
    return {"lol": made}


CIRCLE: dict[str, Any] = {}
CIRCLE["again"] = CIRCLE

KINDS = "a template is given text, numbers, true, false, null, dates, lists and mappings"

UNFIT: dict[str, tuple[Any, str]] = {
    "set": (
        {"a": {"b": {1}}},
        "the variable 'a.b' is a set; " + KINDS,
    ),
    "bytes": (
        {"a": [b"x"]},
        "the variable 'a[0]' is a bytes; " + KINDS,
    ),
    "key": ({"a": {1: "x"}}, "the variable 'a' has the key 1; put quotes around it"),
    "top key": ({None: "x"}, "the mapping of the variables has the key None; put quotes around it"),
    "deep": ({"a": _nested(101)}, "the variables are nested more than 100 deep"),
    "circle": (CIRCLE, "the variables are nested more than 100 deep"),
    "laughs": (_laughs(), "the variables are larger than 10,000,000 characters"),
    "long": ({"a": "x" * 10_000_001}, "the variables are larger than 10,000,000 characters"),
    "number": ({"a": 10**4000}, "the variable 'a' is a number of more than 3,000 digits"),
    "long name": (
        {"k" * 200: {1}},
        f"the variable '{'k' * 100}...' is a set; " + KINDS,
    ),
}


@pytest.mark.parametrize("name", UNFIT)
def test_variables_that_no_template_is_given(renderer: Renderer, name: str) -> None:
    variables, sentence = UNFIT[name]
    with pytest.raises(RenderError) as caught:
        renderer.prompt("{{ a }}", variables)
    assert str(caught.value) == sentence


def test_dates_and_times_are_their_iso_form(renderer: Renderer) -> None:
    moment = datetime(2024, 2, 29, 12, 30, tzinfo=UTC)
    variables = {"m": moment, "d": moment.date(), "t": time(7, 5), "deep": _nested(97), "n": (1, 2)}
    assert (
        renderer.prompt("{{ m }} {{ d }} {{ t }} {{ n }}", variables)
        == "2024-02-29T12:30:00+00:00 2024-02-29 07:05:00 [1, 2]"
    )


FILTERED = {
    "abs": "-1|abs",
    "attr": "tone|attr('upper')|string|length > 0",
    "batch": "[1, 2, 3]|batch(2, 0)|list",
    "capitalize": "tone|capitalize",
    "center": "tone|center(9)",
    "count": "[1]|count",
    "d": "x|d(1)",
    "default": "x|default('')",
    "dictsort": "{'b': 1, 'a': 2}|dictsort",
    "e": "'<'|e",
    "escape": "'<'|escape",
    "filesizeformat": "5000|filesizeformat",
    "first": "'ab'|first",
    "float": "'1.5'|float",
    "forceescape": "'<'|forceescape",
    "format": "'%s-%d'|format('a', 2)",
    "groupby": "customer.orders|groupby('id')|length",
    "indent": "'a\nb'|indent(2)",
    "int": "'3'|int",
    "items": "{'a': 1}|items|list",
    "join": "[1, 'b']|join('-')",
    "last": "'ab'|last",
    "length": "'ab'|length",
    "list": "'ab'|list",
    "lower": "'AB'|lower",
    "map": "customer.orders|map(attribute='id')|list",
    "max": "[1, 2]|max",
    "min": "[1, 2]|min",
    "pprint": "customer|pprint",
    "random": "[1]|random",
    "reject": "[1, 2]|reject('odd')|list",
    "rejectattr": "customer.orders|rejectattr('id')|list",
    "replace": "'aab'|replace('a', 'c', 1)",
    "reverse": "'ab'|reverse",
    "round": "2.567|round(2)",
    "safe": "'<'|safe",
    "select": "[1, 2]|select('odd')|list",
    "selectattr": (
        "customer.orders|selectattr('id', 'eq', 7)|map(attribute='total')|join('/', "
        "attribute='real')"
    ),
    "slice": "[1, 2, 3]|slice(2)|list",
    "sort": "[2, 1]|sort",
    "string": "1|string",
    "striptags": "'<b>a</b> &amp;'|striptags",
    "sum": "[1, 2]|sum",
    "title": "'a b'|title",
    "tojson": "customer|tojson(2)",
    "trim": "' a '|trim",
    "truncate": "'aaa bbb ccc'|truncate(8)",
    "unique": "[1, 1]|unique|list",
    "upper": "tone|upper",
    "urlencode": "'a b\u1ec5'|urlencode",
    "urlize": "'see https://a.org now'|urlize(20, rel='x')",
    "wordcount": "'a b'|wordcount",
    "wordwrap": "'aa bb'|wordwrap(2)",
    "xmlattr": "{'a': '<'}|xmlattr",
}


@pytest.mark.parametrize("name", FILTERED)
def test_every_filter_says_in_the_sandbox_what_it_says_outside(
    renderer: Renderer, name: str
) -> None:
    template = f"{{{{ {FILTERED[name]} }}}}"
    judge = jinja2.Template(template).render(VARIABLES | {"since": "2024-02-29"})
    assert renderer.prompt(template, VARIABLES) == judge


def test_the_table_of_filters_has_all_of_them() -> None:
    assert FILTERED.keys() == FILTERS.keys()


@settings(max_examples=60)
@given(st.text(st.characters(exclude_characters="{}%")))
def test_text_without_markup_is_itself(renderer: Renderer, text: str) -> None:
    lines = re.sub("\r\n?", "\n", text)
    assert renderer.prompt(text, {}) == lines.removesuffix("\n")


@settings(max_examples=60)
@given(st.text(st.characters(categories=None)))
def test_a_variable_comes_out_as_it_went_in(renderer: Renderer, text: str) -> None:
    assert renderer.prompt("{{ x }}{{ y[0] }}", {"x": text, "y": [text]}) == 2 * text


@pytest.mark.parametrize(
    "template", ["{{ lipsum(2) }}", "{{ range(99999)|random }}", "{{ cycler(1, 2).next() }}"]
)
def test_twice_is_the_same(renderer: Renderer, template: str) -> None:
    assert renderer.prompt(template, {}) == renderer.prompt(template, {})


def test_the_words_of_others_stay_on_one_line_and_harmless(renderer: Renderer) -> None:
    with pytest.raises(RenderError) as caught:
        renderer.prompt("{{ [1]|map(x)|list }}", {"x": "a\n \x1b[31m\u202e\ud800" + "x" * 999})
    assert str(caught.value) == (
        "line 1: No filter named 'a\\n \\x1b[31m\\u202e\\ud800" + "x" * 259 + "..."
    )
