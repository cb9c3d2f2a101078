"""Class patterns are conditions on the choices that decide the class of a subject, or of its parts."""

from __future__ import annotations

import linecache
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from instrumenter.transform import instrument
from runtime import trace, twin
from runtime.class_choices import Alternative
from runtime.inputs import Inputs
from runtime.trace import Kind
from runtime.values import plain
from tests.runtime.test_class_tests import Base, Derived, Other, Shape, Square


@dataclass
class Pair:
    left: Any
    right: Any


CLASSES: dict[str, Any] = {
    item.__name__: item for item in (Base, Derived, Other, Shape, Square, Pair, int, str, type(None))
}
BASE = "or(eq(x?, 0), eq(x?, 1))"
MADE: dict[type, Any] = {int: 3, str: "a", type(None): None}


@pytest.fixture
def inputs() -> Iterator[Inputs]:
    trace.start()
    yield Inputs({})
    Inputs({})
    trace.stop()


def conditions(source: str, folder: Path, *values: Any) -> tuple[Any, list[str]]:
    """What `f` returns, and the class tests that it recorded."""
    file = folder / "matching.py"
    file.write_text(source, encoding="utf-8")
    linecache.clearcache()
    twin_of = instrument(source, name="matching", filename=str(file))
    names: dict[str, Any] = {**CLASSES, "_tt": twin, "__name__": "matching"}
    exec(compile(twin_of.source, str(file), "exec"), names)
    before = len(trace.current.path)
    result = names["f"](*values)
    path = trace.current.path[before:]
    return plain(result), [repr(node) for node, _, _, kind in path if kind == Kind.BRANCH]


def drawn(inputs: Inputs, name: str, chosen: type, *classes: type) -> Any:
    """A value that is an instance of one of the classes, by choice."""
    value = MADE[chosen] if chosen in MADE else chosen()
    inputs.decided(value, f"{name}?", classes.index(chosen), [Alternative(cls) for cls in classes])
    return value


def test_each_pattern_up_to_the_one_that_matches_is_a_condition(inputs: Inputs, tmp_path: Path) -> None:
    source = """
def f(x):
    match x:
        case Derived():
            return "derived"
        case Shape() | Other():
            return "other"
        case Base():
            return "base"
        case Square():
            return "never"
"""
    value = drawn(inputs, "x", Base, Base, Derived, Other, Square)
    assert ("base", ["ne(x?, 1)", "ne(x?, 3)", "ne(x?, 2)", BASE]) == conditions(source, tmp_path, value)


def test_a_guard_leaves_the_later_patterns_open(inputs: Inputs, tmp_path: Path) -> None:
    source = """
def f(x):
    match x:
        case Base() if False:
            return 1
        case Derived():
            return 2
    return 3
"""
    value = drawn(inputs, "x", Base, Base, Derived, Other)
    assert (3, [BASE, "ne(x?, 1)"]) == conditions(source, tmp_path, value)


def test_parts_of_a_subject_are_asked_as_python_looks_at_them(inputs: Inputs, tmp_path: Path) -> None:
    source = """
def f(x):
    match x:
        case Pair(left=Derived(), right=Other()):
            return 1
        case Pair(Base(), Derived()):
            return 2
    return 3
"""
    left, right = (drawn(inputs, name, Derived, Other, Derived) for name in "lr")
    value = Pair(left, right)
    assert (2, ["eq(l?, 1)", "ne(r?, 0)", "eq(r?, 1)"]) == conditions(source, tmp_path, value)


def test_a_tuple_of_subjects_is_matched_element_by_element(inputs: Inputs, tmp_path: Path) -> None:
    source = """
def f(x, y):
    match x, y:
        case Derived(), Derived():
            return 1
        case Base(), Other() as other:
            return 2
    return 3
"""
    left, right = drawn(inputs, "x", Base, Base, Derived, Other), drawn(inputs, "y", Other, Other, Derived)
    assert (2, ["ne(x?, 1)", BASE, "eq(y?, 0)"]) == conditions(source, tmp_path, left, right)


def test_none_and_builtin_classes_are_classes_like_others(inputs: Inputs, tmp_path: Path) -> None:
    source = """
def f(x):
    match x:
        case None:
            return 0
        case int(n):
            return 1
        case str():
            return 2
    return 3
"""
    value = drawn(inputs, "x", Base, Base, int, str, type(None))
    assert (3, ["ne(x?, 3)", "ne(x?, 1)", "ne(x?, 2)"]) == conditions(source, tmp_path, value)


def test_what_is_no_class_pattern_is_left_to_python(inputs: Inputs, tmp_path: Path) -> None:
    source = """
def f(x):
    match x:
        case {"a": 1}:
            return 1
        case [1, *rest]:
            return 2
        case 3 | "z":
            return 3
        case Other():
            return 4
    return 5
"""
    value = drawn(inputs, "x", Base, Base, Other)
    assert (5, ["ne(x?, 1)"]) == conditions(source, tmp_path, value)
