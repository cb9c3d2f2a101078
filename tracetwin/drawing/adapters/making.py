"""Plans of calls of importable functions, for the tables of adapters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tracetwin.drawing.plans.draw import Draw
from tracetwin.drawing.plans.plans import Built, FixedPlan, MadePlan, Plan, one_of
from tracetwin.model.recipe import Call
from tracetwin.model.recipes import Recipe, call, evaluate, lit, lookup, of_value
from tracetwin.support.data import dataclass


def made(label: str, module: str, qualname: str, *parts: tuple[str, Plan]) -> Plan:
    """The plan of calling a constructor or function with drawn positional arguments.

    Where the twin of `module` is loaded the arguments keep their expressions.
    """

    def make(*values: Any) -> Built:
        recipe = call(module, qualname, *map(_written, values))
        return evaluate(recipe), recipe

    def remake(*values: Any) -> Any:
        return lookup(module, qualname)(*values)

    return MadePlan(label, parts, make, module, remake)


@dataclass(frozen=True)
class HolderPlan(Plan):
    """An object that only keeps what it is made of, so that its attributes stay what was drawn."""

    module: str
    qualname: str
    parts: tuple[tuple[str, Plan], ...]
    COMPOSITE = True

    def build(self, draw: Draw, name: str) -> Built:
        built = [plan.build(draw, f"{name}.{part}") for part, plan in self.parts]
        value = lookup(self.module, self.qualname)(*(value for value, _ in built))
        return value, call(self.module, self.qualname, *(recipe for _, recipe in built))

    def describe(self) -> str:
        return self.qualname

    def produces(self) -> type | None:
        found = lookup(self.module, self.qualname)
        return found if isinstance(found, type) else None


def holder(module: str, qualname: str, **parts: Plan) -> Plan:
    """The plan of calling something that only keeps its arguments: they stay what was drawn."""
    return HolderPlan(module, qualname, tuple(parts.items()))


def constant(module: str, name: str, *args: Any, **kwargs: Any) -> Plan:
    """The plan of one constant call; arguments that are recipes of calls stay such."""
    parts = [item if isinstance(item, Call) else _written(item) for item in args]
    recipe = call(module, name, *parts, **{key: _written(item) for key, item in kwargs.items()})
    return FixedPlan(lambda: evaluate(recipe), recipe, name)


def always(module: str, name: str, *args: Any, **kwargs: Any) -> Callable[[], Plan]:
    """Makes the plan of one constant call."""
    return lambda: constant(module, name, *args, **kwargs)


def one_of_calls(module: str, name: str, choices: list[tuple[Any, ...]]) -> Plan:
    """The choice among constant calls of one function."""
    return one_of([constant(module, name, *args) for args in choices])


def _written(value: Any) -> Recipe:
    return of_value(value) or lit(value)
