"""Small changes to the functions of a module, as mutmut makes them, and how one is put in force."""

from __future__ import annotations

import ast
import collections
import functools
import gc
import hashlib
import importlib
import importlib.machinery
import json
import shutil
import textwrap
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
KEPT = ROOT / "build" / "mutation"
CHILD = "rendering/jinja_child/"  # runs in a process of its own
FUTURE = "from __future__ import annotations\n"

Living = dict[tuple[str, str], list[FunctionType]]
"The functions that exist, by the file and the name of their code."


@dataclass(frozen=True)
class Mutant:
    """One change: where it is, what stood there and stands there now, and the function with it."""

    path: str
    line: int
    first: int
    function: str
    before: str
    after: str
    source: str

    @property
    def key(self) -> str:
        """The same for the same change of the same function."""
        said = f"{self.path} {self.function} {self.source}"
        return hashlib.sha256(said.encode()).hexdigest()[:16]

    @property
    def file(self) -> str:
        """The module as Python names its file."""
        return str(ROOT / self.path)


def mutants(path: Path) -> list[Mutant]:
    """Every change to a module; kept, because to work them out takes as long as many tests."""
    digest = hashlib.sha256(str(path).encode() + path.read_bytes()).hexdigest()
    kept = KEPT / "mutants" / f"{digest}.json"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps([asdict(one) for one in _mutants(path)]))
    return [Mutant(**one) for one in json.loads(kept.read_text())]


def _mutants(path: Path) -> Iterator[Mutant]:
    made = importlib.import_module("mutmut.mutation.file_mutation")  # pip install mutmut
    cst, metadata = importlib.import_module("libcst"), importlib.import_module("libcst.metadata")
    text = path.read_text("utf-8")
    wrapper = metadata.MetadataWrapper(cst.parse_module(text))
    visitor = _visitor(made, cst)(
        made.mutation_operators, made.get_ignored_lines(str(path), text, wrapper, None), None
    )
    module = wrapper.visit(visitor)
    places = wrapper.resolve(metadata.PositionProvider)
    parents = wrapper.resolve(metadata.ParentNodeProvider)
    early = _called_on_import(text)
    names = {node: name for node, name in _functions(module, cst) if name not in early}
    for one in visitor.mutations:
        outer = one.contained_by_top_level_function
        if outer in names:
            changed = made.deep_replace(outer, one.original_node, one.mutated_node)
            yield Mutant(
                str(path.relative_to(ROOT)),
                places[_placed(one.original_node, places, parents)].start.line,
                places[outer].start.line,
                names[outer],
                module.code_for_node(one.original_node).strip(),
                module.code_for_node(one.mutated_node).strip(),
                textwrap.dedent(module.code_for_node(changed)),
            )


def _visitor(made: Any, cst: Any) -> Any:
    class Visitor(made.MutationVisitor):  # type: ignore[misc]
        def _skip_node_and_children(self, node: Any) -> bool:
            if isinstance(node, cst.FunctionDef) and node.decorators:
                return False  # its code is replaced, whatever is wrapped around it
            return bool(super()._skip_node_and_children(node))

    return Visitor


def _functions(module: Any, cst: Any) -> Iterator[tuple[Any, str]]:
    for one in module.body:
        if isinstance(one, cst.FunctionDef):
            yield one, one.name.value
        elif isinstance(one, cst.ClassDef):
            methods = (method for method in one.body.body if isinstance(method, cst.FunctionDef))
            yield from ((method, f"{one.name.value}.{method.name.value}") for method in methods)


def _called_on_import(text: str) -> set[str]:
    """Functions that a module calls while it is imported: to change them then is too late."""
    definitions = (ast.FunctionDef, ast.ClassDef)
    rest = (one for one in ast.parse(text).body if not isinstance(one, definitions))
    calls = (node for one in rest for node in ast.walk(one) if isinstance(node, ast.Call))
    return {call.func.id for call in calls if isinstance(call.func, ast.Name)}


