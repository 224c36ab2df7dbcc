"""Chat templates written for the tests, and a small model folder to put them in."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers

from tokenlint.tokens.chat import Conversation, Message

if TYPE_CHECKING:
    from pathlib import Path

CHATML = """\
{%- set default = "You are Qwen, created by Alibaba Cloud. You are a helpful assistant." %}
{%- if messages[0].role != "system" %}
    {{- "<|im_start|>system\\n" ~ default ~ "<|im_end|>\\n" }}
{%- endif %}
{%- for message in messages %}
    {{- "<|im_start|>" ~ message.role ~ "\\n" ~ message.content ~ "<|im_end|>\\n" }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- "<|im_start|>assistant\\n" }}
{%- endif %}
"""
"It gives the ids that the published template of Qwen2.5 gives for requests without tools."

PARTS = """\
{%- for message in messages %}
    {{- "<|im_start|>" ~ message.role ~ ":" }}
    {%- if message.content is string %}
        {{- message.content }}
    {%- else %}
        {%- for part in message.content %}{{ part.text }}{% endfor %}
    {%- endif %}
    {{- "<|im_end|>" }}
{%- endfor %}
"""
"It reads a content that is a list of parts."

IN_PAIRS = """\
{%- set odd = messages | length is odd %}
{%- if odd %}{{ raise_exception("a user and an assistant in turn") }}{% endif %}
{%- for message in messages %}{{ bos_token ~ message.content ~ eos_token }}{% endfor %}
"""
"It refuses the first message alone."


def said(role: str, content: Any = "", **fields: Any) -> Message:
    """A message; a list of strings is a content in parts."""
    given = content
    if isinstance(content, list):
        given = [{"type": "text", "text": text} for text in content]
        content = "".join(content)
    name = fields.get("name")
    return Message(role, content or "", name, {"role": role, "content": given, **fields})


def talk(*messages: Message, **extra: Any) -> Conversation:
    """A conversation of messages, and what else the request holds."""
    return Conversation(messages, extra)


def engine() -> Tokenizer:
    """A byte-level BPE of 300 tokens with two control strings."""
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=300, initial_alphabet=alphabet, show_progress=False)
    made.train_from_iterator(["system user assistant, the helpful assistant"] * 3, trainer)
    for control in ("<|im_start|>", "<|im_end|>"):
        made.add_special_tokens([AddedToken(control, normalized=False, special=True)])
    return made


def model_folder(folder: Path, files: dict[str, Any]) -> Path:
    """A folder with a tokenizer.json and other files: text as it is, anything else as JSON."""
    folder.mkdir(parents=True, exist_ok=True)
    written = {"tokenizer.json": engine().to_str(), **files}
    for name, content in written.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_bytes(text.encode())
    return folder
