"""What a user's own suite meets of a module is measured, and subtracted from what is to be tested."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracetwin.model.met import Met
from tracetwin.model.options import Options
from tracetwin.mutation.readers import has_pytest
from tracetwin.mutation.schemata import mutants_of
from tracetwin.run.learning.theirs import met_of
from tracetwin.target.selection import resolve

SOURCE = """\
class Cart:
    def __init__(self, limit: int) -> None:
        if limit < 1:
            raise ValueError("limit")
        self.items: list[str] = []

    def add(self, name: str) -> int:
        self.items.append(_checked(name))
        return len(self.items)


def _checked(name: str) -> str:
    if not name or name == "-":
        raise KeyError(name)
    return name


def first(items: list[int]) -> int:
    for item in items:
        return item
    raise LookupError("nothing")


def quiet(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        return 0
"""

UNITTEST = """\
import unittest
from met_sample import Cart, first, quiet


class TestIt(unittest.TestCase):
    def test_cart(self):
        self.assertEqual(1, Cart(1).add("a"))

    def test_refused(self):
        with self.assertRaises(KeyError):
            Cart(1).add("")

    def test_quiet(self):
        self.assertEqual(0, quiet("x"))

    def test_wrong(self):
        self.assertEqual(2, first([1]))
"""

PYTEST = """\
import pytest
from met_sample import Cart, first, quiet


@pytest.fixture
def cart():
    return Cart(1)


def test_cart(cart):
    assert cart.add("a") == 1


def test_refused(cart):
    with pytest.raises(KeyError):
        cart.add("")


def test_quiet():
    assert quiet("x") == 0


def test_wrong():
    assert first([1]) == 2
"""


def met(folder: Path, tests: str, criterion: str) -> tuple[Met | None, list[str]]:
    (folder / "met_sample.py").write_text(SOURCE)
    (folder / "test_met_sample.py").write_text(tests)
    module = resolve(str(folder / "met_sample.py"))[0]
    options = Options(folder / "out", criterion=criterion, jobs=1)
    return met_of(module, [folder / "test_met_sample.py"], options)


@pytest.mark.slow
@pytest.mark.parametrize("tests", [UNITTEST, PYTEST], ids=["unittest", "pytest"])
def test_lines_branches_and_endings_of_passing_tests_are_met(tests: str, tmp_path: Path) -> None:
    if not has_pytest():
        pytest.skip("pytest is not installed")
    found, said = met(tmp_path, tests, "branch,exception")
    assert found is not None
    assert 3 == found.tests
    assert any("test_wrong" in one and "does not count" in one for one in said)
    assert {3, 5, 8, 9, 13, 14, 15, 25, 26, 27} <= found.lines
    assert not {4, 20, 21} & found.lines
    assert found.endings == {
        ("Cart", "returned", None, None),
        ("Cart.__init__", "returned", None, None),
        ("Cart.add", "returned", None, None),
        ("Cart.add", "raised", ("builtins", "KeyError"), 14),
        ("quiet", "returned", None, None),
    }
    assert not found.shown
    assert not found.killed


@pytest.mark.slow
def test_sides_are_noted_by_the_twin(tmp_path: Path) -> None:
    found, _ = met(tmp_path, UNITTEST, "condition,mcdc")
    assert found is not None
    assert any(isinstance(entry, int) for entry in found.shown)
    vectors = {str(entry).rpartition(":")[2] for entry in found.shown if str(entry).startswith("vector:")}
    assert {"10", "0-"} == vectors, "of the name, and whether it is a dash"


def test_mutants_that_they_notice_are_met(tmp_path: Path) -> None:
    found, said = met(tmp_path, UNITTEST, "mutation")
    assert found is not None
    lines = {mutant.line for mutant in mutants_of(SOURCE.encode()) if mutant.number in found.killed}
    assert {8, 9, 13, 28} <= lines
    assert not {4, 19, 20, 21} & lines
    assert any(one.startswith(f"they notice {len(found.killed)} of") for one in said)


def test_tests_that_fail_meet_nothing(tmp_path: Path) -> None:
    found, said = met(tmp_path, "import unittest\nimport nowhere_at_all\n", "branch")
    assert found is None
    assert "all is tested" in said[-1]


def test_a_goal_is_met_by_what_was_seen() -> None:
    found = Met(1, frozenset({3}), frozenset({(3, 4)}), frozenset({("f", "returned", None, None)}))
    target = ("m", "f")
    assert found.meets(("line", 3))
    assert not found.meets(("own line", 4))
    assert found.meets(("arc", (3, 4)))
    assert found.meets(("called", target))
    assert found.meets(("end", target, "returned", None, None))
    assert not found.meets(("end", target, "raised", ("builtins", "KeyError"), 4))
    assert not found.meets(("shown", 7))
