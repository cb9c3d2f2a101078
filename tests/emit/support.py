"""Makes cases by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tracetwin.emit.exhibit import Exhibit
from tracetwin.model import codec as recipes
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Raised, Root, ValuePath
from tracetwin.model.recipe import NONE, Dictionary, Scalar, Series, SeriesKind
from tracetwin.model.snapshot import Snapshot
from tracetwin.model.status import Outcome
from tracetwin.replay.session import Replay
from tracetwin.replay.stability import TwoSessions
from tracetwin.target.module import TargetModule

TARGETS = Path(__file__).parent / "data"
EXPECTED = Path(__file__).parent / "expected"


def target(name: str, folder: Path = TARGETS) -> TargetModule:
    """A module that lies directly in a folder."""
    return TargetModule(name, str(folder / f"{name}.py"), str(folder))


def observe_twice(module: TargetModule, cases: Sequence[Case], **more: Any) -> Replay:
    """What two fresh processes both saw of the cases."""
    with TwoSessions(module, **more) as sessions:
        return sessions.observe(cases)


def recipe(value: Any) -> Any:
    """The recipe of a plain value; what is wrapped in `Recipe` is one already."""
    if isinstance(value, Recipe):
        return value.recipe
    if isinstance(value, (list, tuple, set, frozenset)):
        items = value if isinstance(value, (list, tuple)) else sorted(value, key=repr)  # not by hashes
        return Series(SeriesKind(type(value).__name__), tuple(map(recipe, items)))
    if isinstance(value, dict):
        return Dictionary(tuple((recipe(key), recipe(part)) for key, part in value.items()))
    return Scalar(value)


class Recipe:
    """A recipe that no plain value stands for, by its plain form."""

    def __init__(self, *plain: Any) -> None:
        self.recipe: Any = recipes.recipe(plain)

    @classmethod
    def made(cls, recipe: Any) -> Recipe:
        """One that is a recipe already."""
        found = cls("lit", None)
        found.recipe = recipe
        return found


def snap(*plain: Any) -> Snapshot:
    """A snapshot by its plain form."""
    return recipes.snapshot(plain)


def seen(value: Snapshot = NONE, outcome: str = "returned", **parts: Any) -> Exhibit:
    """What was seen of a case, made by hand."""
    return Exhibit(Outcome(outcome), value=value, **parts)


def raised(error: str, module: str = "builtins", message: str = "", **parts: Any) -> Exhibit:
    """What was seen of a case that raised."""
    return Exhibit(Outcome.RAISED, raised=Raised(module, error, message), **parts)


def changed(name: str, attribute: str, value: Any) -> tuple[tuple[ValuePath, Snapshot], ...]:
    """The change of one attribute of a variable."""
    return ((ValuePath(Root.VAR, name, attribute), value),)


def step(do: tuple[str, str, str], *args: Any, bind: str | None = None, **kwargs: Any) -> Step:
    """A step by what it does, its place and its name."""
    act, place, name = do
    named = tuple((key, recipe(part)) for key, part in kwargs.items())
    return Step(Act(act), place, name, tuple(map(recipe, args)), named, bind)


def function(module: str, name: str, *args: Any, kind: str = "function", **kwargs: Any) -> Case:
    """A case that calls a function."""
    return case(module, name, kind, step(("call", module, name), *args, **kwargs))


def case(module: str, name: str, kind: str, *steps: Step) -> Case:
    """A case of these steps."""
    return Case(module, name, kind, steps, origin="hand")


def method(module: str, name: str, *steps: Step, made: tuple[Any, ...] = ()) -> Case:
    """A case on a receiver called `box`, which is made first."""
    owner = name.rpartition(".")[0]
    make = step(("call", module, owner), *made, bind="box")
    return case(module, name, "method", make, *steps)
