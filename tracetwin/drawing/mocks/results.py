"""Plans for the answers of an interface's members: by annotation, special meaning, or use."""

from __future__ import annotations

import contextlib
import types
import typing
from collections import abc
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, ForwardRef

from tracetwin.analysis.scopes import Scope, is_anything, text_of
from tracetwin.drawing.mocks import observed
from tracetwin.drawing.mocks.members import EMPTY, InterfaceMember, members_of
from tracetwin.drawing.objects.planning import Planning
from tracetwin.drawing.plans.containers import ListPlan, iterator_of
from tracetwin.drawing.plans.plans import (
    NONE,
    BoolPlan,
    BytesPlan,
    FloatPlan,
    IntPlan,
    Plan,
    StrPlan,
    UnionPlan,
    one_of,
)
from tracetwin.drawing.plans.special_forms import is_special
from tracetwin.drawing.plans.wrapped import CONTEXT, SELF, WrappedPlan
from tracetwin.drawing.typing.generics import inherited
from tracetwin.drawing.typing.guesses import Guess, plan_guess
from tracetwin.drawing.typing.resolve import Resolver
from tracetwin.model.errors import Unbuildable
from tracetwin.support.data import dataclass

MOST_GUESSED: Final = 3
LONGEST: Final = 2**31 - 1


def result_plan(member: InterfaceMember, planner: Planning, cls: type, scope: Scope, depth: int) -> Plan:
    """The plan of a member's result, or of its value; of a generator of the list of what it gives.

    Where its annotation can't be resolved, its uses decide; where they say nothing either, it is None.
    """
    results = _Results(member, planner, scope_of(member, planner, cls, scope), depth)
    try:
        found = results.plan()
    except Unbuildable:
        found = results.fallback()
    return found if member.value is EMPTY else found.starting_at(member.value) or found


def scope_of(member: InterfaceMember, planner: Planning, cls: type, scope: Scope) -> Scope:
    """The scope for the annotations of a member, with the bindings of its class's type variables."""
    inner = planner.scope(member.function, member.owner)
    return replace(inner, owner=cls, bindings=inherited(cls, member.owner, scope.bindings))


@dataclass(frozen=True)
class _Results:
    """The planning of one member's results."""

    member: InterfaceMember
    planner: Planning
    scope: Scope
    depth: int

    def plan(self) -> Plan:
        """The first plan that is known.

        Raises:
            Unbuildable: with the reason.
        """
        name, annotation = self.member.name, self._annotation()
        if name in _NUMBERED or (name in FIXED and annotation is EMPTY):
            return FIXED[name]
        if name in _GIVING_SELF and self._is_self(annotation):
            return SELF
        if annotation is not EMPTY and not is_anything(annotation):
            return self._annotated(annotation)
        if self.member.overloads:
            return self.planner.resolver.union(self.member.overloads, self.scope, self.depth)
        return self._used()

    def fallback(self) -> Plan:
        """The plan that is left where the annotation means nothing here."""
        try:
            return self._used()
        except Unbuildable:
            return NONE

    def _annotation(self) -> Any:
        """The annotation, of a text what it means."""
        found = self.member.returns
        while isinstance(found, (str, ForwardRef)):
            text = text_of(found)
            found = getattr(typing, "Self", self.scope.owner) if text == "Self" else self.scope.evaluate(text)
        return found

    def _is_self(self, annotation: Any) -> bool:
        """True if what a special method gives, as it is annotated, may be the receiver."""
        return (
            annotation is EMPTY
            or is_special(annotation, "Self")
            or isinstance(annotation, typing.TypeVar)
            or self._is_own(annotation)
        )

    def _is_own(self, annotation: Any) -> bool:
        """True if it is the interface, or the class of it that declares the member."""
        origin = typing.get_origin(annotation) or annotation
        return origin is self.scope.owner or origin is self.member.owner

    def _annotated(self, annotation: Any) -> Plan:
        """The plan of an annotation that stands at a result."""
        origin, args = _taken_apart(annotation)
        kind = self.member.kind
        if self.member.is_manager:
            return WrappedPlan(CONTEXT, self._resolved(args[:1]))
        if kind in ("generator", "asyncgen") and (origin in _SERIES or args):
            return ListPlan(self._resolved(args[:1]), 1)
        if kind == "async" and origin in (abc.Awaitable, abc.Coroutine):
            return self._resolved(args[-1:])
        return self._of_part(annotation)

    def _of_part(self, annotation: Any) -> Plan:
        """The plan of an annotation, or of a part of a union."""
        origin, args = _taken_apart(annotation)
        if is_special(annotation, "Self") or self._is_of_receiver(annotation):
            return SELF
        if is_special(annotation, "Never", "NoReturn"):
            return NONE
        if origin in (typing.Union, types.UnionType) and any(map(self._is_mine, args)):
            return one_of([self._of_part(part) for part in args])
        if origin in _MANAGERS:
            return WrappedPlan(CONTEXT, self._resolved(args[:1]))
        plan = self.planner.resolver.plan(annotation, self.scope, self.depth)
        return one_of([SELF, plan]) if self._is_own(annotation) and self.member.is_called else plan

    def _is_mine(self, annotation: Any) -> bool:
        return is_special(annotation, "Self") or self._is_own(annotation) or self._is_of_receiver(annotation)

    def _is_of_receiver(self, annotation: Any) -> bool:
        """True if it is the type variable of the first parameter, which stands for the receiver's class."""
        if not isinstance(annotation, typing.TypeVar) or self.member.signature is None:
            return False
        first = next(iter(self.member.signature.parameters.values()), None)
        return first is not None and first.annotation in (annotation, annotation.__name__)

    def _resolved(self, args: tuple[Any, ...]) -> Plan:
        """The plan of the one argument of a generic form, of none anything."""
        if not args:
            return self.planner.resolver.anything(self.depth)
        return self.planner.resolver.plan(args[0], self.scope, self.depth)

    def _used(self) -> Plan:
        """By what the target does with it, and what the stub of a library says."""
        member = self.member
        if member.name in _ENDLESS and "__next__" not in members_of(member.owner):
            return iterator_of(IntPlan())
        resolver, scope = self.planner.resolver, self.planner.scope()
        stub = member.owner.__module__, f"{member.owner.__qualname__}.{member.name}"
        made = used_plan(member.name, scope, resolver, self.depth, is_called=member.is_called, stub=stub)
        if made is NONE:
            return made
        if member.is_manager:
            return WrappedPlan(CONTEXT, made)
        return items_of(made) if member.kind in ("generator", "asyncgen") else made


