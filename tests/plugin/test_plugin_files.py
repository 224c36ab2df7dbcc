"""Paths, globs, and what a file's bytes count as."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_tokenbudget.errors import Mistake
from pytest_tokenbudget.globs import matching

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Project

NFC, NFD = "ti\u1ebfng.md", "tie\u0302\u0301ng.md"
TREE = (
    "a.md",
    "b.txt",
    "p/a.md",
    "p/[x].md",
    "p/deep/er/a.md",
    "p/.hidden.md",
    "node_modules/x/a.md",
    ".venv/a.md",
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name in TREE:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a.md", ["a.md"]),
        ("./a.md", ["a.md"]),
        ("*.md", ["a.md"]),
        ("?.*", ["a.md", "b.txt"]),
        ("[ab].md", ["a.md"]),
        ("p/*.md", ["p/.hidden.md", "p/[x].md", "p/a.md"]),
        ("p//a.md", ["p/a.md"]),
        ("p/[x].md", ["p/[x].md"]),
        ("p/[[]x].md", ["p/[x].md"]),
        ("*/a.md", [".venv/a.md", "p/a.md"]),
        ("p/../a.md", ["p/../a.md"]),
        ("**/a.md", ["a.md", "p/a.md", "p/deep/er/a.md"]),
        ("**/**/a.md", ["a.md", "p/a.md", "p/deep/er/a.md"]),
        ("p/**", ["p/.hidden.md", "p/[x].md", "p/a.md", "p/deep/er/a.md"]),
        ("p/*", ["p/.hidden.md", "p/[x].md", "p/a.md"]),
        ("node_modules/**/*.md", ["node_modules/x/a.md"]),
        ("p", ["p"]),
        (".", []),
        ("none.md", []),
        ("none/*.md", []),
        ("a.md/*.md", []),
        ("A.md", []),
    ],
)
def test_what_a_glob_matches(tree: Path, pattern: str, expected: list[str]) -> None:
    if pattern == "A.md" and (tree / "A.md").exists():
        pytest.skip("the file system does not tell upper from lower case")
    found = matching(tree, pattern, lambda path: path.name in ("node_modules", ".venv"))
    assert [str(path) for path in found] == [f"{tree}/{name}" for name in expected]


def test_an_absolute_glob(tree: Path) -> None:
    assert matching(Path("/nowhere"), f"{tree}/p/a*.md", lambda _: False) == [tree / "p/a.md"]


def test_links(tree: Path) -> None:
    (tree / "broken.md").symlink_to("nowhere")
    (tree / "p/loop").symlink_to(tree, target_is_directory=True)
    found = matching(tree, "**/*n.md", lambda _: False)
    assert found == [tree / "broken.md", tree / "p/.hidden.md"]


@pytest.mark.parametrize("pattern", ["a\0.md", "a\0*"])
def test_a_glob_that_no_file_system_takes(tree: Path, pattern: str) -> None:
    with pytest.raises(Mistake, match="cannot be looked for") as caught:
        matching(tree / pattern, "*", lambda _: False)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("on_disk", [NFC, NFD])
@pytest.mark.parametrize("asked", [NFC, NFD, unicodedata.normalize("NFD", "ti?ng.md"), "t*g.md"])
def test_a_file_name_matches_in_either_form(project: Project, on_disk: str, asked: str) -> None:
    if "?" in asked and on_disk == NFD:
        asked = "ti*ng.md"
    source = f"""
from pathlib import Path
import pytest

@pytest.mark.token_budget(1, files=[{asked!r}, "f*/" + {asked!r}])
def test_mark(): ...

def test_fixtures(count_tokens, token_budget):
    if "*" not in {asked!r} and "?" not in {asked!r}:
        assert count_tokens(Path({asked!r})) == 1
        assert token_budget.check(Path("folder", {asked!r}), max_tokens=1) == 1
"""
    ran = project.run({"test_it.py": source, on_disk: "one", f"folder/{on_disk}": "one"})
    assert ran.outcomes == {"passed": 2}


@pytest.mark.parametrize("start", [".", "tests", "prompts"])
def test_paths_start_from_the_rootdir_wherever_pytest_is_started(
    project: Project, monkeypatch: pytest.MonkeyPatch, start: str
) -> None:
    source = """
from pathlib import Path
import pytest

@pytest.mark.token_budget(2, files="prompts/*.md")
def test_kept(count_tokens):
    assert count_tokens(Path("prompts/a.md")) == 2

@pytest.mark.token_budget(1, files="prompts/*.md")
def test_over(): ...

@pytest.mark.token_budget(9, files="b.md")
def test_missing(): ...

def test_missing_in_fixture(count_tokens):
    count_tokens(Path("b.md"))

def test_outside(token_budget, tmp_path):
    (tmp_path / "x.md").write_text("Hello.")
    token_budget.check(tmp_path / "x.md", max_tokens=1)
