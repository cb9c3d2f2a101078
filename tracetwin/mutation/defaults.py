"""Changes of defaults: what a parameter is where a call leaves it out.

A default is made when its function is. In the meta-program the parameter has a mark for its default, and the
function begins with ``if days is mark: days = (31 if which(0) else 29) if at(7) else 30``: what is passed is
never changed, though it may be equal.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from tracetwin.mutation.operators import Change, of_constant, shown
from tracetwin.mutation.switch import LEFT_OUT

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

Choose: TypeAlias = Callable[[ast.expr, Sequence[Change]], ast.expr]
"""Returns an expression that is a default, or where that is switched on one of its changes."""

DEFAULT: Final = "default"
"""The operator of these changes."""

_HARMLESS: Final = frozenset(
    "property setter staticmethod classmethod contextmanager asynccontextmanager cache lru_cache override"
    " final cached_property".split()
)
"""Decorators that do not look at defaults."""

_OF_CLASSES: Final = frozenset(
    "dataclass total_ordering final unique runtime_checkable define frozen mutable attrs s".split()
)
"""Those of classes that do not look at the defaults of methods."""

_READING: Final = frozenset(
    "signature getfullargspec __defaults__ __kwdefaults__ __init_subclass__ __set_name__".split()
)
"""Names of what tells defaults, or sees the methods of a class when it is made."""


def with_changed_defaults(node: FunctionNode, choose: Choose) -> ast.arguments:
    """Return the parameters of a function with other defaults."""
    others = {default: choose(default, _changes(item, default)) for item, default in _changeable(node)}
    return _with_defaults(node.args, others)


def with_marks(node: FunctionNode, choose: Choose) -> tuple[ast.arguments, list[ast.stmt]]:
    """Return the parameters of a function with marks for defaults, and how the function begins then."""
    beginning: list[ast.stmt] = []
    mark = ast.Name(LEFT_OUT, ast.Load())
    for item, default in _changeable(node):
        is_left_out = ast.Compare(ast.Name(item.arg, ast.Load()), [ast.Is()], [mark])
        value = choose(default, _changes(item, default))
        beginning.append(ast.If(is_left_out, [ast.Assign([ast.Name(item.arg, ast.Store())], value)], []))
    return _with_defaults(node.args, {default: mark for _, default in _changeable(node)}), beginning


def _with_defaults(spec: ast.arguments, others: Mapping[Any, ast.expr]) -> ast.arguments:
    """Return parameters with others of their defaults, by the nodes that stand there."""
    defaults = [others.get(one, one) for one in spec.defaults]
    by_name = [None if one is None else others.get(one, one) for one in spec.kw_defaults]
    return ast.arguments(
        spec.posonlyargs, spec.args, spec.vararg, spec.kwonlyargs, by_name, spec.kwarg, defaults
    )


def begun_with(body: list[ast.stmt], beginning: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a function with some more before them; its docstring stays the first one."""
    documented = bool(body) and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    return [*body[:documented], *beginning, *body[documented:]]


def are_defaults_read(tree: ast.Module) -> bool:
    """Return whether something in a module looks at signatures, or may do so with those of a class."""
    for node in ast.walk(tree):
        words = {getattr(node, "id", ""), getattr(node, "attr", ""), getattr(node, "name", "")}
        decorators = node.decorator_list if isinstance(node, ast.ClassDef) else ()
        if words & _READING or not all(_called(one) in _OF_CLASSES for one in decorators):
            return True
    return False


def _called(decorator: ast.expr) -> str:
    """The name of a decorator, without that of its module and its arguments."""
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    name = getattr(function, "id", getattr(function, "attr", ""))
    return name if isinstance(name, str) else ""


def _changes(item: ast.arg, default: ast.Constant) -> list[Change]:
    return [
        Change(DEFAULT, f"`{shown(default)}` becomes `{shown(change.node)}` for `{item.arg}`", change.node)
        for change in of_constant(default)
    ]


def _changeable(node: FunctionNode) -> Iterator[tuple[ast.arg, ast.Constant]]:
    """Yield the parameters whose defaults are constants that the function may use, with these."""
    if not all(_called(one) in _HARMLESS for one in node.decorator_list):
        return
    parts = [part for statement in node.body for part in ast.walk(statement)]
    used = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}
    spec = node.args
    given = [*spec.posonlyargs, *spec.args]
    pairs = [*zip(given[len(given) - len(spec.defaults) :], spec.defaults, strict=True)]
    pairs += [(item, one) for item, one in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if one]
    for item, default in pairs:
        if item.arg in used and isinstance(default, ast.Constant) and any(of_constant(default)):
            yield item, default
