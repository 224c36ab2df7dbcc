"""The separate process: what it knows, what it may do, and how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tokenlint.errors import RenderError
from tokenlint.tokens import child
from tokenlint.tokens.rendering import Renderer, process
from tokenlint.tokens.rendering import renderer as renderer_module
from tokenlint.tokens.rendering.process import Child

if TYPE_CHECKING:
    from collections.abc import Iterator

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="forks or signals")

INSTEAD = (
    "import sys; sys.path += sys.argv[1:]; import os, time; "
    "from jinja_child import worker; usual = worker.answer; worker.answer = lambda *given: {}; "
    "worker.main()"
)
"The program of the child with another answer in it."


@pytest.fixture
def renderer() -> Iterator[Renderer]:
    made = Renderer(30)
    yield made
    made.close()


def _pid(renderer: Renderer) -> int:
    renderer.prompt("", {})
    assert renderer._child is not None
    return renderer._child._process.pid


def _facts(renderer: Renderer, name: str) -> str:
    return Path(f"/proc/{_pid(renderer)}/{name}").read_text()


@on_linux
def test_the_child_knows_no_secret(renderer: Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY", "hush")
    monkeypatch.setenv("TZ", "UTC")
    names = {line.partition("=")[0] for line in _facts(renderer, "environ").split("\0") if line}
    assert names <= {"TZ", "LD_LIBRARY_PATH"}
    assert "TZ" in names


@on_linux
def test_the_child_is_confined(renderer: Renderer) -> None:
    limits = {
        line[:26].strip(): line[26:].split()[:2]
        for line in _facts(renderer, "limits").splitlines()[1:]
    }
    assert {name: limits[name] for name in CONFINED} == CONFINED
    assert int(limits["Max cpu time"][0]) in range(30, 40)


CONFINED = {
    "Max address space": ["1073741824", "1073741824"],
    "Max open files": ["0", "0"],
    "Max processes": ["0", "0"],
    "Max file size": ["0", "0"],
    "Max core file size": ["0", "0"],
}


@on_linux
def test_no_limit_is_raised(monkeypatch: pytest.MonkeyPatch, renderer: Renderer) -> None:
    import resource

    low = (2**29, 2**29)
    monkeypatch.setattr(
        process,
        "_PROGRAM",
        f"import resource; resource.setrlimit(resource.RLIMIT_AS, {low}); " + process._PROGRAM,
    )
    assert "536870912            536870912" in _facts(renderer, "limits")
    assert resource.getrlimit(resource.RLIMIT_AS) != low


def test_one_process_renders_again_and_again(renderer: Renderer) -> None:
    assert _pid(renderer) == _pid(renderer)


def test_after_a_deadline_another_process_renders() -> None:
    renderer = Renderer(0.3)
    before = _pid(renderer)
    loop = "{% for i in range(99999) %}" * 3 + "{% endfor %}" * 3
    with pytest.raises(RenderError, match=r"^the template takes more than 0.3 s to render$"):
        renderer.prompt(loop, {})
    assert _pid(renderer) != before
    renderer.close()


def test_a_process_that_ended_meanwhile_is_replaced(renderer: Renderer) -> None:
    before = _pid(renderer)
    assert renderer._child is not None
    renderer._child._process.kill()
    renderer._child._process.wait()
    assert renderer.prompt("{{ 1 }}", {}) == "1"
    assert _pid(renderer) != before


def test_closing_ends_the_process_and_the_next_template_starts_another(renderer: Renderer) -> None:
    renderer.close()  # there is none yet
    _pid(renderer)
    assert renderer._child is not None
    running = renderer._child._process
    renderer.close()
    assert running.poll() is not None
    assert renderer.prompt("{{ 1 }}", {}) == "1"


def test_nobody_left_to_ask_ends_the_process() -> None:
    renderer = Renderer(30)
    _pid(renderer)
    assert renderer._child is not None
    running = renderer._child._process
    del renderer
    assert running.poll() is not None


def test_an_interruption_ends_the_process(
    renderer: Renderer, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _pid(renderer)

    def interrupted(*_: object) -> dict[str, Any]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Child, "ask", interrupted)
        with pytest.raises(KeyboardInterrupt):
            renderer.prompt("", {})
    assert renderer._child is None
    assert _pid(renderer) != before


@on_posix
def test_the_process_ends_with_python(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
        from tokenlint.tokens.rendering import Renderer
        renderer = Renderer()
        renderer.prompt("x", {})
        print(renderer._child._process.pid)
        """)
    )
    done = subprocess.run([sys.executable, script], capture_output=True, check=True)
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)
    assert done.stderr == b""


@on_posix
def test_a_fork_has_a_process_of_its_own(renderer: Renderer) -> None:
    before = _pid(renderer)
    read, write = os.pipe()
    if (forked := os.fork()) == 0:  # pragma: no cover
        try:
            text = renderer.prompt("{{ 1 }}", {}) + str(_pid(renderer) == before)
            os.write(write, text.encode())
            renderer.close()
        finally:
            os._exit(0)
    os.waitpid(forked, 0)
    assert os.read(read, 99) == b"1False"
    os.close(read)
    os.close(write)
    assert _pid(renderer) == before


