"""A mock in a traced run: its answers are drawn when they are asked for, and remembered.

Each call returns a symbol of its own (Dsc+Mock 4.3), so that the solver may answer differently to different
arguments (its section 7) and to successive calls. Where nothing is solved yet, equal arguments are answered
alike, and answers that keep a loop going end it after a while.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from runtime import trace
from runtime.expr import Sort, apply, const, var
from runtime.values import plain
from tracetwin.drawing.mocks.effects import Effect, fill
from tracetwin.drawing.mocks.errors import narrowed
from tracetwin.drawing.mocks.first_results import as_before, ending
from tracetwin.drawing.mocks.handlers import handled_now
from tracetwin.drawing.mocks.interface import is_special
from tracetwin.drawing.plans.draw import Draw, PlainDraw
from tracetwin.drawing.plans.plans import Plan, SetupFailed, told
from tracetwin.drawing.plans.wrapped import SELF
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable
from tracetwin.model.recipes import Recipe

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
    """One call under way.

    Attributes:
        where: what its result is called.
        number: how many calls of the member there were before.
        call: its record.
        alike: the last earlier call with equal arguments.
        previous: the call before.
        way: 0 where it returns, else which of the exceptions it raises.
    """

    where: str
    number: int
    call: dict[str, Any]
    alike: _Turn | None
    previous: _Turn | None
    way: int = 0

    @property
    def outcome(self) -> Recipe:
        """The outcome: returned or raised."""
        found: Recipe = self.call["outcome"][1]
        return found


class LiveMock:
    """Answers for one mock of a run.

    Attributes:
        spec: the first part of its recipe.
        kinds: the kind of each member.
        options: those of members that it may have or not.
        value: the mock itself.
    """

    def __init__(self, draw: Draw, name: str, planned: Callable[[str], Answering]) -> None:
        self.spec: dict[str, Any] = {}
        self.kinds: dict[str, str] = {}
        self.options: Mapping[str, str] = {}
        self.value: Any = None
        self._draw = draw
        self._name = name
        self._planned = planned
        self._used: dict[str, dict[str, Any]] = {}
        self._turns: dict[str, list[_Turn]] = {}
        self._around: tuple[Any, ...] = draw.pool.answering
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
            turn.call["outcome"] = ["raise", recipe]
            raise value
        for effect in answering.effects:
            self._change(turn, effect, args, kwargs)
        value, recipe = self._result(answering.result, turn)
        turn.call["outcome"] = ["return", recipe]
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
        """A drawn value."""
        answering = self._answering(name)
        value, recipe = self._drawn(answering.result, f"{self._name}.{name}")
        if recipe != answering.usual or name in self._used:  # else it is what the class says
            self._member(name)["value"] = recipe
        return value

    def optional(self, name: str) -> str | None:
        """The kind of a member that the program asks for before it uses it; None where there is none."""
        kind = None if is_special(name) else self.options.get(name)
        usual = int(self.spec["kind"] == "duck")
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
        self.spec["inherits"] = True

    def recipe(self, settled: Callable[[Any], Any]) -> Recipe:
        """The recipe of what the run made of it; `settled` finishes the recipes inside."""
        if self.spec["kind"] == "function" and (constant := self._constant()) is not None:
            return ("lambda", self.spec["parameters"], settled(constant))
        return ("mock", settled(self.spec), {name: settled(member) for name, member in self._used.items()})

    def _constant(self) -> Recipe | None:
        """The constant result of a function that does nothing else."""
        if self.kinds["__call__"] != "method":
            return None
        if "__call__" not in self._used:
            return self._uncalled()
        calls = self._used["__call__"]["calls"]
        way, outcome = calls[0]["outcome"]
        same = all(repr(call["outcome"]) == repr(calls[0]["outcome"]) for call in calls)
        answers = way == "return" and outcome != ("lit", None)  # else it is told something: that is the point
        return outcome if same and answers and not any(call["effects"] for call in calls) else None

    def _uncalled(self) -> Recipe | None:
        """The result that a function would return that nobody called, where that is short."""
        plan = self._answering("__call__").result
        recipe = plan.build(PlainDraw(), self._name)[1]
        return recipe if recipe[0] == "lit" else None

    def _member(self, name: str) -> dict[str, Any]:
        if name not in self._used:
            self._used[name] = {"kind": self.kinds.get(name, "method"), "calls": [], "value": None}
        return self._used[name]

    def _turn(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Turn:
        """Note that a call begins.

        Raises:
            StepLimit: there were too many.
        """
        turns = self._turns.setdefault(name, [])
        if len(turns) >= MOST_CALLS:
            raise trace.StepLimit
        call: dict[str, Any] = {
            "args": [written(arg) for arg in args],
            "kwargs": [[str.__str__(plain(key)), written(value)] for key, value in kwargs.items()],
            "outcome": ["return", ("lit", None)],
            "effects": [],
        }
        self._member(name)["calls"].append(call)
        place = self._name if name == "__call__" else f"{self._name}.{name}"
        where = f"{place}({len(turns) + 1})" if turns else f"{place}()"
        turn = _Turn(where, len(turns), call, _alike(call, turns), turns[-1] if turns else None)
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
        if alike is not None and alike.way == 0 and alike.outcome[0] == "mock" and plan is not SELF:
            if not self._draw.choice(f"{turn.where}@", 2):
                return self._draw.pool.mocks[alike.outcome[1]].value, alike.outcome
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
            turn.call["effects"].append([place, recipe])

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


def _alike(call: dict[str, Any], turns: list[_Turn]) -> _Turn | None:
    """The last call with equal arguments, where all of them can be written down."""
    given = [*call["args"], *(value for _, value in call["kwargs"])]
    if None in given:
        return None
    shown = repr((call["args"], call["kwargs"]))
    return next((t for t in reversed(turns) if repr((t.call["args"], t.call["kwargs"])) == shown), None)


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
    """The recipe of what a mock was called with, None where it can't be written down."""
    return recipes.of_value(untraced(value))


def untraced(value: Any) -> Any:
    """The exact value, also inside of containers."""
    if isinstance(value, dict):
        return {untraced(key): untraced(item) for key, item in dict.items(value)}
    natives: tuple[Any, ...] = (list, set, frozenset, tuple)
    for native in natives:
        if isinstance(value, native) and not hasattr(type(value), "_fields"):
            return native(untraced(item) for item in native.__iter__(value))
    return plain(value)
