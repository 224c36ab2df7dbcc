"""Make the tokens of prompts visible and hold them to limits."""

from tokenlint.errors import TokenlintError
from tokenlint.tokens import Tokenizer, load_tokenizer

__all__ = ["Tokenizer", "TokenlintError", "__version__", "load_tokenizer"]

__version__ = "0.1.0"
