"""The two commands that the action runs, and where their reports go."""

from __future__ import annotations

from pathlib import Path

from runner import folder, output, run, summary, variable, words

MARKDOWN, NUMBERS = "comment.md", "diff.json"
"The report that becomes the comment, and the same for programs."


def check() -> None:
    """Lint: annotations and the job's summary come from the command itself."""
    sarif = variable("SARIF_FILE")
    also = ["--also", f"sarif={Path(variable('GITHUB_WORKSPACE'), sarif)}"] if sarif else []
    options = [*words("CHECK_ARGS"), "--output-format", "github", *also]
    output("exit-code", run(variable("TOKENLINT"), "check", *options, "--", *words("PATHS")))


def diff() -> None:
    """Compare with the base, whatever comes of it: the last step decides what the run is."""
    markdown, numbers = folder() / MARKDOWN, folder() / NUMBERS
    for old in (markdown, numbers):  # a runner of one's own keeps its folder between runs
        old.unlink(missing_ok=True)
    options = [
        *words("DIFF_ARGS"),
        *("--output-format", "github"),
        *("--also", f"markdown={markdown}", "--also", f"json={numbers}"),
    ]
    output("exit-code", run(variable("TOKENLINT"), "diff", variable("BASE"), *options))
    if markdown.exists():
        summary(markdown.read_text(encoding="utf-8"))
