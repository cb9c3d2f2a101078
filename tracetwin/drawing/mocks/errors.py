"""The exceptions that a mock may raise, as plans: the class, or an instance where a handler looks at it."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from types import FunctionType
from typing import Final

from tracetwin.analysis.scopes import Scope
from tracetwin.drawing.mocks.handlers import looked_at
from tracetwin.drawing.objects.prepared import only_constructed
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import Built, FixedPlan, Plan, StrPlan
from tracetwin.drawing.typing.resolve import Resolver
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipe import Reference
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class MessagePlan(Plan):
    """An exception with a drawn message."""

    error: type[BaseException]
    home: tuple[str, str]

    def build(self, draw: Draw, name: str) -> Built:
        value, recipe = _MESSAGE.build(draw, name)
        return self.error(value), recipes.call(*self.home, recipe)

    def describe(self) -> str:
        return self.error.__name__


_MESSAGE: Final = StrPlan()


_STOPPING: Final[dict[str, type[Exception]]] = {
    "__next__": StopIteration,
    "__anext__": StopAsyncIteration,
}


def stopping(name: str) -> Plan | None:
    """The exception by which the method ends an iteration; None for all others."""
    error = _STOPPING.get(name)
    return None if error is None else _bare(error)


def narrowed(error: type[BaseException], promised: Sequence[type[BaseException]]) -> type[BaseException]:
    """The exception for a handler: one that the documentation promises, where the handler catches that."""
    return next((item for item in promised if issubclass(item, error)), error)


def _bare(error: type[BaseException]) -> Plan:
    return FixedPlan(lambda: error, Reference(*recipes.reference(error)), error.__name__)


def error_plan(error: type[BaseException], scope: Scope, resolver: Resolver) -> Plan | None:
    """The class; an instance where it needs arguments, or where a handler looks at what it caught."""
    try:
        recipe = Reference(*recipes.reference(error))
    except recipes.NotNameable:
        return None
    needs = _needs_arguments(error)
    if not needs and not looked_at(scope.source, error, vars(scope.module)):
        return FixedPlan(lambda: error, recipe, error.__name__)
    if not needs and not any(isinstance(maker, FunctionType) for maker in (error.__init__, error.__new__)):
        return MessagePlan(error, (recipe.module, recipe.qualname))
    try:
        return only_constructed(resolver.plan(error, scope, 1))
    except Unbuildable:
        return None if needs else FixedPlan(lambda: error, recipe, error.__name__)


def _needs_arguments(error: type[BaseException]) -> bool:
    """True if the class can't be raised as it is."""
    if issubclass(error, UnicodeError) and error is not UnicodeError:
        return True
    try:
        parameters = inspect.signature(error).parameters.values()
    except (ValueError, TypeError):
        return False
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return any(item.default is item.empty and item.kind not in variadic for item in parameters)
