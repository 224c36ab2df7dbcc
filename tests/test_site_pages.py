"""The tutorial, the how-to pages and the explanations are true: every block on them is run."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from console import ROOT, matches
from sessions import Block, blocks, environment, play, read, steps
from test_guide import skip_without_extra, unsupported
from tokenlint.config import read_config

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Project

HOW_TO = sorted(f"how-to/{path.name}" for path in (ROOT / "docs" / "how-to").glob("*.md"))
EXPLANATION = sorted(
    f"explanation/{path.name}" for path in (ROOT / "docs" / "explanation").glob("*.md")
)
SHOP = ["tutorial.md", *HOW_TO]
"The pages whose commands run one after the other in a repository of the samples."

PAGES = ["index.md", *SHOP, *EXPLANATION]
VALIDATED = {".pre-commit-config.yaml", ".gitlab-ci.yml", ".github/workflows/prompts.yml"}


def first(block: Block) -> str:
    """The name of a test about a block: its first line."""
    return block.content.partition("\n")[0]


def of(language: str, *pages: str) -> list[Block]:
    """The blocks of a language on some pages, or on all."""
    found = (block for page in pages or PAGES for block in blocks(read(page)))
    return [block for block in found if block.language == language]


posix = pytest.mark.skipif(os.name == "nt", reason="the pages show a POSIX shell")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The folder examples, made the first commit of a repository as the tutorial says."""
    folder = tmp_path / "shop"
    shutil.copytree(ROOT / "examples", folder)
    (block,) = of("sh", "tutorial.md")
    made = block.content.partition("cp -r pytest-tokenbudget/examples shop\ncd shop\n")[2]
    assert made
    subprocess.run(f"set -e\n{made}", shell=True, cwd=folder, env=environment(folder), check=True)
    return folder


def differences(page: str, folder: Path) -> list[str]:
    """What a page shows otherwise than it is printed."""
    found = []
    for step in steps(read(page)):
        assert folder != ROOT or not step.files
        printed = play(step, folder)
        if not matches(step.shown, printed):
            found.append(f"{page}: $ {step.command}\n{printed}")
    return found


@posix
@pytest.mark.parametrize("page", SHOP)
def test_a_session_prints_what_the_page_shows(page: str, shop: Path) -> None:
    assert not differences(page, shop)


@posix
@pytest.mark.parametrize("page", EXPLANATION)
def test_a_command_prints_what_the_page_shows(page: str) -> None:
    skip_without_extra(read(page))
    assert not differences(page, ROOT)


@posix
def test_another_output_would_be_noticed(shop: Path) -> None:
    (step, *_) = steps("```console\n$ echo a; echo b >&2\na\nb\n```\n")
    assert play(step, shop) == step.shown
    assert not matches("a\n", play(step, shop))


@posix
def test_a_file_is_written_before_the_next_command(shop: Path) -> None:
    page = "Write `a/b.txt`:\n\n```text\nhello\n```\n\n```console\n$ cat a/b.txt\nhello\n```\n"
    (step,) = steps(page)
    assert step.files == {"a/b.txt": "hello\n"}
    assert play(step, shop) == step.shown


BLOCKS = [
    pytest.param(page, block, id=f"{page}-{at}-{block.language}")
    for page in PAGES
    for at, block in enumerate(blocks(read(page)))
]


@pytest.mark.parametrize(("page", "block"), BLOCKS)
def test_every_block_is_of_a_kind_that_is_run(page: str, block: Block) -> None:
    if block.language in ("console", "sh", "pycon", "toml"):
        return
    if block.language == "yaml" and block.file in VALIDATED:
        return
    if block.language == "python" and (page in EXPLANATION or not block.file):
        return
    assert block.file, "such a block is written to a file, and a command reads it"
    assert any(block.file in step.files for step in steps(read(page)))


@pytest.mark.parametrize("block", [block for block in of("python") if not block.file], ids=first)
def test_python_alone_runs(block: Block) -> None:
    exec(compile(block.content, "page", "exec"), {})


@pytest.mark.parametrize("block", of("python", *EXPLANATION), ids=first)
def test_tests_of_an_explanation_pass(block: Block, project: Project) -> None:
    ran = project.run({block.file: block.content})
    assert set(ran.outcomes) == {"passed"}, ran.failures


@pytest.mark.parametrize("block", of("toml"), ids=first)
def test_a_configuration_is_accepted(block: Block, tmp_path: Path) -> None:
    path = tmp_path / block.file
    path.write_text(block.content, "utf-8")
    assert read_config(path) is not None


@pytest.mark.parametrize("page", EXPLANATION)
def test_python_shows_what_the_page_shows(page: str) -> None:
    found: list[str] = []
    names: dict[str, object] = {}
    for block in blocks(read(page)):
        if block.language == "pycon":
            examples = doctest.DocTestParser().get_examples(block.content)
            test = doctest.DocTest(examples, names, page, None, None, None)
            doctest.DocTestRunner(verbose=False).run(test, out=found.append, clear_globs=False)
            names = test.globs
    assert not found, "".join(found)


@pytest.mark.parametrize("page", EXPLANATION)
def test_figures_come_from_what_is_shown(page: str) -> None:
    assert list(unsupported(read(page))) == []


def test_hooks_are_valid_and_ours(tmp_path: Path) -> None:
    clientlib = pytest.importorskip("pre_commit.clientlib")
    found = [block for block in of("yaml") if block.file == ".pre-commit-config.yaml"]
    assert len(found) > 3
    offered = {hook["id"] for hook in clientlib.load_manifest(ROOT / ".pre-commit-hooks.yaml")}
    for at, block in enumerate(found):
        path = tmp_path / f"{at}.yaml"
        path.write_text(block.content, "utf-8")
        (repo,) = clientlib.load_config(path)["repos"]
        assert {hook["id"] for hook in repo["hooks"]} <= offered


@pytest.mark.parametrize("schema", ["github-workflows", "gitlab-ci"])
def test_workflows_are_valid(schema: str, tmp_path: Path) -> None:
    pytest.importorskip("check_jsonschema")
    kind = "gitlab" if schema == "gitlab-ci" else "github"
    paths = []
    for at, block in enumerate(of("yaml")):
        if kind in block.file:
            paths.append(tmp_path / f"{at}.yaml")
            paths[-1].write_text(block.content, "utf-8")
    assert paths
    check = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    done = subprocess.run([*check, *paths], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("block", of("sh"), ids=first)
def test_an_installation_names_what_there_is(block: Block) -> None:
    """Blocks that need the network are not run: pip, by our name, and git, by our address."""
    for line in block.content.splitlines():
        assert re.fullmatch(
            r"pip (install|download)( --[\w-]+( wheels)?)*( wheels)? pytest-tokenbudget"
            r"|git clone https://github\.com/tokenlint/pytest-tokenbudget"
            r"|cp -r pytest-tokenbudget/examples shop|cd shop|git (init|add|commit) --.*",
            line,
        ), line


def test_the_index_leads_to_every_page() -> None:
    linked = set(re.findall(r"\]\(([\w/-]+\.md)\)", read("index.md")))
    assert {"tutorial.md", *HOW_TO, *EXPLANATION} <= linked
