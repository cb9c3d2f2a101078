"""A mock in a traced run: its answers are drawn when they are asked for, and remembered.

Each call returns a symbol of its own (Dsc+Mock 4.3), so that the solver may answer differently to different
arguments (its section 7) and to successive calls. Where nothing is solved yet, equal arguments are answered
alike, and answers that keep a loop going end it after a while.
"""

from __future__ import annotations

import operator
import zlib
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Final

from runtime import trace
from runtime.expr import Sort, apply, const, var
from runtime.values import plain
from tracetwin.drawing.mocks.effects import Effect, fill
from tracetwin.drawing.mocks.errors import narrowed
from tracetwin.drawing.mocks.first_results import as_before, ending
from tracetwin.drawing.mocks.handlers import handled_now
from tracetwin.drawing.mocks.interface import is_special
from tracetwin.drawing.plans.constrained import assume
from tracetwin.drawing.plans.draw import Draw, PlainDraw
from tracetwin.drawing.plans.plans import Plan, SetupFailed, told
from tracetwin.drawing.plans.wrapped import SELF
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipe import (
    NONE,
    Answer,
    Change,
    Lambda,
    MockMember,
    MockNumber,
    MockRecipe,
    Place,
    RecordedCall,
    Scalar,
    replace_children,
)
from tracetwin.model.recipes import Recipe
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.drawing.mocks.plan import Answering

MOST_CALLS: Final = 200
"""Calls of one member in a run: a loop that waits for another answer has no end."""

PATIENCE: Final = 10
"""Calls of one member, or mocks that gave out one another, until answers are such that loops end."""

DEEPEST: Final = 60
"""Mocks that gave out one another."""


class MockFailed(trace.RunAborted):
    """An answer could not be made; no handler of the target's may take it for an exception of the mock's."""


@dataclass
class _Turn:
    """One call, perhaps under way.

    Attributes:
        where: what its result is called.
        number: how many calls of the member there were before.
        args: what it was called with; None for what can't be written down.
        alike: the last earlier call with equal arguments.
        way: 0 where it returns, else which of the exceptions it raises.
        outcome: what it returned or raised.
        effects: new contents of mutable arguments.
    """

    where: str
    number: int
    args: tuple[Recipe | None, ...]
    kwargs: tuple[tuple[str, Recipe | None], ...]
    alike: _Turn | None = None
    previous: _Turn | None = None
    way: int = 0
    outcome: Recipe = NONE
    effects: list[tuple[Place, Recipe]] = field(default_factory=list)

    def recorded(self) -> RecordedCall:
        """The call as it went."""
        answer = Answer(self.outcome, raises=self.way > 0, effects=tuple(self.effects))
        return RecordedCall(self.args, self.kwargs, answer)


@dataclass
class _Used:
    """A member that was used: its kind, its calls, and its value where that was read."""

    kind: str
    turns: list[_Turn] = field(default_factory=list)
    value: Recipe | None = None

    def recorded(self) -> MockMember:
        """What the run made of it."""
        return MockMember(self.kind, tuple(turn.recorded() for turn in self.turns), self.value)


