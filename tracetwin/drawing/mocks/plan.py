"""Mocks as arguments: objects of classes that don't exist yet (Dsc+Mock, sections 4 and 5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from types import FunctionType
from typing import Any, Final, TypeAlias

from runtime.class_choices import Alternative
from tracetwin.drawing.mocks.effects import Effect
from tracetwin.drawing.mocks.interface import consistent_bases, is_special, offered, wanted_bases
from tracetwin.drawing.mocks.live import LiveMock
from tracetwin.drawing.mocks.members import InterfaceMember
from tracetwin.drawing.mocks.standin import StandInRefused, function_that, instance_of, stand_in_class
from tracetwin.drawing.objects.prepared import DEEPEST_SHARED, existing
from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.parameters import Parameter, build_arguments, is_clock
from tracetwin.drawing.plans.plans import Built, Plan, SetupFailed, UnionPlan, told
from tracetwin.drawing.typing.guesses import FunctionGuess, Guess
from tracetwin.model import recipes
from tracetwin.model.recipe import MockNumber, MockRecipe
from tracetwin.model.recipes import Recipe
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class Answering:
    """The drawing of one member's value, or of its calls.

    Attributes:
        result: of a call, or the value.
        stop: the exception that ends an iteration, where it is a step of one.
        effects: which of its arguments it may change.
        promised: the exceptions that its documentation speaks of.
        usual: the recipe of the value that an attribute has in the class, where it has one.
        rises: no result is below the one before, none below zero.
    """

    result: Plan
    stop: Plan | None = None
    effects: tuple[Effect, ...] = ()
    promised: tuple[type[BaseException], ...] = ()
    usual: Recipe | None = None
    rises: bool = False


Planned: TypeAlias = Callable[[str], Answering]
"""Plans one member, when it is first used."""

Widened: TypeAlias = Callable[[tuple[type, ...]], "MockPlan"]
"""Plans a mock that derives from other bases."""


@dataclass(frozen=True)
class MockPlan(Plan):
    """An object that derives from interfaces, and whose members give drawn answers.

    Attributes:
        name: what it stands for, such as the name of the interface.
        kind: ``"interface"`` or ``"duck"``.
        bases: the classes that it derives from.
        members: those that it answers for; all others are inherited.
        inherited: the members that stay as they are.
        options: kinds of members that it may have or not, as the code asks for them.
        widened: the same with more bases, which a run that asks for them may want; None where these are all.
        parameters: those of the constructor, where it is run; None where the mock answers without one.
    """

    name: str
    kind: str
    bases: tuple[type, ...]
    members: Mapping[str, InterfaceMember] = field(compare=False)
    planned: Planned = field(compare=False, repr=False)
    inherited: Mapping[str, InterfaceMember] = field(default_factory=dict, compare=False, repr=False)
    options: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    widened: Widened | None = field(default=None, compare=False, repr=False)
    parameters: tuple[Parameter, ...] | None = None
    COMPOSITE = True

    def build(self, draw: Draw, name: str) -> Built:
        shared = self.bases and draw.pool.nesting <= DEEPEST_SHARED
        if shared and (known := existing(draw, name, self.bases[0])) is not None:
            return known
        bases = consistent_bases(self.bases, wanted_bases(draw.wanted(name)))
        plan = self if bases == self.bases or self.widened is None else self.widened(bases)
        made, recipe = plan.make(draw, name)
        draw.decided(made, "", 0, [self.alternative(name)])
        draw.pool.built(made, recipe)
        return made, recipe

    def alternative(self, name: str) -> Alternative:
        return Alternative(None, name, self.bases)

    def make(self, draw: Draw, name: str) -> Built:
        """A mock of exactly these bases."""
        number = len(draw.pool.mocks)
        special = self._special(draw, name)
        members = {**self.members, **offered(special)}
        kinds = {key: member.kind for key, member in members.items()}
        bases = tuple(recipes.reference(base) for base in self.bases)
        offers, inherits = None if bases else kinds, self.parameters is not None
        about = MockRecipe(number, self.kind, self.name, name, bases, offers=offers, inherits=inherits)
        live = LiveMock(draw, name, self.planned, about)
        more = bool(self.options)
        try:
            cls = stand_in_class(f"Stub{self.name}", self.bases, members, self.inherited, has_more=more)
            made = instance_of(cls, live)
        except StandInRefused as error:
            raise SetupFailed(str(error)) from error
        live.value = made
        live.kinds = kinds
        live.options = self.options
        live.offer(special)
        draw.pool.mocks.append(live)
        self._start(draw, name, live)
        return made, MockNumber(number)

    def _special(self, draw: Draw, name: str) -> dict[str, str]:
        """The special methods among the optional members that it has: they belong into the class."""
        usual = int(self.kind == "duck")
        names = [key for key in self.options if is_special(key)]
        return {key: self.options[key] for key in names if draw.choice(f"{name}.{key}?there", 2, usual)}

    def _start(self, draw: Draw, name: str, live: LiveMock) -> None:
        """Run the constructor of its bases, where that is wanted."""
        if self.parameters is None:
            return
        given = build_arguments(draw, self.parameters, f"{name}.")
        live.about = replace(live.about, args=tuple(given.arg_recipes), kwargs=tuple(given.kwarg_recipes))
        try:
            live.value.__init__(*given.args, **given.kwargs)
        except Exception as error:
            raise SetupFailed(f"{self.name} refused its arguments: {told(error)}") from error

    def describe(self) -> str:
        return f"mock of {self.name}" if self.bases else f"object with {', '.join(self.members)}"


_NAMES: Final = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class CallablePlan(Plan):
    """A function of the given number of parameters (-1: any); each call returns a value of its own.

    Attributes:
        is_async: it is a coroutine function.
        is_open: the result may be anything; what the program does with it is worth asking.
        rises: it is a clock: no result is below the one before, none below zero.
    """

    count: int
    result: Plan
    is_async: bool = False
    is_open: bool = False
    rises: bool = False
    OF = FunctionType

    def build(self, draw: Draw, name: str) -> Built:
        number = len(draw.pool.mocks)
        result = draw.pool.used(_NAMES.findall(name)[-1]) if self.is_open else None
        answering = Answering(self.result if result is None else result, rises=self.rises)
        about = MockRecipe(number, "function", "function", name, parameters=self.count)
        live = LiveMock(draw, name, lambda _: answering, about)
        live.kinds = {"__call__": "async" if self.is_async else "method"}
        live.value = function_that(live.called, self.count, is_async=self.is_async)
        draw.pool.mocks.append(live)
        return live.value, MockNumber(number)

    def in_place_of(self, value: Any) -> Plan:
        return replace(self, rises=is_clock(value))

    def describe(self) -> str:
        return f"function returning {self.result.describe()}"


def awaited(plan: Plan, found: Sequence[Guess]) -> Plan:
    """Return the plan of a function of which the code awaits what an annotation leaves open."""
    if not any(isinstance(guess, FunctionGuess) and guess.is_async for guess in found):
        return plan
    if isinstance(plan, UnionPlan):
        return replace(plan, plans=tuple(awaited(part, found) for part in plan.plans))
    return replace(plan, is_async=True) if isinstance(plan, CallablePlan) and plan.is_open else plan
