"""Classes and objects by which a function chooses what to do with a value."""

from __future__ import annotations

import ast
import collections
from types import ModuleType
from typing import Any

import pytest

from tracetwin.analysis.evidence.dispatch import compared_objects, note_dispatch
from tracetwin.analysis.evidence.expressions import Names
from tracetwin.analysis.evidence.facts import ValueFacts
from tracetwin.analysis.sources import FunctionNode


class A:
    pass


class B:
    pass


MISSING, _HIDDEN = A(), B()
NAMES: dict[str, Any] = {
    "A": A, "B": B, "collections": collections, "TABLE": {A: 1, B: 2, "x": 3}, "KINDS": (A, B),
    "WORDS": {"A": 1, "Counter": 2}, "MISSING": MISSING, "_HIDDEN": _HIDDEN, "NUMBER": 7, "function": len,
}  # fmt: skip
MEMBERS: dict[str, Any] = {"visit_A": 1, "visit_Counter": 2, "visit_dict": 3, "other_B": 4, "table": {B: 1}}


def function(body: str) -> FunctionNode:
    (node,) = ast.parse(f"def f(self, x, y):\n  {body}").body
    assert isinstance(node, ast.FunctionDef)
    return node


@pytest.mark.parametrize(
    ("body", "classes"),
    [
        ("return TABLE[type(x)]", [A, B]),
        ("return TABLE.get(x.__class__, 3)", [A, B]),
        ("kind = type(x); return kind in TABLE and self.table[kind]", [A, B]),
        ("return x.__class__ is A or collections.Counter == type(x)", [A, collections.Counter]),
        ("return type(x) not in KINDS", [A, B]),
        ("return type(x).__name__ in ('B', 'nothing')", [B]),
        ("name = type(x).__name__; return WORDS[name]", [A, collections.Counter]),
        ("return getattr(self, 'visit_' + type(x).__name__)(x)", [A, collections.Counter, dict]),
        ("return getattr(self, f'visit_{x.__class__.__name__}')", [A, collections.Counter, dict]),
        ("return TABLE[type(y)], type(x), type(x).__name__, x['A'], 'visit_' + x", []),
    ],
)
def test_the_classes_that_are_asked_for(body: str, classes: list[type]) -> None:
    mine: Names = {"x": ValueFacts()}
    note_dispatch(function(body), mine, NAMES, MEMBERS)
    found = [annotation for annotation, _ in mine["x"].named]
    found += [dict] if "dict" in mine["x"].said else []
    assert found == classes


def test_public_objects_that_a_value_is_compared_with() -> None:
    module = ModuleType("shop")
    vars(module).update(NAMES)
    body = "return x is MISSING or x is not _HIDDEN or x is NUMBER or y is TABLE or x == MISSING or x is ast"
    assert compared_objects(function(body), "x", module) == [("shop", "MISSING")]
    body = "return x is TABLE or x == A or x in (int, function, 3)"
    wanted = [("shop", "TABLE"), ("shop", "A"), ("builtins", "int"), ("shop", "function")]
    assert compared_objects(function(body), "x", module) == wanted
