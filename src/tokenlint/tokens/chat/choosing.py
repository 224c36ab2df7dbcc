"""A name becomes the chat format of its tokenizer."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.errors import TokenizerError
from tokenlint.tokens.chat.model_folder import FILES, read_folder, read_template, special_tokens
from tokenlint.tokens.encodings import ENCODINGS, EXTRAS
from tokenlint.tokens.loading import encoding_for

if TYPE_CHECKING:
    from tokenlint.tokens.chat.frame import Frame
    from tokenlint.tokens.loading import Loader, TokenizerTable
    from tokenlint.tokens.rendering import Renderer
    from tokenlint.tokens.tokenizer import Tokenizer

_HARMONY = "o200k_harmony"
_BY_FORMULA = ("o200k_base", "cl100k_base")
_NO_CHAT = ("davinci", "babbage", "curie", "ada", "text-", "code-", "gpt-3.5-turbo-instruct")
"What the names of models begin with that complete or embed a text and know no messages."

_OF_EXTRAS = {
    "qwen2.5": {"eos_token": "<|im_end|>", "pad_token": "<|endoftext|>"},
    "deepseek-v3": {
        "bos_token": "<\uff5cbegin\u2581of\u2581sentence\uff5c>",
        "eos_token": "<\uff5cend\u2581of\u2581sentence\uff5c>",
        "pad_token": "<\uff5cend\u2581of\u2581sentence\uff5c>",
    },
}
"The special tokens that the chat models of the extras give a name, as their makers publish them."


def frame_for(name: str, loader: Loader, renderer: Renderer, *, opens: bool = True) -> Frame:
    """The chat format of a tokenizer name; `opens` adds the opening of the answer to a template.

    Raises TokenizerError where none is known, with what to do about it.
    """
    table = loader.table(name)
    encoding = encoding_for(table.source)
    if table.chat_template is None and _knows_no_messages(encoding, table.source):
        raise TokenizerError(
            f"{name}: its models complete or embed text and know no messages; name a chat model "
            "or its encoding, such as o200k_base"
        )
    tokenizer = loader.require(name)
    if table.chat_template is not None:
        return _of_user(tokenizer, table, loader, renderer, opens=opens)
    if encoding == _HARMONY:
        from tokenlint.tokens.chat.harmony import HarmonyFrame

        return HarmonyFrame(tokenizer)
    if encoding in _BY_FORMULA:
        from tokenlint.tokens.chat.formula import FormulaFrame

        return FormulaFrame(tokenizer)
    return _of_folder(tokenizer, table.source, loader, renderer, opens=opens)


def _knows_no_messages(encoding: str, source: str) -> bool:
    if encoding not in ENCODINGS or encoding in EXTRAS:
        return False
    model = source.rpartition("/")[2].removeprefix("ft:")
    return encoding not in (*_BY_FORMULA, _HARMONY) or model.startswith(_NO_CHAT)


def _of_user(
    tokenizer: Tokenizer, table: TokenizerTable, loader: Loader, renderer: Renderer, *, opens: bool
) -> Frame:
    from tokenlint.tokens.chat.template import TemplateFrame

    given = table.chat_template or ""
    folder = _folder(tokenizer, loader)
    tokens = _OF_EXTRAS.get(table.source, {}) if folder is None else special_tokens(folder)
    loader.require_inside(loader.in_base(given))
    template = read_template(loader.in_base(given), tokens)
    return TemplateFrame(tokenizer, template, renderer, f"chat template {given}", opens)


def _of_folder(
    tokenizer: Tokenizer, source: str, loader: Loader, renderer: Renderer, *, opens: bool
) -> Frame:
    from tokenlint.tokens.chat.template import TemplateFrame

    folder = None if source in EXTRAS else _folder(tokenizer, loader)
    if folder is not None and loader.network and loader.is_of_hub(source):
        _download(source)
    template = None if folder is None else read_folder(folder)
    if template is None:
        raise TokenizerError(f"{tokenizer.name}: {_missing(tokenizer.name, folder, loader)}")
    label = f"chat template of {_shown(source, folder, loader)}"
    return TemplateFrame(tokenizer, template, renderer, label, opens)


def _shown(source: str, folder: Path | None, loader: Loader) -> str:
    """A folder from where the configuration stands, if it stands below."""
    if folder is not None and not loader.is_of_hub(source):
        with suppress(ValueError):
            inside = folder.absolute().relative_to(loader.base.absolute())
            return f"./{inside.as_posix()}"
    return source


def _missing(name: str, folder: Path | None, loader: Loader) -> str:
    """Why there is no template, and how to give one."""
    why = "no chat format is known for it"
    source = loader.table(name).source
    if folder is not None:
        why = f"no chat template in {folder} (looked for {', '.join(FILES)})"
        if loader.is_of_hub(source):
            why += "; allow the download with --allow-network"
    if name in loader.tables:
        return f"{why}; add chat-template = the path of its Jinja template to its table"
    return (
        f'{why}; add [tool.tokenlint.tokenizer.NAME] with source = "{source}" and '
        "chat-template = the path of its Jinja template"
    )


def _folder(tokenizer: Tokenizer, loader: Loader) -> Path | None:
    """The folder of a tokenizer that came from a tokenizer.json of the user.

    Raises TokenizerError where a file in a folder of the repository is a link that leads out of it.
    """
    path = Path(tokenizer.source)
    if path.suffix != ".json":
        return None
    if loader.within.refusal(path.parent) is None:
        for name in (*FILES, "special_tokens_map.json"):
            loader.require_inside(path.parent / name)
    return path.parent


def _download(source: str) -> None:
    """Put the files of a hub repository that may hold a template beside its tokenizer.json."""
    import huggingface_hub as hub

    repository, _, revision = source.partition("@")
    for name in FILES:
        with suppress(Exception):  # most repositories have only one of them
            hub.hf_hub_download(repository, name, revision=revision or None)
