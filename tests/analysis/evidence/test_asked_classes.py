"""Which classes a function asks a parameter for."""

from __future__ import annotations

import ast
import collections
from typing import Any

import pytest

from tracetwin.analysis.evidence.field_uses import asked_classes


class A:
    class Inner:
        pass


class B:
    pass


NAMES: dict[str, Any] = {"A": A, "B": B, "int": int, "collections": collections, "value": 3, "P": (A, B)}


@pytest.mark.parametrize(
    ("body", "classes"),
    [
        ("isinstance(x, A)", (A,)),
        ("isinstance(x, (A, int)) or isinstance(x, A)", (A, int)),
        ("isinstance(y, A)", ()),
        ("isinstance(x, A.Inner) and isinstance(x, collections.Counter)", (A.Inner, collections.Counter)),
        ("isinstance(x, missing) or isinstance(x, value) or isinstance(x, value.real)", ()),
        ("isinstance(x, P)", (A, B)),
        ("match x:\n  case A() | B(): pass\n  case A.Inner(): pass\n  case _: pass", (A, B, A.Inner)),
        ("match y:\n  case A(): pass", ()),
    ],
)
def test_the_classes_in_order(body: str, classes: tuple[type, ...]) -> None:
    assert classes == asked_classes(ast.parse(body), "x", NAMES)
