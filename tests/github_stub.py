"""A stand-in for `gh`, and for the GitHub that it asks: comments and pull requests in a file."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit


def answer(arguments: list[str], state: dict[str, Any]) -> Any:
    """What GitHub says to a request, and does to its state."""
    options = dict(zip(arguments[1::2], arguments[2::2], strict=False))
    method = options.get("--method", "GET")
    address = next(word for word in reversed(arguments) if word.startswith("repos/"))
    given: dict[str, Any] = json.load(sys.stdin) if "--input" in arguments else {}
    state["calls"].append(f"{method} {address}")
    if os.environ.get("GH_TOKEN") != state["token"]:
        raise SystemExit("gh: Resource not accessible by integration (HTTP 403)")
    path = urlsplit(address)
    if path.path.endswith("/pulls"):
        return page(state["pulls"], path.query)
    if method == "GET":
        return page(state["comments"], path.query)
    if method == "POST":
        new = {"id": 100 + len(state["comments"]), "user": {"login": state["login"]}, **given}
        state["comments"].append(new)
        return new
    old = next(one for one in state["comments"] if path.path.endswith(f"/comments/{one['id']}"))
    old.update(given)
    return old


def page(items: list[Any], query: str) -> list[Any]:
    """A part of a list, as the query asks for it."""
    asked = parse_qs(query)
    size, number = int(asked["per_page"][0]), int(asked["page"][0])
    heads = asked.get("head")
    found = [one for one in items if heads is None or one["head"]["label"] in heads]
    return found[(number - 1) * size : number * size]


def main() -> None:
    """Answer as `gh api` does."""
    assert sys.argv[1:4] == ["api", "--hostname", "github.com"], sys.argv
    file = Path(os.environ["GITHUB_STUB"])
    state = json.loads(file.read_text(encoding="utf-8"))
    try:
        said = answer(sys.argv[1:], state)
    finally:
        file.write_text(json.dumps(state), encoding="utf-8")
    sys.stdout.write(json.dumps(said))


if __name__ == "__main__":
    main()
