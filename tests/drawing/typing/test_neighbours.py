"""Objects without annotation may be of the classes that the package defines beside the module."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tests.drawing.typing.test_usage import guessed

MakeModule = Callable[..., ModuleType]

SHAPES = """
from abc import ABC, abstractmethod

class Shape:
    def area(self): return 0

class Square(Shape):
    def __init__(self, side: int): self.side = side
    @property
    def label(self): return f"square of {self.side}"

class Hidden(ABC):
    label = side = ""
    @abstractmethod
    def area(self): ...

class _Private(Square): pass

class Oops(Exception):
    label = side = ""
"""


def test_classes_of_the_package_are_guessed_by_the_attributes_that_are_used(make_module: MakeModule) -> None:
    make_module("", "drawings_of_neighbours.__init__")
    make_module(SHAPES, "drawings_of_neighbours.shapes")
    module = make_module(
        "def told(it): return it.label.upper(), it.side\ndef sized(it): return it.side",
        "drawings_of_neighbours.telling",
    )
    assert guessed(module, "told") == {"it": "Square | _Private | object with label, side"}
    assert guessed(module, "sized") == {"it": "object with side"}, "one attribute does not tell enough"


def test_an_imported_class_is_preferred_to_others_of_the_package(make_module: MakeModule) -> None:
    make_module("", "drawings_of_imports.__init__")
    make_module(SHAPES, "drawings_of_imports.shapes")
    make_module(
        "class Tile:\n  def __init__(self, side): self.side, self.label = side, str(side)",
        "drawings_of_imports.tiles",
    )
    module = make_module(
        "from drawings_of_imports.tiles import Tile\ndef told(it): return it.label.upper(), it.side",
        "drawings_of_imports.telling",
    )
    assert guessed(module, "told")["it"].startswith("Tile")


def test_what_is_used_stands_before_the_many_subclasses_of_a_neighbour(make_module: MakeModule) -> None:
    make_module("", "drawings_of_many.__init__")
    more = "".join(f"\nclass Square{n}(Square): pass" for n in range(6))
    make_module(SHAPES + more, "drawings_of_many.shapes")
    module = make_module("def told(it): return it.label.upper(), it.side", "drawings_of_many.telling")
    assert guessed(module, "told")["it"].split(" | ").index("object with label, side") == 2
