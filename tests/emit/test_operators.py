"""Calls of the methods behind operators, written as these, and run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.emit.support import Recipe, method, step
from tests.emit.test_layout import ruff
from tests.emit.test_suite import run, written
from tracetwin.emit.suite import Suite, build_suite

BOX = """
class Box:
    def __init__(self, n=3):
        self._n = n
        self.last = None
    def __or__(self, other):
        return NotImplemented if other == "x" else self._n + 1
    def __eq__(self, other):
        return self._n == other
    __hash__ = object.__hash__
    def __lt__(self, other):
        if other == 0:
            raise ValueError("zero")
        return self._n < other
    def __len__(self):
        return self._n
    def __getitem__(self, key):
        return self._n + key
    def __setitem__(self, key, value):
        if key < 0:
            raise IndexError("negative")
        self.last = value
    def __delitem__(self, key):
        self.last = key
    def __contains__(self, item):
        return item == self._n
    def __str__(self):
        return "a box"
    def __neg__(self):
        return -self._n
    def __iter__(self):
        yield self._n
    def __next__(self):
        return self._n
    def __call__(self, a, b=2):
        return a + b
    def __bool__(self):
        return 5
    def __radd__(self, other):
        return other
"""


def made(tmp_path: Path, *cases: dict[str, Any], style: str = "unittest") -> Suite:
    suite = build_suite(written(tmp_path, BOX), cases, style=style)
    assert suite.error is None
    for command in (["format", "--diff"], ["check", "--extend-select", "I,F,E,B015,B018"]):
        checked = ruff(*command, text=suite.text)
        assert checked.returncode == 0, checked.stdout.decode()
    options = ("-m", "pytest", "-q") if style == "pytest" else ()
    done = run(suite, tmp_path, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    return suite


def on(name: str, *args: Any, n: int = 3, before: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    return method("sample", f"Box.{name}", *before, step(("method", "box", name), *args), made=(n,))


@pytest.mark.parametrize(
    ("case", "said", "asserted"),
    [
        (on("__or__", 2), "self.assertEqual(4, box | 2)", "assert 4 == box | 2"),
        (on("__or__", -2), "self.assertEqual(4, box | -2)", "assert 4 == box | -2"),
        (on("__or__", "x"), 'self.assertIs(NotImplemented, box.__or__("x"))', "is NotImplemented"),
        (on("__eq__", 3), "self.assertIs(True, box == 3)", "assert (box == 3) is True"),
        (on("__eq__", None), "self.assertIs(False, box.__eq__(None))", "assert box.__eq__(None) is False"),
        (on("__lt__", 0), "            _ = box < 0", "            _ = box < 0"),
        (on("__len__"), "self.assertEqual(3, len(box))", "assert 3 == len(box)"),
        (on("__len__", n=-1), "self.assertEqual(-1, box.__len__())", "assert -1 == box.__len__()"),
        (on("__getitem__", 2), "self.assertEqual(5, box[2])", "assert 5 == box[2]"),
        (on("__getitem__", "a"), '            _ = box["a"]', '            _ = box["a"]'),
        (on("__setitem__", 1, 8), "        box[1] = 8\n", "        box[1] = 8\n"),
        (on("__setitem__", -1, 8), "            box[-1] = 8\n", "            box[-1] = 8\n"),
        (on("__delitem__", 4), "        del box[4]\n", "        del box[4]\n"),
        (on("__contains__", 3), "self.assertIs(True, 3 in box)", "assert (3 in box) is True"),
        (on("__str__"), 'self.assertEqual("a box", str(box))', 'assert "a box" == str(box)'),
        (on("__neg__"), "self.assertEqual(-3, -box)", "assert -3 == -box"),
        (on("__iter__"), "self.assertEqual([3], list(iter(box)))", "assert [3] == list(iter(box))"),
        (on("__next__"), "self.assertEqual(3, next(box))", "assert 3 == next(box)"),
        (on("__call__", 1), "self.assertEqual(3, box(1))", "assert 3 == box(1)"),
        (on("__bool__"), "self.assertEqual(5, box.__bool__())", "assert 5 == box.__bool__()"),
        (on("__radd__", 1), "self.assertEqual(1, box.__radd__(1))", "assert 1 == box.__radd__(1)"),
        (
            on("__lt__", Recipe("call", "sample", "Box", [("lit", 3)], [])),
            "box.__lt__(Box(3))",
            "box.__lt__(Box(3))",
        ),
    ],
)
def test_a_method_is_written_as_its_operator_where_that_means_the_same(
    tmp_path: Path, case: dict[str, Any], said: str, asserted: str
) -> None:
    assert said in made(tmp_path, case).text
    assert asserted in made(tmp_path, case, style="pytest").text


def test_items_are_set_by_statements_on_the_way_to_the_call(tmp_path: Path) -> None:
    before = (step(("method", "box", "__setitem__"), 1, 2), step(("method", "box", "__delitem__"), 1))
    text = made(tmp_path, on("__len__", before=before)).text
    assert "        box[1] = 2\n        del box[1]\n" in text
