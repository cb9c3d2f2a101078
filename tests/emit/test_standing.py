"""Tests whose cases are not known, as on a machine without the store: those that pass stay, and count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.emit.support import function, method, step
from tests.emit.test_suite import CLAMP, CLAMPS, run, written
from tracetwin.emit import earlier_suite
from tracetwin.emit import maker as suites
from tracetwin.emit.result import Suite
from tracetwin.emit.suite import build_suite
from tracetwin.emit.verify.verify import Page, TrialFailure
from tracetwin.emit.verify.verify import verify as really_verify
from tracetwin.explore.criteria.base import criteria_named
from tracetwin.model.case import Case
from tracetwin.model.written_test import EarlierTests

LOW, HIGH, RAISING = CLAMPS[1], CLAMPS[2], CLAMPS[3]
SHADE = CLAMP + '\n\ndef shade(value):\n    if value < 128:\n        return "dark"\n    return "light"\n'
SHADES = [function("sample", "shade", value) for value in (5, 200)]


def built(
    folder: Path,
    cases: Sequence[Case] = (),
    before: Suite | None = None,
    known: Sequence[str] = (),
    source: str = CLAMP,
    criteria: str = "branch,exception",
    **options: Any,
) -> Suite:
    """The suite of some cases where there is one that was written before, of which few cases are known."""
    texts = () if before is None else (before.text, before.apart)
    pairs = [
        (entry, case)
        for entry, some in (before.by_entry.items() if before else ())
        for case in some
        if case.target in known
    ]
    more = {name: options.pop(name) for name in ("finer", "lines") if name in options}
    earlier = EarlierTests(texts, tuple(pairs), **more)
    wanted = criteria_named(criteria.split(","))
    return build_suite(written(folder, source), cases, before=earlier, criteria=wanted, **options)


@pytest.mark.parametrize("style", ["unittest", "pytest", "pytest-functions"])
def test_tests_that_pass_stay_where_no_input_is_found(tmp_path: Path, style: str) -> None:
    first = built(tmp_path, CLAMPS, style=style)
    again = built(tmp_path, (), first, style=style)
    assert again.text == first.text
    assert again.tests == first.tests
    assert again.coverage == first.coverage
    assert again.raised_anywhere == first.raised_anywhere
    assert [(one.class_name, one.name, one.function) for one in again.shown] == [
        (one.class_name, one.name, one.function) for one in first.shown
    ]
    assert [(one.lines, one.branches, one.raises) for one in again.shown] == [
        (one.lines, one.branches, one.raises) for one in first.shown
    ]
    assert all(one.seconds > 0 for one in again.shown)
    assert again.regressions == []


def test_new_tests_come_for_the_rest_only_and_behind_those_that_stay(tmp_path: Path) -> None:
    first = built(tmp_path, [LOW, RAISING])
    again = built(tmp_path, CLAMPS, first)
    assert [case for _, _, case in again.written] == [CLAMPS[0], HIGH]
    body = first.text.partition("class ")[2].partition("\n\n\n")[0]
    assert body in again.text
    assert again.tests == {"clamp": 4}
    whole = again.coverage[""]
    assert whole.branches == whole.covered_branches
    done = run(again, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_second_run_knows_what_the_first_has_added(tmp_path: Path) -> None:
    first = built(tmp_path, [LOW])
    second = built(tmp_path, CLAMPS, first)
    third = built(tmp_path, CLAMPS, second, known=["clamp"])
    assert third.text == second.text
    assert third.tests == second.tests


@pytest.mark.slow
def test_of_some_tests_the_cases_are_known_and_of_others_not(tmp_path: Path) -> None:
    first = built(tmp_path, [LOW, *SHADES], source=SHADE)
    again = built(tmp_path, [*CLAMPS, *SHADES], first, ["shade"], SHADE)
    assert again.tests == {"clamp": 4, "shade": 2}
    assert [name for _, name, _ in again.written] == [
        one.name for one in again.shown if one.function == "shade" or one.name not in first.text
    ]
    assert run(again, tmp_path).returncode == 0


@pytest.mark.slow
def test_tests_that_no_longer_hold_are_regressions_and_replaced(tmp_path: Path) -> None:
    first = built(tmp_path, CLAMPS)
    changed = built(tmp_path, CLAMPS, first, source=CLAMP.replace("return low", "return low + 1"))
    ((name, _),) = changed.regressions
    assert "minus_one" in name
    assert changed.held == (True, False)
    assert changed.tests == first.tests
    assert run(changed, tmp_path).returncode == 0


@pytest.mark.slow
def test_deleted_tests_stay_deleted_and_edited_ones_count(tmp_path: Path) -> None:
    first = built(tmp_path, CLAMPS)
    before, one, rest = first.text.split("    def test_", 2)
    assert "clamp(5, 0, 9)" in one
    edited = f"{before}    def test_{rest}".replace("clamp(-1, 0, 9)", "clamp(-2, 0, 9)")
    again = built(tmp_path, CLAMPS, replace(first, text=edited))
    assert again.text == edited
    assert again.tests == {"clamp": 2}
    assert len(again.coverage[""].covered_branches) == len(first.coverage[""].covered_branches) - 1
    assert run(again, tmp_path).returncode == 0


@pytest.mark.slow
def test_a_renamed_test_stays_under_its_new_name(tmp_path: Path) -> None:
    first = built(tmp_path, CLAMPS)
    name = first.written[0][1]
    renamed = first.text.replace(f"{name}(", "test_mine(")
    again = built(tmp_path, CLAMPS, replace(first, text=renamed))
    assert again.text == renamed
    assert again.tests == first.tests
    assert "test_mine" in [one.name for one in again.shown]


@pytest.mark.slow
def test_rows_of_a_table_count_as_tests(tmp_path: Path) -> None:
    cases = [function("sample", "clamp", *args) for args in ((5, 0, 9), (-1, 0, 9), (10, 0, 9))]
    first = built(tmp_path, cases, group="auto")
    assert first.written[0][1].endswith("]")
    again = built(tmp_path, (), first, group="auto")
    assert again.text == first.text
    assert again.tests == {"clamp": 3}
    assert [one.name for one in again.shown] == [one.name for one in first.shown]


@pytest.mark.slow
def test_suspicious_tests_stay_apart_and_are_listed(tmp_path: Path) -> None:
    source = "def divide(value: int) -> int:\n    return 9 // value\n"
    cases = [function("sample", "divide", value) for value in (3, 0)]
    first = built(tmp_path, cases, source=source)
    assert first.apart
    again = built(tmp_path, (), first, source=source)
    assert (again.text, again.apart) == (first.text, first.apart)
    assert [one.test for one in again.suspicious] == [one.test for one in first.suspicious]
    assert again.tests == {"divide": 2}


def test_where_it_is_not_seen_what_they_do_none_is_written_that_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = built(tmp_path, SHADES[:1], source=SHADE)
    monkeypatch.setattr(earlier_suite, "watched", lambda *_: True)
    again = built(tmp_path, SHADES, first, source=SHADE)
    assert [again.text.count(f"shade({value})") for value in (5, 200)] == [1, 1]
    assert again.tests["shade"] == 1
    assert earlier_suite.IS_THERE in [why for _, why in again.dropped]


@pytest.mark.slow
def test_mutants_that_they_notice_ask_for_no_new_test(tmp_path: Path) -> None:
    first = built(tmp_path, CLAMPS, criteria="branch,mutation")
    again = built(tmp_path, CLAMPS, first, criteria="branch,mutation")
    assert again.text == first.text
    assert [fate for _, fate in again.mutants] == [fate for _, fate in first.mutants]
    assert {number for one in again.shown for number in one.mutants} == {
        number for one in first.shown for number in one.mutants
    }


@pytest.mark.slow
def test_a_new_test_beside_which_they_do_not_pass_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = built(tmp_path, [LOW, RAISING])

    def verify(page: Page, tests: Any, **options: Any) -> Any:
        hindered = [test for test in tests if "low" in test[1] and "clamp(10, 0, 9)" in page.text]
        return dict.fromkeys(hindered, TrialFailure("it fails")) or really_verify(page, tests, **options)

    monkeypatch.setattr(suites, "verify", verify)
    again = built(tmp_path, CLAMPS, first)
    assert "clamp(-1, 0, 9)" in again.text
    assert "clamp(10, 0, 9)" not in again.text
    assert [case for _, _, case in again.written] == [CLAMPS[0]]
    assert suites.HINDERS in [why for _, why in again.dropped]


def test_one_that_passes_now_and_then_is_none_that_others_give_way_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = built(tmp_path, [LOW, RAISING])

    def verify(page: Page, tests: Any, **options: Any) -> Any:
        unruly = [test for test in tests if "low" in test[1] and test[1] in first.text]
        return dict.fromkeys(unruly, TrialFailure("it fails")) or really_verify(page, tests, **options)

    monkeypatch.setattr(suites, "verify", verify)
    again = built(tmp_path, CLAMPS, first)
    assert again.tests == {"clamp": 4}


@pytest.mark.slow
def test_where_fewer_criteria_are_asked_for_the_fewest_tests_stay_that_meet_them(tmp_path: Path) -> None:
    cases = [*CLAMPS, function("sample", "clamp", 0, 0, 0)]
    first = built(tmp_path, cases, criteria="boundary,branch", seconds=0.1)
    again = built(tmp_path, (), first, ["clamp"], criteria="branch", finer=True)
    assert again.coverage[""] == first.coverage[""]
    assert 0 < sum(again.tests.values()) <= sum(first.tests.values())
    fewer = built(tmp_path, (), first, criteria="statement", finer=True)
    assert fewer.coverage[""].covered_lines == first.coverage[""].covered_lines
    assert fewer.tests == {"clamp": 4}


def test_a_test_of_an_inherited_or_assigned_method_counts_for_all_its_names(tmp_path: Path) -> None:
    source = "class Lamp:\n    def on(self):\n        return 1\n    light = on\nclass Torch(Lamp): pass\n"
    lines = {"Lamp.on": 2, "Lamp.light": 2, "Torch.on": 2}
    on, *others = (
        method("sample", name, step(("method", "it", name.rpartition(".")[2]))) for name in lines
    )
    first = built(tmp_path, [on], source=source)
    again = built(tmp_path, others, first, source=source, lines=lines)
    assert again.text == first.text

