"""Write docs/licences.md: what the project depends on, and under which licences.

Everything comes from the metadata of the packages that are installed here, followed from
pyproject.toml. With --check only what pyproject.toml itself names is compared: what those
packages depend on changes without us, and is written anew for a release.
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from site_markdown import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
NOT_SHIPPED = ("dev", "docs")
"Extras for those who work on the project."

MOST = 40
"The length of what can be the name of a licence."

_TOP = """\
# Licences of dependencies

`pytest-tokenbudget` itself is under the MIT licence, and so are the vocabularies of OpenAI that it
carries (NOTICE). `python tools/licences.py` writes this page from the metadata of the installed
packages: those that pyproject.toml names, and all that they need in turn.
"""
_IDS = {
    "Apache Software License": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "BSD License": "BSD",
    "BSD-3-Clause License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "Unlicense": "Unlicense",
}
"Names that metadata uses, and the SPDX identifiers that they mean."


@dataclass(frozen=True)
class Needed:
    """A package, its licence, and the extra that brings it (none: every installation has it)."""

    name: str
    licence: str
    extra: str = ""


def declared() -> dict[str, list[Requirement]]:
    """The requirements in pyproject.toml by extra; those of every installation have none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras: Mapping[str, list[str]] = project.get("optional-dependencies", {})
    shipped = {extra: said for extra, said in extras.items() if extra not in NOT_SHIPPED}
    said = {"": project["dependencies"], **shipped}
    return {extra: list(map(Requirement, lines)) for extra, lines in said.items()}


def licence_of(found: Distribution) -> str:
    """The licence as metadata says it: an expression, else a short text, else classifiers."""
    if expression := _said(found, "License-Expression"):
        return expression
    classified = [
        line.rpartition(" :: ")[2]
        for line in found.metadata.get_all("Classifier") or ()
        if line.startswith("License ::") and not line.endswith("OSI Approved")
    ]
    first = _said(found, "License").partition("\n")[0]  # some give the whole text, title first
    short = [first] if first and len(first) < MOST else []
    return " or ".join(_IDS.get(one, one) for one in short or classified) or "not said"


def _said(found: Distribution, field: str) -> str:
    return found.metadata[field].strip() if field in found.metadata else ""


def needed() -> Iterator[Needed]:
    """Everything that an installation brings, each package once."""
    seen: set[str] = set()
    for extra, requirements in declared().items():
        for name in sorted(_closure(requirements, seen)):
            yield Needed(name, licence_of(distribution(name)), extra)


def _closure(requirements: Iterable[Requirement], seen: set[str]) -> Iterator[str]:
    for requirement in requirements:
        name = canonicalize_name(requirement.name)
        if name in seen or not _holds(requirement):
            continue
        seen.add(name)
        found = _installed(name)
        if found is not None:
            yield name
            yield from _closure(map(Requirement, found.requires or ()), seen)


def _holds(requirement: Requirement) -> bool:
    """Whether a requirement is one on this machine, without extras."""
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def page() -> str:
    """The page as this environment has it."""
    found = sorted(needed(), key=lambda one: (one.extra, one.name))
    parts = [_TOP]
    for extra in dict.fromkeys(one.extra for one in found):
        title = f"The extra `{extra}`" if extra else "Every installation"
        rows = ([one.name, one.licence] for one in found if one.extra == extra)
        parts += [f"## {title}\n", table(["package", "licence"], rows)]
    return "\n".join(parts)


def problems() -> Iterator[str]:
    """What pyproject.toml names, is installed here, and the page does not have."""
    said = set(re.findall(r"^\| ([\w.-]+) \| .+ \|$", PAGE.read_text("utf-8"), re.MULTILINE))
    for requirements in declared().values():
        for requirement in requirements:
            name = canonicalize_name(requirement.name)
            if name not in said and _installed(name):
                yield f"docs/licences.md has no {name}; run python tools/licences.py"


def main() -> int:
    """Write the page, or check it."""
    if "--check" in sys.argv[1:]:
        found = list(problems())
        print("\n".join(found), end="\n" if found else "")
        return 1 if found else 0
    PAGE.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