class LiveMock:
    """Answers for one mock of a run.

    Attributes:
        about: its recipe, as far as it is known when it is made.
        hint: what it was drawn for, or what a test calls it.
        kinds: the kind of each member.
        options: those of members that it may have or not.
    """

    def __init__(self, draw: Draw, name: str, planned: Callable[[str], Answering], about: MockRecipe) -> None:
        self.about = about
        self.hint = about.hint
        self.kinds: dict[str, str] = {}
        self.options: Mapping[str, str] = {}
        self.value: Any = None
        self._draw = draw
        self._name = name
        self._planned = planned
        self._used: dict[str, _Used] = {}
        self._inherits = about.inherits
        self._around: tuple[Any, ...] = draw.pool.answering
        self._last: Any = 0  # result of what rises
        if len(self._around) > DEEPEST:
            raise trace.StepLimit

    def called(self, *args: Any, **kwargs: Any) -> Any:
        """A call of the mock itself, which is a function."""
        return self.call("__call__", args, kwargs)

    def call(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A drawn result, or one of the exceptions that the program handles where it calls."""
        turn = self._turn(name, args, kwargs)
        answering = self._answering(name)
        if (error := self._failing(name, turn, answering)) is not None:
            value, recipe = self._drawn(error, f"{turn.where}!{turn.way}")
            turn.outcome = recipe
            raise value
        for effect in answering.effects:
            self._change(turn, effect, args, kwargs)
        value, turn.outcome = self._result(answering.result, turn)
        if answering.rises:
            last, self._last = self._last, value
            assume(operator.ge, [value, last])
        return value

    def _failing(self, name: str, turn: _Turn, answering: Answering) -> Plan | None:
        """The exception in which a call ends, None where it returns."""
        pool = self._draw.pool
        handled = (narrowed(error, answering.promised) for error in handled_now())
        errors = [answering.stop, *map(pool.raised, dict.fromkeys(handled))]
        known = [error for error in errors if error is not None]
        turn.way = _decided(self._draw, turn, name, known, _first_way(turn, len(known), answering))
        return known[turn.way - 1] if turn.way else None

    def get(self, name: str) -> Any:
        answering = self._answering(name)
        value, recipe = self._drawn(answering.result, f"{self._name}.{name}")
        if recipe != answering.usual or name in self._used:  # else it is what the class says
            self._member(name).value = recipe
        return value

    def optional(self, name: str) -> str | None:
        """The kind of a member that the program asks for before it uses it; None where there is none."""
        kind = None if is_special(name) else self.options.get(name)
        usual = int(self.about.kind == "duck")
        if kind is None or not self._draw.choice(f"{self._name}.{name}?there", 2, usual):
            return None
        self.offer({name: kind})
        return kind

    def offer(self, members: Mapping[str, str]) -> None:
        """Note that it has these members, used or not."""
        for name, kind in members.items():
            self.kinds[name] = kind
            self._member(name)

    def inherited(self, name: str) -> None:
        """Note that code of a base is used, which not every way to write a mock runs."""
        self._inherits = True

    @property
    def number(self) -> int:
        """Its place among the mocks of the input."""
        return self.about.number

    def recipe(self, settled: Change) -> Recipe:
        """The recipe of what the run made of it; `settled` finishes the recipes inside."""
        if self.about.is_function and (constant := self._constant()) is not None:
            return Lambda(self.about.parameters, settled(constant))
        whole = replace(
            self.about,
            hint=self.hint,
            inherits=self._inherits,
            offers=None if self.about.offers is None else dict(self.about.offers),
            members={name: member.recorded() for name, member in self._used.items()},
        )
        return replace_children(whole, settled)

    def _constant(self) -> Recipe | None:
        """The constant result of a function that does nothing else."""
        if self.kinds["__call__"] != "method":
            return None
        turns = self._used["__call__"].turns if "__call__" in self._used else []
        if not turns:  # it may have been asked for all the same
            return self._uncalled()
        answer = turns[0].recorded().answer
        same = all(repr(turn.recorded().answer) == repr(answer) for turn in turns)
        answers = not answer.raises and answer.recipe != NONE  # else it is told something: that is the point
        return answer.recipe if same and answers and not answer.effects else None

    def _uncalled(self) -> Recipe | None:
        """The result that a function would return that nobody called, where that is short."""
        plan = self._answering("__call__").result
        try:
            recipe = plan.build(PlainDraw(), self._name)[1]
        except SetupFailed:
            return None
        return recipe if isinstance(recipe, Scalar) else None

    def _member(self, name: str) -> _Used:
        if name not in self._used:
            self._used[name] = _Used(self.kinds.get(name, "method"))
        return self._used[name]

    def _turn(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Turn:
        """Note that a call begins.

        Raises:
            StepLimit: there were too many.
        """
        turns = self._used[name].turns if name in self._used else []
        if len(turns) >= MOST_CALLS:
            raise trace.StepLimit
        turns = self._member(name).turns
        place = self._name if name == "__call__" else f"{self._name}.{name}"
        where = f"{place}({len(turns) + 1})" if turns else f"{place}()"
        by_name = tuple((str.__str__(plain(key)), written(value)) for key, value in kwargs.items())
        turn = _Turn(where, len(turns), tuple(map(written, args)), by_name)
        turn.alike, turn.previous = _alike(turn, turns), turns[-1] if turns else None
        turns.append(turn)
        return turn

    def _answering(self, name: str) -> Answering:
        try:
            return self._planned(name)
        except Unbuildable as error:
            raise MockFailed(told(error)) from error

    def _result(self, plan: Plan, turn: _Turn) -> tuple[Any, Recipe]:
        """The result of a call, and its recipe."""
        alike = turn.alike
        if (
            alike is not None
            and alike.way == 0
            and isinstance(alike.outcome, MockNumber)
            and plan is not SELF
        ):
            if not self._draw.choice(f"{turn.where}@", 2):
                return self._draw.pool.mocks[alike.outcome.number].value, alike.outcome
        elif turn.number >= PATIENCE or len(self._around) >= PATIENCE:
            before = turn.previous
            plan = ending(plan, before.outcome if before is not None and before.way == 0 else None)
        elif alike is not None and alike.way == 0:
            plan = as_before(plan, alike.outcome)
        return self._drawn(plan, turn.where)

    def _change(self, turn: _Turn, effect: Effect, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Let the call write into one of its arguments, or not."""
        found = effect.found(args, kwargs)
        if found is None:
            return
        place, target, plan = found
        where = f"{turn.where}<{place}"
        if self._draw.choice(where, 2):
            value, recipe = self._drawn(plan, where)
            fill(target, value)
            turn.effects.append((place, recipe))

    def _drawn(self, plan: Plan, name: str) -> tuple[Any, Recipe]:
        pool = self._draw.pool
        outer, pool.answering = pool.answering, (*self._around, self)
        try:
            with pool.apart():
                return plan.build(self._draw, name)
        except SetupFailed as error:
            raise MockFailed(told(error)) from error
        finally:
            pool.answering = outer


def _alike(turn: _Turn, turns: list[_Turn]) -> _Turn | None:
    """The last call with equal arguments, where all of them can be written down."""
    if None in turn.args or None in (value for _, value in turn.kwargs):
        return None
    shown = repr((turn.args, turn.kwargs))
    return next((one for one in reversed(turns) if repr((one.args, one.kwargs)) == shown), None)


def _first_way(turn: _Turn, count: int, answering: Answering) -> int:
    """The default outcome of a call: 0, or one of so many exceptions."""
    if answering.stop is not None and turn.number:  # an iterator gives one item
        return 1
    if turn.number >= 2 * PATIENCE and count:  # no result ends it, perhaps an exception does
        return turn.number % (count + 1)
    before = turn.alike.way if turn.alike is not None and turn.number < PATIENCE else 0
    return before if before <= count else 0


def _decided(draw: Draw, turn: _Turn, name: str, errors: list[Plan], default: int) -> int:
    """Choose among returning and exceptions: a decision of the program, which handles these.

    What follows may have no branch of its own, so each exception of a member counts as a side to be taken.
    """
    where = f"{turn.where}!"
    chosen = draw.choice(where, len(errors) + 1, default)
    for way, error in enumerate(errors, 1):
        site = -2 - zlib.crc32(f"{name}!{error.describe()}".encode())
        is_it = apply("eq", Sort.BOOL, var(where, Sort.INT), const(way))
        trace.current.record(is_it, chosen == way, site, trace.Kind.HINT)
    return chosen


def written(value: Any) -> Recipe | None:
    """The recipe of what a mock was called with, None for what can't be written down or holds itself."""
    try:
        return recipes.of_value(untraced(value))
    except RecursionError:
        return None


def untraced(value: Any) -> Any:
    """The exact value, also inside of containers."""
    if isinstance(value, dict):
        return {untraced(key): untraced(item) for key, item in dict.items(value)}
    natives: tuple[Any, ...] = (list, set, frozenset, tuple)
    for native in natives:
        if isinstance(value, native) and not hasattr(type(value), "_fields"):
            return native(untraced(item) for item in native.__iter__(value))
    return plain(value)
