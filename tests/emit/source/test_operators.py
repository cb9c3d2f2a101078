"""Calls of the methods behind operators, written as these, and run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.emit.source.test_layout import ruff
from tests.emit.support import Recipe, method, observe_twice, step
from tests.emit.test_suite import run, written
from tracetwin.emit.exhibit import exhibited
from tracetwin.emit.render.render import Rendered, render
from tracetwin.emit.result import Suite
from tracetwin.model.case import Case, Step
from tracetwin.replay.static import coverable

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
    def __gt__(self, other):
        return self._n > other


class Wider(Box):
    def __gt__(self, other):
        return "asked first"
"""


def on(name: str, *args: Any, n: int = 3, before: tuple[Step, ...] = ()) -> Case:
    return method("sample", f"Box.{name}", *before, step(("method", "box", name), *args), made=(n,))


ROWS = [
    (on("__or__", 2), "self.assertEqual(4, box | 2)", "assert 4 == box | 2"),
    (on("__or__", -2), "self.assertEqual(4, box | -2)", "assert 4 == box | -2"),
    (
        on("__or__", "x"),
        'self.assertIs(NotImplemented, box.__or__("x"))',
        'assert box.__or__("x") is NotImplemented',
    ),
    (on("__eq__", 3), "self.assertIs(True, box == 3)", "assert (box == 3) is True"),
    (on("__eq__", None), "self.assertIs(False, box.__eq__(None))", "assert box.__eq__(None) is False"),
    (on("__lt__", 0), "            _ = box < 0", "            _ = box < 0"),
    (on("__len__"), "self.assertEqual(3, len(box))", "assert 3 == len(box)"),
    (on("__len__", n=-1), "self.assertEqual(-1, box.__len__())", "assert -1 == box.__len__()"),
    (on("__getitem__", 2), "self.assertEqual(5, box[2])", "assert 5 == box[2]"),
    (on("__getitem__", "a"), '            _ = box["a"]', '            _ = box["a"]'),
    (on("__setitem__", 1, 8), "        box[1] = 8", "        box[1] = 8"),
    (on("__setitem__", -1, 8), "            box[-1] = 8", "            box[-1] = 8"),
    (on("__delitem__", 4), "        del box[4]", "        del box[4]"),
    (on("__contains__", 3), "self.assertIs(True, 3 in box)", "assert (3 in box) is True"),
    (on("__str__"), 'self.assertEqual("a box", str(box))', 'assert "a box" == str(box)'),
    (on("__neg__"), "self.assertEqual(-3, -box)", "assert -3 == -box"),
    (on("__iter__"), "self.assertEqual([3], list(iter(box)))", "assert [3] == list(iter(box))"),
    (on("__next__"), "self.assertEqual(3, next(box))", "assert 3 == next(box)"),
    (on("__call__", 1), "self.assertEqual(3, box(1))", "assert 3 == box(1)"),
    (on("__bool__"), "self.assertEqual(5, box.__bool__())", "assert 5 == box.__bool__()"),
    (on("__radd__", 1), "self.assertEqual(1, box.__radd__(1))", "assert 1 == box.__radd__(1)"),
    (
        on("__lt__", Recipe("call", "sample", "Wider", [("lit", 3)], [])),
        'self.assertEqual("asked first", box.__lt__(Wider(3)))',
        'assert "asked first" == box.__lt__(Wider(3))',
    ),
    (
        on("__lt__", Recipe("call", "sample", "Box", [("lit", 4)], [])),
        "self.assertIs(True, box < Box(4))",
        "assert (box < Box(4)) is True",
    ),
]
BEFORE = (step(("method", "box", "__setitem__"), 1, 2), step(("method", "box", "__delitem__"), 1))
CASES = [*(case for case, _, _ in ROWS), on("__len__", before=BEFORE)]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Rendered]]:
    folder = tmp_path_factory.mktemp("operators")
    module = written(folder, BOX)
    pairs = list(zip(CASES, map(exhibited, observe_twice(module, CASES).observations), strict=True))
    facts = coverable(module.file)
    return {style: (folder, render("sample", pairs, facts, style=style)) for style in ("unittest", "pytest")}


@pytest.mark.parametrize("row", range(len(ROWS)))
def test_a_method_is_written_as_its_operator_where_that_means_the_same(pages: Any, row: int) -> None:
    for style, said in zip(("unittest", "pytest"), ROWS[row][1:], strict=True):
        assert f"{said}\n" in pages[style][1].text


def test_items_are_set_by_statements_on_the_way_to_the_call(pages: Any) -> None:
    assert "        box[1] = 2\n        del box[1]\n" in pages["unittest"][1].text


@pytest.mark.parametrize("style", ["unittest", "pytest"])
def test_the_file_passes_and_formatters_and_linters_leave_it_alone(pages: Any, style: str) -> None:
    folder, page = pages[style]
    assert page.dropped == []
    for command in (["format", "--diff"], ["check", "--extend-select", "I,F,E,B015,B018"]):
        checked = ruff(*command, text=page.text)
        assert checked.returncode == 0, checked.stdout.decode()
    done = run(Suite(page.text), folder, *(("-m", "pytest", "-q") if style == "pytest" else ()))
    assert done.returncode == 0, done.stdout + done.stderr
