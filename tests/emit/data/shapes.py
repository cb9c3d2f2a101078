# ruff: noqa: ICN001, A001
"""A target with one function for each thing a test may have to say."""

import asyncio
import collections
import dataclasses
import datetime
import decimal
import enum
import json
import math as maths
import os
import random
import sys
import time
from typing import NamedTuple


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Right(enum.Flag):
    READ = 1
    WRITE = 2


class Point(NamedTuple):
    x: int
    y: int


@dataclasses.dataclass
class Node:
    value: int
    children: list = dataclasses.field(default_factory=list)


class ShapeError(ValueError):
    """Raised here."""


class Stack:
    """Its items are private; what it shows is a property."""

    def __init__(self, limit=3):
        if limit < 0:
            raise ShapeError(f"limit {limit} is negative")
        self.limit = limit
        self._items = []

    @property
    def size(self):
        return len(self._items)

    @property
    def broken(self):
        raise RuntimeError("not to be looked at")

    def push(self, item):
        if len(self._items) >= self.limit:
            raise OverflowError("full")
        self._items.append(item)

    def pop(self):
        return self._items.pop()

    def resize(self, limit):
        self.limit = limit

    def drain(self):
        while self._items:
            yield self._items.pop()

    def __secret(self):
        return 42

    @classmethod
    def of(cls, *items):
        made = cls(len(items))
        made._items.extend(items)
        return made

    @staticmethod
    def unit():
        return "items"


class Liar:
    """Compares and prints wrongly."""

    def __init__(self):
        self.name = "liar"

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    def __repr__(self):
        raise RuntimeError("no text")

    __hash__ = None


def identity(value):
    return value


def weight_category(weight, height):
    assert height > 0, "height must be positive"
    index = weight / (height * height)
    if index < 18.5:
        return "underweight"
    if index < 25:
        return "normal"
    return "overweight"


def minus_zero():
    return -0.0


def not_a_number(inside):
    return [1.0, float("nan")] if inside else float("nan")


def infinite(sign):
    return sign * float("inf")


def favourite(number):
    return Colour.RED if number > 10 else Colour.BLUE


def rights():
    return Right.READ | Right.WRITE


def corner():
    return Point(1, 2)


def tree(depth):
    return Node(depth, [Node(depth - 1)] if depth else [])


def appended(items, extra):
    items.append(extra)
    return len(items)


def renamed(table, *, old, new):
    table[new] = table.pop(old)


def count_up(start):
    while True:
        yield start
        start += 1


def three():
    yield 1
    yield "two"
    yield 3.0


def failing():
    yield 1
    raise ShapeError("no second item")


async def later(value):
    await asyncio.sleep(0)
    if value is None:
        raise ShapeError("nothing")
    return value


async def ticks(count):
    for number in range(count):
        yield number


def shout(text):
    print(text.upper())
    return len(text)


def complain():
    print("bad", file=sys.stderr)
    return 1


def ask():
    try:
        return input("name? ")
    except EOFError:
        return "nobody"


def load(text):
    return json.loads(text)


def leave(code):
    sys.exit(code)


def vanish():
    os._exit(3)


def spin():
    while True:
        pass


def deep(number):
    return deep(number + 1)


def litter():
    with open("litter.txt", "w") as file:
        file.write("x")


def address(value):
    return id(value)


def dice():
    return random.random()


def clock():
    return time.time() // 1000


def today():
    return datetime.date.today()


def scrambled(words):
    return list(set(words))


def noisy_error():
    raise ShapeError(f"at {object()!r}")


_calls = collections.Counter()


def remembered(name):
    _calls[name] += 1
    return _calls[name]


def liar():
    return Liar()


def money(amount):
    return decimal.Decimal(amount) / 3


def birthday():
    return datetime.date(2000, 2, 29)


def text(kind):
    return {
        "long": "lorem ipsum " * 12,
        "lines": "one\ntwo\n" * 20,
        "odd": "\ud800'\"\\",
        "snow": "\u2603 \u202e",
    }[kind]


def big():
    return 10**400 + 7


def apply(function, value):
    return function(value)


def _private(value):
    return value + 1


def test_me(value):
    return not value


def list(values):
    return tuple(values)


def math(value):
    return maths.floor(value)


def same(first, second):
    return first is second


def ordered(first, second):
    return (first, second) if first <= second else (second, first)
