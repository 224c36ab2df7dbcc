"""Languages in paths, and which file is the reference of which."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

from tokenlint.languages import generalized, language_code, language_of
from tokenlint.translations import Template, Translation, on_disk, translation

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "text", ["", "md", "src", "xx", "EN", "english", "en-", "en_GB_x", "en.txt", "prompts", "1"]
)
def test_what_is_no_language(text: str) -> None:
    assert language_code(text) is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("vi", "vi"),
        ("yue", "yue"),
        ("pt-BR", "pt-BR"),
        ("pt_br", "pt-BR"),
        ("zh-hans", "zh-Hans"),
        ("zh_Hant_TW", "zh-Hant-TW"),
        ("es-419", "es-419"),
    ],
)
def test_codes_in_their_usual_spelling(text: str, code: str) -> None:
    assert language_code(text) == code


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("README.md", None),
        ("prompts/system/agent.md", None),
        ("src/a.ts", None),
        ("vi.txt", "vi"),
        ("texts/vi", "vi"),
        ("prompts/vi/support.md", "vi"),
        ("prompts/vi/agents/support.md", "vi"),
        ("prompts/support.pt_br.md", "pt-BR"),
        ("fr/faq.de.md", "de"),
        ("de/fr/faq.md", "fr"),
        ("../vi/a.md", "vi"),
    ],
)
def test_the_language_of_a_path(path: str, code: str | None) -> None:
    assert language_of(path) == code


@pytest.mark.parametrize(
    ("path", "general"),
    [
        ("{name}.md", "{name}.md"),
        ("prompts/{name}.ts", "prompts/{name}.ts"),
        ("prompts/en/{name}.md", "prompts/{language}/{name}.md"),
        ("{name}.en-US.md", "{name}.{language}.md"),
        ("fr/texts/en/{name}.md", "fr/texts/{language}/{name}.md"),
    ],
)
def test_the_last_language_code_becomes_a_place(path: str, general: str) -> None:
    assert generalized(path) == general


@pytest.mark.parametrize(
    ("template", "path", "captures"),
    [
        ("a.md", "a.md", {}),
        ("a.md", "axmd", None),
        ("p/{language}/{name}.md", "p/vi/a.md", {"language": "vi", "name": "a"}),
        ("p/{language}/{name}.md", "p/vi/x/y.md", {"language": "vi", "name": "x/y"}),
        ("p/{language}/{name}.md", "p/vi.md", None),
        ("p/{language}/{name}.md", "q/p/vi/a.md", None),
        ("{name}.{language}.md", "x/a.b.vi.md", {"language": "vi", "name": "x/a.b"}),
        ("{language}/{language}.md", "vi/vi.md", {"language": "vi"}),
        ("{language}/{language}.md", "vi/ar.md", None),
        ("\u1ea1/{name}", "a\u0323/b", {"name": "b"}),
    ],
)
def test_templates(template: str, path: str, captures: dict[str, str] | None) -> None:
    assert Template(template).captures(path) == captures
    if captures is not None:
        assert Template(template).fill(captures) == unicodedata.normalize("NFC", path)


def test_a_placeholder_without_meaning_is_named() -> None:
    assert Template("{language}/{name}.md").unknown is None
    assert Template("{lang}/{name}.md").unknown == (
        "unknown placeholder {lang}; the placeholders are {language} and {name}"
    )


@pytest.mark.parametrize(
    ("reference", "path", "language", "found"),
    [
        (None, "vi/a.md", "vi", None),
        ("en.txt", "vi.txt", "vi", "en.txt"),
        ("en.txt", "notes.txt", None, "en.txt"),
        ("p/en/{name}.md", "p/vi/a.md", "vi", "p/en/a.md"),
        ("p/en/{name}.md", "p/vi/x/a.md", "vi", "p/en/x/a.md"),
        ("p/en/{name}.md", "p/en/a.md", "en", "p/en/a.md"),
        ("p/en/{name}.md", "p/pt_br/a.md", "pt-BR", "p/en/a.md"),
        # The folder is no language, so the file's name is all that is known.
        ("p/en/{name}.md", "p/system/a.md", None, "p/en/a.md"),
        ("p/en/{name}.md", "elsewhere/a.vi.txt", "vi", "p/en/a.md"),
        ("{name}.en.md", "x/a.vi.md", "vi", "x/a.en.md"),
        ("english/{name}.md", "vi/a.md", "vi", "english/a.md"),
        ("english/{name}.md", "english/x/a.md", None, "english/x/a.md"),
        ("p/{language}/short/{name}.md", "p/vi/short/a.md", "vi", "p/vi/short/a.md"),
        ("p/{language}/formal.md", "p/vi/formal.md", "vi", "p/vi/formal.md"),
        ("p/{language}/formal.md", "q/vi/other.md", "vi", "p/vi/formal.md"),
        ("p/{language}/formal.md", "q/other.md", None, None),
    ],
)
def test_the_reference_of_a_file(
    reference: str | None, path: str, language: str | None, found: str | None
) -> None:
    template = None if reference is None else Template(reference)
    assert translation(path, template) == Translation(language, found)


def test_names_that_the_disk_keeps_decomposed_are_found(tmp_path: Path) -> None:
    decomposed = tmp_path / "a\u0323" / "o\u0302.md"
    assert on_disk(tmp_path, "\u1ea1/\u00f4.md") == tmp_path / "\u1ea1/\u00f4.md"
    decomposed.parent.mkdir()
    decomposed.write_text("x")
    assert on_disk(tmp_path, "\u1ea1/\u00f4.md").read_text() == "x"
