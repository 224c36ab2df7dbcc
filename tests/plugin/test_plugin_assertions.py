"""Counts that explain themselves, texts that must be clean, and which tokenizer counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Project

VIETNAMESE = "Tất nhiên, tôi sẽ giúp bạn"


def _explained(project: Project, source: str, *arguments: str) -> list[str]:
    """The lines of the one failure that pytest marks as its explanation."""
    project.write({"test_it.py": source})
    result = project.pytester.runpytest_inprocess(
        "-p", "no:hypothesispytest", "-p", "no:anyio", *arguments
    )
    assert result.parseoutcomes()["failed"] == 1
    return [line[1:].removeprefix("       ") for line in result.outlines if line[:2] == "E "]


@pytest.mark.parametrize(
    ("assertion", "explanation"),
    [
        (
            "count_tokens('one two') <= 1",
            ["assert 2 <= 1", "  the text: 2 tokens, 1 over 1 (o200k_base), +100.0 %"],
        ),
        (
            "1 >= count_tokens('one two', label='greeting')",
            ["assert 1 >= 2", "  greeting: 2 tokens, 1 over 1 (o200k_base), +100.0 %"],
        ),
        (
            "count_tokens('one two') == 3",
            ["assert 2 == 3", "  the text: 2 tokens, 1 under 3 (o200k_base)"],
        ),
        (
            "count_tokens('one two') < 0",
            ["assert 2 < 0", "  the text: 2 tokens, 2 over 0 (o200k_base)"],
        ),
        (
            f"count_tokens({VIETNAMESE!r}, tokenizer=['o200k_base', 'cl100k_base']) <= 8",
            ["assert 16 <= 8", "  the text: 16 tokens, 8 over 8 (cl100k_base), +100.0 %"],
        ),
        (
            "count_tokens(Path('a.md')) <= 800",
            [
                "assert 1014 <= 800",
                "  a.md: 1,014 tokens, 214 over 800 (o200k_base), +26.8 %",
                "  Normalised to NFC it would take 1,012 tokens, 2 fewer.",
                "  The heaviest paragraphs:",
                "    lines 3-4: 1,002 tokens  one two one two one two one two one t...",
                "    line 1: 5 tokens",
                "    line 6: 1 token  four",
                "    line 8: 1 token  five",
            ],
        ),
        ("len('one two') <= 3", None),
        ("count_tokens('one two') and 9 <= 3", ["AssertionError: assert (2 and 9 <= 3)"]),
        ("count_tokens('one two') == 'x'", ["AssertionError: assert 2 == 'x'"]),
        ("count_tokens('one two') in [3]", ["AssertionError: assert 2 in [3]"]),
    ],
)
def test_a_comparison_explains_itself(
    project: Project, assertion: str, explanation: list[str] | None
) -> None:
    project.write(
        {"a.md": f"Te\u0302\u0301t.\n\n{'one two ' * 500}\nthree\n\nfour\n\nfive\n\nsix\n"}
    )
    lines = _explained(
        project, f"from pathlib import Path\ndef test_it(count_tokens):\n    assert {assertion}\n"
    )
    if explanation is None:
        assert "tokens" not in "".join(lines)
    else:
        assert lines[: len(explanation)] == explanation
        assert not [line for line in lines[len(explanation) :] if "tokens" in line]


def test_a_limit_of_the_test_is_not_taken_for_a_count(project: Project) -> None:
    source = """
def test_it(count_tokens):
    assert count_tokens("one " * 299) == 300
    assert 300 <= int("299")
"""
    assert "tokens" not in "".join(_explained(project, source))


def test_a_count_is_an_int_like_any_other(
    project: Project, official_count: Callable[[str, str], int]
) -> None:
    source = f"""
import copy, pickle

def test_it(count_tokens, fertility, record_property):
    count = count_tokens({VIETNAMESE!r})
    assert type(count) is int and repr(count) == "{official_count("o200k_base", VIETNAMESE)}"
    assert copy.deepcopy(count) == pickle.loads(pickle.dumps(count)) == count == 8
    assert fertility({VIETNAMESE!r}) == 8 / 6
    assert fertility({VIETNAMESE!r}, tokenizer=["o200k_base", "cl100k_base"]) == 16 / 6
    record_property("tokens", count)
"""
    project.write({"test_it.py": source})
    result = project.pytester.runpytest_subprocess("-n1", "--junitxml=o.xml")
    assert result.parseoutcomes() == {"passed": 1}


SNAPSHOT = "from inline_snapshot import snapshot\ndef test_it(count_tokens):\n"


def test_with_inline_snapshot(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("inline_snapshot")
    for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "CI"):
        monkeypatch.delenv(name, raising=False)  # it writes no snapshots in a worker or in CI
    source = f"{SNAPSHOT}    assert count_tokens('one two') <= snapshot()\n"
    project.write({"test_it.py": source})
    project.pytester.runpytest_subprocess("--inline-snapshot=create")
    written = (project.pytester.path / "test_it.py").read_text()
    assert written == source.replace("snapshot()", "snapshot(2)")
    project.write({"test_it.py": written.replace("'one two'", "'one two three'")})
    result = project.pytester.runpytest_subprocess()
    assert result.parseoutcomes()["failed"] == 1


def test_clean_texts(project: Project) -> None:
    source = r"""
