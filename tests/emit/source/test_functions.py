"""A function that has no name to import it by is at least told to be one."""

from __future__ import annotations

import types

import pytest

from tests.emit.source.test_iterators import CHECKER
from tracetwin.emit.source.layout import Atom
from tracetwin.model.snapshot import Opaque
from tracetwin.replay.observe.snap import type_name


@pytest.mark.parametrize(
    ("value", "expected"),
    [(lambda: 1, "FunctionType"), ([].append, "BuiltinFunctionType"), ((1).__str__, "MethodWrapperType")],
)
def test_the_kind_of_a_function_is_asserted(value: object, expected: str) -> None:
    (check,) = CHECKER.checks(Atom("it"), Opaque(type_name(value)))
    assert check.expected is not None
    assert check.expected.flat() == expected
    assert isinstance(value, getattr(types, expected))
