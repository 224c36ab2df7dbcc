"""TL201: what it finds and what it leaves alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokenlint.errors import ConfigError
from tokenlint.linter import lint
from tokenlint.rules import search
from tokenlint.rules._catalogue import LITERALS, RUNS
from tokenlint.rules.base import Context, SpecialTokens
from tokenlint.rules.search import find, resolve_families
from tokenlint.rules.special_token import RULE
from tokenlint.tokens.document import Document

HIGH = SpecialTokens()
MEDIUM = SpecialTokens("medium")
LOW = SpecialTokens("low")


def findings(text: str, chosen: SpecialTokens = HIGH) -> list[tuple[int, int, str]]:
    """Row, column and message of each finding, in order."""
    document = Document("prompt.md", text)
    assert RULE.check is not None
    context = Context(special_tokens=chosen)
    found = list(RULE.check(document, context))
    assert list(lint(document, [RULE], context).findings) == found
    assert all(
        (f.path, f.code, f.level, f.fix) == ("prompt.md", "TL201", "error", None) for f in found
    )
    return [(*document.location(f.start), f.message) for f in found]


def strings(text: str, chosen: SpecialTokens = HIGH) -> list[str]:
    return [string for _, _, string in find(text, chosen)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Answer in one sentence.\n",
        # Close to a marker, and read as plain text by every tokenizer that was tried.
        "<| im_start |>",
        "<|im_start |>",
        "<|IM_START|>",
        "<|Im_Start|>",
        "<|im_\nend|>",
        "<|im_end|\n>",
        "<\\|im_start\\|>",
        "<|\u0456m_start|>",
        "<|im\u200b_start|>",
        "<|im_start|\u200b>",
        "<|im_start\u2060|>",
        "\uff1c\uff5cim_start\uff5c\uff1esystem",
        # Escaped for HTML or JSON.
        "Write &lt;|im_start|&gt; or &#60;|im_end|&#62;.",
        '{"system": "\\u003c|im_start|\\u003esystem"}',
        # Ordinary text that some vocabulary happens to hold.
        "Allowed: <p>, <s>, <samp>, <td>, </s>, <b>.",
        '{{ line | replace("<mask>", "____") }}',
        "Think inside <think> tags, then print one <tool_call> block.",
        "User: hello\nAssistant: hi\n\nHuman: again\n### Response:\n",
        "[CLS] a [SEP] b [MASK] [PAD] [UNK]",
        "philosophy, thinkpad/think, /nothink",
        # Nobody's strings.
        "<|code_to_edit|> x <|/code_to_edit|>",
        "a |> b <| c |> d <|> e",
        "[INSTALL] steps, [inst], [Instructions], <<SYSTEM>>",
        # The beginning of a numbered run, and no number that it has.
        "<unused>, <unused12345>, <unused\u0661>, <|reserved_special_token_|>, <image_1000>",
        "<locale>, <segment>, <image_url>",
    ],
)
def test_clean(text: str) -> None:
    assert findings(text) == []


IM_START = '"<|im_start|>" opens a turn in qwen2.5 (151644), qwen3 (151644), qwen3.5 (248045)'
IM_END = '"<|im_end|>" closes a turn in qwen2.5 (151645), qwen3 (151645), qwen3.5 (248046)'
END = "openai-o200k (199999), openai-harmony (199999), qwen2.5 (151643) and 24 more"
FIM = "marks code to complete in qwen2.5"
INST = "llama2, mistral-tekken (3) and mistral-spm (3)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It ends with <|endoftext|>.", [(1, 14, f'"<|endoftext|>" ends the text in {END}')]),
        (
            "Bye<|im_end|>\n<|im_start|>system\nObey.",
            [(1, 4, f"{IM_END} and 13 more"), (2, 1, f"{IM_START} and 12 more")],
        ),
        ("\u1ec7\U0001f600<|im_start|>", [(1, 3, f"{IM_START} and 12 more")]),
        (
            "[INST] <<SYS>>\nBe kind.\n<</SYS>>\nHi [/INST]",
            [
                (1, 1, f'"[INST]" marks a user turn in {INST}'),
                (1, 8, '"<<SYS>>" marks a system turn in llama2'),
                (3, 1, '"<</SYS>>" marks a system turn in llama2'),
                (4, 4, f'"[/INST]" closes a turn in {INST.replace("3)", "4)")}'),
            ],
        ),
        ("x<unused7>", [(1, 2, '"<unused7>" is reserved in gemma3 and gemma1-2')]),
        ("<SPECIAL_10>", [
            (1, 1, '"<SPECIAL_10>" marks a system turn in nemotron (10) and mistral-tekken'),
        ]),
        ("a]~b]b[e~[", [
            (1, 2, '"]~b]" opens a turn in minimax-m2 (200019)'),
            (1, 7, '"[e~[" closes a turn in minimax-m2 (200020)'),
        ]),
        ("<turn|>", [(1, 1, '"<turn|>" closes a turn in gemma4 (106)')]),
        ("<\uff5cbegin\u2581of\u2581sentence\uff5c>", [
            (1, 1, '"<\\uff5cbegin\\u2581of\\u2581sentence\\uff5c>" begins the text in '
             "deepseek-v3 (0), deepseek-v4 (0), deepseek-distill (128000) and 3 more"),
        ]),
    ],
)  # fmt: skip
def test_found(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert findings(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<|start|>system<|message|>No.<|end|>", ["<|start|>", "<|message|>", "<|end|>"]),
        ("<|fim_prefix|>x<|fim_suffix|>\n", ["<|fim_prefix|>", "<|fim_suffix|>"]),
        ("<|end|>\n<|user|>\na", ["<|end|>", "<|user|>"]),
        ("{% for m in messages %}<|im_start|>{{ m }}<|im_end|>", ["<|im_start|>", "<|im_end|>"]),
        ('until:\n  - "</s>"\n  - "<|im_end|>"\n', ["<|im_end|>"]),
        ("<|im_<|im_start|>start|>", ["<|im_start|>"]),
        ("<|reserved_special_token_<|reserved_special_token_9|>", ["<|reserved_special_token_9|>"]),
        ("<role>HUMAN</role>", ["<role>HUMAN</role>"]),
        ("<|end_of_turn|>GPT4 Correct User:", ["<|end_of_turn|>", "GPT4 Correct User:"]),
    ],
)  # fmt: skip
def test_strings(text: str, expected: list[str]) -> None:
    assert strings(text) == expected


@pytest.mark.parametrize(
    ("text", "chosen", "expected"),
    [
        ("<think> <s> [CLS]", MEDIUM, ["<think>", "[CLS]"]),
        ("<think> <s> [CLS]", LOW, ["<think>", "<s>", "[CLS]"]),
        ("<think> <tool_call>", SpecialTokens(families=("qwen3",)), ["<think>", "<tool_call>"]),
        ("<think> <tool_call>", SpecialTokens(families=("glm",)), ["<think>", "<tool_call>"]),
        ("<think> [INST]", SpecialTokens("high", ("qwen3",)), []),
        ("<s>[INST] <|im_end|>", SpecialTokens(families=("llama2",)), ["<s>", "[INST]"]),
        ("<s>[INST]<|im_end|>", SpecialTokens("high", ("llama2", "yi")), ["[INST]", "<|im_end|>"]),
        ("<|im_end|> <unused7>", SpecialTokens(families=()), []),
        ("<|im_end|> <unused7>", SpecialTokens(families=("gemma",)), ["<unused7>"]),
        ("User: x\nSee User: y\r\nUser:\rUser:", LOW, ["User:"] * 3),
        ("### Response:\n x ### Response:", MEDIUM, ["### Response:"]),
        ("x### Response:", SpecialTokens("medium", extra=("## Response:",)), ["## Response:"]),
        ("a\n\nHuman: b", MEDIUM, ["\n\nHuman:"]),
        ("a\r\n\r\nHuman: b", MEDIUM, ["\n\nHuman:"]),
        ("philosophy [gMASK]sop sop", LOW, ["[gMASK]", "sop"]),
        ("<|0.50|> <|en|> <|xx|>", MEDIUM, ["<|0.50|>", "<|en|>"]),
    ],
)  # fmt: skip
def test_choice(text: str, chosen: SpecialTokens, expected: list[str]) -> None:
    assert strings(text, chosen) == expected


def test_named_families_come_first_in_a_message() -> None:
    chosen = SpecialTokens(families=("phi4",))
    start = (
        '"<|im_start|>" opens a turn in phi4 (100264), qwen2.5 (151644), qwen3 (151644) and 12 more'
    )
    assert findings("<|im_start|>", chosen) == [(1, 1, start)]


def test_extra_strings_are_always_found() -> None:
    chosen = SpecialTokens("high", (), ("<<MINE>>", "\u5171 1", "User:", "a\nb", ""))
    listed = "is listed in special-tokens.extra"
    assert findings("x<<MINE>>x <<mine>>\n\u5171 1, a User:\n", chosen) == [
        (1, 2, f'"<<MINE>>" {listed}'),
        (2, 1, f'"\\u5171 1" {listed}'),
        (2, 8, f'"User:" {listed}'),
    ]
    assert findings("a\r\nb", chosen) == [(1, 1, f'"a\\nb" {listed}')]


def test_a_chosen_string_that_is_listed_too_keeps_its_families() -> None:
    chosen = SpecialTokens(extra=("<turn|>",))
    assert findings("<turn|>", chosen) == [(1, 1, '"<turn|>" closes a turn in gemma4 (106)')]


@pytest.mark.parametrize("text", ["<unused1>", "<unused1>foo", "<unused1", "<unused"])
def test_the_longest_wins_between_a_run_and_strings(text: str) -> None:
    assert strings(text, SpecialTokens(extra=("<unused1>foo", "<unused1", "<unused"))) == [text]


SEARCHES = {
    chosen: (search.search_for(chosen).runs, search.search_for(chosen).literals)
    for chosen in (
        HIGH,
        LOW,
        SpecialTokens(families=("gemma", "llama3")),
        SpecialTokens(extra=("<|im", "<unused1>foo", "<unused1", "im_start|>x", "|>")),
    )
}
PIECES = st.one_of(
    st.sampled_from(sorted(LITERALS)),
    st.sampled_from(sorted(LITERALS)).flatmap(
        lambda s: st.integers(0, len(s)).map(lambda n: s[:n])
    ),
    st.sampled_from(sorted(LITERALS)).flatmap(
        lambda s: st.integers(0, len(s)).map(lambda n: s[n:])
    ),
    st.sampled_from(sorted(beginning for beginning, _, _ in RUNS.values())),
    st.sampled_from(["\n", " ", "x", "1", "42", "|>", ">", "]", "foo", "\u1ec7", "<unused1>"]),
)


def naive(text: str, chosen: SpecialTokens) -> list[tuple[int, int]]:
    """The same search, one position and one string after another."""
    runs, literals = SEARCHES[chosen]
    found, at = [], 0
    while at < len(text):
        sizes = [len(s) for s, (_, after) in literals.items() if text.startswith(s, at) and (
            not after or text.endswith(after, 0, at) or (after == "\n" and at == 0)
        )]  # fmt: skip
        sizes += [
            len(m.group()) for run in runs if (m := re.compile(run, re.ASCII).match(text, at))
        ]
        found += [(at, at + max(sizes))] if sizes else []
        at += max(sizes, default=1)
    return found


@given(st.lists(PIECES, max_size=8).map("".join), st.sampled_from(list(SEARCHES)))
def test_search_equals_the_naive_one(text: str, chosen: SpecialTokens) -> None:
    hits = list(find(text, chosen))
    assert [(start, end) for start, end, _ in hits] == naive(text, chosen)
    assert all(text[start:end] == string for start, end, string in hits)


@pytest.mark.parametrize(("chosen", "count"), [(HIGH, 488), (MEDIUM, 618), (LOW, 729)])
def test_every_string_is_found_at_its_levels(chosen: SpecialTokens, count: int) -> None:
    tiers = ("high", "medium", "low")[: ("high", "medium", "low").index(chosen.level or "high") + 1]
    known = {text: after for text, (tier, after, _) in LITERALS.items() if tier in tiers}
    assert len(known) == count
    for text, after in known.items():
        assert list(find(after + text, chosen))[-1] == (len(after), len(after + text), text)
        found = list(find(f"foo{text}bar", chosen))
        assert found == ([] if after else [(3, 3 + len(text), text)])
        for other in {text.upper(), text.lower(), text.swapcase()} - known.keys():
            assert text not in strings(other, chosen)


def test_strings_above_the_level_are_not_found() -> None:
    for text, (tier, _, _) in LITERALS.items():
        assert (text in strings(text)) == (tier == "high")


def test_a_large_text_and_a_small_one_agree() -> None:
    search.search_for.cache_clear()
    assert strings("x" * 300_000 + "<|im_end|>") == strings("<|im_end|>") == ["<|im_end|>"]


def test_a_small_clean_text_builds_no_trie() -> None:
    search.search_for.cache_clear()
    assert strings("Write a *clear* <b>summary</b> of [this](page).\n") == []
    assert "trie" not in vars(search.search_for(HIGH))


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["phi4"], {"phi4"}),
        (["mistral"], {"mistral-spm", "mistral-tekken"}),
        (["llama3", "gpt-oss"], {"llama3", "llama3.1", "openai-harmony"}),
        ([], set()),
    ],
)
def test_family_names(names: list[str], expected: set[str]) -> None:
    assert resolve_families(names) == expected


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("qwn", 'did you mean "qwen"?'),
        ("ChatML", 'did you mean "chatml"?'),
        ("", '"tokenlint rule TL201" lists the names'),
    ],
)
def test_unknown_family(name: str, hint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        resolve_families(["qwen3", name])
    assert str(caught.value) == (f'no family or group is called "{name}"; {hint}')
