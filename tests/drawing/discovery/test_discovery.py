from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.discovery import Discovery, discover, missing, undefined
from tracetwin.drawing.discovery.invokables import PlannedInvokable, build_receiver
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.model.case import Act, Step
from tracetwin.model.recipe import Scalar

MakeModule = Callable[..., ModuleType]

KINDS = '''
"""A module."""
import abc, contextlib, enum, functools
from dataclasses import dataclass
from os.path import join

__all__ = ["plain"]

def plain(a, b=1): return a + b

def _hidden(): return 1

@functools.lru_cache(maxsize=None)
def cached(n: int) -> int: return n

@functools.singledispatch
def dispatched(x: int): return x

@contextlib.contextmanager
def managed(path: str):
    yield path

def shouting(function):
    def inner(*args):
        return str(function(*args)).upper()
    return inner

@shouting
def loud(word: str): return word

async def later(n: int): return n

def numbers(n: int):
    yield from range(n)

double = lambda x: x * 2
again = plain

class Box:
    class Lid:
        def open(self): return 1
    def __init__(self, size: int): self.size = size
    def grow(self, by: int = 1): self.size += by
    def _secret(self): return 2
    @classmethod
    def unit(cls): return cls(1)
    @staticmethod
    def limits(n: int): return (0, n)
    @property
    def half(self): return self.size // 2
    @half.setter
    def half(self, value: int):
        self.size = value * 2
    @functools.cached_property
    def big(self): return self.size > 10
    def __len__(self): return self.size
    def __getstate__(self): return {}

class Crate(Box):
    def weigh(self): return 3

class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...
    def twice(self): return self.area() * 2

class Square(Shape):
    def __init__(self, side: int): self.side = side
    def area(self): return self.side ** 2

class Mood(enum.Enum):
    GOOD = 1
    BAD = 2
    def flipped(self): return Mood.BAD if self is Mood.GOOD else Mood.GOOD

@dataclass
class Point:
    x: int
    def norm(self): return abs(self.x)
'''


@pytest.fixture
def kinds(make_module: MakeModule) -> ModuleType:
    return make_module(KINDS)


def by_name(found: list[PlannedInvokable]) -> dict[str, PlannedInvokable]:
    return {item.qualname: item for item in found}


def test_everything_public_that_the_module_defines_is_found_once_in_order(kinds: ModuleType) -> None:
    found = discover(kinds)
    assert {item.qualname: item.kind for item in found} == {
        "plain": "function",
        "cached": "function",
        "dispatched": "function",
        "managed": "function",
        "shouting": "function",
        "loud": "function",
        "later": "function",
        "numbers": "function",
        "double": "function",
        "Box.Lid.open": "method",
        "Box": "constructor",
        "Box.grow": "method",
        "Box.unit": "classmethod",
        "Box.limits": "staticmethod",
        "Box.half": "property",
        "Box.half.setter": "property",
        "Box.big": "property",
        "Box.__len__": "method",
        "Crate.weigh": "method",
        "Shape.twice": "method",
        "Square": "constructor",
        "Square.area": "method",
        "Box.__getstate__": "method",
        "Mood.flipped": "method",
        "Point.norm": "method",
    }
    assert [item.first_line for item in found] == sorted(item.first_line for item in found)
    assert all(item.problem is None for item in found)


def test_lines_are_those_of_the_definition(kinds: ModuleType) -> None:
    found = by_name(discover(kinds))
    lines = KINDS.splitlines()
    assert lines[found["cached"].first_line - 1].startswith("def cached")
    assert lines[found["loud"].first_line - 1].startswith("def loud")
    assert lines[found["Box.half"].first_line - 1].strip().startswith("def half(self):")
    setter = found["Box.half.setter"]
    assert (setter.last_line - setter.first_line, setter.access, setter.name) == (1, "set", "half")
    assert lines[found["Box"].first_line - 1].strip().startswith("def __init__")


def test_wrapped_functions_keep_the_parameters_of_what_they_wrap(kinds: ModuleType) -> None:
    found = by_name(discover(kinds))
    assert [p.name for p in found["cached"].parameters] == ["n"]
    assert found["managed"].parameters[0].plan is not None
    assert found["managed"].parameters[0].plan.describe() == "str"
    assert [(p.name, p.kind) for p in found["loud"].parameters] == [("word", "positional only")]


@pytest.mark.parametrize(
    ("selection", "expected"),
    [
        (("plain",), ["plain"]),
        (("_hidden",), ["_hidden"]),
        (("Box.grow", "loud"), ["loud", "Box.grow"]),
        (("Box._secret",), ["Box._secret"]),
        (("Shape",), ["Shape.twice"]),
        (("Square",), ["Square", "Square.area"]),
        (("Box.Lid",), ["Box.Lid.open"]),
    ],
)
def test_a_selection_names_functions_classes_and_what_is_in_them(
    kinds: ModuleType, selection: tuple[str, ...], expected: list[str]
) -> None:
    assert [item.qualname for item in discover(kinds, selection)] == expected
    assert missing(kinds, (*selection, "Nothing.there")) == ["Nothing.there"]


