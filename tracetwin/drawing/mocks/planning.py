"""Selects the classes that are mocked, and plans the answers of their members."""

from __future__ import annotations

import ast
import sys
from dataclasses import replace
from typing import Final

from runtime.classes import bases_of, is_subclass, may_derive
from tracetwin.analysis.scopes import Scope
from tracetwin.analysis.sources import walk
from tracetwin.drawing.mocks.ducks import Attributes, Methods, duck_plan
from tracetwin.drawing.mocks.errors import error_plan, stopping
from tracetwin.drawing.mocks.filling import effects_of
from tracetwin.drawing.mocks.handlers import documented
from tracetwin.drawing.mocks.interface import (
    answered,
    asked_for,
    inherited,
    is_interface,
    left_open,
    offered,
    offers_services,
)
from tracetwin.drawing.mocks.members import EMPTY, InterfaceMember
from tracetwin.drawing.mocks.plan import Answering, CallablePlan, MockPlan
from tracetwin.drawing.mocks.results import result_plan, scope_of, used_plan
from tracetwin.drawing.mocks.standin import StandInRefused, stand_in_class
from tracetwin.drawing.objects.construct import ConstructPlan
from tracetwin.drawing.objects.planning import Planning
from tracetwin.drawing.plans.plans import Plan, UnionPlan, one_of
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipes import lit

_COUNTING: Final = frozenset(("signature", "getfullargspec", "co_argcount"))
"""Names by which code asks how many parameters a function has."""

_TELLING_ASYNC: Final = frozenset(("iscoroutinefunction", "iscoroutine", "isawaitable"))
"""Names by which code asks whether a function has to be awaited."""

DEPTH = 1
"""The answers of members count as nested, so that structures end soon."""


