"""Chats: files of messages, and what a model receives of them."""

from tokenlint.tokens.chat.choosing import frame_for
from tokenlint.tokens.chat.conversation import Conversation, Message
from tokenlint.tokens.chat.frame import OPENING, Frame, Request, Turn
from tokenlint.tokens.chat.reading import conversations

__all__ = [
    "OPENING",
    "Conversation",
    "Frame",
    "Message",
    "Request",
    "Turn",
    "conversations",
    "frame_for",
]
