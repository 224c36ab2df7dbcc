"""The targets by name: each module has `target(raw)`, which raises where a promise is broken."""

NAMES = (
    "documents",
    "configuration",
    "messages",
    "extraction",
    "tokenizers",
    "patterns",
    "baselines",
    "locks",
    "templates",
    "histories",
)