class MockPlanner:
    """Plans mocks for one planner."""

    def __init__(self, planner: Planning) -> None:
        self._planner = planner
        self._errors: dict[type[BaseException], Plan | None] = {}
        self._named: set[str] | None = None

    def function(self, count: int, result: Plan, *, is_async: bool = False, is_open: bool = False) -> Plan:
        """The plan of a function; see `StandIns`."""
        plans: list[Plan] = [CallablePlan(count, result, is_async, is_open)]
        if count < 0 and self._asks_for(_COUNTING):
            counts = range(recipes.MOST_PARAMETERS + 1)
            plans += [CallablePlan(number, result, is_async, is_open) for number in counts]
        if not is_async and self._asks_for(_TELLING_ASYNC):
            plans.append(CallablePlan(count, result, is_async=True, is_open=is_open))
        return one_of(plans)

    def _asks_for(self, names: frozenset[str]) -> bool:
        """True if the code of the module has one of these names."""
        if self._named is None:
            nodes = walk(self._planner.source.tree)
            self._named = {node.id for node in nodes if isinstance(node, ast.Name)}
            self._named |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        return not names.isdisjoint(self._named)

    def duck(self, attributes: Attributes, methods: Methods, scope: Scope) -> Plan:
        """The plan of an object of no class; see `StandIns`."""
        return duck_plan(attributes, methods, scope, self._planner.resolver)

    def wants(self, cls: type) -> bool:
        """True if a mock may stand in for a class of which there are instances.

        Where it leaves members open, and where it offers services and is none of the project's own: those who
        use it are tested, not the class. A metaclass that takes over the call may refuse whatever is drawn.
        """
        top = cls.__module__.partition(".")[0]
        own = self._planner.module.__name__.partition(".")[0]
        library = top in sys.stdlib_module_names
        foreign = library or (top != own and not recipes.is_traced(cls.__module__))
        guarded = type(cls).__call__ is not type.__call__
        return is_interface(cls) or guarded or (foreign and offers_services(cls))

    def of(self, cls: type, scope: Scope, otherwise: str = "") -> MockPlan:
        """A mock of a class.

        Raises:
            Unbuildable: no class can derive from it, with the reason.
        """
        reasons = f"{otherwise}, and " if otherwise else ""
        members = answered((cls,))
        if not members:
            raise Unbuildable(otherwise or f"{cls.__name__} has no members that a mock could answer for")
        try:
            recipes.reference(cls)
            stand_in_class(f"Stub{cls.__name__}", (cls,), members)
        except (StandInRefused, recipes.NotNameable) as error:
            raise Unbuildable(f"{reasons}{error}") from error
        return self._plan(cls.__name__, (cls,), scope)

    def beside(self, plan: Plan, asked: tuple[type, ...]) -> Plan:
        """The plan of a parameter, and a mock where the code asks for classes that none of its values has.

        It derives from what the parameter is and from what is asked for (Dsc+Mock, listing 1).
        """
        parts = plan.plans if isinstance(plan, UnionPlan) else (plan,)
        own = next((part.cls for part in parts if isinstance(part, ConstructPlan)), None)
        if own is None or any(isinstance(part, MockPlan) for part in parts):
            return plan
        kinds = [kind for part in parts if (kind := part.produces()) is not None]
        missing = [what for what in asked if not any(is_subclass(kind, what) for kind in kinds)]
        if not any(may_derive((own,), what) for what in missing):
            return plan
        try:
            return one_of([plan, self._extended(own)])
        except Unbuildable:
            return plan

    def _extended(self, cls: type) -> MockPlan:
        """A mock of a class whose own code runs; what it derives from besides is open."""
        scope = self._planner.scope(None, cls)
        parameters = self._planner.constructor(cls, scope)

        def widened(bases: tuple[type, ...]) -> MockPlan:
            plan = self._plan(cls.__name__, bases, scope)
            return replace(plan, members=left_open(bases), inherited={}, options={}, parameters=parameters)

        return replace(widened((cls,)), widened=widened)

    def receiver(self, plan: MockPlan) -> Plan:
        """The same for tests of the class itself: its own code runs, what it leaves open is answered.

        Raises:
            Unbuildable: its constructor can't be called, with the reason.
        """
        cls = plan.bases[0]
        parameters = self._planner.constructor(cls, self._planner.scope(None, cls))
        members = left_open(plan.bases)
        return replace(plan, members=members, inherited={}, options={}, widened=None, parameters=parameters)

    def used(self, name: str) -> Plan:
        """The plan of the results of a function that is passed as the parameter `name`, by their uses."""
        return used_plan(name, self._planner.scope(), self._planner.resolver, DEPTH, is_function=True)

    def raised(self, error: type[BaseException]) -> Plan | None:
        """The plan of an exception that the program handles; None where it can't be written down."""
        if error not in self._errors:
            self._errors[error] = error_plan(error, self._planner.scope(), self._planner.resolver)
        return self._errors[error]

    def _plan(self, name: str, bases: tuple[type, ...], scope: Scope) -> MockPlan:
        members = answered(bases)
        has = {*members, *(name for base in bases for name in dir(base))}
        options = {key: kind for key, kind in asked_for(self._planner.source.tree).items() if key not in has}
        known: dict[str, Answering] = {}

        def planned(member: str) -> Answering:
            if member not in known:
                one = members.get(member) or offered(options)[member]
                known[member] = self._planned(one, bases, scope)
            return known[member]

        def widened(others: tuple[type, ...]) -> MockPlan:
            return self._plan(name, others, scope)

        return MockPlan(name, "interface", bases, members, planned, inherited(bases), options, widened)

    def _planned(self, member: InterfaceMember, bases: tuple[type, ...], scope: Scope) -> Answering:
        cls = next((base for base in bases if member.owner in bases_of(base)), bases[0])
        result = result_plan(member, self._planner, cls, scope, DEPTH)
        inner = scope_of(member, self._planner, cls, scope)
        effects = effects_of(member, self._planner, inner, DEPTH)
        promised = documented(member.function, inner.names)
        usual = None if member.value is EMPTY else lit(member.value)
        return Answering(result, stopping(member.name), effects, promised, usual)