def test_what_another_process_started_is_left_alone(renderer: Renderer) -> None:
    _pid(renderer)
    assert renderer._child is not None
    child._end(renderer._child._process, os.getpid() + 1)
    assert renderer._child.is_usable


def test_threads_share_a_renderer(renderer: Renderer) -> None:
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda at: renderer.prompt("{{ at }}", {"at": at}), range(64)))
    assert made == [str(at) for at in range(64)]


def test_only_the_first_template_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_PROGRAM", "raise SystemExit(3)")
    renderer = Renderer()
    with pytest.raises(RenderError) as caught:
        renderer.prompt("", {})
    assert str(caught.value) == "the process that renders templates did not start (exit code 3)"


def test_without_a_python_to_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(RenderError) as caught:
        Renderer().prompt("", {})
    assert str(caught.value).startswith("no process can be started to render templates in: ")


def test_without_jinja2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "find_spec", lambda _: None)
    with pytest.raises(RenderError) as caught:
        Renderer().prompt("", {})
    assert str(caught.value) == "jinja2 is not installed; pip install jinja2"


def test_jinja2_is_found_where_only_this_process_looks(
    monkeypatch: pytest.MonkeyPatch, renderer: Renderer
) -> None:
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.setenv("PYTHONHOME", "/nowhere")  # read by a child that is not isolated
    assert renderer.prompt("{{ 1 }}", {}) == "1"


def test_no_byte_code_is_written_where_none_is_wanted(
    monkeypatch: pytest.MonkeyPatch, renderer: Renderer
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    _pid(renderer)
    assert renderer._child is not None
    assert isinstance(renderer._child._process.args, list)
    assert renderer._child._process.args[1:4] == ["-I", "-S", "-B"]


ODD = {
    "os._exit(77)": "the template needs more than 1 GiB of memory",
    "os._exit(9)": "the process that renders templates ended without an answer (exit code 9)",
    "[] * 'x'": "the process that renders templates ended without an answer (exit code 1)",
}
ODD_ON_LINUX = {
    "os.kill(os.getpid(), 11)": "Segmentation fault",
    "{'said': 'nonsense'}": "Killed",
    "{'text': 'x' * 200_000}": "Killed",  # more than anybody asked for
}


@pytest.mark.parametrize("what", ODD)
def test_a_child_that_dies(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _assert_odd(what, ODD[what], monkeypatch)


@on_linux
@pytest.mark.parametrize("what", ODD_ON_LINUX)
def test_a_child_that_is_killed(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    how = f"the process that renders templates ended without an answer ({ODD_ON_LINUX[what]})"
    _assert_odd(what, how, monkeypatch)


def _assert_odd(what: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    renderer = Renderer(30, max_characters=1000)
    with monkeypatch.context() as patch:
        patch.setattr(process, "_PROGRAM", INSTEAD.replace("{}", what))
        with pytest.raises(RenderError) as caught:
            renderer.prompt("", {})
    assert str(caught.value) == sentence
    assert renderer.prompt("{{ 1 }}", {}) == "1"
    renderer.close()


def test_a_child_that_died_before_it_was_asked(renderer: Renderer) -> None:
    child = process.Child()
    child._process.kill()
    with pytest.raises(RenderError, match="ended without an answer"):
        child.ask({"seconds": 30, "characters": 10, "x": "x" * 1_000_000}, lambda _: {})
    child.end()


def test_what_the_child_prints_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    noisy = "(print('noise', flush=True), os.write(1, b'noise'), usual(*given))[-1]"
    renderer = Renderer(30)
    with monkeypatch.context() as patch:
        patch.setattr(process, "_PROGRAM", INSTEAD.replace("{}", noisy))
        assert renderer.prompt("{{ 1 }}", {}) == "1"
    renderer.close()


def test_memory_that_is_used_up_costs_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    renderer = Renderer(30)
    spent = "{'error': 'no memory', 'spent': True}"
    with monkeypatch.context() as patch:
        patch.setattr(process, "_PROGRAM", INSTEAD.replace("{}", spent))
        with pytest.raises(RenderError, match="no memory"):
            renderer.prompt("", {})
    assert renderer._child is None
    renderer.close()


@on_linux
def test_a_template_that_fills_memory(renderer: Renderer) -> None:
    fill = "{% set ns.x = [ns.x, 'x' * 1000000, i, j] %}"
    loops = "{% for i in range(100000) %}{% for j in range(100000) %}"
    with pytest.raises(RenderError) as caught:
        renderer.prompt("{% set ns = namespace(x=[]) %}" + loops + fill + "{% endfor %}" * 2, {})
    assert str(caught.value) == "line 1: the template needs more than 1 GiB of memory"
    assert renderer.prompt("{{ 1 }}", {}) == "1"


def test_importing_the_door_imports_nothing_heavy() -> None:
    program = (
        "import sys; import tokenlint.tokens.rendering; "
        "print([one for one in ('jinja2', 'json', 'subprocess') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_the_deadline_is_ten_seconds() -> None:
    assert (renderer_module.DEADLINE, renderer_module.MAX_CHARACTERS) == (10, 10_000_000)
    assert Renderer()._settings == {"seconds": 10, "characters": 10_000_000, "now": None}
