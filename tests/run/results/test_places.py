"""The functions of a module, what calls them, and what they look at."""

from __future__ import annotations

import ast

from tracetwin.run.results.places import Places

SOURCE = """
from collections import OrderedDict

class Shelf(OrderedDict):
    def __getitem__(self, key):
        return self.find(key)

    def find(self, key):
        def read(n):
            return n
        return read(OrderedDict.__getitem__(self, key))

    def put(self, file):
        return file.read(1)

def kept(function):
    def inner(*args):
        if function:
            return 1
    return inner

@kept
def shown(shelf):
    return kept(shelf)
"""
PLACES = Places(ast.parse(SOURCE))


def test_only_what_can_be_meant_by_a_call_is_reached() -> None:
    def reached(*calls: str) -> list[str]:
        return [one.name for one in PLACES.reached(calls)]

    assert reached("self.find") == ["find", "read"], "not the method of the same name"
    assert reached("OrderedDict.__getitem__") == []
    assert reached("file.read") == [], "that is a function within another one"
    assert reached("shelf.__getitem__") == ["__getitem__", "find", "read"]


def test_lines_that_call_or_decorate_are_found() -> None:
    assert PLACES.calling("kept") == [22, 24]


def test_variables_of_functions_around_are_known() -> None:
    cut = PLACES.cut(18)
    assert cut is not None
    assert cut.own == cut.given == frozenset({"function"})
