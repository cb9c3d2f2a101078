"""The search for cases that notice more mutants: what is tried, how often, and what is left."""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from tests.emit.select.bills import call, method
from tests.emit.support import raised, seen
from tracetwin.emit.select.kills import (
    MOST_FRUITLESS_TELLING,
    MOST_LOST,
    MOST_OTHERS_IN_VAIN,
    _is_readable,
    _Search,
    other_killers,
)
from tracetwin.emit.select.telling.constants import ConstantsOfFunctions
from tracetwin.model.case import NO_STEP, Act, Case, Step
from tracetwin.model.observation import Observation
from tracetwin.model.recipe import Scalar, list_of
from tracetwin.model.status import Outcome
from tracetwin.mutation.session import Verdict


class Judged:
    """What is known of three mutants, and how much it costs to run a case on them."""

    def __init__(self, steps: dict[str, int]) -> None:
        self.wanted = {1, 2, 3}
        self.until, self.ends = time.monotonic() + 100, math.inf
        self.steps = steps
        self.order: list[str] = []
        self.seen: Observation | None = None
        self.killed: frozenset[int] = frozenset()
        self.lost = False
        self.refused: set[str] = set()

    def judge(self, case: Case, _seen: object, _asked: object) -> Verdict:
        self.order.append(case.target)
        steps = self.steps[case.target]
        both = frozenset((1, 2))
        refused = [at for at, step in enumerate(case.setup) if step.name in self.refused]
        return Verdict(
            self.seen,
            tried=both,
            reached=both,
            steps=steps,
            killed=self.killed,
            lost=self.lost,
            refused_at=refused[0] if refused else NO_STEP,
        )


@pytest.mark.parametrize(
    ("value", "readable"),
    [
        (Scalar("plum"), True),
        (Scalar("plum" * 100), False),
        (list_of(*[Scalar(1)] * 20), True),
        (list_of(*[Scalar(1)] * 200), False),
    ],
)
def test_nobody_reads_a_result_that_fills_a_page(value: Any, readable: bool) -> None:
    assert _is_readable(seen(value=value)) is readable


@pytest.mark.parametrize(("line", "found"), [(3, 1), (2, 0)])
def test_a_refusal_of_the_target_may_tell_and_no_other_error_does(tmp_path, line: int, found: int) -> None:
    (tmp_path / "bills.py").write_text("def f(x: int):\n    if x < 9:\n        raise ValueError\n")
    judged: Any = Judged({"f": 1})
    judged.seen, judged.killed = raised("ValueError", raised_at=line), frozenset((1,))
    search = _Search(judged, 1)
    models = [(call("f", Scalar(0)), frozenset((1,)))]
    search.try_telling(ConstantsOfFunctions(tmp_path / "bills.py"), models, ())
    assert len(search.found) == found


def test_what_is_long_takes_no_more_than_its_share(tmp_path) -> None:
    (tmp_path / "bills.py").write_text("def long(x: int): ...\ndef short(x: int): ...\n")
    judged: Any = Judged({"long": 900, "short": 100})
    models = [(call(name, Scalar(0)), frozenset((1, 2))) for name in judged.steps]
    _Search(judged, 5).try_telling(ConstantsOfFunctions(tmp_path / "bills.py"), models, ())
    assert Counter(judged.order) == dict.fromkeys(judged.steps, MOST_FRUITLESS_TELLING)
    judged.order.clear()
    judged.steps["long"] = 10**9  # a second one comes when all that is short is done
    _Search(judged, 5).try_telling(ConstantsOfFunctions(tmp_path / "bills.py"), models, ())
    assert judged.order[:2] == ["long", "short"]
    assert set(judged.order[2:MOST_FRUITLESS_TELLING]) == {"short"}


def test_cases_that_call_what_had_no_end_are_tried_no_more() -> None:
    judged: Any = Judged({"Bill.pay": 1, "Bill.total": 1})
    judged.lost = True
    search = _Search(judged, 5)
    search.try_all([method("pay", Scalar(1))] * 5)
    assert ["Bill.pay"] * MOST_LOST == judged.order
    judged.lost = False
    waits = method("total")
    waits = replace(waits, steps=(waits.steps[0], Step(Act.METHOD, "bill", "pay", (Scalar(1),)), waits.last))
    search.try_all([waits, method("total")])
    assert [*["Bill.pay"] * MOST_LOST, "Bill.total"] == judged.order


def test_a_case_goes_on_without_a_call_that_raises_before_its_own() -> None:
    judged: Any = Judged({"Bill.total": 1})
    judged.refused = {"pay"}
    paying = method("pay", Scalar(1))
    total = method("total")
    longer = replace(total, steps=(total.steps[0], *[paying.last] * 2, total.last))
    made, _, verdict = _Search(judged, 5)._judged(longer)
    assert total == made
    assert NO_STEP == verdict.refused_at
    longest = replace(total, steps=(total.steps[0], *[paying.last] * 3, total.last))
    made, _, verdict = _Search(judged, 5)._judged(longest)
    assert 1 == verdict.refused_at, "as often as that nobody looks further"


def test_cases_that_were_not_chosen_are_looked_at_until_too_many_show_nothing() -> None:
    judged: Any = Judged({"parse": 1})
    judged.lines = lambda _: {1: {1, 2, 3}}
    seen = Observation(Outcome.RETURNED, lines=(1,))
    others = [(at, call("parse", Scalar(str(at))), seen) for at in range(200)]
    assert not other_killers(judged, others, 5)
    assert judged.order == ["parse"] * MOST_OTHERS_IN_VAIN
