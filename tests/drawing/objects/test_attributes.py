"""Which attributes a test may store, and what values they take."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.objects.attributes import ClassAttributes

MakeModule = Callable[..., ModuleType]

SOURCE = """
    import dataclasses, enum
    from typing import ClassVar, NamedTuple

    class Box:
        LIMIT = 10
        shared = []
        colour = "red"
        total: ClassVar[int] = 0
        size: int

        def __init__(self, width: int, height, name=None):
            self.width = width
            self.height, self.open = height, False
            self.parts: list[str] = []
            self.name = name
            self._hidden = 1
            self.label = f"{width}"
            self.later = None

        def grow(self):
            self.added = 1
            if self.height > 3:
                return self.height + 1

        @property
        def area(self): return 1

    class Deep(Box):
        def __init__(self, width: int):
            super().__init__(width, 1)
            self.depth = 0

    class Slotted:
        __slots__ = ("x",)
        def __init__(self, x: int):
            self.x = x

    @dataclasses.dataclass
    class Point:
        x: int
        tags: list[str] = dataclasses.field(default_factory=list)

    @dataclasses.dataclass(frozen=True)
    class Frozen:
        x: int

    class Pair(NamedTuple):
        left: int

    class Colour(enum.Enum):
        RED = 1

    class Made:
        def __new__(cls):
            made = super().__new__(cls)
            made.count = 0
            return made
"""


def test_attributes_are_those_that_an_instance_is_made_with(make_module: MakeModule) -> None:
    module = make_module(SOURCE)
    attributes = ClassAttributes(Planner(module))

    def plans(name: str) -> dict[str, str]:
        found = attributes.of(getattr(module, name))
        return {key: item.plan.describe() for key, item in found.items() if item.plan is not None}

    box = plans("Box")
    assert list(box) == ["size", "colour", "width", "height", "open", "parts", "name", "label"]
    assert (box["width"], box["open"], box["parts"], box["label"]) == ("int", "bool", "list[str]", "str")
    assert box["colour"] == "str"
    assert "int" in box["height"]
    assert list(plans("Deep"))[-1] == "depth"
    assert plans("Slotted") == {"x": "int"}
    assert plans("Point") == {"x": "int", "tags": "list[str]"}
    assert plans("Made") == {"count": "int"}
    assert plans("Frozen") == plans("Pair") == plans("Colour") == {}
