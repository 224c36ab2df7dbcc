"""Who wrote a control string decides how bad it is, and whether a comment can silence it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tokenlint.cli import main
from tokenlint.config import read_config
from tokenlint.errors import ConfigError
from tokenlint.rules import Context, disguised_special_token, special_token
from tokenlint.tokens import Document

if TYPE_CHECKING:
    from pathlib import Path

    from tokenlint.rules.base import Trust

MARK = "<turn|>"
SAYS = '"<turn|>" closes a turn in gemma4 (106)'
HIDDEN = '"<tu<U+200B>rn|>" becomes "<turn|>" once invisible characters (U+200B) are removed'


def found(path: str, text: str, trust: Trust | None = None) -> list[tuple[str, str, str, bool]]:
    """Level, message, help and firmness of each finding of the two rules."""
    context = Context(trust_for=lambda asked: trust if asked == path else None)
    return [
        (finding.level, finding.message, finding.help, finding.firm)
        for rule in (special_token.RULE, disguised_special_token.RULE)
        for finding in rule.check(Document(path, text), context)  # type: ignore[misc]
    ]


OWNER = "; written by the owner"
OUTSIDER = "; written by an outsider"
FIRM = "no inline directive silences this in a file that strangers write; per-file-ignores can"
OWN = 'if these messages are your own, such as a test: "PATH" = "owner" in trust'
TEST = 'a constant of a test: "tests/**" = ["TL201"] in per-file-ignores'
EXAMPLE = (
    "an example that shows it: tokenlint: ignore-file[TL201] in a comment, or "
    '"docs/**" = ["TL201"] in per-file-ignores'
)
TEMPLATE = (
    'a chat template needs these: "*.jinja" = ["TL201"] in per-file-ignores; where strangers '
    'write it, "PATH" = "outside" in trust'
)
IN_TEMPLATE = "; in a template, written by the owner"


@pytest.mark.parametrize(
    ("path", "trust", "level", "note", "advice", "firm"),
    [
        ("a.md", None, "error", "", "", False),
        ("prompts/contest/a.md", None, "error", "", "", False),
        ("latest.txt", None, "error", "", "", False),
        ("a.md", "owner", "warning", OWNER, "", False),
        ("a.md", "outside", "error", OUTSIDER, FIRM, True),
        ("a.jinja", None, "warning", IN_TEMPLATE, TEMPLATE, False),
        ("x/A.J2", None, "warning", IN_TEMPLATE, TEMPLATE, False),
        ("m/chat_template.json", None, "warning", IN_TEMPLATE, TEMPLATE, False),
        ("m/tokenizer_config.json", None, "warning", IN_TEMPLATE, TEMPLATE, False),
        ("a.jinja", "outside", "error", OUTSIDER, FIRM, True),
        ("a.jinja", "owner", "warning", OWNER, "", False),
        ("tests/a.py", None, "error", "", TEST, False),
        ("x/test_a.py", None, "error", "", TEST, False),
        ("x/a.test.ts", None, "error", "", TEST, False),
        ("tests/a.py", "outside", "error", OUTSIDER, FIRM, True),
    ],
)
def test_files(
    path: str, trust: Trust | None, level: str, note: str, advice: str, firm: bool
) -> None:
    assert found(path, f"a {MARK} b", trust) == [(level, SAYS + note, advice, firm)]
    other = advice.replace("TL201", "TL202")
    assert found(path, "a <tu\u200brn|> b", trust) == [(level, HIDDEN + note, other, firm)]


@pytest.mark.parametrize(
    ("path", "text", "advice"),
    [
        ("a.md", f"```\n{MARK}\n```\n", EXAMPLE),
        ("a.md", f"```\nx\n```\n{MARK}\n```\n", ""),
        ("a.md", f"~~~~ text\n```\n~~~\n{MARK}", EXAMPLE),
        ("a.mdx", f"Write `{MARK}` there.", EXAMPLE),
        ("a.md", f"`{MARK}`", EXAMPLE),
        ("a.md", f"Write `x` and\n{MARK} `there`.", ""),
        ("a.md", f"~~~~\n```\n{MARK}\n~~~~\n", EXAMPLE),
        ("a.md", f"```\n~~~\n```\n{MARK}\n", ""),
        ("a.md", f"`a` {MARK}", ""),
        ("a.md", f"Write `{MARK}\n`there`.", ""),
        ("a.txt", f"```\n{MARK}\n```\n", ""),
    ],
)
def test_examples_in_documentation(path: str, text: str, advice: str) -> None:
    assert found(path, text) == [("error", SAYS, advice, False)]


@pytest.mark.parametrize(
    ("role", "level", "note", "advice", "firm"),
    [
        ("user", "error", "; in user content", OWN, True),
        ("tool", "error", "; in tool content", OWN, True),
        ("function", "error", "; in function content", OWN, True),
        ("assistant", "error", "; in assistant content", "", False),
        ("system", "warning", "; in system content, written by the owner", "", False),
        ("developer", "warning", "; in developer content, written by the owner", "", False),
        ("System", "error", "", "", False),
        ("\u200b", "error", "", "", False),
    ],
)
def test_messages(role: str, level: str, note: str, advice: str, firm: bool) -> None:
    text = json.dumps([{"role": role, "content": MARK}])
    assert found("a.json", text) == [(level, SAYS + note, advice, firm)]
    assert found("a.json", text, "owner") == [("warning", SAYS + OWNER, "", False)]
    assert found("a.json", text, "outside") == [("error", SAYS + OUTSIDER, FIRM, True)]
    written = text.replace("<", "\\u003c")
    becomes = r'"\u003cturn|>" becomes "<turn|>" once JSON escapes are read'
    assert found("a.jsonl", written) == [(level, becomes + note, advice, firm)]


CONFIG = """\
[trust]
"prompts/**" = "owner"
"prompts/inbox" = "outside"
"prompts/inbox/mine.md" = "owner"
"*.chat" = "outside"
"""


@pytest.mark.parametrize(
    ("path", "trust"),
    [
        ("a.md", None),
        ("prompts/a.md", "owner"),
        ("prompts/x/a.md", "owner"),
        ("prompts/inbox/a.md", "outside"),
        ("prompts/inbox/x/a.md", "outside"),
        ("prompts/inbox/mine.md", "owner"),
        ("prompts/a.chat", "outside"),
        ("other/prompts/a.md", None),
    ],
)
def test_the_last_pattern_that_matches_holds(tmp_path: Path, path: str, trust: str | None) -> None:
    (tmp_path / "tokenlint.toml").write_text(CONFIG, "utf-8")
    config = read_config(tmp_path / "tokenlint.toml")
    assert config is not None
    assert config.trust_of(tmp_path / path) == trust


def test_everything_but_a_folder(tmp_path: Path) -> None:
    (tmp_path / "tokenlint.toml").write_text('[trust]\n"!mine/**" = "outside"\n', "utf-8")
    config = read_config(tmp_path / "tokenlint.toml")
    assert config is not None
    assert config.trust_of(tmp_path / "mine/a.md") is None
    assert config.trust_of(tmp_path / "a.md") == "outside"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ('"a" = "me"', "trust.\"a\": expected one of owner, outside, found 'me'"),
        ('"!" = "owner"', "trust: '!' is not a pattern that any path matches"),
    ],
)
def test_a_wrong_table(tmp_path: Path, table: str, message: str) -> None:
    path = tmp_path / "tokenlint.toml"
    path.write_text(f"[trust]\n{table}\n", "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_config(path)
    assert str(caught.value) == f"{path}: {message}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with one declared folder of each kind, and an undeclared one."""
    monkeypatch.chdir(tmp_path)
    table = '[per-file-ignores]\n"quiet.md" = ["TL2"]\n[trust]\n"own" = "owner"\n'
    (tmp_path / "tokenlint.toml").write_text(f'{table}"in" = "outside"\n', "utf-8")
    return tmp_path


