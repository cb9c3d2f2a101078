"""Exceptions that runs raised and no test expects come with the reason."""

from __future__ import annotations

from tracetwin.explore.criteria.base import ModuleText, Raising, SuiteCoverage
from tracetwin.explore.criteria.exception import CRITERION


def test_an_exception_without_a_test_is_told_with_why() -> None:
    lost, kept = Raising("f", "ValueError", 2), Raising("f", "KeyError", 2)
    written = SuiteCoverage(
        ModuleText("m", b"def f(x):\n    return x[0]\n"), (1, 2), (1, 2), (), (), lambda line: "",
        lambda line, way: "", lambda line: "f", raised={kept},
        raised_anywhere={lost: "the time was up before it was replayed", kept: ""},
    )  # fmt: skip
    reasons = {goal.name.split()[0]: goal.reason for goal in CRITERION.report(written)}
    assert reasons == {
        "KeyError": "",
        "ValueError": (
            "a run raised it, and no test of it was written: the time was up before it was replayed"
        ),
    }