def _placed(node: Any, places: Any, parents: Any) -> Any:
    """The node, or what is around it: an operator has no place of its own."""
    while node not in places:
        node = parents[node]
    return node


def living() -> Living:
    """Every function of ours in this process."""
    found: Living = collections.defaultdict(list)
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(SOURCE)):
            found[one.__code__.co_filename, one.__code__.co_qualname].append(one)
    return found


def install(mutant: Mutant, functions: Living, folder: Path) -> None:
    """Put a change in force: in what was imported, in what will be, and in the child's copy."""
    for name, code in _all(compiled(mutant), mutant.function):
        for function in functions[mutant.file, name]:
            if function.__code__.co_freevars == code.co_freevars:
                function.__code__ = code
    for function in functions[mutant.file, mutant.function]:
        _give_defaults(function, mutant)
    text = _changed_file(mutant)
    _import_as(mutant.file, text)
    if CHILD in mutant.path:
        from tokenlint.tokens.rendering import process

        copy = folder / "rendering"
        shutil.copytree(SOURCE / "tokenlint/tokens/rendering", copy)
        (copy / mutant.path.partition("rendering/")[2]).write_text(text)
        process.__file__ = str(copy / "process.py")


def compiled(mutant: Mutant) -> CodeType:
    """The code of the changed function."""
    owner, _, name = mutant.function.rpartition(".")
    inside = textwrap.indent(mutant.source, "  ")
    text = f"{FUTURE}class {owner}:\n{inside}" if owner else FUTURE + mutant.source
    code = compile(text, mutant.file, "exec", dont_inherit=True)
    for wanted in filter(None, (owner, name)):
        inner = (one for one in code.co_consts if isinstance(one, CodeType))
        code = next(one for one in inner if one.co_name == wanted)
    return code


def _all(code: CodeType, name: str) -> Iterator[tuple[str, CodeType]]:
    """A function and those in it: what a decorator made lives since the module was imported."""
    yield name, code.replace(co_qualname=name)
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _all(one, f"{name}.<locals>.{one.co_name}")


def _give_defaults(function: FunctionType, mutant: Mutant) -> None:
    """Simple defaults may have been changed too, and are not part of the code."""
    asked: Any = ast.parse(mutant.source).body[0]
    if function.__defaults__:
        pairs = zip(asked.args.defaults, function.__defaults__, strict=True)
        function.__defaults__ = tuple(_value(node, old) for node, old in pairs)
    given = function.__kwdefaults__ or {}
    for argument, node in zip(asked.args.kwonlyargs, asked.args.kw_defaults, strict=True):
        if node is not None:
            given[argument.arg] = _value(node, given[argument.arg])


def _value(node: ast.expr, old: object) -> object:
    return node.value if isinstance(node, ast.Constant) else old


def _changed_file(mutant: Mutant) -> str:
    lines = Path(mutant.file).read_text("utf-8").splitlines(keepends=True)
    found: Any = ast.parse("".join(lines))
    for name in mutant.function.split("."):
        found = [one for one in found.body if getattr(one, "name", "") == name][-1]
    first = min([found.lineno, *(one.lineno for one in found.decorator_list)])
    changed = textwrap.indent(mutant.source.strip("\n") + "\n", " " * found.col_offset)
    return "".join([*lines[: first - 1], changed, *lines[found.end_lineno :]])


def _import_as(file: str, text: str) -> None:
    loader: Any = importlib.machinery.SourceFileLoader
    usual = loader.get_code

    def get_code(self: Any, name: str) -> CodeType | None:
        if self.get_filename(name) == file:
            return compile(text, file, "exec", dont_inherit=True)
        found: CodeType | None = usual(self, name)
        return found

    loader.get_code = get_code


def forget() -> None:
    """Clear what functions of ours remember since tests were collected."""
    wrapper = type(functools.cache(len))
    for one in gc.get_objects():
        if isinstance(one, wrapper) and one.__module__.startswith("tokenlint"):
            one.cache_clear()
