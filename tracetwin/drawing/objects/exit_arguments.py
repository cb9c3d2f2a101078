"""The arguments of `__exit__`: all three speak of one exception, or of none."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import ModuleType
from typing import Any, Final

from tracetwin.analysis.sources import FunctionNode
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.parameters import Parameter
from tracetwin.drawing.plans.plans import NONE, Built, Plan
from tracetwin.model import recipes
from tracetwin.model.recipe import Reference
from tracetwin.support.data import dataclass

EXITS: Final = ("__exit__", "__aexit__")

_MOST: Final = 5
_OTHER: Final = ValueError
"""The exception that is passed where the code speaks of none: nobody handles it."""


def exceptions_in(node: FunctionNode | None, module: ModuleType) -> tuple[type[BaseException], ...]:
    """The exceptions that a block may raise, to see what a context manager does about them.

    Those of which its code speaks and which can be made without arguments, and one of which it does not.
    """
    found: list[type[BaseException]] = []
    for part in () if node is None else ast.walk(node):
        if isinstance(part, (ast.Name, ast.Attribute)):
            thing = _value(part, vars(module))
            if isinstance(thing, type) and issubclass(thing, BaseException):
                found.append(_raisable(thing))
    found = [item for item in dict.fromkeys(found) if _is_simple(item, module)]
    if _OTHER not in found:
        found.append(_OTHER)
    return tuple(found[:_MOST])


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """The value of a dotted name, without running code of the target's."""
    if isinstance(node, ast.Name):
        return names.get(node.id, vars(builtins).get(node.id))
    if isinstance(node, ast.Attribute):
        holder = _value(node.value, names)
        return vars(holder).get(node.attr) if isinstance(holder, (type, ModuleType)) else None
    return None


def _raisable(kind: type[BaseException]) -> type[BaseException]:
    """A class as general as `Exception` or `BaseException` is not what people raise."""
    return RuntimeError if kind in (Exception, BaseException) else kind


def _is_simple(kind: type[BaseException], module: ModuleType) -> bool:
    try:
        recipes.reference(kind, module)
        kind()
    except Exception:  # noqa: BLE001 - its constructor is the target's code
        return False
    return True


@dataclass(frozen=True)
class ExitPlan(Plan):
    """One of the three arguments.

    Attributes:
        part: 0 the exception's class, 1 the exception, 2 the traceback.
        own: the name of its parameter, which the names of drawn values end with.
        exceptions: what may have been raised.
    """

    part: int
    own: str
    exceptions: tuple[type[BaseException], ...]
    home: ModuleType

    def build(self, draw: Draw, name: str) -> Built:
        chosen = draw.choice(f"{name.removesuffix(self.own)}raised?", len(self.exceptions) + 1)
        if not chosen or self.part == 2:
            return None, NONE.recipe
        kind = self.exceptions[chosen - 1]
        place = recipes.reference(kind, self.home)
        if self.part == 0:
            return kind, Reference(*place)
        return kind(), recipes.call(*place)

    def describe(self) -> str:
        return ("exception class", "exception", "traceback")[self.part] + " or None"


def exit_parameters(
    parameters: tuple[Parameter, ...], node: FunctionNode | None, module: ModuleType
) -> tuple[Parameter, ...]:
    """The parameters of an `__exit__` method with plans that agree with each other."""
    return tuple(_planned(parameters, exceptions_in(node, module), module))


def _planned(
    parameters: tuple[Parameter, ...], exceptions: tuple[type[BaseException], ...], module: ModuleType
) -> Iterator[Parameter]:
    part = 0
    for item in parameters:
        if item.variadic == "*":  # `def __exit__(self, *args)`
            for rest in range(part, 3):
                name = f"{item.name}{rest}"
                yield Parameter(name, ExitPlan(rest, name, exceptions, module), "positional only")
            part = 3
        elif part < 3 and not item.keyword_only and not item.variadic:
            yield replace(item, plan=ExitPlan(part, item.name, exceptions, module), annotated=True)
            part += 1
        else:
            yield item
