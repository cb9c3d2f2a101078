"""An error of ours in a reason costs that reason only."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from tracetwin.run.results.explaining import UNTOLD, Explaining
from tracetwin.run.results.reasons import Reasons


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Explaining:
    """Return the reasons of a module that can't be told, but for some."""

    def fail(self: Reasons, line: int, *_: Any) -> Any:
        raise RecursionError(f"{'deep' if line < 9 else 'deeper'}")

    monkeypatch.setattr(Reasons, "explain", fail)
    monkeypatch.setattr(Reasons, "explain_side", fail)
    return Explaining(Reasons(ast.parse("def f(x):\n    return x\n"), ()))


def test_a_line_has_a_reason_nevertheless(broken: Explaining) -> None:
    told = broken.explain(2, None, None)
    assert (2, UNTOLD) == (told.line, told.reason)
    assert UNTOLD == broken.explain_side(2, 1, None, None)


def test_what_went_wrong_is_told_once_for_each_kind(broken: Explaining) -> None:
    for line in (1, 2, 9, 10):
        broken.explain(line, None, None)
    assert ["RecursionError: deep", "RecursionError: deeper"] == list(broken.failures)
    assert all(one.internal for one in broken.failures.values())


def test_other_reasons_are_told(broken: Explaining) -> None:
    assert "f" == broken.function(2)
    assert broken.rest(None)
