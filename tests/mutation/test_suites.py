"""Existing tests are judged by the mutants that they notice, whichever runner reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracetwin.model.mutant import MutantFate
from tracetwin.mutation.readers import has_pytest
from tracetwin.mutation.suites import Judgement, judge_suite
from tracetwin.target.selection import resolve

SOURCE = """\
def price(amount: int, member: bool) -> int:
    total = amount * 10
    if member and total > 50:
        total -= 5
    return total


def unused(n: int) -> int:
    return n + 1


def drain(items: list[int]) -> int:
    count = 0
    while items:
        items.pop()
        count += 1
    return count
"""

UNITTEST = """\
import unittest

from shop_sample import drain, price


class TestPrice(unittest.TestCase):
    def setUp(self):
        self.amount = 6

    def test_member(self):
        self.assertEqual(55, price(self.amount, True))

    def test_other(self):
        self.assertEqual(60, price(self.amount, False))

    def test_drain(self):
        self.assertEqual(2, drain([1, 2]))

    def test_wrong(self):
        self.assertEqual(1, price(1, False))
"""

PYTEST = """\
import pytest

from shop_sample import drain, price


@pytest.fixture
def amount():
    yield 6


@pytest.mark.parametrize(("member", "total"), [(True, 55), (False, 60)])
def test_price(amount, member, total):
    assert price(amount, member) == total


def test_drain():
    assert drain([1, 2]) == 2


def test_wrong():
    assert price(1, False) == 1
"""


def judged(
    folder: Path, tests: str, *, runner: bool, jobs: int = 1, most: int | None = None
) -> Judgement:
    (folder / "shop_sample.py").write_text(SOURCE)
    (folder / "test_shop_sample.py").write_text(tests)
    module = resolve(str(folder / "shop_sample.py"))[0]
    return judge_suite(module, [folder / "test_shop_sample.py"], pytest=runner, jobs=jobs, most=most)


def fates(found: Judgement) -> dict[str, MutantFate]:
    return {mutant.name: fate for mutant, fate, _ in found.fates}


@pytest.mark.parametrize(("tests", "runner"), [(UNITTEST, False), (UNITTEST, True), (PYTEST, True)])
def test_each_mutant_has_its_fate(tests: str, *, runner: bool, tmp_path: Path) -> None:
    if runner and not has_pytest():
        pytest.skip("pytest is not installed")
    found = judged(tmp_path, tests, runner=runner)
    assert "" == found.problem
    assert ["test_wrong"] == [name.rpartition(".")[2].rpartition(":")[2] for name, _ in found.failing]
    by_name = fates(found)
    assert MutantFate.KILLED is by_name["line 4: `total -= 5` is left out"]
    assert MutantFate.SURVIVED is by_name["line 3: `>` becomes `>=` in `total > 50`"]
    assert MutantFate.UNREACHED is by_name["line 9: `1` becomes `2`"]
    assert MutantFate.KILLED is by_name["line 15: `items.pop()` is left out"], "it never ends"
    assert 0 < found.count(MutantFate.UNREACHED) < len(found.fates)
    assert 50 < found.score < 100


def test_who_notices_a_mutant_is_told(tmp_path: Path) -> None:
    found = judged(tmp_path, UNITTEST, runner=False, jobs=2)
    by = {mutant.name: by for mutant, _, by in found.fates}
    assert by["line 4: `total -= 5` is left out"].endswith("test_member")


def test_some_mutants_can_be_drawn(tmp_path: Path) -> None:
    found = judged(tmp_path, UNITTEST, runner=False, most=5)
    assert 5 == len(found.fates)
    assert len({mutant.function for mutant, *_ in found.fates}) > 1


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    found = judged(tmp_path, "import nothing_of_that_name\n", runner=False)
    assert not found.fates
    assert "no unittest.TestCase" in found.problem
    assert "nothing_of_that_name" in found.failing[0][1]
