"""Jinja2 templates from anywhere, rendered in a process of their own that is held to limits."""

from tokenlint.tokens.rendering.renderer import DEADLINE, MAX_CHARACTERS, Renderer

__all__ = ["DEADLINE", "MAX_CHARACTERS", "Renderer"]
