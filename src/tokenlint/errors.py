"""What the user can put right: one clear sentence each, caught once, in the command line."""


class TokenlintError(Exception):
    """The base of every error whose text is meant for the user (exit code 2)."""


class ConfigError(TokenlintError):
    """A configuration file or a command-line value that cannot be used as it stands."""


class TokenizerError(TokenlintError):
    """A tokenizer that is unknown, missing, damaged, or not to be had without the network."""


class UncountableTextError(TokenlintError):
    """A text that the engine of a tokenizer refuses, such as a million spaces in a row."""


class ExtractError(TokenlintError):
    """A prompt inside a file that cannot be had: a malformed path, a broken file, no text there."""


class GitError(TokenlintError):
    """Git is not installed, or cannot do what was asked of it."""


class ChatError(TokenlintError):
    """A file of messages that cannot be read, or a request that no count is known for."""


class PriceError(TokenlintError):
    """A model without a price, a price without a volume, or price data that is not installed."""


class RenderError(TokenlintError):
    """A template that cannot be rendered: what it lacks, where it is wrong, or the limit it met."""
