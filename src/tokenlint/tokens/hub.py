"""Tokenizers of the Hugging Face hub: from its cache, or from the network where it is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tokenlint.errors import TokenizerError
from tokenlint.tokens.tokenizer_files import from_file

if TYPE_CHECKING:
    from tokenlint.tokens.counts import Counts
    from tokenlint.tokens.loading import TokenizerTable
    from tokenlint.tokens.tokenizer import Tokenizer


def from_hub(
    name: str, table: TokenizerTable, *, network: bool, counts: Counts | None = None
) -> Tokenizer:
    """The tokenizer of a repository. Raises TokenizerError."""
    repository, _, revision = table.source.partition("@")
    path = _hub_file(repository, revision or None, network=network)
    if path is None:
        raise TokenizerError(
            f"{table.source}: no tokenizer.json of this repository in the hub's cache; give the "
            "path of a local one (./folder/tokenizer.json), or allow the download with "
            f"--allow-network; {for_a_model(table.source)}"
        )
    return from_file(path, name=name, table=table, counts=counts)


def _hub_file(repository: str, revision: str | None, *, network: bool) -> Path | None:
    import huggingface_hub as hub

    if network:
        try:
            return Path(hub.hf_hub_download(repository, "tokenizer.json", revision=revision))
        except Exception as error:  # noqa: BLE001  (a family of http and repository errors)
            first = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise TokenizerError(
                f"{repository}: the hub did not give its tokenizer.json ({first}); "
                "give the path of a local one (./folder/tokenizer.json)"
            ) from None
    try:
        found = hub.try_to_load_from_cache(repository, "tokenizer.json", revision=revision)
    except (OSError, ValueError):  # ValueError: no repository can have this name
        return None
    return Path(found) if isinstance(found, str) else None


def for_a_model(name: str) -> str:
    """What helps where a model's name says nothing."""
    return (
        "for a name of your own, add "
        f'[tool.tokenlint.tokenizer."{name}"] with source = the encoding or file that it uses'
    )
