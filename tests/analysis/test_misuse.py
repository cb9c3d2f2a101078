"""What a module says itself of the errors that values of wrong types lead to."""

from __future__ import annotations

import ast

import pytest

from tracetwin.analysis.misuse import Speaking, speaking_of

SOURCE = '''\
from typing import Any

def raises(value):
    raise TypeError("no")

def lets_through(value):
    try:
        return value.name
    except AttributeError:
        raise
    return value.other

def documents(value):
    """Return the name.

    Raises:
        TypeError: it is none.
    """
    return value + 1

def says_nothing(value):
    """Return one more.

    >>> try:
    ...     says_nothing("")
    ... except TypeError:
    ...     print("no")
    """
    return value + 1

def typed(value: int, *rest: str) -> int:
    return value + 1

def says_little(value: int, other: Any) -> int:
    return value + other

class Shelf:
    def __init__(self, size: int, kind: list) -> None:
        self.size = size

    def put(self, item):
        self.item = item

    def clear(self):
        self.item = None

    @staticmethod
    def joined(items):
        return "".join(items)
'''


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(SOURCE.splitlines(), 1) if text in line)


@pytest.fixture(scope="module")
def speaking() -> Speaking:
    return speaking_of(ast.parse(SOURCE))


@pytest.mark.parametrize(
    ("kind", "line", "target", "expected"),
    [
        ("TypeError", 'TypeError("no")', "raises", True),
        ("AttributeError", "return value.name", "lets_through", True),
        ("TypeError", "return value.name", "lets_through", False),
        ("AttributeError", "return value.other", "lets_through", False),
        ("TypeError", "return value + 1", "documents", True),
        ("AttributeError", "return value + 1", "documents", False),
        ("TypeError", "self.size = size", "says_nothing", False),
        ("TypeError", "self.size = size", "documents", True),
    ],
)
def test_errors_that_are_raised_caught_or_documented_are_expected(
    speaking: Speaking, kind: str, line: str, target: str, expected: bool
) -> None:
    assert speaking.expects(kind, line_of(line), target) is expected


def test_an_error_raised_elsewhere_is_expected_where_it_is_documented(speaking: Speaking) -> None:
    assert speaking.expects("TypeError", None, "documents")
    assert not speaking.expects("TypeError", None, "raises")


def test_functions_that_leave_types_open_are_known(speaking: Speaking) -> None:
    assert speaking.open == {"says_little", "Shelf.__init__"}
    assert speaking.bare == {
        "raises", "lets_through", "documents", "says_nothing", "Shelf.put", "Shelf.joined",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        ("TypeError('no')", True), ("Custom(x)", True), ("error", True), ("", True), ("kinds[x]()", True),
        ("ValueError(len(x))", False), ("KeyError", False), ("(kind or ValueError)(x)", False),
    ],
)  # fmt: skip
def test_an_error_in_making_another_exception_is_not_the_one_that_is_raised(
    raised: str, *, expected: bool
) -> None:
    speaking = speaking_of(ast.parse(f"def f(x, kind, error):\n    raise {raised}"))
    assert speaking.expects("TypeError", 2, "f") is expected
