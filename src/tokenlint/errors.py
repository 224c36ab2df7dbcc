"""What the user can put right: one clear sentence each, caught once, in the command line."""


class TokenlintError(Exception):
    """The base of every error whose text is meant for the user (exit code 2)."""


class ConfigError(TokenlintError):
    """A configuration file or a command-line value that cannot be used as it stands."""


class TokenizerError(TokenlintError):
    """A tokenizer that is unknown, missing, damaged, or not to be had without the network."""


class UncountableTextError(TokenlintError):
    """A text that the engine of a tokenizer refuses, such as a million spaces in a row."""


class GitError(TokenlintError):
    """Git is not installed, or cannot do what was asked of it."""
