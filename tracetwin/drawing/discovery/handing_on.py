"""Parameters of functions that hand on what they get: those of the function or constructor that gets it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import CellType, FunctionType
from typing import Any, Final, NamedTuple

from tracetwin.analysis.scopes import Scope, as_called, function_in, unwrapped
from tracetwin.analysis.sources import node_of, walk
from tracetwin.drawing.objects.planning import Planning
from tracetwin.drawing.plans.parameters import (
    EITHER,
    KEYWORD_ONLY,
    KINDS,
    KWARGS,
    POSITIONAL_ONLY,
    VARARGS,
    Parameter,
)
from tracetwin.model.errors import Unbuildable

_MOST_STEPS: Final = 4
"""Functions through which arguments are followed."""

_CHANGING: Final = frozenset(("pop", "popitem", "setdefault", "update", "clear"))

_ORDER: Final = (POSITIONAL_ONLY, EITHER, VARARGS, KEYWORD_ONLY, KWARGS)


class _Rest(NamedTuple):
    """The function or class that gets what another hands on.

    Attributes:
        function: what is called with it, a function or a class.
        home: the class in whose body the function stands.
        skipped: how many of its parameters come before, its receiver among them.
        named: those that are given by keyword.
        by_place, by_name: whether ``*args`` and ``**kwargs`` are handed on.
    """

    function: Any
    home: type | None
    skipped: int
    named: frozenset[str]
    by_place: bool
    by_name: bool


def with_handed_on(
    planner: Planning,
    own: Sequence[Parameter],
    function: Callable[..., Any],
    scope: Scope,
    depth: int,
    *,
    bound: bool,
) -> tuple[Parameter, ...]:
    """The parameters of a function, those of whom it hands the rest on to in place of ``*args, **kwargs``.

    `bound`: its receiver, that may be the first of ``*args``, is not among them.
    """
    made, called, home, left = tuple(own), unwrapped(function), scope.owner, int(bound)
    for _ in range(_MOST_STEPS):
        rest = _handed_on(called, scope.owner, home, left) if _is_open(made) else None
        if rest is None:
            break
        try:
            further, left = _parameters(planner, rest, scope, depth)
        except Unbuildable:
            break
        merged = _merged(made, further, rest)
        if merged is None:
            break
        made, called, home = merged, rest.function, rest.home
    return made


def _is_open(parameters: Sequence[Parameter]) -> bool:
    return any(item.kind in (VARARGS, KWARGS) for item in parameters)


def _parameters(
    planner: Planning, rest: _Rest, scope: Scope, depth: int
) -> tuple[tuple[Parameter, ...], int]:
    """The parameters that are left open, and how many to skip are not among the function's own."""
    if isinstance(rest.function, type):
        found = planner.constructor(rest.function, planner.scope(None, rest.function), depth)
        return tuple(item for item in found[rest.skipped :] if item.name not in rest.named), 0
    try:
        signature = inspect.signature(as_called(rest.function))
    except (ValueError, TypeError) as error:
        raise Unbuildable("it has no signature that can be read") from error
    items = list(signature.parameters.values())
    places = [item for item in items if KINDS[item.kind] in (POSITIONAL_ONLY, EITHER)]
    gone = places[: rest.skipped]
    items = [item for item in items if item not in gone and item.name not in rest.named]
    inner = replace(planner.scope(rest.function, rest.home), owner=rest.home and (scope.owner or rest.home))
    made = planner.parameters(
        rest.function,
        qualname=rest.function.__qualname__,
        scope=inner,
        skip_first=False,
        depth=depth,
        signature=signature.replace(parameters=items),
    )
    return made, rest.skipped - len(gone)


def _handed_on(function: Any, owner: type | None, home: type | None, left: int) -> _Rest | None:
    """The one that gets what a function hands on; None where it uses it itself, or that can't be told."""
    if type(function) is not FunctionType:
        return None
    node = node_of(function)
    if node is None or not (node.args.vararg or node.args.kwarg):
        return None
    args, kwargs = (None if item is None else item.arg for item in (node.args.vararg, node.args.kwarg))
    calls = [part for part in walk(node) if isinstance(part, ast.Call) and _hands_on(part, args, kwargs)]
    changes = any(_changes(part, (args, kwargs)) for part in walk(node))
    if not calls or changes or len({ast.dump(call) for call in calls}) > 1:
        return None
    call = calls[0]
    by_place = any(isinstance(item, ast.Starred) for item in call.args)
    by_name = any(item.arg is None for item in call.keywords)
    if by_place and not isinstance(call.args[-1], ast.Starred):
        return None  # which of them come behind can't be told
    is_super = isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value).startswith("super(")
    if not by_place and not is_super:
        return None  # what keywords there may be is found out otherwise
    called, home, bound = _called(call.func, function, owner, home)
    own = [*node.args.posonlyargs, *node.args.args]
    skipped = len(call.args) - by_place + bound + (left if not own and by_place else 0)
    if called is None or called is function:
        return None
    named = frozenset(item.arg for item in call.keywords if item.arg is not None)
    return _Rest(called, home, skipped, named, by_place, by_name)


