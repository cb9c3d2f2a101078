"""Parameters of constructors that a method never gets to see."""

from __future__ import annotations

import ast
import textwrap

import pytest

from tracetwin.analysis.effects.idle_parameters import IdleParameters

BILL = """
    class Bill:
        def __init__(self, number, due, terms=30, owner=None):
            if terms < 0:
                raise ValueError
            self.number = number
            self.due = due
            self.terms = terms
            self.owner = owner.lower()

        def last_day(self):
            return self.due + self.terms

        def letter(self, today):
            return "late" if today > self.last_day() else "fine"

        def shown(self):
            return f"{self}"

        def __eq__(self, other):
            return self.number == other.number

        def hooked(self):
            return self.hook()

        def copied(self):
            return type(self)(self.number, self.due)
    """


@pytest.mark.parametrize(
    ("method", "idle"),
    [
        ("last_day", {"number"}),
        ("letter", {"number"}),  # through what it calls
        ("shown", set()),  # whoever gets the object may read anything
        ("__eq__", {"due"}),
        ("hooked", set()),  # a method of who knows what class
        ("copied", set()),
        ("missing", set()),
    ],
)
def test_attributes_that_nothing_reads_keep_idle_parameters(method: str, idle: set[str]) -> None:
    assert idle == IdleParameters(_class(BILL)).of(method)


def test_fields_are_parameters_that_are_kept_under_their_names() -> None:
    fields = "class Point:\n    x: int\n    y: int\n    def left(self):\n        return self.x\n"
    assert {"y"} == IdleParameters(_class(fields)).of("left")
    derived = fields.replace("Point", "Point(Base)")
    assert set() == IdleParameters(_class(derived)).of("left")


def _class(source: str) -> ast.ClassDef:
    (node,) = ast.parse(textwrap.dedent(source)).body
    assert isinstance(node, ast.ClassDef)
    return node
