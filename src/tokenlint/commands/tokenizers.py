"""`tokenlint tokenizers`: what can be counted with here, from where, and what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenlint.errors import TokenizerError
from tokenlint.frozen import frozen
from tokenlint.tokens.encodings import ENCODINGS, EXTRAS
from tokenlint.tokens.rank_files import RANK_FILES
from tokenlint.tokens.vocabularies import locate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tokenlint.commands.session import Session


@frozen
class Known:
    """A tokenizer that can be named: where its vocabulary is, or how to get it."""

    name: str
    source: str | None
    sha256: str | None
    remedy: str = ""

    def as_json(self) -> dict[str, str | bool | None]:
        """The facts for another program."""
        return {
            "name": self.name,
            "available": self.source is not None,
            "source": self.source,
            "sha256": self.sha256,
            "remedy": self.remedy or None,
        }


def run(session: Session) -> list[Known]:
    """Every tokenizer by name: the built-in ones, then those of the configuration."""
    found = [_built_in(name) for name in (*ENCODINGS, *(n for n in EXTRAS if n not in ENCODINGS))]
    names = {known.name for known in found}
    config = session.config
    own = dict.fromkeys((*config.tokenizer, *config.tokenizers))
    return found + [_configured(name, session) for name in own if name not in names]


def _built_in(name: str) -> Known:
    vocabulary = ENCODINGS[name].vocabulary if name in ENCODINGS else "deepseek"
    file = RANK_FILES[vocabulary]
    source = locate(vocabulary)
    return Known(name, source, file.sha256, "" if source else file.remedy)


def _configured(name: str, session: Session) -> Known:
    tokenizer = session.scope(session.config).loader.get(name)
    if isinstance(tokenizer, TokenizerError):
        return Known(name, None, None, str(tokenizer))
    return Known(name, tokenizer.source, tokenizer.fingerprint)


def as_table(found: list[Known]) -> Iterator[str]:
    """A line a tokenizer; what is missing says how to get it."""
    size = max(len(known.name) for known in found)
    for known in found:
        state = "available" if known.source else "missing"
        sha = f"sha256 {known.sha256[:12]}  " if known.sha256 else ""
        yield f"{known.name:{size}}  {state:9}  {sha}{known.source or known.remedy}"
