"""From where values come to a condition, and what is not to blame for it."""

from __future__ import annotations

import ast
import textwrap

import pytest

from tracetwin.analysis.slices import Slice, slice_of

SOURCE = """\
def made(self, seen, *args, **options):
    self.held = OrderedDict()
    self.plain = options.pop("plain", True)
    known = options.pop("known", {})
    if args:
        value = args[0]
        known[id(value)] = self
        if self.plain and value:
            return 1
        if id(value) in known:
            return 2
    for key, one in self.held.items():
        if key:
            one = seen[key]
        elif type(one) is tuple:
            return 3
        one = [one]
    kept = OrderedDict()
    kept["a"] = seen
    if kept:
        return 4
    found = False
    if seen is None:
        found = True
    now = clock()
    if found:
        return 5
    if now > 3:
        return 6
    seen = later()
    if seen:
        return 7
    kind = self.kinds[args]
    if options:
        kind = "t"
    if kind == "m":
        return 8
"""


def cut(text: str) -> Slice:
    (function,) = ast.parse(textwrap.dedent(SOURCE)).body
    assert isinstance(function, ast.FunctionDef)
    return slice_of(function, next(at for at, line in enumerate(SOURCE.split("\n"), 1) if text in line))


@pytest.mark.parametrize(
    ("condition", "near", "sources"),
    [
        ("if self.plain", {"self": 0, "args": 1, "options": 1}, set()),
        ("if id(value) in known", {"args": 1, "options": 1}, set()),
        ("elif type(one) is tuple", {"self": 1}, set()),
        ("if kept", {"seen": 1}, set()),
        ("if found", {"seen": 2}, set()),
        ("if now > 3", {}, {(25, "clock")}),
        ("if seen:", {}, {(30, "later")}),
        ('if kind == "m"', {"self": 1, "options": 2}, set()),
    ],
)
def test_only_what_can_come_to_a_condition_is_told(
    condition: str, near: dict[str, int], sources: set[tuple[int, str]]
) -> None:
    found = cut(condition)
    assert near == dict(found.near)
    assert sources == set(found.sources)


@pytest.mark.parametrize(
    "targets", ["at, (one, two)", "[at, [one, *two]]", "(at, one), two", "at.held, (one, two)"]
)
def test_a_name_in_a_tuple_within_a_tuple_gets_a_value(targets: str) -> None:
    text = f"def f(given):\n    for {targets} in given:\n        if one:\n            return 1\n"
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    assert {"given": 1} == slice_of(function, 3).near


def test_what_a_call_returns_and_keeps_gets_no_name() -> None:
    text = "def f(given):\n    for index().at in given:\n        if given:\n            return 1\n"
    (function,) = ast.parse(text).body
    assert isinstance(function, ast.FunctionDef)
    assert "given" in slice_of(function, 3).near
