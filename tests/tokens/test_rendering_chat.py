"""Chat templates, rendered as the library that they are written for renders them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from tokenlint.errors import RenderError
from tokenlint.tokens.rendering import Renderer

if TYPE_CHECKING:
    from collections.abc import Iterator

USER = {"role": "user", "content": "Xin ch\u00e0o <|im_end|> \U0001f600"}
CALL = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"function": {"name": "f", "arguments": {"x": "\u00e9", "y": [1, None, True]}}}],
}
TOOL = {"type": "function", "function": {"name": "f", "description": "<b> & 'c'"}}

CONTEXT: dict[str, Any] = {
    "messages": [{"role": "system", "content": "Be brief."}, USER, CALL],
    "tools": [TOOL],
    "documents": None,
    "add_generation_prompt": True,
    "bos_token": "<s>",
    "eos_token": "</s>",
}

CHATML = """
{%- if messages[0]['role'] != 'system' %}
    {{- '<|im_start|>system\\nYou are a careful helper.<|im_end|>\\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if message.role in ('system', 'user') or not message.tool_calls %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- else %}
        {{- '<|im_start|>' + message.role }}
        {%- for call in message.tool_calls %}
            {%- if call.function is defined %}
                {%- set call = call.function %}
            {%- endif %}
            {{- '\\n<tool_call>\\n{"name": "' ~ call.name ~ '", "arguments": ' }}
            {{- call.arguments | tojson }}
            {{- '}\\n</tool_call>' }}
        {%- endfor %}
        {{- '<|im_end|>\\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
{%- endif %}
"""

PARTS = (
    CHATML,
    "  {% if true %}\n  trimmed\n  {% endif %}\n",
    "{{ bos_token }}{% for m in messages %}\n    {{ m['role'] }}\n{% endfor %}{{ eos_token }}\n",
    "{% set ns = namespace(found=false) %}{% for m in messages[::-1] %}{% if m.role == 'user' %}"
    "{% set ns.found = m.content.split(' ')[0] %}{% break %}{% endif %}{% continue %}{% endfor %}"
    "{{ ns.found }}",
    "{% macro spell(x) %}{% if x is mapping %}{{ x|dictsort|list }}{% elif x is string %}'{{ x }}'"
    "{% else %}{{ x }}{% endif %}{% endmacro %}{{ spell(messages[0]) }}{{ spell(tools) }}",
    "{{ nobody }}{{ messages[0].name }}{{ nobody is defined }}{{ (nobody or 'd')|upper }}",
    "{{ messages|selectattr('role', 'equalto', 'user')|map(attribute='content')|join(', ') }}",
    "{% for m in messages %}{% if loop.previtem is defined %}<{{ loop.previtem.role }}{% endif %}"
    "{{ loop.cycle('a', 'b') }}{{ loop.last }}{% endfor %}",
    "{% for key, value in messages[0].items() %}{{ key }}={{ value }};{% endfor %}",
    "{{ messages[0].get('nope', 'x') }}{{ '%s-%d' % ('a', 3) }}{{ '{:>4}'.format(1) }}",
    "{{ 'a' ~ none ~ [1.5, 'b'] ~ {'c': true} }}",
    "{% filter upper %}abc{% endfilter %}{% set body %}x{% endset %}{{ body|indent(4, true) }}",
)


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    made = Renderer(30)
    yield made
    made.close()


@pytest.mark.parametrize("template", PARTS)
def test_the_sandbox_changes_nothing(renderer: Renderer, template: str) -> None:
    judge = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols]
    )
    judge.filters["tojson"] = lambda value: json.dumps(value, ensure_ascii=False)
    expected = judge.from_string(template).render(CONTEXT)
    assert renderer.chat(template, CONTEXT) == expected


def test_a_chat_in_full(renderer: Renderer) -> None:
    context = {"messages": [USER, CALL], "add_generation_prompt": True}
    assert renderer.chat(CHATML, context) == (
        "<|im_start|>system\nYou are a careful helper.<|im_end|>\n"
        "<|im_start|>user\nXin ch\u00e0o <|im_end|> \U0001f600<|im_end|>\n"
        "<|im_start|>assistant\n<tool_call>\n"
        '{"name": "f", "arguments": {"x": "\u00e9", "y": [1, null, true]}}'
        "\n</tool_call><|im_end|>\n"
        "<|im_start|>assistant\n"
    )


JSON: dict[str, dict[str, Any]] = {
    "{{ tools|tojson }}": {},
    "{{ tools|tojson(indent=4) }}": {"indent": 4},
    "{{ tools|tojson(true, '  ') }}": {"ensure_ascii": True, "indent": "  "},
    "{{ tools|tojson(separators=(',', ':')) }}": {"separators": (",", ":")},
    "{{ tools|tojson(sort_keys=true, ensure_ascii=true) }}": (
        {"sort_keys": True, "ensure_ascii": True}
    ),
}


@pytest.mark.parametrize("template", JSON)
def test_tojson_is_that_of_python(renderer: Renderer, template: str) -> None:
    tools = [{"b": "\u1ec5 <'&\">", "a": [1.5, None]}]
    options = {"ensure_ascii": False} | JSON[template]
    assert renderer.chat(template, {"tools": tools}) == json.dumps(tools, **options)


def test_generation_marks_change_no_text(renderer: Renderer) -> None:
    template = (
        "{% for m in messages %}<{% generation %}{{ m.content }}{% endgeneration %}>{% endfor %}"
    )
    assert renderer.chat(template, {"messages": [{"content": "a"}, {"content": "b"}]}) == "<a><b>"


def test_the_time_is_the_one_that_is_set() -> None:
    renderer = Renderer(30, now=datetime(2024, 7, 26, 23, 59, tzinfo=UTC))
    assert renderer.chat("{{ strftime_now('%d %b %Y %H:%M') }}", {}) == "26 Jul 2024 23:59"
    renderer.close()


def test_without_a_set_time_it_is_the_clock(renderer: Renderer) -> None:
    before = datetime.now()
    told = datetime.fromisoformat(renderer.chat("{{ strftime_now('%Y-%m-%dT%H:%M:%S.%f') }}", {}))
    assert before <= told <= datetime.now()


WRONG = {
    "a\n{{ raise_exception('Roles must alternate') }}": (
        "line 2: the template says: Roles must alternate"
    ),
    "{{ raise_exception('and so on...') }}": "line 1: the template says: and so on...",
    "{{ raise_exception('') }}": "line 1: RaisedError",
    "{{ nobody.name }}": "line 1: the variable 'nobody' is not defined",
    "{{ messages[0].tool.name }}": "line 1: the variable 'messages[0].tool' is not defined",
    "{{ messages[0].rol.x }}": (
        "line 1: the variable 'messages[0].rol' is not defined; did you mean 'role'?"
    ),
    "{{ messages[0].content + 1 }}": (
        'line 1: TypeError: can only concatenate str (not "int") to str'
    ),
    "{% generation %}": (
        "line 1: not valid Jinja2: Unexpected end of template. Jinja was looking for the "
        "following tags: 'endgeneration'. The innermost block that needs to be closed is "
        "'generation'"
    ),
    "{% include 'other' %}": "line 1: a chat template includes no other one, such as 'other'",
    "{{ messages.append(1) }}": (
        "line 1: the sandbox forbids it: access to attribute 'append' of 'list' object is unsafe"
    ),
    "{{ strftime_now(1) }}": "line 1: TypeError: strftime() argument 1 must be str, not int",
}


@pytest.mark.parametrize("template", WRONG)
def test_what_is_said_where_it_cannot_be_rendered(renderer: Renderer, template: str) -> None:
    with pytest.raises(RenderError) as caught:
        renderer.chat(template, CONTEXT)
    assert str(caught.value) == WRONG[template]


def test_messages_are_the_same_for_the_next_template(renderer: Renderer) -> None:
    template = "{% set _ = messages[0].update({'content': 'x'}) %}"
    with pytest.raises(RenderError, match="'update' of 'dict' object is unsafe"):
        renderer.chat(template, CONTEXT)
    assert renderer.chat("{{ messages[0].content }}", CONTEXT) == "Be brief."