"""
    root = project.pytester.path
    project.write({"prompts/a.md": "Hello.", "tests/test_a.py": source})
    monkeypatch.chdir(root / start)
    ran = project.run({}, str(root / "tests"))
    outside = ran.failures.pop("test_outside")
    assert outside.endswith("x.md: 2 tokens, 1 over the budget of 1 (o200k_base), +100.0 %")
    assert Path(outside.removeprefix("TokenBudgetExceeded: ").partition(": ")[0]).is_absolute()
    assert ran.failures == {
        "test_over": "Failed: prompts/a.md: 2 tokens, 1 over the budget of 1 (o200k_base), "
        "+100.0 %",
        "test_missing": f"Failed: b.md: no such file for token_budget(9), tried {root / 'b.md'}",
        "test_missing_in_fixture": "Failed: b.md: no such file or directory, "
        f"tried {root / 'b.md'}",
    }


def test_a_string_is_counted_as_it_is_and_a_file_as_the_linter_counts_it(
    project: Project, official_count: Callable[[str, str], int]
) -> None:
    text = "# Role\r\n\r\nYou <|im_start|> help. <|endoftext|>\r\n\r\n## Rules\r\n\ud83d"
    lf = "# Role\n\nYou help.\n\n## Rules\n\n- Be short.\n- Be kind.\n"
    crlf = lf.replace("\n", "\r\n")
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    counts = {
        text: official_count("o200k_base", whole),
        "\ufeff" + lf: official_count("o200k_base", "\ufeff" + lf),
        crlf: official_count("o200k_base", crlf),
        "": 0,
    }
    source = f"""
from pathlib import Path
import pytest

@pytest.mark.parametrize(("text", "count"), {[*counts.items()]!r})
def test_text(text, count, count_tokens, token_budget):
    assert count_tokens(text) == count
    assert type(count_tokens(text)) is int
    assert token_budget.check(text, max_tokens=count + 1) == count

@pytest.mark.parametrize("name", ["lf.md", "crlf.md", "cr.md", "bom.md"])
def test_file(name, count_tokens, token_budget):
    assert count_tokens(Path(name)) == 17
    assert token_budget.check(Path(name), max_tokens=17) == 17
"""
    files: dict[str, str | bytes] = {
        "lf.md": lf,
        "crlf.md": crlf,
        "cr.md": lf.replace("\n", "\r"),
        "bom.md": b"\xef\xbb\xbf" + lf.encode(),
    }
    assert official_count("o200k_base", lf) == 17
    assert project.run({"test_it.py": source, **files}).outcomes == {"passed": 8}


def test_the_settings_of_tokenlint_hold_for_files(project: Project) -> None:
    source = """
from pathlib import Path
def test_file(count_tokens):
    assert count_tokens(Path("a.md")) == count_tokens("\\ufeffa\\r\\nb") != count_tokens("a\\nb")
"""
    settings = 'newlines = "as-is"\ncount-bom = true\n'
    ran = project.run(
        {"test_it.py": source, "a.md": b"\xef\xbb\xbfa\r\nb", "tokenlint.toml": settings}
    )
    assert ran.outcomes == {"passed": 1}


def test_a_file_that_cannot_be_read_fails_the_test_and_others_are_still_checked(
    project: Project,
) -> None:
    source = """
from pathlib import Path
import pytest

@pytest.mark.token_budget(1, files="p/*")
def test_mark(): ...

@pytest.mark.token_budget(1, files="p")
def test_folder(): ...

def test_fixture(count_tokens):
    count_tokens(Path("p/utf16.md"))
"""
    utf16 = "not UTF-8: the byte order mark says UTF-16 LE; convert the file to UTF-8"
    project.write({"p/latin1.md": b"caf\xe9", "p/utf16.md": b"\xff\xfea\0", "p/z.md": "one two"})
    (project.pytester.path / "p/broken.md").symlink_to("nowhere")
    ran = project.run({"test_it.py": source})
    assert ran.failures == {
        "test_mark": "Failed: p/z.md: 2 tokens, 1 over the budget of 1 (o200k_base), +100.0 %\n"
        "p/broken.md: a symbolic link to a file that does not exist\n"
        "p/latin1.md: not UTF-8: byte 0xe9 at offset 3 (line 1); convert the file to UTF-8\n"
        f"p/utf16.md: {utf16}",
        "test_folder": "Failed: p: a directory where a file was expected",
        "test_fixture": f"Failed: p/utf16.md: {utf16}",
    }


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_listed(project: Project) -> None:
    source = """
import pytest
@pytest.mark.token_budget(1, files="p/*.md")
def test_mark(): ...
"""
    project.write({"p/a.md": "one"})
    (project.pytester.path / "p").chmod(0)
    ran = project.run({"test_it.py": source})
    (project.pytester.path / "p").chmod(0o700)
    assert ran.failures["test_mark"].startswith("Failed: p/*.md: cannot be looked for: ")


def test_double_star_stays_out_of_what_tokenlint_excludes(project: Project) -> None:
    source = """
import pytest
@pytest.mark.token_budget(1, files="**/*.md")
def test_all(): ...
@pytest.mark.token_budget(1, files=["old/**/*.md", "node_modules/x/*.md"])
def test_named(): ...
@pytest.mark.prompt_files("old/**/*.md")
def test_below(prompt_file): ...
"""
    ran = project.run(
        {
            "test_it.py": source,
            "tokenlint.toml": 'extend-exclude = ["old"]\n',
            "a.md": "one",
            "old/b.md": "one",
            "x/old/c.md": "one two",
            "node_modules/x/d.md": "one",
            "old/deep/er/e.md": "one",
        }
    )
    assert ran.outcomes == {"passed": 4}