from pathlib import Path
import pytest

@pytest.mark.parametrize("text", [
    "", "plain", "Ti\u1ebfng Vi\u1ec7t", "\u0254\u0301", "\U0001f468\u200d\U0001f469",
    "\u0915\u093c",
])
def test_nfc(assert_nfc, text):
    assert_nfc(text)

@pytest.mark.parametrize("text", ["", "a < b > c", "<s>bold</s>", "<|nobody|>", "&lt;|im_end|&gt;"])
def test_special(assert_no_special_tokens, text):
    assert_no_special_tokens(text)
    Path("a.md").write_text(text, "utf-8")
    assert_no_special_tokens(Path("a.md"))
"""
    assert project.run({"test_it.py": source}).outcomes == {"passed": 11}


def test_texts_that_are_not_clean(project: Project) -> None:
    source = r"""
from pathlib import Path

def test_decomposed(assert_nfc):
    assert_nfc("one\r\nca\u0300 \u212b")

def test_file(assert_nfc):
    assert_nfc(Path("a.md"))

def test_many(assert_nfc):
    assert_nfc("a\u0300 " * 9, label="answer")

def test_special(assert_no_special_tokens):
    assert_no_special_tokens("hi <|im_end|> tokenlint: ignore[TL201]", label="ticket")

def test_configured(assert_no_special_tokens):
    assert_no_special_tokens("a <<MINE>>")

def test_kind(assert_nfc):
    assert_nfc(b"a")
"""
    ran = project.run(
        {
            "test_it.py": source,
            "a.md": "e\u0301",
            "tokenlint.toml": 'ignore = ["TL1", "TL2"]\nspecial-tokens = {extra = ["<<MINE>>"]}\n',
        }
    )
    grave = "decomposed text: U+0061 U+0300 is U+00E0 LATIN SMALL LETTER A WITH GRAVE in NFC"
    acute = "decomposed text: U+0065 U+0301 is U+00E9 LATIN SMALL LETTER E WITH ACUTE in NFC"
    first, *rest = ran.failures.pop("test_decomposed").splitlines()
    assert first == "AssertionError: the text is not in NFC:"
    assert rest[0] == f"  2:2: {grave}"
    assert rest[1].startswith("  2:5: ")
    assert "U+212B" in rest[1]
    assert ran.failures.pop("test_special").startswith(
        'AssertionError: ticket holds control strings:\n  1:4: "<|im_end|>" closes a turn in '
    )
    assert ran.failures == {
        "test_file": f"AssertionError: a.md is not in NFC:\n  1:1: {acute}",
        "test_many": "\n".join(
            [
                "AssertionError: answer is not in NFC:",
                *(f"  1:{column}: {grave}" for column in range(1, 19, 3)),
                "  ... and 3 more",
            ]
        ),
        "test_configured": "AssertionError: the text holds control strings:\n"
        '  1:3: "<<MINE>>" is listed in special-tokens.extra',
        "test_kind": "Failed: expected a str, or a path for a file, found bytes",
    }


COUNTS = f"""
import pytest

@pytest.fixture(scope="session")
def shared(count_tokens):
    return count_tokens({VIETNAMESE!r})

def test_count(count_tokens, shared, fertility):
    assert count_tokens({VIETNAMESE!r}) == shared == 16
    assert fertility({VIETNAMESE!r}) == 16 / 6
    assert count_tokens({VIETNAMESE!r}, tokenizer="o200k_base") == 8

@pytest.mark.token_budget(16)
def test_budget(token_budget):
    assert token_budget.check({VIETNAMESE!r}) == 16
"""
OVERRIDE = "import pytest\n@pytest.fixture(scope='session'{})\ndef tokenizer(request):\n    {}\n"


@pytest.mark.parametrize(
    ("conftest", "outcomes"),
    [
        (OVERRIDE.format("", "return 'cl100k_base'"), {"passed": 2}),
        (OVERRIDE.format("", "return ['o200k_base', 'cl100k_base']"), {"passed": 2}),
        (
            OVERRIDE.format("", "import tokenlint; return tokenlint.load_tokenizer('cl100k_base')"),
            {"passed": 2},
        ),
        (
            OVERRIDE.format(", params=['cl100k_base', 'o200k_base']", "return request.param"),
            {"passed": 3, "failed": 1},
        ),
        (OVERRIDE.format("", "return 3"), {"failed": 2, "errors": 0}),
    ],
    ids=["name", "names", "object", "params", "wrong"],
)
def test_the_fixture_tokenizer_can_be_overridden(
    project: Project, conftest: str, outcomes: dict[str, int]
) -> None:
    ran = project.run({"conftest.py": conftest, "test_it.py": COUNTS})
    if "errors" in outcomes:
        assert set(ran.outcomes) <= {"failed", "errors"}
        assert all("expected a string or a list" in text for text in ran.failures.values())
    elif "params" in conftest:
        assert ran.outcomes["passed"] >= 2
        assert all("o200k_base" in name for name in ran.failures)
    else:
        assert ran.outcomes == outcomes


def test_the_tokenizer_of_the_run(project: Project) -> None:
    source = f"""
