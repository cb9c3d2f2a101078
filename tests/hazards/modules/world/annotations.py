"""Acts where annotations and defaults are evaluated, whoever does that."""
# alone: no

import os
import typing

import canary


def _act():
    os.remove(canary.FILE)
    return int


def text(number: "__import__('os').remove(__import__('canary').FILE)") -> int:
    return number


def text_of_result(number: int) -> "_act()":
    return number


def text_inside(number: "list[_act()]") -> int:
    return len(number)


def known(number: "typing.Annotated[int, _act()]") -> int:
    return number


class Fields:
    number: "_act()" = 1

    def __init__(self, number: "_act()" = 1) -> None:
        self.number = number

    def method(self, other: "Fields[_act()]") -> "_act()":
        return self.number


class _Descriptor:
    def __get__(self, thing, kind=None):
        _act()
        return 1

    def __set_name__(self, kind, name):
        self.name = name


class Described:
    value = _Descriptor()
    __signature__ = _Descriptor()
    __annotations__ = {"value": "_act()"}

    def __init__(self, number: int) -> None:
        self.number = number


class _Module(type(os)):
    def __getattr__(self, name):
        raise AttributeError(name)


def wrapped(number: int) -> int:
    return number


wrapped.__wrapped__ = _Descriptor()
wrapped.__annotations__ = {"number": "_act()", "return": "_act()"}


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
