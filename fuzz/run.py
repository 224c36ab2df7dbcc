"""Feed a target with bytes that nobody would write: `python fuzz/run.py [TARGET] [--seconds N]`.

Without a target every one has its turn. atheris drives where it is installed, and looks for inputs
that reach new code; elsewhere, or with --plain, the corpus is changed at random. What breaks a
promise is kept below `fuzz/found`, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import random
import re
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from targets import NAMES  # noqa: E402

FOUND = HERE / "found"
LONGEST = 20.0
"Seconds that one input may take."

Target = Callable[[bytes], None]


def main() -> int:
    """Run one target here, or each in a process of its own."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("target", nargs="?", choices=NAMES)
    asked.add_argument("--seconds", type=int, default=60, help="for each target (default: 60)")
    asked.add_argument("--plain", action="store_true", help="change the corpus at random")
    asked.add_argument("--seed", type=int, default=0, help="of the changes at random")
    arguments = asked.parse_args()
    if arguments.target is None:
        rest = [f"--{key}={getattr(arguments, key)}" for key in ("seconds", "seed")]
        rest += ["--plain"] * arguments.plain
        codes = [subprocess.call([sys.executable, __file__, name, *rest]) for name in NAMES]
        return int(any(codes))
    FOUND.mkdir(exist_ok=True)
    if arguments.plain or importlib.util.find_spec("atheris") is None:
        return plainly(arguments.target, arguments.seconds, arguments.seed)
    return guided(arguments.target, arguments.seconds)


def load(name: str) -> Target:
    """The function of a target."""
    found: Target = importlib.import_module(f"targets.{name}").target
    return found


def guided(name: str, seconds: int) -> int:
    """Let atheris drive a child, which libFuzzer ends, and tell what it came to."""
    with tempfile.TemporaryDirectory(prefix="tokenlint-fuzz-") as reached:
        code = (
            f"import sys; sys.path.insert(0, {str(HERE)!r})\n"
            "import atheris, importlib, pkgutil\n"
            "with atheris.instrument_imports(include=['tokenlint', 'pytest_tokenbudget']):\n"
            "    import tokenlint, pytest_tokenbudget\n"
            "    for package in (tokenlint, pytest_tokenbudget):\n"
            "        for one in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
            "            if not one.name.endswith(('__main__', 'plugin')):\n"
            "                importlib.import_module(one.name)\n"
            f"    target = importlib.import_module('targets.{name}').target\n"
            "atheris.Setup(sys.argv, target)\natheris.Fuzz()\n"
        )
        options = (
            f"-max_total_time={seconds}",
            f"-artifact_prefix={FOUND}/{name}-",
            f"-dict={HERE / 'words.dict'}",
            f"-timeout={LONGEST:.0f}",
            "-rss_limit_mb=4096",
            "-max_len=4096",
            "-print_final_stats=1",
        )
        corpus = (reached, str(HERE / "corpus" / name))
        ran = subprocess.run(
            [sys.executable, "-c", code, *options, *corpus],
            check=False,
            capture_output=True,
            text=True,
            errors="replace",
        )
    inputs = re.search(r"stat::number_of_executed_units:\s*(\d+)", ran.stderr)
    told = inputs[1] if inputs else "an unknown number of"
    print(f"{name}: atheris, {seconds} s, {told} inputs, exit code {ran.returncode}")
    if ran.returncode:
        print("\n".join(ran.stderr.splitlines()[-60:]))
    return int(ran.returncode != 0)


def plainly(name: str, seconds: float, seed: int) -> int:
    """Change the corpus at random and run what comes of it."""
    target, end, number, found = load(name), time.monotonic() + seconds, 0, 0
    for raw in inputs(name, random.Random(seed)):
        began = time.monotonic()
        if began > end:
            break
        number += 1
        try:
            target(raw)
            if time.monotonic() - began > LONGEST:
                raise AssertionError(f"it took {time.monotonic() - began:.0f} s")
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            found += 1
            (FOUND / f"{name}-{sha256(raw).hexdigest()[:16]}").write_bytes(raw)
            traceback.print_exc()
    print(f"{name}: at random from seed {seed}, {seconds} s, {number} inputs, {found} of them fail")
    return int(found > 0)


def inputs(name: str, chance: random.Random) -> Iterator[bytes]:
    """The corpus of a target, and then without end what changes make of it."""
    seeds = [file.read_bytes() for file in sorted((HERE / "corpus" / name).iterdir())]
    yield from seeds
    pool, words = list(seeds), dictionary()
    while True:
        raw = chance.choice(pool)
        for _ in range(chance.randint(1, 6)):
            raw = changed(raw, chance, words, pool)
        yield raw[:4096]
        if chance.random() < 0.01:  # so that changes can build on changes
            pool = [*seeds, *pool[len(seeds) :][-200:], raw[:4096]]


def changed(raw: bytes, chance: random.Random, words: list[bytes], pool: list[bytes]) -> bytes:
    """An input with one change."""
    at, end = sorted((chance.randint(0, len(raw)), chance.randint(0, len(raw))))
    kind = chance.randrange(6)
    if kind == 0:
        return raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :]
    if kind == 1:
        return raw[:at] + raw[end:]
    if kind == 2:
        return raw[:at] + chance.choice(words) + raw[at:]
    if kind == 3:
        return raw[:at] + chance.choice(words) * chance.choice((2, 10, 300)) + raw[at:]
    if kind == 4:
        return raw[:end] + raw[at:]
    other = chance.choice(pool)
    return raw[:at] + other[chance.randint(0, len(other)) :]


def dictionary() -> list[bytes]:
    """The words of the dictionary, which is in libFuzzer's format."""
    lines = (HERE / "words.dict").read_text("ascii").splitlines()
    quoted = (line[1:-1] for line in lines if line.startswith('"'))
    return [word.encode("latin-1").decode("unicode_escape").encode("latin-1") for word in quoted]


if __name__ == "__main__":
    raise SystemExit(main())
