"""Makes cases by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tracetwin.target.module import TargetModule

TARGETS = Path(__file__).parent / "data"
EXPECTED = Path(__file__).parent / "expected"


def target(name: str, folder: Path = TARGETS) -> TargetModule:
    """A module that lies directly in a folder."""
    return TargetModule(name, str(folder / f"{name}.py"), str(folder))


def recipe(value: Any) -> Any:
    """The recipe of a plain value; tuples that are recipes already stay."""
    if isinstance(value, Recipe):
        return value.recipe
    if isinstance(value, (list, tuple, set, frozenset)):
        items = value if isinstance(value, (list, tuple)) else sorted(value, key=repr)  # not by hashes
        return (type(value).__name__, [recipe(part) for part in items])
    if isinstance(value, dict):
        return ("dict", [(recipe(key), recipe(part)) for key, part in value.items()])
    return ("lit", value)


class Recipe:
    """A recipe that no plain value stands for."""

    def __init__(self, *recipe: Any) -> None:
        self.recipe = recipe


def step(do: tuple[str, str, str], *args: Any, bind: str | None = None, **kwargs: Any) -> dict[str, Any]:
    return {
        "bind": bind,
        "do": do,
        "args": [recipe(part) for part in args],
        "kwargs": [(name, recipe(part)) for name, part in kwargs.items()],
    }


def function(module: str, name: str, *args: Any, kind: str = "function", **kwargs: Any) -> dict[str, Any]:
    """A case that calls a function."""
    return case(module, name, kind, step(("call", module, name), *args, **kwargs))


def case(module: str, name: str, kind: str, *steps: dict[str, Any]) -> dict[str, Any]:
    return {"target": (module, name), "kind": kind, "steps": [*steps], "origin": "hand"}


def method(module: str, name: str, *steps: dict[str, Any], made: tuple[Any, ...] = ()) -> dict[str, Any]:
    """A case on a receiver called `box`, which is made first."""
    owner = name.rpartition(".")[0]
    make = step(("call", module, owner), *made, bind="box")
    return case(module, name, "method", make, *steps)
