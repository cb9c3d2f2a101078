"""Objects that a call returns, and what they say when they are asked."""

from __future__ import annotations

import types
from typing import Any

import pytest

from tracetwin.model.recipe import Scalar, Series, list_of
from tracetwin.model.snapshot import Attributes, Opaque
from tracetwin.replay.observe.observers import with_answers
from tracetwin.replay.observe.snap import Camera

HOME = types.ModuleType("shop.home")
SOURCE = """
class Box:
    def __init__(self, *items):
        self._items = list(items)
        self._asked = 0
    def __len__(self): return len(self._items)
    def __iter__(self): return iter(self._items)
class Price:
    def __init__(self, cents): self._cents = cents
    def __str__(self): return f"{self._cents / 100:.2f}"
class Shown(Price):
    def __init__(self, cents):
        super().__init__(cents)
        self.cents = cents
class Counter:
    def __init__(self): self._left = [3]
    def is_done(self):
        self._left[0] -= 1
        return not self._left[0]
class Plain:
    def __init__(self, a): self._a = a
    def tell(self) -> int: return self._a
class Slotted:
    __slots__ = ("_a",)
    def __init__(self, a): self._a = a
    def get_a(self):
        self._a += 1
        return self._a
class Deep:
    def __init__(self): self._box = Box(1)
    def is_empty(self): return not self._box._items
    def get_first(self): return self._box._items.pop()
"""
exec(SOURCE, vars(HOME))


def asked(name: str, *args: Any, home: types.ModuleType = HOME, alone: bool = True) -> list[tuple[str, Any]]:
    made = vars(HOME)[name](*args)
    seen = with_answers(Camera(home).take(made), made, home, alone=alone)
    assert isinstance(seen, Attributes)
    return list(seen.attributes)


def test_what_holds_things_says_which() -> None:
    assert [("list()", list_of(Scalar(4), Scalar(5))), ("len()", Scalar(2))] == asked("Box", 4, 5)


def test_its_text_is_told_where_it_says_nothing_else() -> None:
    assert [("str()", Scalar("0.50"))] == asked("Price", 50)
    assert [("cents", Scalar(50))] == asked("Shown", 50)


@pytest.mark.parametrize("name", ["Counter", "Slotted"])
def test_a_question_that_changes_it_is_none(name: str) -> None:
    assert [] == asked(name, *[1] * (name == "Slotted"))


def test_a_question_that_changes_what_it_holds_is_none() -> None:
    assert [(".is_empty()", Scalar(False))] == asked("Deep")


def test_what_is_declared_to_be_returned_is_told_unless_others_would_be_asked() -> None:
    assert [(".tell()", Scalar(7))] == asked("Plain", 7)
    assert [] == asked("Plain", 7, alone=False)


def test_objects_in_a_short_list_are_asked() -> None:
    made = [vars(HOME)["Price"](50), 3]
    seen = with_answers(Camera(HOME).take(made), made, HOME, alone=True)
    assert isinstance(seen, Series)
    first, second = seen.items
    assert isinstance(first, Attributes)
    assert (("str()", Scalar("0.50")),) == first.attributes
    assert Scalar(3) == second
    several = [vars(HOME)["Price"](50)] * 4
    assert with_answers(taken := Camera(HOME).take(several), several, HOME, alone=True) is taken


def test_objects_of_other_packages_are_not_asked() -> None:
    assert [] == asked("Box", 4, home=types.ModuleType("other"))


def test_other_values_stay_as_they_are() -> None:
    for seen in (Scalar(3), list_of(Scalar(3)), Opaque("", "why")):
        assert seen is with_answers(seen, 3, HOME, alone=True)
