"""Cases that pass many sites come last, so that they are run on few mutants."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.emit.support import seen
from tracetwin.emit.exhibit import exhibited
from tracetwin.emit.select.killing import Killing
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.field_types import prepare
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