def test_receivers_are_built_and_bound_by_a_step(kinds: ModuleType) -> None:
    found = by_name(discover(kinds))
    box, step = build_receiver(PlainDraw({"box.size": 4}), found["Box.grow"], "box")
    assert box.size == 4
    assert step == Step(Act.CALL, kinds.__name__, "Box", (Scalar(4),), bind="box")
    assert type(build_receiver(PlainDraw(), found["Shape.twice"], "s")[0]) is kinds.Square
    mood, step = build_receiver(PlainDraw({"m?": 1}), found["Mood.flipped"], "m")
    assert mood is kinds.Mood.BAD
    assert (step.act, step.place, step.name) == (Act.CALL, "builtins", "getattr")


def test_only_annotated_arguments_make_an_invokable_typed(kinds: ModuleType) -> None:
    found = by_name(discover(kinds))
    assert all(found[name].typed for name in ("cached", "Box.grow", "Shape.twice", "Crate.weigh"))
    assert not found["plain"].typed


def test_methods_of_private_bases_are_called_through_what_inherits_them(make_module: MakeModule) -> None:
    module = make_module(
        "class _Base:\n"
        "    def __init__(self, n: int): self.n = n\n"
        "    def grade(self): return self.n > 1\n"
        "    def _hidden(self): return 1\n"
        "    def replaced(self): return 1\n"
        "    @property\n"
        "    def twice(self): return self.n * 2\n"
        "class Public:\n"
        "    def told(self): return 1\n"
        "class Thing(_Base, Public):\n"
        "    def replaced(self): return 2\n"
    )
    found = by_name(discover(module))
    assert {"Public.told", "Thing.grade", "Thing.twice", "Thing.replaced"} == set(found)
    assert (3, 3) == (found["Thing.grade"].first_line, found["Thing.grade"].last_line)
    thing, _ = build_receiver(PlainDraw({"thing.n": 4}), found["Thing.grade"], "thing")
    assert type(thing) is module.Thing


def test_an_inherited_method_is_selected_by_the_name_of_the_subclass(make_module: MakeModule) -> None:
    module = make_module(
        "from json import JSONDecoder\n"
        "class Base:\n"
        "    def grade(self): return 1\n"
        "class Thing(Base, JSONDecoder):\n"
        "    def own(self): return 2\n"
    )
    found = by_name(discover(module, ("Thing.grade",)))
    assert list(found) == ["Thing.grade"]
    assert (3, 3) == (found["Thing.grade"].first_line, found["Thing.grade"].last_line)
    receiver, _ = build_receiver(PlainDraw({}), found["Thing.grade"], "thing")
    assert type(receiver) is module.Thing
    assert "Thing.grade" not in by_name(discover(module)), "it is tested once, by the class that has it"
    elsewhere = "its code is in another module: name json.decoder:JSONDecoder.raw_decode"
    assert undefined(module, "Thing.raw_decode") == f"'Thing' inherits 'raw_decode'; {elsewhere}"
    assert undefined(module, "Thing.owm") == "'Thing' defines no 'owm'; did you mean 'own'?"


def test_class_methods_of_private_bases_are_called_through_a_concrete_class(make_module: MakeModule) -> None:
    module = make_module(
        "import abc\n"
        "class _Base:\n"
        "    @classmethod\n"
        "    def named(cls, name: str): return name\n"
        "class Shape(_Base, abc.ABC):\n"
        "    @abc.abstractmethod\n"
        "    def area(self): ...\n"
        "    def big(self): return self.area() > 10\n"
        "class Square(Shape):\n"
        "    def area(self): return 1\n"
    )
    found = by_name(discover(module))
    assert {"Shape.big", "Shape.named", "Square.area"} == set(found)
    assert "Square.named" == found["Shape.named"].path
    assert not any(item.problem for item in found.values())


def test_classes_and_functions_may_say_to_be_of_their_package(
    make_module: MakeModule, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = make_module(
        "class Own:\n    def m(self): return 1\n\ndef f(a): return a\n", "gathered_package.part"
    )
    package = ModuleType("gathered_package")
    package.Own, package.f = module.Own, module.f  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "gathered_package", package)
    module.Own.__module__ = module.f.__module__ = "gathered_package"
    assert ["Own.m", "f"] == sorted(item.qualname for item in discover(module))


HIDDEN = """
class Shop:
    def sell(self, n: int): return self._price(n) + self.__fee(n)
    def _price(self, n: int): return n
    def __fee(self, n: int): return n
    def __call__(self): return 1

class _Till:
    def __init__(self, n: int): self.n = n
    def open(self): return self.n

def _round(n: int): return n
def total(n: int): return n
"""


def test_what_is_private_is_told_apart(make_module: MakeModule) -> None:
    discovery = Discovery(make_module(HIDDEN))
    assert [item.qualname for item in discovery.run()] == ["Shop.sell", "Shop.__call__", "total"]
    assert [item.qualname for item in discovery.hidden()] == ["Shop._price", "_Till", "_Till.open", "_round"]
    assert [item.qualname for item in discovery.run()] == ["Shop.sell", "Shop.__call__", "total"]
