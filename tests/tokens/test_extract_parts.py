"""The prompts of a file: the whole, its body, its front matter, a rendered template, messages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from extracting import assert_placed, no_file, parts, refusal, texts
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.errors import ChatError, ExtractError, RenderError
from tokenlint.tokens.document import Document, Unreadable, decode
from tokenlint.tokens.extract import ALL, Extract, Extractor, Part, messages
from tokenlint.tokens.rendering import Renderer

# --- the whole file


@pytest.mark.parametrize("text", ["", "a prompt\r\n", "---\na: b\n---\nbody", "{{ name }}"])
def test_the_whole_file_is_one_literal_part(text: str) -> None:
    document = Document("p.anything", text)
    (part,) = Extractor(no_file, Renderer()).parts(document)
    assert part == Part(text, 0, len(text))
    assert part.is_literal
    assert part.span(1, 3) == (1, 3)
    assert Extractor(no_file, Renderer()).parts(document, ALL) == (part,)


# --- the body

CLEAN = [
    "",
    "no front matter\n",
    "---",
    "---\n",
    "--- \nnot closed\n",
    "---\na: b\n",
    "---\na: b\n----\nbody",
    "---\na: b\n --- \nbody",
    "--- # so\na: b\n---\nbody",
    "----\na: b\n---\nbody",
    "\n---\na: b\n---\nbody",
    " ---\na: b\n---\nbody",
    "+++\na = 1\n---\nbody",
    "# Title\n\n---\n\nText\n\n---\n",
]


@pytest.mark.parametrize("text", CLEAN)
def test_without_front_matter_the_whole_file_is_the_body(text: str) -> None:
    assert parts("p.md", text, "body") == (Part(text, 0, len(text)),)


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\na: b\n---\nbody\n", "body\n"),
        ("---\n---\nbody", "body"),
        ("---\na: b\n---", ""),
        ("---\na: b\n---\n\n body", "\n body"),
        ("--- \t\na: b\n---  \nbody", "body"),
        ("---\r\na: b\r\n---\r\nbody\r\n", "body\r\n"),
        ("---\ra: b\r---\rbody", "body"),
        ("---\n: not YAML [\n---\nbody", "body"),
        ("---\na: b\n---\nc: d\n---\ne", "c: d\n---\ne"),
        ("+++\na = 1\n---\n+++\nbody", "body"),
    ],
)
def test_the_body_is_what_follows_the_front_matter(text: str, body: str) -> None:
    (part,) = parts("p.any", text, "body")
    assert part == Part(body, len(text) - len(body), len(text))
    assert part.is_literal


def test_a_byte_order_mark_stands_before_the_front_matter() -> None:
    document = decode("p.md", b"\xef\xbb\xbf---\na: b\n---\nbody")
    assert isinstance(document, Document)
    (part,) = Extractor(no_file, Renderer()).parts(document, Extract.parse("body"))
    assert part.text == "body"


@given(st.text(st.sampled_from("ab-+ \n")), st.sampled_from(["---", "+++"]))
def test_front_matter_and_body_are_the_file(body: str, fence: str) -> None:
    front = f"{fence}\nx: y\n{fence}\n"
    assert parts("p.md", front + body, "body")[0].text == body


# --- values in front matter

FRONT = "---\r\nname: x\r\ndescription: >-\r\n  Use when\r\n  asked.\r\n---\r\nBody: [\r\n"


@pytest.mark.parametrize("suffix", ["md", "mdx", "txt", "MD"])
def test_a_path_is_read_in_front_matter(suffix: str) -> None:
    (part,) = parts(f"p.{suffix}", FRONT, "description")
    assert (part.name, part.text) == ("description", "Use when asked.")
    assert [FRONT[slice(*part.span(*pair))] for pair in ((0, 3), (4, 8), (8, 9), (9, 15))] == [
        "Use",
        "when",
        "\r\n  ",
        "asked.",
    ]


def test_front_matter_may_be_toml() -> None:
    text = '+++\nname = "x"\ndescription = "a\\tb"\n+++\nbody'
    (part,) = parts("p.md", text, "description")
    assert part.text == "a\tb"
    assert text[slice(*part.span(1, 2))] == "\\t"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\na: b\n", "there is no front matter to read a path in: it stands at the very top, "
         "between two lines --- (YAML) or +++ (TOML)"),
        ("---\nb: x\na: [\n---\n", None),
        ("---\nb: x\nb: y\n---\n", "line 3: the key 'b' stands here a second time (first on line "
         "2); remove or rename one"),
        ("---\nb: 1\n---\n", "line 2: 'a' selects nothing: the file has no key 'a', but 'b'"),
        ("---\n---\n", "line 2: 'a' selects nothing: the file is null and holds no other values"),
        ("+++\nb = 1\na = \n+++\n", "line 3: invalid TOML at column 5: Invalid value"),
        ("+++\nb = 1\na = 12\n+++\n", "line 3: a is a number (12), and a prompt is text; put it in "
         "quotes if it is meant as text"),
    ],
)  # fmt: skip
def test_front_matter_that_has_no_such_text(text: str, expected: str | None) -> None:
    said = refusal("p.md", text, "a")
    assert said == expected if expected else said.startswith("line 4: invalid YAML: ")


# --- templates

RENDERER = Renderer()

FILES = {
    "values.yaml": "name: An\nday: 2024-02-29\ntime: 2024-02-29T10:00:00Z\n"
    "items: [1, 2.5, yes, ~]\ndeep: {a: {b: x}}\n",
    "values.json": '{"name": "\\ud83d\\ude00"}',
    "values.toml": 'name = "T"\nday = 2024-02-29\n',
    "list.yaml": "- a\n",
    "twice.yaml": "a: 1\na: 2\n",
    "tagged.yaml": "a: 1\nb: !vault x\n",
    "tagged mapping.yaml": "a: 1\nb: !vault {c: x}\n",
    "tagged list.yaml": "a: 1\nb: !vault [x]\n",
    "deep.json": '{"a": ' + "[" * 300 + "]" * 300 + "}",
    "digits.json": f'{{\n"a": {"9" * 5000}}}',
    "bool.yaml": "a: 1\nb: !!bool perhaps\n",
    "object.yaml": "a: !!python/object/apply:os.system ['true']\n",
    "laughs.yaml": "a0: &a0 [x]\n" + "".join(
        f"a{n}: &a{n} [{f'*a{n - 1}, ' * 10}]\n" for n in range(1, 9)
    ),
    "long.yaml": f"t: &t {'x' * 100_000}\nu: [{'*t, ' * 200}]\n",
    "notes.txt": "a: 1",
    "no.yaml": "a: [",
}  # fmt: skip


def read(path: Path) -> Document | Unreadable:
    if path.name not in FILES:
        return Unreadable(path.as_posix(), "missing", "no such file or directory")
    return Document(path.as_posix(), FILES[path.name])


def rendered(template: str, variables: str | None, *folders: Path) -> Part:
    extractor = Extractor(read, RENDERER, folders)
    how = Extract.parse("jinja", Path(variables) if variables else None)
    (part,) = extractor.parts(Document("p.jinja", template), how)
    return part


@pytest.mark.parametrize(
    ("template", "variables", "expected"),
    [
        ("no template", None, "no template"),
        ("{# nothing #}", None, ""),
        ("Hi {{ name }}!", "values.yaml", "Hi An!"),
        ("{{ items | join(';') }}", "values.yaml", "1;2.5;True;None"),
        ("{{ day }} {{ time }}", "values.yaml", "2024-02-29 2024-02-29T10:00:00Z"),
        ("{{ deep.a.b }}", "values.yaml", "x"),
        ("{{ name }}", "values.json", "\U0001f600"),
        ("{{ name }} {{ day }}", "values.toml", "T 2024-02-29"),
    ],
)  # fmt: skip
def test_a_template_is_rendered_with_its_variables(
    template: str, variables: str | None, expected: str
) -> None:
    part = rendered(template, variables)
    assert part.text == expected
    assert part.is_literal == (template == expected)
    everything = (0, len(template))
    assert (part.start, part.end) == everything
    if expected and not part.is_literal:
        assert part.span(0, 1) == everything
        assert part.span(0, len(expected)) == everything


def test_templates_include_what_stands_in_the_folders(tmp_path: Path) -> None:
    (tmp_path / "tone.jinja").write_text("warm {{ name }}")
    assert rendered("{% include 'tone.jinja' %}", "values.yaml", tmp_path).text == "warm An"


def test_an_undefined_variable_is_an_error_that_names_it() -> None:
    with pytest.raises(RenderError, match="nmae"):
        rendered("Hi {{ nmae }}!", "values.yaml")


ONLY = "cannot be used here"
UNREAD = "the file of variables cannot be read"
TWICE = "stands here a second time (first on line 1); remove or rename one"
PYTHON = "tag:yaml.org,2002:python/object/apply:os.system"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("absent.yaml", f"{UNREAD}: v/absent.yaml: no such file or directory"),
        ("notes.txt", "variables are read from .json, .yaml, .yml, .toml files"),
        ("list.yaml", "variables need a mapping at the top: their names and their values"),
        ("twice.yaml", f"line 2: the key 'a' {TWICE}"),
        ("tagged.yaml", f"line 2: a value with the YAML tag '!vault' {ONLY}"),
        ("tagged mapping.yaml", f"line 2: a value with the YAML tag '!vault' {ONLY}"),
        ("tagged list.yaml", f"line 2: a value with the YAML tag '!vault' {ONLY}"),
        ("object.yaml", f"line 1: a value with the YAML tag '{PYTHON}' {ONLY}"),
        ("deep.json", f"line 1: values that are nested more than 200 deep {ONLY}"),
        ("digits.json", f"line 2: '{'9' * 60}...', which is no number that can be read, {ONLY}"),
        ("bool.yaml", f"line 2: 'perhaps', which is no boolean that can be read, {ONLY}"),
        ("laughs.yaml", f"line 1: aliases that make more than 250,000 values {ONLY}"),
        ("long.yaml", f"line 1: aliases that make more than 10,000,000 characters {ONLY}"),
    ],
)  # fmt: skip
def test_a_file_of_variables_is_named_with_its_mistake(name: str, expected: str) -> None:
    with pytest.raises(ExtractError) as caught:
        rendered("{{ a }}", f"v/{name}")
    named = "" if expected.startswith(UNREAD) else f"in the file of variables v/{name}: "
    assert str(caught.value) == named + expected


# --- messages

PLAIN = {"type": "text", "text": "Xin chao"}
MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": 'Xin ch\u00e0o\n"b\u1ea1n"'},
    {"role": "assistant", "content": "", "tool_calls": [{"id": "a"}]},
    {"role": "user", "content": [{"type": "text", "text": text} for text in ("a\u1ec7", "\n")]},
]
NAMES = ["message 1 (system)", "message 2 (user)", "message 3 (assistant)", "message 4 (user)"]
CONTENTS = ["Be kind.", 'Xin ch\u00e0o\n"b\u1ea1n"', "", "a\u1ec7\n"]


def unescaped(source: str, char: str) -> bool:
    return bool(json.loads(f'"{source}"') == char)


def test_each_content_of_a_message_is_a_part() -> None:
    text = json.dumps(MESSAGES)
    found = parts("p.json", text, "chat")
    assert [part.name for part in found] == NAMES
    assert [part.text for part in found] == CONTENTS
    assert_placed(text, found[0], unescaped)
    assert_placed(text, found[1], unescaped)
    assert found[2].span(0, 0) == (found[2].start, found[2].start)
    places = [text[slice(*found[3].span(at, at + 1))] for at in range(3)]
    assert places == ["a", "\\u1ec7", "\\n"]


def test_messages_may_stand_in_yaml_and_in_lines() -> None:
    text = yaml.dump({"messages": MESSAGES[:2]}, default_style="|", allow_unicode=True)
    assert [part.text for part in parts("p.yaml", text, "chat")] == CONTENTS[:2]
    lines = "\n".join(json.dumps({"messages": MESSAGES[at : at + 1]}) for at in (0, 1))
    assert texts("p.jsonl", lines, "chat") == {
        "message 1 (system) of 1": CONTENTS[0],
        "message 1 (user) of 2": CONTENTS[1],
    }


def test_a_content_that_aliases_share_has_its_place_each_time() -> None:
    text = '- {role: user, content: &c "a\\u1ec7"}\n- {role: assistant, content: *c}\n'
    found = parts("p.yaml", text, "chat")
    assert [text[slice(*part.span(1, 2))] for part in found] == ["\\u1ec7", "\\u1ec7"]


def test_parts_of_a_content_have_their_places_each() -> None:
    text = json.dumps([{"role": "user", "content": MESSAGES[3]["content"] + [PLAIN, PLAIN]}])
    (part,) = parts("p.json", text, "chat")
    assert part.text == "a\u1ec7\n" + "Xin chao" * 2
    first, second = text.index("Xin"), text.rindex("Xin")
    assert part.span(4, 6) == (first + 1, first + 3)
    assert part.span(11, 13) == (second, second + 2)


def test_a_content_that_is_not_found_again_has_its_whole_as_the_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(messages, "_placed", lambda document: {})
    text = json.dumps(MESSAGES)
    found = parts("p.json", text, "chat")
    assert found[3].span(1, 2) == (found[3].start, found[3].end)


def test_a_file_without_messages_is_an_error() -> None:
    with pytest.raises(ChatError):
        parts("p.json", '{"a": 1}', "chat")


# --- imports

HEAVY = ("yaml", "tomllib", "json", "jinja2", "tokenlint.tokens.chat", "tokenlint.tokens.rendering")


@pytest.mark.parametrize(
    ("name", "text", "how", "expected"),
    [
        ("p.yaml", "a: b", "all", set()),
        ("p.md", FRONT, "body", set()),
        ("p.json", '{"a": "b"}', "a", {"json"}),
        ("p.toml", "a = 'b'", "a", {"tomllib"}),
        ("p.yaml", "a: b", "a", {"yaml"}),
    ],
)
def test_nothing_is_imported_before_a_file_needs_it(
    name: str, text: str, how: str, expected: set[str]
) -> None:
    code = (
        "import sys\n"
        "from tokenlint.tokens.document import Document\n"
        "from tokenlint.tokens.extract import Extract, Extractor\n"
        f"document, how = Document({name!r}, {text!r}), Extract.parse({how!r})\n"
        "parts = Extractor(None, None).parts(document, how)\n"
        f"assert parts\nprint(*[name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == expected
