"""Assertions that kill nothing and say nothing are not written, and no test notices less without them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.emit.support import seen
from tracetwin.emit.render.render import RenderedTest
from tracetwin.emit.result import Suite
from tracetwin.emit.select.assertions import needless, sole_tests
from tracetwin.emit.suite import build_suite
from tracetwin.explore.criteria.branch import CRITERION as BRANCH
from tracetwin.explore.criteria.mutation import CRITERION as MUTATION
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.mutant import MutantFate
from tracetwin.model.observation import Raised, Root, ValuePath
from tracetwin.model.options import ALL, MINIMAL
from tracetwin.model.recipe import Dictionary, Scalar, Variable, list_of
from tracetwin.mutation.session import TestVerdict as Verdict
from tracetwin.mutation.written import ASSERTION, ELSEWHERE
from tracetwin.target.selection import resolve

COUNT, TOTAL = (ValuePath(Root.VAR, "box", name) for name in ("count", "total"))
RESULT = ("result", 0)

SOURCE = """\
class Till:
    def __init__(self, label: str) -> None:
        self.label = label
        self.owner = None
        self.total = 0

    def add(self, amount: int) -> None:
        if amount < 0:
            raise ValueError("negative")
        self.total += amount


def rest(stock: list[int], taken: int) -> list[int]:
    left = list(stock)
    left.remove(taken)
    return left


def doubled(stock: list[int]) -> list[int]:
    return [number * 2 for number in stock]


