"""Definition-use pairs: sequences that cover them, and proofs that there are none."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from tests.explore.summaries.test_summary import COIN_BOX
from tracetwin.explore.criteria.def_use import all_ways, row_of
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.run import Request, Run
from tracetwin.explore.summaries.forward import forward_runs
from tracetwin.explore.summaries.pairs import THOROUGH, PairSearch, accesses_of, executed
from tracetwin.explore.summaries.static_pairs import pairs_of
from tracetwin.explore.summaries.study import ClassStudy, Studies
from tracetwin.explore.summaries.wording import call_text
from tracetwin.model.goal import GoalFate
from tracetwin.run.studies.session import OpenedTwin
from tracetwin.target.selection import resolve


@dataclass
class Paired:
    """A class with its pairs, ready to be searched."""

    search: PairSearch
    study: ClassStudy
    session: OpenedTwin
    budget: Budget

    def all(self) -> dict[tuple[str, int, int], dict[str, Any]]:
        executor, solver = self.session.executor, self.session.solver
        for _ in all_ways(self.search, self.study, executor, solver, self.budget, again=True):
            pass
        rows = [row_of(result) for result in self.search.results.values()]
        return {(r["attribute"], r["define"]["line"], r["use"]["line"]): r for r in rows}

    def run(self, target: str, *prefix: str) -> Run:
        return self.session.executor.run(Request(target, prefix, {}, flow=True))


Pairing: TypeAlias = Callable[[str, str], Paired]


@pytest.fixture
def paired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pairing]:
    """Opens the class of a source text, in a worker: what a run accesses is told by positions in a file."""
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path / "cache"))
    with ExitStack() as stack:

        def opened(source: str, name: str) -> Paired:
            file = tmp_path / "studied.py"
            file.write_text(textwrap.dedent(source).lstrip("\n"))
            module = resolve(str(file))[0]
            session = stack.enter_context(OpenedTwin(module))
            assert not session.failure
            budget = Budget(None, time.monotonic() + 60)
            studies = Studies(module.name, session.executor, session.solver, budget)
            study = studies.of(name, session.invokables)
            pairs = pairs_of(file.read_bytes(), module.name, name)
            search = PairSearch(pairs, study.summaries, session.executor, budget)
            return Paired(search, study, session, budget)

        yield opened


def test_the_pairs_of_the_coin_box(paired: Pairing) -> None:
    """Table 1 of the paper: lines 3 to 5 are the constructor's definitions, 8 to 19 the methods'."""
    box = paired(COIN_BOX, "CoinBox")
    rows = box.all()
    assert 17 == len(rows)
    infeasible = {key for key, row in rows.items() if row["status"] == "infeasible"}
    assert {
        ("cur_qtrs", 5, 12), ("cur_qtrs", 8, 12), ("cur_qtrs", 18, 12),  # redefined in line 11
        ("cur_qtrs", 18, 17), ("cur_qtrs", 5, 17),  # nothing may be sold before coins are added
    } == infeasible  # fmt: skip
    assert {"covered", "infeasible"} == {row["status"] for row in rows.values()}
    fault = rows["cur_qtrs", 8, 17]["sequence"]
    assert "CoinBox(); add_qtr(); add_qtr(); return_qtrs(); vend()" == fault


def test_a_run_tells_its_pairs(paired: Pairing) -> None:
    box = paired(COIN_BOX, "CoinBox")
    run = box.run("CoinBox.vend", "add_qtr", "add_qtr")
    pairs = [result.pair for result in box.search.results.values()]
    found = {(p.attribute, p.define.line, p.use.line) for p in pairs if p.number in executed(run, pairs)}
    assert {
        ("cur_qtrs", 5, 11), ("cur_qtrs", 11, 12), ("cur_qtrs", 11, 11), ("allow_vend", 13, 16),
        ("total_qtrs", 3, 17), ("cur_qtrs", 11, 17),
    } == found  # fmt: skip
    assert [0, 0, 0] == [access.stage for access in accesses_of(run)[:3]], "the constructor's definitions"


HELPED = """
    class Meter:
        def __init__(self):
            self._level = 0
            self._limit = 3

        def _raise(self, by):
            self._level += by

        def up(self) -> None:
            self._raise(1)

        def is_full(self) -> bool:
            if self._level >= self._limit:
                return True
            return False

        def drain(self) -> int:
            if self._level < self._limit:
                raise ValueError
            drained, self._level = self._level, 0
            return drained
"""


def test_definitions_and_uses_in_helpers_count(paired: Pairing) -> None:
    meter = paired(HELPED, "Meter")
    rows = meter.all()
    assert "covered" == rows["_level", 7, 20]["status"]
    assert "Meter(); up(); up(); up(); drain()" == rows["_level", 7, 20]["sequence"]
    after_draining = rows["_level", 20, 7]
    assert "Meter(); up(); up(); up(); drain(); up()" == after_draining["sequence"]
    drained = rows["_level", 20, 20]
    assert "infeasible" == drained["status"], "the level is 0 and must be 3, and only a definition raises it"


def test_what_search_proves_says_so(paired: Pairing) -> None:
    source = """
        class Switch:
            def __init__(self):
                self._power = 1
                self._on = False

            def on(self, power: int) -> None:
                if power > 5:
                    self._power = power
                    self._on = True

            def use(self) -> int:
                if self._on:
                    return self._power
                return 0
    """
    switch = paired(source, "Switch")
    row = switch.all()["_power", 3, 13]
    assert "infeasible" == row["status"]
    assert row["why"].startswith("proved by")


def test_structures_without_a_free_receiver_are_searched_forwards(paired: Pairing) -> None:
    source = """
        class Ring:
            def __init__(self):
                self._next = self
                self._turns = 0

            def turn(self) -> None:
                self._next._turns += 1

            def turns(self) -> int:
                if self._turns == 3:
                    return self._turns
                return 0
    """
    ring = paired(source, "Ring")
    executor, solver = ring.session.executor, ring.session.solver
    runs = forward_runs(executor, solver, ring.study.words, list(ring.study.summaries), ring.budget)
    covering = list(ring.search.take(runs))
    assert covering
    assert not ring.search.open_pairs() or len(covering) >= 2


def test_fields_of_dataclasses_are_definitions_that_no_code_makes(paired: Pairing) -> None:
    source = """
        from dataclasses import dataclass

        @dataclass
        class Tank:
            capacity: int = 10

            def holds(self, n: int) -> bool:
                if n <= self.capacity:
                    return True
                return False
    """
    tank = paired(source, "Tank")
    rows = tank.all()
    assert "covered" == rows["capacity", 5, 8]["status"]
    assert not any(row["use"]["line"] == 5 for row in rows.values()), "nobody wrote `__eq__` and `__repr__`"


def test_bounds_leave_a_pair_open(paired: Pairing) -> None:
    box = paired(COIN_BOX, "CoinBox")
    box.budget.deadline = 0.0
    assert [] == list(box.search.search(THOROUGH))
    feasible = [r for r in box.search.results.values() if r.pair.feasible]
    assert all(result.fate is GoalFate.OPEN for result in feasible)


def test_sequences_are_told_in_one_line(paired: Pairing) -> None:
    meter = paired(HELPED, "Meter")
    run = meter.run("Meter.is_full", "up")
    assert "Meter(); up(); is_full()" == call_text(run)