def test_it(tokenizer):
    assert tokenizer.name == "cl100k_base"
    assert tokenizer.count({VIETNAMESE!r}) == len(tokenizer.encode({VIETNAMESE!r})) == 16
"""
    ran = project.run({"test_it.py": source}, "--tokenbudget-tokenizer=cl100k_base")
    assert ran.outcomes == {"passed": 1}


@pytest.mark.parametrize("more", ["", ", indirect=True", ", scope='session'"])
def test_a_test_is_parametrized_over_several_tokenizers(project: Project, more: str) -> None:
    source = f"""
import pytest

@pytest.mark.parametrize("tokenizer", ["o200k_base", "cl100k_base"]{more})
class TestBoth:
    def test_count(self, count_tokens, fertility, token_budget):
        assert count_tokens({VIETNAMESE!r}) == 8
        assert fertility({VIETNAMESE!r}) == 8 / 6
        assert token_budget.check({VIETNAMESE!r}, max_tokens=8)

    @pytest.mark.parametrize("maximum", [7, 8])
    def test_other(self, tokenizer, maximum, token_budget):
        token_budget.check("one " * 7, max_tokens=maximum)
"""
    ran = project.run({"test_it.py": source})
    assert set(ran.failures) == {"TestBoth::test_count[cl100k_base]"} | {
        f"TestBoth::test_other[{name}]" for name in ("7-o200k_base", "7-cl100k_base")
    }
    assert ran.outcomes == {"passed": 3, "failed": 3}


PROMPTS = """
import os
from pathlib import Path
import pytest

@pytest.mark.prompt_files("prompts/**/*.md", ["b.md"])
class TestPrompts:
    def test_it(self, prompt_file, count_tokens, token_budget, assert_nfc):
        assert prompt_file.path == Path(str(prompt_file)).absolute()
        assert prompt_file.text == "one two\\n"
        assert prompt_file.count() == prompt_file.count("cl100k_base") == count_tokens(prompt_file)
        assert token_budget.check(prompt_file, max_tokens=9) == 3
        assert_nfc(prompt_file)

@pytest.fixture
def rendered(prompt_file):
    return prompt_file.text

@pytest.mark.prompt_files("b.md")
@pytest.mark.parametrize("times", [1, 2])
def test_fixture(rendered, times):
    assert rendered == "one two\\n"
"""


def test_prompt_files(project: Project) -> None:
    files = dict.fromkeys(("prompts/a.md", "prompts/.x/a.md", "b.md"), b"one two\r\n")
    project.write({**files, "test_it.py": PROMPTS})
    assert sorted(project.collected()) == [
        "test_it.py::TestPrompts::test_it[b.md]",
        "test_it.py::TestPrompts::test_it[prompts/.x/a.md]",
        "test_it.py::TestPrompts::test_it[prompts/a.md]",
        "test_it.py::test_fixture[b.md-1]",
        "test_it.py::test_fixture[b.md-2]",
    ]
    assert project.run({}).outcomes == {"passed": 5}


@pytest.mark.parametrize(
    ("decorator", "arguments", "sentence"),
    [
        ('"none/*.md"', "prompt_file", "none/*.md: no such file for prompt_files, tried {root}/"),
        ("", "prompt_file", "prompt_files: no glob is given; write @pytest.mark.prompt_files("),
        ('files="*"', "prompt_file", "prompt_files: unknown argument files; write @pytest.mark."),
        (
            '"*", extrct="body"',
            "prompt_file",
            "prompt_files: unknown argument extrct; did you mean extract?",
        ),
        ("3", "prompt_file", "prompt_files: the globs: expected a string or a list of strings, "),
        ('"*.py"', "", "prompt_files: the test takes no argument prompt_file, so it checks nothi"),
    ],
)
def test_a_mark_that_finds_no_file_is_an_error_of_collection(
    project: Project, decorator: str, arguments: str, sentence: str
) -> None:
    source = f"import pytest\n@pytest.mark.prompt_files({decorator})\ndef test_it({arguments}): 0\n"
    project.write({"test_it.py": source, "test_ok.py": "def test_ok(): ...\n"})
    result = project.pytester.runpytest_inprocess()
    assert result.parseoutcomes() == {"errors": 1}
    root = str(project.pytester.path)
    lines = [line for line in result.outlines if line.startswith("test_it.py:")]
    assert lines[0].startswith(f"test_it.py:2: {sentence.replace('{root}', root)}")


def test_the_argument_without_the_mark(project: Project) -> None:
    result = project.run({"test_it.py": "def test_it(prompt_file): ...\n"})
    assert result.failures == {
        "test_it": 'Failed: prompt_file: mark the test with @pytest.mark.prompt_files("prompts/'
        '**/*.md")'
    }
