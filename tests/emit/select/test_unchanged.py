from __future__ import annotations

import pytest

from tests.emit.support import seen
from tracetwin.emit.select.unchanged import mark_held
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Root, ValuePath
from tracetwin.model.recipe import Scalar, list_of


def numbers(*values):
    return list_of(*map(Scalar, values))


def held(*observed):
    cases = [Case("m", "f", "function", (Step(Act.CALL, "m", "f"),)) for _ in observed]
    shown = [seen(value, kept=((ValuePath(Root.ARG, 0), given),)) for given, value in observed]
    return [len(one.held) for one in mark_held(cases, shown)]


@pytest.mark.parametrize(
    ("observed", "expected"),
    [
        ([(numbers(2, 1), numbers(1, 2)), (numbers(1), numbers())], [1, 1]),
        ([(numbers(2, 1), numbers("a")), (numbers(1), numbers())], [0, 0]),
        ([(numbers(2, 1), Scalar(3))], [0]),
    ],
)
def test_what_is_handed_in_is_held_where_the_like_is_handed_out(observed, expected):
    assert held(*observed) == expected
