"""Which parameter of its constructor an attribute holds."""

from __future__ import annotations

import pytest

from tracetwin.analysis.constructor_stores import parameters_stored_by


class Node:
    def __init__(self, tag: object, /, value: object, *, mark: object = None) -> None:
        self.tag, self.value = tag, value
        self.mark = mark
        self.size = len(str(value))
        other = Other
        other.value = mark


class Leaf(Node):
    pass


class Other:
    value: object

    def __init__(*args: object) -> None:
        pass


class Changing:
    def __init__(self, a: int, b: int, c: int, d: int) -> None:
        self.a = 0
        self.a += a
        self.b = b
        self.c = c
        if b:
            self.b = 0
        d = d + 1
        self.d = d


class Meta(type):  # noqa: PLW1641 - that is what is tried
    def __eq__(cls, other: object) -> bool:
        return True


class Odd(metaclass=Meta):
    def __init__(self, a: int) -> None:
        self.a = a


class Bare:
    pass


@pytest.mark.parametrize(
    ("cls", "stored"),
    [
        (Node, {"tag": "tag", "value": "value", "mark": "mark"}),
        (Leaf, {"tag": "tag", "value": "value", "mark": "mark"}),
        (Other, {}),
        (Bare, {}),
        (Changing, {"c": "c"}),
        (Odd, {"a": "a"}),
        (ValueError, {}),
        (int, {}),
    ],
)
def test_attributes_that_hold_a_parameter_as_it_is(cls: type, stored: dict[str, str]) -> None:
    assert parameters_stored_by(cls) == stored
