"""TL304 and `[[tool.tokenlint.premiums]]`: translations held to their reference."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from tokenlint.cli import main
from tokenlint.config import read_config
from tokenlint.errors import ConfigError
from tokenlint.linter import lint
from tokenlint.premiums import Premium, Premiums
from tokenlint.rules import Context, over_premium
from tokenlint.rules.base import Reference
from tokenlint.tokens import Document, Loader

if TYPE_CHECKING:
    from collections.abc import Callable

EN = "Answer in one line, and say what you do not know.\n"
VI = "Hãy trả lời trong một dòng, và nói điều bạn không biết.\n"
AR = "أجب في سطر واحد، وقل ما لا تعرفه.\n"


def limited(maximum: float, tokenizer: str = "cl100k_base", reference: str = EN) -> Context:
    """A context in which every file translates one reference."""
    document = Document("prompts/en/a.md", reference, size=len(reference.encode()))
    entry = Reference(document, maximum, tokenizer, "vi")
    return Context(references_for=lambda _path: (entry,))


def messages(text: str, context: Context) -> list[tuple[str, str]]:
    """Levels and messages of TL304 for a file in Vietnamese."""
    document = Document("prompts/vi/a.md", text, size=len(text.encode()))
    found = lint(document, [over_premium.RULE], context)
    assert not found.problems
    return [(finding.level, finding.message) for finding in found.findings]


@pytest.mark.parametrize("text", [VI, EN, ""])
def test_translations_within_their_premium(text: str) -> None:
    assert messages(text, limited(2.5)) == []
    assert messages(text, Context()) == []


def test_the_finding_names_figure_reference_and_language(
    official_count: Callable[[str, str], int],
) -> None:
    premium = official_count("cl100k_base", VI) / official_count("cl100k_base", EN)
    assert messages(VI, limited(1.5)) == [
        (
            "error",
            f"{premium:.2f} times the tokens of prompts/en/a.md (vi), "
            "over the premium limit of 1.5 (cl100k_base)",
        )
    ]


def test_the_boundary(official_count: Callable[[str, str], int]) -> None:
    tokens, base = (official_count("cl100k_base", text) for text in (VI, EN))
    assert messages(VI, limited(tokens / base)) == []
    assert messages(VI, limited((tokens + 1) / base)) == []
    assert len(messages(VI, limited((tokens - 1) / base))) == 1


def test_a_figure_that_rounds_to_its_limit_shows_more_digits() -> None:
    ((_, message),) = messages("a " * 1000 + "a a a", limited(1.0, reference="a " * 999 + "a"))
    figure, _, rest = message.partition(" times ")
    assert figure.startswith("1.00")
    assert float(figure) > 1
    assert rest.endswith("over the premium limit of 1 (cl100k_base)")


def test_a_reference_without_tokens() -> None:
    assert messages(VI, limited(1.5, reference="")) == [
        ("warning", "prompts/en/a.md has no tokens, so no premium to hold to 1.5 (cl100k_base)")
    ]


def test_a_tokenizer_that_is_missing_is_left_to_the_loader() -> None:
    context = limited(1.5, "no_such_base")
    assert messages(VI, context) == []
    assert [str(error)[:35] for error in context.loader.failures] == [
        "unknown tokenizer 'no_such_base': u"
    ]


@pytest.mark.parametrize(
    ("path", "reference", "language"),
    [
        ("prompts/vi/a.md", "prompts/en/a.md", "vi"),
        ("prompts/vi/x/a.md", "prompts/en/x/a.md", "vi"),
        ("prompts/tiếng-việt/a.md", "prompts/en/a.md", "tiếng-việt"),
        ("prompts/en/a.md", None, None),
        ("prompts/a.md", None, None),
        ("docs/vi/a.md", None, None),
        ("prompts/vi/a.txt", None, None),
        ("prompts/vi/new.md", "prompts/en/new.md", "vi"),
        ("prompts/system/new.md", None, None),  # no language, and nobody translated it
    ],
)
def test_the_reference_of_a_file(
    tmp_path: Path, path: str, reference: str | None, language: str | None
) -> None:
    root = tmp_path
    (root / "prompts" / "en").mkdir(parents=True)
    (root / "prompts" / "en" / "a.md").touch()
    premium = Premium("./prompts/en/{name}.md", "prompts/{language}/{name}.md", 1.5)
    found = [(one.path, one.language) for one in Premiums((premium,), root).of(root / path)]
    assert found == ([] if reference is None else [(root / reference, language)])


def test_files_without_a_place_for_the_language_take_it_from_the_path() -> None:
    premium = Premium("en/{name}.md", "vi/{name}.md", 1.5)
    (one,) = Premiums((premium,), Path("/r")).of(Path("/r/vi/a.md"))
    assert one.language == "vi"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of prompts in three languages with a premium of 1.5."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"en/a": EN, "vi/a": VI, "ar/a": AR, "en/b": EN, "vi/b": EN}.items():
        path = tmp_path / "prompts" / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    configure(tmp_path)
    return tmp_path


def configure(folder: Path, more: str = "", maximum: str = "1.5") -> None:
    """Write the configuration."""
    (folder / "tokenlint.toml").write_text(
        'tokenizers = ["cl100k_base"]\n[[premiums]]\nreference = "prompts/en/{name}.md"\n'
        f'files = "prompts/{{language}}/{{name}}.md"\nmax-premium = {maximum}\n{more}',
        "utf-8",
    )


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[str], list[str]]:
    """Exit code, the paths with TL304, and the lines on stderr."""
    code = main(["check", "--output-format", "json", *arguments])
    captured = capsys.readouterr()
    found = [item["filename"] for item in json.loads(captured.out) if item["code"] == "TL304"]
    return code, found, captured.err.splitlines()


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ([], ["prompts/ar/a.md", "prompts/vi/a.md"]),
        (["--budgets"], ["prompts/ar/a.md", "prompts/vi/a.md"]),
        (["prompts/vi/a.md"], ["prompts/vi/a.md"]),
        (["prompts/vi"], ["prompts/vi/a.md"]),
        (["prompts/en/a.md"], []),
        (["--ignore", "TL304"], []),
        (["--select", "TL1"], []),
        (["--select", "over-premium"], ["prompts/ar/a.md", "prompts/vi/a.md"]),
    ],
)
def test_which_files_are_held(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], found: list[str]
) -> None:
    assert check(capsys, *arguments) == (int(bool(found)), found, [])


def test_tokenizers_of_the_premium(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure(folder, 'tokenizers = ["o200k_base"]\n')
    assert check(capsys) == (0, [], [])
    configure(folder, 'tokenizers = ["cl100k_base", "cl100k_bse"]\n')
    code, found, errors = check(capsys, "prompts/vi/a.md")
    assert (code, found) == (2, ["prompts/vi/a.md"])
    assert errors[0].startswith("error: unknown tokenizer 'cl100k_bse'")


def test_a_finding_can_be_silenced(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "prompts/vi/a.md"
    path.write_text(f"<!-- tokenlint: ignore-file[TL304] -->\n{VI}", "utf-8")
    configure(folder, '[per-file-ignores]\n"prompts/ar/*" = ["over-premium"]\n')
    assert check(capsys) == (0, [], [])


def test_a_missing_reference_fails_the_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "prompts/en/b.md").unlink()
    (folder / "prompts/en/a.md").write_bytes(b"caf\xe9")
    assert check(capsys, "prompts/ar", "prompts/vi") == (
        2,
        [],
        [
            "error: prompts/en/a.md: not UTF-8: byte 0xe9 at offset 3 (line 1); convert the file "
            "to UTF-8; it is the reference of prompts/ar/a.md, whose premium is unknown",
            "error: prompts/en/a.md: not UTF-8: byte 0xe9 at offset 3 (line 1); convert the file "
            "to UTF-8; it is the reference of prompts/vi/a.md, whose premium is unknown",
            "error: prompts/en/b.md: no such file or directory; it is the reference of "
            "prompts/vi/b.md, whose premium is unknown",
        ],
    )
    assert check(capsys, "--ignore", "TL304", "prompts/ar", "prompts/vi") == (0, [], [])


DEAD = (
    "error: {}: premiums[{}] compares nothing: no file but a reference matches {}; "
    "correct the pattern or remove the premium"
)


@pytest.mark.parametrize(
    ("reference", "files"),
    [("prompts/en/{name}.md", "texts/{language}/{name}.md"), ("{name}.md", "{name}.md")],
)
def test_a_premium_that_compares_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], reference: str, files: str
) -> None:
    table = f'[[premiums]]\nreference = "{reference}"\nfiles = "{files}"\nmax-premium = 2\n'
    configure(folder, table, maximum="9")
    dead = DEAD.format(folder / "tokenlint.toml", 1, files)
    assert check(capsys) == (2, [], [dead])
    assert check(capsys, "--budgets") == (2, [], [dead])
    assert check(capsys, "prompts/vi") == (0, [], [])
    assert check(capsys, "--ignore", "TL304") == (0, [], [])


def test_standard_input_under_a_name(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(VI.encode())))
    assert check(capsys, "-", "--stdin-filename", "prompts/vi/new.md")[0] == 2
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(VI.encode())))
    name = "prompts/vi/b.md"
    assert check(capsys, "-", "--stdin-filename", name) == (1, [name], [])


GOOD = 'reference = "en/{name}.md"\nfiles = "{language}/{name}.md"\nmax-premium = 1.5\n'


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("", 'has no files: say, for example, files = "prompts/{language}/{name}.md"'),
        ('files = "a"', 'has no reference: say, for example, reference = "prompts/en/{name}.md"'),
        ('files = "a"\nreference = "b"', "has no max-premium: say, for example, max-premium = 1.5"),
        (GOOD.replace("1.5", "0"), "max-premium: expected a number above 0, found 0"),
        (GOOD.replace("1.5", '"x"'), "max-premium: expected a number above 0, found a string"),
        (GOOD + "max-tokens = 1", "max-tokens: unknown key"),
        (GOOD + "tokenizers = []", "tokenizers: is an empty list; name at least one"),
        (
            GOOD.replace("{language}", "{lang}"),
            "unknown placeholder {lang}; the placeholders are {language} and {name}",
        ),
        (
            GOOD.replace("{language}/", "*/"),
            "write {language} and {name} for what varies, without * and ?",
        ),
        (
            GOOD.replace("{language}/{name}", "{language}"),
            "its reference has {name}, but its files have not: {language}.md",
        ),
    ],
)
def test_tables_that_cannot_be_meant(tmp_path: Path, table: str, message: str) -> None:
    path = tmp_path / "tokenlint.toml"
    path.write_text(f"[[premiums]]\n{table}", "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_config(path)
    assert str(caught.value).startswith(f"{path}: premiums[0]")
    assert message in str(caught.value)


def test_a_reference_is_read_as_it_is_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = EN.replace("\n", "\r\n" * 40).encode()
    (folder / "prompts/en/a.md").write_bytes(b"\xef\xbb\xbf" + raw)
    (folder / "prompts/vi/a.md").write_bytes(EN.replace("\n", "\n" * 40).encode())
    configure(folder, maximum="1")
    assert check(capsys, "prompts/vi/a.md") == (0, [], [])


def test_nothing_is_loaded_for_other_files(folder: Path) -> None:
    loader = Loader()
    context = Context(loader=loader)
    assert list(over_premium.check(Document("a.md", VI), context)) == []
    assert loader.loaded == {}
