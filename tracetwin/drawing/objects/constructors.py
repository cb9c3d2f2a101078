"""The parameters of constructors: written in Python, made by dataclasses and the like, or in C."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import Any, Final

from runtime.classes import bases_of
from tracetwin.analysis.scopes import Scope, annotations_of, own_annotations, unwrapped
from tracetwin.analysis.sources import FunctionNode, node_of, walk
from tracetwin.drawing.adapters.registry import ADAPTERS
from tracetwin.drawing.objects.planning import Planning
from tracetwin.drawing.plans.parameters import (
    EITHER,
    KEYWORD_ONLY,
    KINDS,
    POSITIONAL_ONLY,
    VARARGS,
    Parameter,
)
from tracetwin.drawing.plans.plans import one_of
from tracetwin.drawing.typing.generics import inherited
from tracetwin.model.errors import Unbuildable

EMPTY: Final = inspect.Parameter.empty
_BUILTIN_BASES: tuple[type, ...] = (int, float, str, bytes, list, tuple, dict, set, frozenset)


def constructor_parameters(
    planner: Planning, cls: type, scope: Scope, depth: int = 0
) -> tuple[Parameter, ...]:
    """The parameters of a class's constructor.

    Raises:
        Unbuildable: with the reason.
    """
    if (adapter := ADAPTERS.of(cls)) is not None:
        home = replace(planner.scope(None, cls), bindings=scope.bindings)
        known = adapter.parameters(cls, partial(planner.resolver.plan, scope=home, depth=depth))
        if known is not None:
            return known
    init: Any = cls.__init__  # type: ignore[misc]
    new: Any = cls.__new__
    if init is object.__init__ and new is object.__new__:
        return ()
    if not isinstance(unwrapped(init), FunctionType) and not isinstance(new, FunctionType):
        return _written_in_c(planner, cls, scope, depth)
    maker: Any = init if init is not object.__init__ and isinstance(unwrapped(init), FunctionType) else new
    definer = next((base for base in cls.__mro__ if maker.__name__ in vars(base)), cls)
    fields = dict(annotations_of(maker))
    inner = planner.scope(maker, definer)
    if hasattr(cls, "__dataclass_fields__") or adapter is not None:
        inner = _field_scope(planner, cls, fields, inner)
    inner = replace(inner, owner=cls, bindings=inherited(cls, definer, scope.bindings))
    made = planner.parameters(
        maker,
        qualname=f"{definer.__qualname__}.{maker.__name__}",
        scope=inner,
        skip_first=True,
        depth=depth,
    )
    made = _by_listed_names(planner, cls, made, inner, depth)
    if maker is init and isinstance(new, FunctionType):
        made = _passed_through(new, made)
    if maker.__name__ != "__init__" or (adapter := ADAPTERS.of(definer)) is None:
        return made
    return adapter.refined(definer, made, partial(planner.resolver.plan, scope=inner, depth=depth))


def _by_listed_names(
    planner: Planning, cls: type, parameters: tuple[Parameter, ...], scope: Scope, depth: int
) -> tuple[Parameter, ...]:
    """The parameters with one for each name that the class lists for ``*args``."""
    star = next((item for item in parameters if item.kind == VARARGS), None)
    if star is None:
        return parameters
    makers = [(base, vars(base)["__init__"]) for base in bases_of(cls) if "__init__" in vars(base)]
    nodes = [planner.usage.node(f"{base.__qualname__}.__init__", one) for base, one in makers]
    names = next(filter(None, (_listed_names(cls, node) for node in nodes if node is not None)), ())
    made = []
    for name in names:
        plans = []
        for kind in planner.usage.attribute_types(cls.__qualname__, name):
            with suppress(Unbuildable):
                plans.append(planner.resolver.plan(kind, scope, depth))
        plan = one_of(plans) if plans else planner.resolver.anything(depth)
        made.append(Parameter(name, plan, POSITIONAL_ONLY, annotated=False))
    if not names:
        return parameters
    place = parameters.index(star)
    return (*parameters[:place], *made, *parameters[place + 1 :])


def _listed_names(cls: type, node: FunctionNode) -> tuple[str, ...]:
    """The names in an attribute of a class that a constructor goes through, or counts, with ``*args``."""
    star = None if node.args.vararg is None else node.args.vararg.arg
    for part in walk(node):
        match part:
            case ast.Call(ast.Name("zip"), [ast.Attribute(ast.Name(), listed), ast.Name(given)]):
                pass
            case ast.Compare(ast.Call(ast.Name("len"), [ast.Attribute(ast.Name(), listed)]), [_],
                             [ast.Call(ast.Name("len"), [ast.Name(given)])]):  # fmt: skip
                pass
            case ast.Compare(ast.Call(ast.Name("len"), [ast.Name(given)]), [_],
                             [ast.Call(ast.Name("len"), [ast.Attribute(ast.Name(), listed)])]):  # fmt: skip
                pass
            case _:
                continue
        names = inspect.getattr_static(cls, listed, None)
        if given == star and isinstance(names, (tuple, list)):
            return tuple(names) if all(type(one) is str and one.isidentifier() for one in names) else ()
    return ()


def _passed_through(new: FunctionType, parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """The parameters of `__init__` as a call can give them, which `__new__` gets before it."""
    code, needed = new.__code__, set(_needed_by(new))
    parameters = tuple(_given(item) if item.name in needed else item for item in parameters)
    if code.co_flags & inspect.CO_VARARGS:
        return parameters
    places = code.co_argcount - 1
    return tuple(
        replace(item, kind=KEYWORD_ONLY) if item.kind == EITHER and place >= places else item
        for place, item in enumerate(parameters)
    )


def _given(item: Parameter) -> Parameter:
    """A parameter that is always passed, whatever its default."""
    return replace(item, has_default=False, default=None, starts_at_default=False)


def _needed_by(new: FunctionType) -> Iterator[str]:
    """Give the names without which it makes something else: `if "form" in kwargs: super().__new__(cls)`."""
    node = node_of(new)
    rest = node.args.kwarg.arg if node is not None and node.args.kwarg is not None else None
    for part in () if node is None or rest is None else walk(node):
        match part:
            case ast.If(ast.Compare(ast.Constant(str(name)), [ast.In()], [ast.Name(held)])) if held == rest:
                if any(".__new__(" in ast.unparse(done) for done in part.body):
                    yield name
            case _:
                pass


def _field_scope(planner: Planning, cls: type, fields: dict[str, Any], scope: Scope) -> Scope:
    """The names that deferred annotations of fields, own and inherited, speak of."""
    names: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if any(name in fields for name in own_annotations(base)):
            names.update(vars(sys.modules.get(base.__module__, planner.module)))
    return replace(scope, names={**scope.names, **names})


def _written_in_c(planner: Planning, cls: type, scope: Scope, depth: int) -> tuple[Parameter, ...]:
    """Constructors written in C: those of builtin bases, those that need no argument."""
    for base in _BUILTIN_BASES:
        if issubclass(cls, base) and cls is not base:
            return (Parameter("value", planner.resolver.plan(base, scope, depth), "positional only"),)
    if issubclass(cls, BaseException):
        message = planner.resolver.plan(str, scope, depth)
        return (Parameter("message", message, "positional only"),)
    for base in cls.__mro__[1:]:
        if ADAPTERS.plan(base) is not None:
            raise Unbuildable(f"{cls.__name__} extends {base.__name__}, which is written in C")
    try:
        signature = inspect.signature(cls)
    except (ValueError, TypeError) as error:
        raise Unbuildable(f"{cls.__name__} has no signature that can be read") from error
    needed = [p for p in signature.parameters.values() if p.default is EMPTY and KINDS[p.kind] == EITHER]
    if needed:
        raise Unbuildable(f"{cls.__name__} is written in C and needs {needed[0].name!r}")
    return ()
