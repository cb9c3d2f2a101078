"""Each operator as z3 reads it: Python's value is allowed, and no other unless the reading is abstract."""

from __future__ import annotations

import pytest

from runtime.ops import TAKES
from tests.differential.gaps import SOLVER
from tests.differential.solved import Loose, Reader
from tests.differential.solving import Report, report_line, wrong
from tests.differential.values import TRIED
from tracetwin.solving.smt.theories import theories
from tracetwin.solving.smt.theory import Theory

SHARE = 50
"""z3 gets one in so many of the examples that the runtime gets: each costs it 2 to 3 ms."""


@pytest.mark.parametrize("op", sorted(TAKES))
def test_the_evaluator_does_what_the_operator_does(op: str) -> None:
    assert not wrong(op, None, TRIED // 5)


@pytest.mark.parametrize("theory", theories(), ids=lambda theory: theory.name)
@pytest.mark.parametrize("op", sorted(TAKES))
def test_z3_reads_an_operator_as_python_does(
    op: str, theory: type[Theory], differential_report: Report
) -> None:
    reader = Reader(theory)
    found = wrong(op, reader, max(TRIED // SHARE, 1))
    differential_report[op, theory.name] = report_line(reader)
    unexpected = [error for error in found if type(error) is not Loose or (op, theory.name) not in SOLVER]
    assert not unexpected, "\n".join(map(str, unexpected))
