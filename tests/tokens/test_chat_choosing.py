"""Which chat format a name has, and what is said where it has none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from chat_samples import model_folder, said, talk

from tokenlint.errors import TokenizerError
from tokenlint.tokens import Loader, TokenizerTable
from tokenlint.tokens.chat import frame_for
from tokenlint.tokens.rendering import Renderer

if TYPE_CHECKING:
    from pathlib import Path

FORMULA = "estimate by OpenAI's documented formula"
HARMONY = "harmony, without the system message that a server adds where the file has none"
TABLES = {
    "mine": TokenizerTable("o200k_base"),
    "oss": TokenizerTable("openai/gpt-oss-20b"),
    "chat": TokenizerTable("cl100k_base", chat_template="x.jinja"),
    "none": TokenizerTable("qwen2.5"),
    "lost": TokenizerTable("o200k_base", chat_template="lost.jinja"),
    "r1": TokenizerTable("deepseek-v3", chat_template="x.jinja"),
}


def label(name: str, folder: Path) -> str:
    return frame_for(name, Loader(folder, TABLES), Renderer()).label


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("o200k_base", FORMULA),
        ("cl100k_base", FORMULA),
        ("gpt-5", FORMULA),
        ("gpt-3.5-turbo", FORMULA),
        ("azure/gpt-4o", FORMULA),
        ("ft:gpt-4.1-mini:org::id", FORMULA),
        ("mine", FORMULA),
        ("o200k_harmony", HARMONY),
        ("gpt-oss-120b", HARMONY),
        ("oss", HARMONY),
        ("chat", "chat template x.jinja"),
    ],
)
def test_a_name_has_its_format(tmp_path: Path, name: str, expected: str) -> None:
    (tmp_path / "x.jinja").write_text("{{ messages[0].content }}")
    assert label(name, tmp_path) == expected


COMPLETES = (
    ": its models complete or embed text and know no messages; name a chat model or its "
    "encoding, such as o200k_base"
)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("gpt2", COMPLETES),
        ("p50k_base", COMPLETES),
        ("r50k_base", COMPLETES),
        ("text-embedding-3-small", COMPLETES),
        ("gpt-3.5-turbo-instruct", COMPLETES),
        ("ft:davinci-002", COMPLETES),
        (
            "qwen2.5",
            ": no chat format is known for it; add [tool.tokenlint.tokenizer.NAME] with source = "
            '"qwen2.5" and chat-template = the path of its Jinja template',
        ),
        (
            "none",
            ": no chat format is known for it; add chat-template = the path of its Jinja template "
            "to its table",
        ),
    ],
)
def test_a_name_without_chats(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(TokenizerError) as error:
        label(name, tmp_path)
    assert str(error.value) == name + sentence


def test_a_template_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(TokenizerError) as error:
        label("lost", tmp_path)
    where = tmp_path / "lost.jinja"
    assert str(error.value) == f"{where}: no chat template there; put right chat-template"


def test_an_extra_brings_its_special_tokens(tmp_path: Path) -> None:
    (tmp_path / "x.jinja").write_text("{{ bos_token ~ messages[0].content ~ eos_token }}")
    request = frame_for("r1", Loader(tmp_path, TABLES), Renderer()).request(talk(said("user", "a")))
    assert (request.ids or [])[0] == 0
    assert (request.ids or [])[-1] == 1
    assert (request.total, request.content) == (3, 1)


def test_a_template_of_the_user_gets_the_special_tokens_of_the_folder(tmp_path: Path) -> None:
    model_folder(tmp_path / "m", {"tokenizer_config.json": {"bos_token": "<|im_start|>"}})
    (tmp_path / "x.jinja").write_text("{{ bos_token ~ messages[0].content }}")
    loader = Loader(tmp_path, {"own": TokenizerTable("./m", chat_template="x.jinja")})
    request = frame_for("own", loader, Renderer()).request(talk(said("user", "a")))
    assert request.text == "<|im_start|>a"


def test_a_folder_inside_the_configuration_is_shown_from_there(tmp_path: Path) -> None:
    model_folder(tmp_path / "models" / "x", {"chat_template.jinja": "x"})
    for name in ("models/x", "./models/x", str(tmp_path / "models" / "x")):
        assert label(name, tmp_path) == "chat template of ./models/x"


def cached(folder: Path, monkeypatch: pytest.MonkeyPatch, fetched: list[Any]) -> Loader:
    """A loader whose hub has one repository, with its template only on the network."""
    import huggingface_hub

    snapshot = model_folder(folder / "snapshot", {})

    def download(repository: str, name: str, revision: str | None = None) -> str:
        fetched.append((repository, name, revision))
        if name == "tokenizer.json":
            return str(snapshot / name)
        if name != "chat_template.jinja":
            raise OSError("no such file in the repository")
        (snapshot / name).write_text("x")
        return str(snapshot / name)

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    monkeypatch.setattr(
        huggingface_hub, "try_to_load_from_cache", lambda *a, **k: str(snapshot / "tokenizer.json")
    )
    return Loader(folder)


def test_the_template_of_a_hub_repository_is_fetched_only_where_that_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetched: list[Any] = []
    loader = cached(tmp_path, monkeypatch, fetched)
    with pytest.raises(TokenizerError, match="allow the download with --allow-network"):
        frame_for("who/x@main", loader, Renderer())
    assert fetched == []
    online = Loader(tmp_path, network=True)
    frame = frame_for("who/x@main", online, Renderer())
    assert frame.label == "chat template of who/x@main"
    names = ("tokenizer.json", "chat_template.jinja", "chat_template.json", "tokenizer_config.json")
    assert fetched == [("who/x", name, "main") for name in names]
