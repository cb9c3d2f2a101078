"""Plans over the worker's own draw: the same names, and recipes without traced values."""

from __future__ import annotations

import marshal
from collections.abc import Callable
from types import ModuleType

from runtime import trace
from runtime.inputs import Inputs
from runtime.values import SBool
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.parameters import build_arguments
from tracetwin.model import codec, recipes

MakeModule = Callable[..., ModuleType]

SOURCE = """
import dataclasses, datetime, enum, typing
class Color(enum.Enum):
    RED = 1
    BLUE = 2
@dataclasses.dataclass
class Item:
    name: str
    price: float = 1.5
    tags: typing.Set[str] = dataclasses.field(default_factory=set)
def f(a: int, b: "list[int] | None", c: "dict[str, Item]", d: Color, e: "tuple[float, bool]", g: bytes = b"x",
      *rest: "set[int]", when: datetime.date, how: typing.Callable[[int], int], n=3): return a
"""


def test_defaults_and_assignments_give_the_same_arguments_under_the_real_draw(
    make_module: MakeModule,
) -> None:
    (f,) = [item for item in discover(make_module(SOURCE)) if item.qualname == "f"]
    assignments: list[dict[str, object]] = [
        {},
        {"a": 7, "b?": 1, "c#": 2, "c.key1": "k", "c.value0.name": "z", "rest#": 2, "rest[0]#": 2, "d?": 1},
        {"b#": 3, "b[1]": -4, "e[0]": 0.25, "when.day": 31, "when.month": 2, "n?": 1, "n": "bad sort"},
    ]
    for assignment in assignments:
        trace.start()
        made = build_arguments(Inputs(assignment), f.parameters)
        for part in [*made.arg_recipes, *(part for _, part in made.kwarg_recipes)]:
            assert codec.recipe(marshal.loads(marshal.dumps(codec.encode(part)))) == part
        for value, recipe in zip(made.args, made.arg_recipes, strict=False):
            again = recipes.evaluate(recipe)
            assert isinstance(value, type(again)) or type(value) is SBool
            assert again == value


def test_every_structural_choice_can_be_negated(make_module: MakeModule) -> None:
    (f,) = [item for item in discover(make_module(SOURCE)) if item.qualname == "f"]
    current = trace.start()
    inputs = Inputs({})
    build_arguments(inputs, f.parameters)
    assert {"b?", "b#", "c#", "d?", "rest#"} <= inputs.structural
    assert len(current.path) > 5