def _taken_apart(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    return typing.get_origin(annotation) or annotation, typing.get_args(annotation)


def items_of(plan: Plan) -> ListPlan:
    """The elements of a generator, by what callers do with them."""
    parts = plan.plans if isinstance(plan, UnionPlan) else (plan,)
    found = next((part for part in parts if isinstance(part, ListPlan)), None)
    return ListPlan(IntPlan() if found is None else found.element, 1)


def used_plan(
    name: str,
    scope: Scope,
    resolver: Resolver,
    depth: int,
    *,
    is_called: bool = True,
    is_function: bool = False,
    stub: tuple[str, str] = ("", ""),
) -> Plan:
    """The plan of a member's result by its uses in the target: None where there are none, else an int.

    `stub` is where a library's stub may say what it is, by module and qualified name.
    """
    names = vars(scope.module)
    found = observed.guesses(
        scope.source, names, name, is_called=is_called, is_function=is_function, stub=stub
    )
    if found is None:
        return NONE
    return guessed_plan(found, scope, resolver, depth) or resolver.anything(depth)


def guessed_plan(found: Sequence[Guess], scope: Scope, resolver: Resolver, depth: int) -> Plan | None:
    """The plan of a value by guesses at its type, the best ones; None where there is none for any."""
    plans: list[Plan] = []
    for guess in found[:MOST_GUESSED]:
        try:
            plans.append(plan_guess(guess, resolver, scope, depth))
        except Unbuildable:
            continue
    return one_of(plans, most=MOST_GUESSED) if plans else None


_GIVING_SELF: Final = frozenset(("__enter__", "__aenter__", "__iter__", "__aiter__"))
_ENDLESS: Final = frozenset(("__iter__", "__reversed__"))
_NUMBERED: Final = frozenset(("__len__", "__length_hint__", "__index__", "__hash__"))
"""Whose results Python checks, whatever is annotated."""

FIXED: Final[dict[str, Plan]] = {
    **dict.fromkeys(("__len__", "__length_hint__"), IntPlan(0, 0, LONGEST)),
    **dict.fromkeys(("__index__", "__int__", "__hash__"), IntPlan()),
    **dict.fromkeys(("__bool__", "__contains__"), BoolPlan()),
    **dict.fromkeys(("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"), BoolPlan()),
    **dict.fromkeys(("__str__", "__repr__", "__format__", "__fspath__"), StrPlan()),
    **dict.fromkeys(("__exit__", "__aexit__", "__setitem__", "__delitem__", "__set__", "__delete__"), NONE),
    "__bytes__": BytesPlan(),
    "__float__": FloatPlan(),
}
"""Results of special methods where nothing else is said."""

_SERIES: Final[frozenset[Any]] = frozenset(
    (abc.Iterator, abc.Iterable, abc.Generator, abc.AsyncIterator, abc.AsyncIterable, abc.AsyncGenerator)
)
_MANAGERS: Final[frozenset[Any]] = frozenset(
    (contextlib.AbstractContextManager, contextlib.AbstractAsyncContextManager)
)
