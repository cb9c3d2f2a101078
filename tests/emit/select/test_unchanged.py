from __future__ import annotations

import pytest

from tracetwin.emit.select.unchanged import mark_held


def numbers(*values):
    return ("list", [("lit", value) for value in values])


def held(*observed):
    step = {"do": ["call", "m", "f"], "args": [], "kwargs": []}
    cases = [{"target": ["m", "f"], "steps": [step]} for _ in observed]
    seen = [
        {"changed": [], "touched": [], "kept": [(("arg", 0), given)], "value": value}
        for given, value in observed
    ]
    mark_held(cases, seen)
    return [len(one["held"]) for one in seen]


@pytest.mark.parametrize(
    ("observed", "expected"),
    [
        ([(numbers(2, 1), numbers(1, 2)), (numbers(1), numbers())], [1, 1]),
        ([(numbers(2, 1), numbers("a")), (numbers(1), numbers())], [0, 0]),
        ([(numbers(2, 1), ("lit", 3))], [0]),
    ],
)
def test_what_is_handed_in_is_held_where_the_like_is_handed_out(observed, expected):
    assert held(*observed) == expected
