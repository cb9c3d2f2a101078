"""Makes cases by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tracetwin.model.case import Act, Case, Step
from tracetwin.model.codec import recipes
from tracetwin.model.recipe import Dictionary, Scalar, Series, SeriesKind
from tracetwin.target.module import TargetModule

TARGETS = Path(__file__).parent / "data"
EXPECTED = Path(__file__).parent / "expected"


def target(name: str, folder: Path = TARGETS) -> TargetModule:
    """A module that lies directly in a folder."""
    return TargetModule(name, str(folder / f"{name}.py"), str(folder))


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
        self.recipe = recipes.recipe(plain)


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
