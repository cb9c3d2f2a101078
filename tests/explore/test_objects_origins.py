"""Where objects come from: subclasses, alternative constructors, methods of other classes."""

from __future__ import annotations

import pytest

from tests.explore.support import assert_paths

VISITOR = """
class Expr:
    pass
class Num(Expr):
    def __init__(self, value: int) -> None:
        self.value = value
class Add(Expr):
    def __init__(self, left: Expr, right: Expr) -> None:
        self.left, self.right = left, right
class Mul(Expr):
    def __init__(self, left: Expr, right: Expr) -> None:
        self.left, self.right = left, right
def value(e) -> int:
    if isinstance(e, Num):
        return e.value
    if isinstance(e, Add):
        return value(e.left) + value(e.right)
    if isinstance(e, Mul):
        return value(e.left) * value(e.right)
    raise TypeError(e)
def simplify(e: Expr) -> str:
    if isinstance(e, Mul):
        if isinstance(e.left, Num) and e.left.value == 0:
            return "zero"
        if isinstance(e.right, Add):
            return "distribute"
        return "mul"
    if isinstance(e, Add):
        if e.left is e.right:
            return "double"
        return "add"
    if value(e) == 7:
        return "seven"
    return "num"
"""


@pytest.mark.slow
def test_subclasses_that_the_code_dispatches_on_are_nested() -> None:
    assert_paths(VISITOR, "simplify", "add", "distribute", "double", "mul", "num", "seven", "zero")


ALT = """
class Temperature:
    def __init__(self, degrees: int) -> None:
        self.degrees = degrees
        self.unit = "C"
    @classmethod
    def fahrenheit(cls, degrees: int) -> "Temperature":
        made = cls((degrees - 32) * 5 // 9)
        made.unit = "F"
        return made
    def describe(self) -> str:
        if self.unit == "F":
            return "warm F" if self.degrees > 20 else "cold F"
        return "warm" if self.degrees > 20 else "cold"
def label(t: Temperature) -> str:
    return t.describe()
"""


def test_alternative_constructors_come_after_the_constructor() -> None:
    assert_paths(ALT, "label", "cold", "cold F", "warm", "warm F")


SHAPES = """
import abc
class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> int: ...
    def scale(self) -> int: return 1
class Square(Shape):
    def __init__(self, side: int) -> None:
        self.side = side
    def area(self) -> int: return self.side * self.side
class Rect(Shape):
    def __init__(self, w: int, h: int) -> None:
        self.w, self.h = w, h
    def area(self) -> int: return self.w * self.h
class Big(Square):
    def scale(self) -> int: return 10
def total(shapes: list[Shape]) -> str:
    n = 0
    for s in shapes:
        n += s.area() * s.scale()
    if any(isinstance(s, Big) for s in shapes) and n == 40:
        return "big"
    if n == 35: return "35"
    return "other"
"""


@pytest.mark.slow
def test_concrete_subclasses_fill_a_list_of_an_abstract_class() -> None:
    assert_paths(SHAPES, "total", "big", "35", "other")


PRODUCT = """
class Lease:
    def __init__(self, pool: "Unknown[int]", number: int) -> None:
        self.pool, self.number = pool, number
        self.valid = True
class Pool:
    def __init__(self, size: int) -> None:
        self._free = size
        self._next = 0
    def grow(self, n: int) -> None:
        self._free += n
    def acquire(self) -> Lease:
        if self._free <= 0:
            raise RuntimeError("empty")
        self._free -= 1
        self._next += 1
        return Lease(self, self._next)
def check(lease: Lease) -> str:
    if not lease.valid: return "invalid"
    if lease.number == 1: return "first"
    return "later"
"""


def test_what_only_a_method_of_another_class_makes_is_had_from_there() -> None:
    assert_paths(PRODUCT, "check", "invalid", "first", "later")