def _hands_on(call: ast.Call, args: str | None, kwargs: str | None) -> bool:
    """Return whether a call hands on ``*args`` or ``**kwargs`` as they are."""
    spread = [item.value for item in call.args if isinstance(item, ast.Starred)]
    stars = [item.value for item in call.keywords if item.arg is None]
    found = [item for item in spread if isinstance(item, ast.Name) and item.id == args]
    return bool(found or [item for item in stars if isinstance(item, ast.Name) and item.id == kwargs])


def _changes(part: ast.AST, names: Sequence[str | None]) -> bool:
    """Return whether a part of a function makes its ``*args`` or ``**kwargs`` something else."""
    match part:
        case ast.Name(name, ast.Store() | ast.Del()):
            return name in names
        case ast.Subscript(ast.Name(name), _, ast.Store() | ast.Del()):
            return name in names
        case ast.Attribute(ast.Name(name), attribute):
            return name in names and attribute in _CHANGING
        case _:
            return False


def _called(
    func: ast.expr, function: FunctionType, owner: type | None, home: type | None
) -> tuple[Any, type | None, bool]:
    """The function that is called, the class that has it, and whether its receiver comes by itself."""
    names: dict[str, Any] = {**function.__globals__, **_closure(function)}
    match func:
        case ast.Attribute(ast.Call(ast.Name("super")), attribute):
            after = names.get("__class__", home)
            bases = owner.__mro__ if owner is not None else ()
            rest = bases[bases.index(after) + 1 :] if after in bases else ()
            base = next((item for item in rest if attribute in vars(item)), None)
            return _function(vars(base)[attribute] if base else None), base, True
        case ast.Attribute(ast.Name("self"), attribute) if owner is not None:
            base = next((item for item in owner.__mro__ if attribute in vars(item)), None)
            return _function(vars(base)[attribute] if base else None), base, True
        case ast.Attribute(ast.Name(name), attribute):
            holder = names.get(name)
            base = holder if isinstance(holder, type) else None
            return _function(inspect.getattr_static(holder, attribute, None)), base, False
        case ast.Name(name):
            return _function(names.get(name)), home, False
        case _:
            return None, None, False


def _closure(function: FunctionType) -> dict[str, Any]:
    """The values of the names of a function that are those of functions around it."""
    cells: Sequence[CellType] = function.__closure__ or ()
    found = {}
    for name, cell in zip(function.__code__.co_freevars, cells, strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue  # not filled yet
    return found


def _function(thing: Any) -> Any:
    """A function, or class, that can be followed; None for anything else."""
    return thing if isinstance(thing, type) else function_in(thing)


def _merged(
    own: Sequence[Parameter], further: Sequence[Parameter], rest: _Rest
) -> tuple[Parameter, ...] | None:
    """The parameters of both; None where a call can't give them all."""
    kept = [item for item in own if not _is_handed(item, rest)]
    taken = {item.name for item in kept}
    if not rest.by_place:  # what the function itself takes by a name is not handed on under it
        further = [item for item in further if not (item.name in taken and item.has_default)]
    if not taken.isdisjoint(item.name for item in further):
        return None
    by_name = not rest.by_place or any(item.kind == EITHER and item.has_default for item in kept)
    if by_name and not rest.by_name:
        return None
    lost = (POSITIONAL_ONLY, VARARGS) if by_name else () if rest.by_name else (KEYWORD_ONLY, KWARGS)
    if any(item.kind in lost and not (item.has_default or item.variadic) for item in further):
        return None
    way = KEYWORD_ONLY if by_name else EITHER if rest.by_name else POSITIONAL_ONLY
    added = [
        replace(item, kind=way) if item.kind == EITHER else item for item in further if item.kind not in lost
    ]
    return tuple(sorted([*kept, *added], key=lambda item: _ORDER.index(item.kind)))


def _is_handed(item: Parameter, rest: _Rest) -> bool:
    return (item.kind == VARARGS and rest.by_place) or (item.kind == KWARGS and rest.by_name)
