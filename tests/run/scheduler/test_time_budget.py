"""The time of a whole run goes to its modules as they come."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tracetwin.cli.main import main
from tracetwin.model.options import Options
from tracetwin.run.scheduler.turns import LEAST_MODULE_SECONDS, TimeBudget


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_without_a_budget_each_module_has_its_limit() -> None:
    assert TimeBudget(Options(Path(), time_limit=7.0)).share(1000) == 7.0


def test_a_budget_is_shared_and_what_is_not_needed_goes_on() -> None:
    clock = Clock()
    budget = TimeBudget(Options(Path(), time_limit=60.0, budget=90.0), clock)
    assert budget.share(3) == 30.0
    clock.now += 10.0
    assert budget.share(2) == 40.0
    clock.now += 5.0
    assert budget.share(1) == 60.0, "the limit for one module stays"


def test_a_module_always_gets_some_time() -> None:
    clock = Clock()
    budget = TimeBudget(Options(Path(), budget=10.0), clock)
    clock.now += 50.0
    assert budget.share(5) == LEAST_MODULE_SECONDS


@pytest.mark.parametrize("text", ["soon", "0", "-3m", "5 days"])
def test_what_is_no_time_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.py").write_text("x = 1\n")
    done = CliRunner().invoke(main, ["generate", str(tmp_path / "m.py"), "-o", "t", f"--budget={text}"])
    assert done.exit_code == 2
    assert "is no time; say 90s, 30m or 2h" in done.output
