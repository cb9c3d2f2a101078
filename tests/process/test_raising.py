"""Where an exception was raised, and whether a statement of the target's package made it."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from tracetwin.process.raising import RaisedAt, raising_of

SIBLING = """
def check(value):
    if value < 0:
        raise TypeError('no')
    assert value != 7, 'seven'
    return value + ''
"""
TARGET = """
def work(value):
    return check(value)
def own():
    raise TypeError('mine')
"""


def loaded(name: str, source: str, **names: Any) -> ModuleType:
    module = ModuleType(name)
    module.__dict__.update(names)
    exec(compile(source, f"{name}.py", "exec"), module.__dict__)
    return module


def raising(function: Any, *args: Any) -> RaisedAt:
    with pytest.raises((TypeError, AssertionError)) as caught:
        function(*args)
    return raising_of(caught.value, "pack.target.py", "pack.target")


@pytest.mark.parametrize(
    ("home", "value", "is_stated"),
    [
        ("pack.checks", -1, True),
        ("other.checks", -1, False),  # not of its package
        ("pack.checks", 1, False),  # the interpreter made it
        ("pack.checks", 7, False),  # an assertion
    ],
)
def test_statements_of_the_package_are_told_from_what_the_interpreter_raises(
    home: str, value: int, is_stated: bool
) -> None:
    check = loaded(home, SIBLING).check
    target = loaded("pack.target", TARGET, check=check)
    assert raising(target.work, value) == RaisedAt(3, is_stated)


def test_of_its_own_file_the_line_tells() -> None:
    target = loaded("pack.target", TARGET)
    assert raising(target.own) == RaisedAt(5, False)
