"""Which cases are run on which mutants, and what is told of mutants that not all were run on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.emit.support import seen
from tracetwin.emit.exhibit import exhibited
from tracetwin.emit.select.killing import Killing
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.field_types import prepare
from tracetwin.model.mutant import MutantFate
from tracetwin.model.observation import Observation
from tracetwin.model.recipe import Scalar
from tracetwin.mutation.session import MutantSession
from tracetwin.target.selection import resolve

SOURCE = """\
def total(n: int) -> int:
    whole = 0
    for one in range(n):
        whole += one * 2
    return whole
"""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[MutantSession]:
    file = tmp_path / "heavy_sample.py"
    file.write_text(SOURCE)
    with MutantSession(resolve(str(file))[0]) as opened:
        yield opened


def case(n: int) -> Case:
    return Case("heavy_sample", "total", "function", (Step(Act.CALL, "heavy_sample", "total", (Scalar(n),)),))


def test_heavy_cases_come_last_and_the_others_stay_in_their_order(session: MutantSession) -> None:
    numbers = {7: 900, 3: 2, 5: 500, 1: 3}
    chosen = {at: (case(n), exhibited(seen(value=Scalar(n * (n - 1))))) for at, n in numbers.items()}
    prepare(Observation)  # as in a run, where some were seen by then
    killing = Killing(session, until=float("inf"))
    assert session.mutants
    assert killing.lightest_first(chosen) == [3, 1, 5, 7]


def test_a_mutant_that_one_test_was_not_asked_about_is_not_told_as_unnoticed(session: MutantSession) -> None:
    prepare(Observation)
    killing = Killing(session, until=float("inf"))
    killing.note(case(1), seen(value=Scalar(0)))
    survived = {mutant for mutant, fate in killing.fates([case(1)]) if fate is MutantFate.SURVIVED}
    assert survived, "one round that adds zero notices little"
    fates = dict(killing.fates([case(1), case(7)]))
    assert {fates[mutant] for mutant in survived} == {MutantFate.UNTRIED}
    killing.note(case(7), seen(value=Scalar(42)))
    fates = dict(killing.fates([case(1), case(7)]))
    assert MutantFate.KILLED in {fates[mutant] for mutant in survived}
