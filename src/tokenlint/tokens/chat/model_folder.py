"""What a model's folder says of chats: its template, and the special tokens that templates name."""

from __future__ import annotations

import json
from dataclasses import field
from typing import TYPE_CHECKING, Any

from tokenlint.errors import TokenizerError
from tokenlint.frozen import frozen
from tokenlint.small_files import read_small

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILES = ("chat_template.jinja", "chat_template.json", "tokenizer_config.json")
"Where a template may stand, the first one that has it first."

_TOKENS = ("bos", "eos", "unk", "sep", "pad", "cls", "mask")


@frozen
class ChatTemplate:
    """The source of a template, another one for requests with tools, and special tokens."""

    source: str
    with_tools: str | None = None
    tokens: Mapping[str, str] = field(default_factory=dict)

    def for_request(self, *, tools: bool) -> str:
        """The template that a request is rendered with."""
        return self.with_tools if tools and self.with_tools is not None else self.source


def read_folder(folder: Path) -> ChatTemplate | None:
    """The chat template of a folder, or None where it has none.

    Raises TokenizerError.
    """
    tokens = special_tokens(folder)
    if (source := _text(folder / FILES[0])) is not None:
        return ChatTemplate(source, tokens=tokens)
    for name in FILES[1:]:
        given = _object(folder / name).get("chat_template")
        if given is not None:
            return _template(folder / name, given, tokens)
    return None


def read_template(path: Path, tokens: Mapping[str, str]) -> ChatTemplate:
    """The chat template in a file of the user.

    Raises TokenizerError.
    """
    source = _text(path)
    if source is None:
        raise TokenizerError(f"{path}: no chat template there; put right chat-template")
    return ChatTemplate(source, tokens=tokens)


def special_tokens(folder: Path) -> dict[str, str]:
    """The special tokens that a folder gives a name, such as `bos_token`."""
    found: dict[str, str] = {}
    for name in ("special_tokens_map.json", "tokenizer_config.json"):  # the second one decides
        said = _object(folder / name)
        for key in (f"{token}_token" for token in _TOKENS):
            value = said.get(key)
            text = value.get("content") if isinstance(value, dict) else value
            if isinstance(text, str):
                found[key] = text
    return found


def _template(path: Path, given: object, tokens: Mapping[str, str]) -> ChatTemplate:
    if isinstance(given, str):
        return ChatTemplate(given, tokens=tokens)
    if not isinstance(given, list) or not all(map(_is_named, given)):
        raise TokenizerError(
            f"{path}: its chat_template is neither a string nor a list of templates with a name"
        )
    named = {one["name"]: one["template"] for one in given}
    if "default" not in named:
        raise TokenizerError(
            f"{path}: none of its chat templates is called default ({', '.join(named) or 'none'})"
        )
    return ChatTemplate(named["default"], named.get("tool_use"), tokens)


def _is_named(one: object) -> bool:
    return isinstance(one, dict) and all(isinstance(one.get(k), str) for k in ("name", "template"))


def _text(path: Path) -> str | None:
    """The text of a file with its line ends as LF, or None where there is no such file."""
    try:
        text = read_small(path).decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError:
        raise TokenizerError(f"{path}: not UTF-8; convert the file to UTF-8") from None
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        raise TokenizerError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _object(path: Path) -> dict[str, Any]:
    text = _text(path)
    if text is None:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        row = getattr(error, "lineno", 1)
        why = getattr(error, "msg", "nested too deeply")
        raise TokenizerError(f"{path}: not valid JSON (line {row}: {why})") from None
    return value if isinstance(value, dict) else {}