def ranked(stock: list[int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for number in stock:
        counts[number] = counts.get(number, 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: pair[1]))


class Crate:
    def __init__(self) -> None:
        self._bottles = [1]

    def bottles(self) -> list[int]:
        return list(self._bottles)


class Order:
    def __init__(self, lines: list[int], notes: dict[str, int]) -> None:
        self.lines = list(lines)
        self.notes = notes


def noted(order: Order) -> dict[str, int]:
    notes = dict(order.notes)
    notes["done"] = 1
    return notes


class Report:
    def __init__(self) -> None:
        self.a = self.b = self.c = self.d = self.e = self.f = self.g = self.h = self.i = 0
        self.last = ""


def report(number: int) -> Report:
    made = Report()
    made.last = "few" if number < 3 else "many"
    return made


def lengths(stock: list[int]) -> dict[int, int]:
    return {number: number + 7 for number in stock}
"""


def written(*marks: tuple[object, ...]) -> RenderedTest:
    lines = [(10 + place, 11 + place, mark) for place, mark in enumerate(marks)]
    return RenderedTest("TestBox", "test_box", 0, tuple(lines))


def noticing(*failing: set[int]) -> Verdict:
    return Verdict(
        fits=True, failing={number: frozenset(one) for number, one in enumerate(failing)}, complete=True
    )


def test_what_kills_something_that_nothing_else_kills_stays() -> None:
    test = written(RESULT, (COUNT, 0), (TOTAL, 0))
    assert needless(test, noticing({0}, {2}, {1, 2}), seen()) == {(COUNT, 0)}


def test_the_fewest_assertions_are_kept_and_the_first_of_equals() -> None:
    test = written((COUNT, 0), (COUNT, 1), (TOTAL, 0), (TOTAL, 1))
    # Greedily, 0 would come first, which kills most, and then two others.
    verdict = noticing({0, 1}, {0, 1}, {0, 2}, {0, 2}, {1}, {2})
    assert needless(test, verdict, seen()) == {(COUNT, 0), (TOTAL, 1)}
    assert needless(test, noticing({1, 2}), seen()) == {(COUNT, 0), (TOTAL, 0), (TOTAL, 1)}


def test_a_mutant_that_fails_the_test_anyway_needs_no_assertion() -> None:
    test = written(RESULT, (COUNT, 0))
    assert needless(test, noticing({1, ELSEWHERE}), seen()) == {(COUNT, 0)}


def test_the_result_and_one_assertion_at_least_are_kept() -> None:
    assert needless(written(RESULT, (COUNT, 0)), noticing(), seen()) == {(COUNT, 0)}
    assert needless(written((COUNT, 0), (TOTAL, 0)), noticing(), seen()) == {(TOTAL, 0)}


def test_that_all_is_as_before_an_exception_is_kept() -> None:
    raised = Raised("builtins", "ValueError", "no")
    raising = seen(outcome="raised", raised=raised, held=((TOTAL, Scalar(1)),))
    test = written(("message",), (TOTAL, 0), (COUNT, 0))
    assert needless(test, noticing(), raising) == {(COUNT, 0)}


def test_nothing_is_dropped_where_not_all_mutants_were_tried() -> None:
    test = written(RESULT, (COUNT, 0))
    assert not needless(test, Verdict(), seen())
    assert not needless(test, Verdict(fits=True, failing={0: frozenset({0})}), seen())


def test_an_argument_of_which_nothing_is_asserted_needs_no_name() -> None:
    stock = ValuePath(Root.ARG, 0)
    changing = seen(changed=((stock, list_of(Scalar(1))),))
    found = needless(written(RESULT, (stock, 0)), noticing({0}), changing)
    assert found == {(stock, 0), (stock,)}


def test_a_test_gets_a_file_of_its_own_with_each_assertion_in_a_context() -> None:
    text = (
        "import unittest\n\nfrom till import Till\n\n\n"
        "class TestTill(unittest.TestCase):\n"
        "    def test_one(self):\n"
        "        till = Till('a')\n"
        "        with till:\n"
        "            self.assertEqual(0, till.total)\n"
        "        self.assertEqual(\n            'a', till.label\n        )\n\n"
        "    def test_two(self):\n        self.assertEqual(1, 2)\n"
    )
    test = RenderedTest("TestTill", "test_one", 0, ((10, 11, RESULT), (11, 14, (TOTAL, 0))))
    [(_, sole)] = sole_tests(text, "unittest", [test])
    assert "test_two" not in sole.source
    assert sole.source.count(f"with {ASSERTION}(") == 2
    assert f"        with till:\n            with {ASSERTION}(0):" in sole.source


def suite_of(tmp_path: Path, cases: list[Case], assertions: str, criteria: bool = True) -> Suite:
    file = tmp_path / "till.py"
    file.write_text(SOURCE)
    return build_suite(
        resolve(str(file))[0],
        cases,
        criteria=(BRANCH, MUTATION) if criteria else (BRANCH,),
        assertions=assertions,
    )


def adding(*amounts: int) -> Case:
    made = Step(Act.CALL, "till", "Till", (Scalar("a"),), bind="till")
    calls = [Step(Act.METHOD, "till", "add", (Scalar(amount),)) for amount in amounts]
    return Case("till", "Till.add", "method", (made, *calls))


def of(function: str, *args: object) -> Case:
    return Case("till", function, "function", (Step(Act.CALL, "till", function, args),))  # type: ignore[arg-type]


STOCK = list_of(Scalar(3), Scalar(5))


@pytest.mark.slow
def test_what_a_copy_protects_is_asserted_and_else_only_the_result(tmp_path: Path) -> None:
    cases = [of("rest", STOCK, Scalar(5)), of("doubled", STOCK)]
    everything, least = (suite_of(tmp_path, cases, which) for which in (ALL, MINIMAL))
    assert everything.text.count("self.assertEqual([3, 5], stock)") == 2
    assert least.text.count("self.assertEqual([3, 5], stock)") == 1
    assert "self.assertEqual([6, 10], doubled([3, 5]))" in least.text
    assert [fate for _, fate in least.mutants] == [fate for _, fate in everything.mutants]


@pytest.mark.slow
def test_that_a_copy_is_one_is_asserted_where_nothing_else_shows_it(tmp_path: Path) -> None:
    crate = Step(Act.CALL, "till", "Crate", bind="crate")
    bottles = Case("till", "Crate.bottles", "method", (crate, Step(Act.METHOD, "crate", "bottles")))
    made = Step(Act.CALL, "till", "Order", (list_of(Scalar(2)), Dictionary(())), bind="order")
    order = Case("till", "Order", "constructor", (replace(made, bind=None),))
    noted = Case("till", "noted", "function", (made, Step(Act.CALL, "till", "noted", (Variable("order"),))))
    text = suite_of(tmp_path, [bottles, order, noted, of("doubled", STOCK)], MINIMAL).text
    assert "result = crate.bottles()\n" in text
    assert "self.assertIsNot(crate.bottles(), result)" in text
    assert "self.assertIsNot(lines, result.lines)" in text
    assert "self.assertEqual({}, order.notes)" in text
    assert text.count("assertIsNot(") == len(("bottles", "lines")), "what changes differs anyway"


@pytest.mark.slow
def test_what_comes_late_in_a_large_object_is_asserted_where_only_that_shows_it(tmp_path: Path) -> None:
    suite = suite_of(tmp_path, [of("report", Scalar(2)), of("report", Scalar(3))], MINIMAL)
    assert 'self.assertEqual("few", result.last)' in suite.text
    assert 'self.assertEqual("many", result.last)' in suite.text
    assert "result.h" not in suite.text


def test_the_order_of_a_dict_is_asserted_where_only_that_shows_a_mutant(tmp_path: Path) -> None:
    mixed = list_of(Scalar(9), Scalar(9), Scalar(4))
    suite = suite_of(tmp_path, [of("ranked", mixed), of("lengths", STOCK)], MINIMAL)
    ordered = r"assertEqual\({(\d): 1, (\d): \d}, result\)\n +self.assertEqual\(\[\1, \2\], list\(result\)\)"
    assert re.search(ordered, suite.text)
    assert "self.assertEqual({3: 10, 5: 12}, lengths([3, 5]))" in suite.text
    fates = {mutant.change: fate for mutant, fate in suite.mutants}
    assert MutantFate.KILLED is fates["`key` is left out of `sorted(counts.items(), key=lambda pai...`"]


def test_all_assertions_stay_where_no_mutants_are_wanted(tmp_path: Path) -> None:
    cases = [of("doubled", STOCK)]
    least = suite_of(tmp_path, cases, MINIMAL, criteria=False)
    assert "self.assertEqual([3, 5], stock)" in least.text


def test_state_that_a_refusal_left_alone_is_asserted(tmp_path: Path) -> None:
    text = suite_of(tmp_path, [adding(2), adding(2, -1)], MINIMAL).text
    refused = text[text.index("assertRaises(ValueError)") :]
    assert "self.assertEqual(0, till.total)" in refused


@pytest.mark.slow
@pytest.mark.parametrize("style", ["pytest", "pytest-functions"])
def test_assertions_of_other_dialects_are_weighed_as_well(tmp_path: Path, style: str) -> None:
    file = tmp_path / "till.py"
    file.write_text(SOURCE)
    suite = build_suite(
        resolve(str(file))[0],
        [of("doubled", STOCK), adding(2, -1)],
        style=style,
        criteria=(BRANCH, MUTATION),
    )
    assert "assert [6, 10] == doubled([3, 5])" in suite.text
    assert "pytest.raises(ValueError) as caught" in suite.text
