"""Jinja2's sandbox, in which moreover no step builds more than the bounds allow."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

from jinja2 import nodes, pass_context
from jinja2.compiler import CodeGenerator
from jinja2.exceptions import SecurityError
from jinja2.runtime import LoopContext, Macro
from jinja2.sandbox import (
    ImmutableSandboxedEnvironment,
    SandboxedEscapeFormatter,
    SandboxedFormatter,
)
from jinja2.utils import Namespace
from markupsafe import Markup, escape

from .bounds import Bounds, limited_range
from .growth import FILTERS, METHODS, Call, joinable, require_small
from .undefined import require_defined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jinja2.compiler import Frame
    from jinja2.runtime import Context


class _Generator(CodeGenerator):
    """Lets `a ~ b` go through the bounds; Jinja2 itself lets only the other operators."""

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802
        self.write("environment.concat_values((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("), context.eval_ctx)")


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """The sandbox; `guard_filters` ends its setting up."""

    code_generator_class = _Generator
    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, bounds: Bounds, **options: Any) -> None:
        """A sandbox with Jinja2's own filters and globals, the dangerous ones replaced."""
        super().__init__(finalize=bounds.spelled, **options)
        self.bounds = bounds
        self.concat = bounds.concat  # type: ignore[method-assign]
        self.globals.update(range=limited_range, lipsum=bounds.lorem)
        self.globals.update(dict=_Dict(), namespace=_Namespace)

    def guard_filters(self) -> None:
        """Put the bounds before each filter, now that all of them are there."""
        for name, function in self.filters.items():
            self.filters[name] = _guarded(self.bounds, name, function)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """An operation between two values, if its result is small enough."""
        self.bounds.operation(operator, left, right)
        return super().call_binop(context, operator, left, right)

    def concat_values(self, values: Iterable[Any], eval_ctx: nodes.EvalContext) -> str:
        """What `~` makes."""
        convert = escape if eval_ctx.autoescape else str
        text = self.bounds.concat(convert(self.bounds.spelled(value)) for value in values)
        return Markup(text) if eval_ctx.autoescape else text  # noqa: S704  (each part is escaped)

    def call(self, context: Context, function: Any, /, *given: Any, **named: Any) -> Any:
        """Any call that a template makes, if what it makes is small enough."""
        owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
        if isinstance(owner, (str, int)):
            require_small(METHODS, name, Call(self.bounds, owner, given, named))
        if isinstance(owner, str) and name == "join" and given:
            given = (joinable(self.bounds, owner, given[0]), *given[1:])
        try:
            return self.bounds.checked(super().call(context, function, *given, **named))
        except TypeError:  # about a type that the template's author never heard of
            if not isinstance(function, (Macro, LoopContext)):  # those fail inside, at anything
                require_defined((*given, *named.values()))
            raise

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """`str.format` and `format_map`, by a formatter that knows the bounds."""
        if super().wrap_str_format(value) is None:
            return None
        text: str = value.__self__

        @wraps(value)  # errors tell its name
        def format_map(mapping: Any) -> str:
            return self._formatted(text, (), mapping)

        @wraps(value)
        def format_all(*given: Any, **named: Any) -> str:
            return self._formatted(text, given, named)

        return format_map if value.__name__ == "format_map" else format_all

    def _formatted(self, text: str, given: tuple[Any, ...], named: Any) -> str:
        formatter: SandboxedFormatter = _Formatter(self)
        if isinstance(text, Markup):
            formatter = _EscapeFormatter(self, escape=text.escape)
        return type(text)(formatter.vformat(text, given, named))


class _BoundedFields(SandboxedFormatter):
    """Formats the fields of a text while there is room for them."""

    _made = 0

    def format_field(self, value: Any, format_spec: str) -> str:
        bounds: Bounds = self._env.bounds  # type: ignore[attr-defined]
        bounds.width_of(format_spec)
        field: str = super().format_field(bounds.spelled(value), format_spec)
        self._made += len(field)
        bounds.require(self._made)
        return field


class _Formatter(_BoundedFields):
    pass


class _EscapeFormatter(_BoundedFields, SandboxedEscapeFormatter):
    pass


class _Dict:
    """`dict` for templates: it makes mappings, and is no class to climb from."""

    def __call__(self, *given: Any, **named: Any) -> dict[Any, Any]:
        return dict(*given, **named)

    def fromkeys(self, keys: Iterable[Any], value: Any = None) -> dict[Any, Any]:
        return dict.fromkeys(keys, value)


class _Namespace(Namespace):
    """`namespace` for templates, without the names that mean something to Python."""

    def __init__(*given: Any, **named: Any) -> None:  # `self` may be the name of an attribute
        made = dict(*given[1:], **named)
        for name in made:
            _require_public(name)
        Namespace.__init__(given[0], made)

    def __setitem__(self, name: str, value: Any) -> None:
        _require_public(name)
        super().__setitem__(name, value)


def _require_public(name: object) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(f"a namespace takes no attribute that begins with _, such as {name!r}")


def _guarded(bounds: Bounds, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter behind the bounds.

    It asks for the context, whatever the filter itself asks for: Jinja2 then calls it only where
    the template is rendered, and not already where it is compiled.
    """
    kind = getattr(getattr(function, "jinja_pass_arg", None), "name", "")

    @pass_context
    def guarded(context: Context, value: Any, /, *given: Any, **named: Any) -> Any:
        if name == "join":
            value, given, named = _join(bounds, context, value, *given, **named)
        require_small(FILTERS, name, Call(bounds, value, given, named))
        first = _first_arguments(kind, context)
        try:
            return bounds.checked(function(*first, bounds.spelled(value), *given, **named))
        except TypeError:
            require_defined((value, *given, *named.values()))
            raise

    return guarded


def _first_arguments(kind: str, context: Context) -> tuple[Any, ...]:
    if kind == "context":
        return (context,)
    if kind == "eval_context":
        return (context.eval_ctx,)
    return (context.environment,) if kind == "environment" else ()


def _join(
    bounds: Bounds, context: Context, value: Any, d: Any = "", attribute: Any = None
) -> tuple[list[Any], tuple[Any, ...], dict[str, Any]]:
    """The arguments of the filter `join`, its items drawn and known to be small enough."""
    if attribute is not None:
        draw = context.environment.call_filter
        value = draw("map", value, kwargs={"attribute": attribute}, context=context)
    return joinable(bounds, d, value), (d,), {}