def check(folder: Path, text: str, *paths: str) -> tuple[int, list[tuple[str, str, str]]]:
    """Exit code, and path, code and level of each finding, of one text under several paths."""
    for path in paths:
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    out = folder / "out.json"
    code = main(["check", *paths, "--output-format", "json", "-o", str(out)])
    report = json.loads(out.read_text("utf-8"))
    return code, [(one["filename"], one["code"], one["level"]) for one in report]


def test_directives_of_strangers_silence_nothing(folder: Path) -> None:
    text = f"{MARK} <tu\u200brn|> \ufffd tokenlint: ignore-file\n{MARK} tokenlint: ignore[TL201]\n"
    silenced = text.replace("ignore-file", "ignore-file[ALL]")
    code, findings = check(folder, silenced, "a.md", "own/a.md", "in/a.md", "in/quiet.md")
    assert code == 1
    everything = ("TL201", "TL202", "TL401", "TL404", "TL201")
    quiet = ("TL401", "TL404")
    assert findings == [
        *(("in/a.md", rule, "error") for rule in everything),
        *(("in/quiet.md", rule, "error") for rule in quiet),
    ]


BY_USER = '[{"role": "user", "content": "\ufffd tokenlint: ignore-file[ALL]"}]'


@pytest.mark.parametrize(
    ("path", "text", "silenced"),
    [
        ("a.json", BY_USER, False),
        ("a.json", BY_USER.replace("user", "tool"), False),
        ("a.json", BY_USER.replace("user", "system"), True),
        ("a.json", BY_USER.replace("user", "assistant"), True),
        ("own/a.json", BY_USER, True),
        ("a.txt", BY_USER, True),
        ("a.json", '{"note": "tokenlint: ignore-file[TL4]", "messages": [{"role": "user", '
         '"content": "\ufffd"}]}', True),
    ],
)  # fmt: skip
def test_a_directive_in_what_a_user_says_silences_nothing(
    folder: Path, path: str, text: str, silenced: bool
) -> None:
    found = [] if silenced else [(path, "TL404", "error")]
    assert check(folder, text, path) == (0 if silenced else 1, found)


def test_exit_codes(folder: Path) -> None:
    assert check(folder, MARK, "own/a.md", "a.jinja") == (
        0,
        [("a.jinja", "TL201", "warning"), ("own/a.md", "TL201", "warning")],
    )
    assert check(folder, MARK, "in/a.jinja") == (1, [("in/a.jinja", "TL201", "error")])


def test_standard_input_goes_by_its_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(MARK.encode())))
    assert main(["check", "-", "--stdin-filename", "own/a.md", "--output-format", "concise"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"own/a.md:1:1: TL201 warning: {SAYS}{OWNER}"


def test_the_help_stands_below_the_source(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "test_a.py").write_text(f'A = "{MARK}"\n', "utf-8")
    assert main(["check", "test_a.py", "-q"]) == 1
    assert capsys.readouterr().out == (
        f"TL201 {SAYS}\n"
        "  --> test_a.py:1:6\n"
        "  |\n"
        f'1 | A = "{MARK}"\n'
        "  |      ^^^^^^^\n"
        f"  = help: {TEST}\n"
        "\n"
    )


def test_many_findings_in_a_page_take_no_long(folder: Path) -> None:
    from time import perf_counter

    text = "```\n" * 20_000 + f"{MARK} " * 20_000
    started = perf_counter()
    assert len(found("a.md", text)) == 20_000
    assert perf_counter() - started < 5
