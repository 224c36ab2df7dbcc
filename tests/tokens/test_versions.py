"""Versions are those that importlib.metadata says."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

import pytest

from tokenlint.tokens.versions import version_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("package", ["tiktoken", "tokenizers", "regex", "pytest"])
def test_an_installed_package(package: str) -> None:
    assert version_of(package) == metadata.version(package)


def test_a_package_that_is_not_there() -> None:
    assert version_of("no_package_has_this_name") == "none"


def test_a_package_without_metadata_is_known_by_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "without_metadata" / "__init__.py"
    file.parent.mkdir()
    file.write_text("x = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert version_of("without_metadata") == f"6 {file.stat().st_mtime_ns}"
