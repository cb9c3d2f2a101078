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


class Bare:
    pass


@pytest.mark.parametrize(
    ("cls", "stored"),
    [
        (Node, {"tag": "tag", "value": "value", "mark": "mark"}),
        (Leaf, {"tag": "tag", "value": "value", "mark": "mark"}),
        (Other, {}),
        (Bare, {}),
        (ValueError, {}),
        (int, {}),
    ],
)
def test_attributes_that_hold_a_parameter_as_it_is(cls: type, stored: dict[str, str]) -> None:
    assert parameters_stored_by(cls) == stored
