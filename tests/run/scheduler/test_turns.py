"""How the rounds of a module share out what it may spend."""

from __future__ import annotations

import time
from collections import deque
from types import SimpleNamespace
from typing import Any

import pytest

from tracetwin.model.options import Options
from tracetwin.run.scheduler.progress import ModuleState
from tracetwin.run.scheduler.turns import Rounds
from tracetwin.target.selection import TargetModule


def rounds(folder: Any, **options: Any) -> Rounds:
    return Rounds(Options(folder, **options), [object()])


def state(runs: int) -> Any:
    """What of a module's state matters to its rounds."""
    journal = SimpleNamespace(note_round=lambda _: None)
    empty: dict[str, Any] = {"invokables": {}, "models": {}, "todo": deque(), "notes": []}
    times = {"elapsed": 0.0, "opening": 0.0, "cases": 0, "limit": 0.0}
    return SimpleNamespace(runs=runs, round=1, share=None, journal=journal, **times, **empty)


@pytest.mark.parametrize("used", [6, 7, 9])
def test_no_round_begins_where_the_executions_are_used_up(tmp_path, used):
    module = state(used)
    assert not rounds(tmp_path, max_runs=6)._begin_round(module, ["one", "two", "three"])
    assert (deque(), 1) == (module.todo, module.round)


def test_what_is_left_is_shared_out_equally(tmp_path):
    module = state(1)
    assert rounds(tmp_path, max_runs=6)._begin_round(module, ["one", "two"])
    assert (deque(["one", "two"]), 2) == (module.todo, module.share)


def test_with_fewer_executions_than_functions_the_first_ones_get_one_each(tmp_path):
    module = state(4)
    assert rounds(tmp_path, max_runs=6)._begin_round(module, ["one", "two", "three"])
    assert (deque(["one", "two"]), 1) == (module.todo, module.share)


def test_where_time_ends_what_executions_were_to_bound_a_note_says_so(tmp_path):
    module = state(4)
    rounds(tmp_path, max_runs=6, time_limit=5.0)._note_cut(module)
    assert module.notes == [
        "the time limit of 5 s ended it after 4 of 6 runs: another time it may find other tests"
    ]
    for other, options in ((state(6), {"max_runs": 6}), (state(4), {})):
        rounds(tmp_path, **options)._note_cut(other)
        assert [] == other.notes


def progress(**facts: Any) -> ModuleState:
    made = ModuleState(0, TargetModule("m", "m.py", "."), None)  # type: ignore[arg-type]
    for name, value in facts.items():
        setattr(made, name, value)
    return made


def test_what_has_many_open_sides_gets_more_time(tmp_path):
    module = progress(sides={"large": 39, "small": 0}, round_ends=8.0)
    module.started = time.monotonic()
    module.todo.append("small")
    shares = rounds(tmp_path, time_limit=20.0)
    large = shares._share(module, "large")
    module.todo[0] = "large"
    small = shares._share(module, "small")
    assert 7.0 < large < 8.0
    assert 0.05 <= small < 0.5


def test_more_is_kept_for_the_suite_where_more_was_found_or_imports_are_slow(tmp_path):
    shares = rounds(tmp_path, time_limit=20.0)
    left = {}
    for name, facts in (("few", {}), ("slow", {"opening": 4.0}), ("never ends", {"opening": 60.0})):
        module = progress(**facts)
        module.started = time.monotonic()
        left[name] = round(shares.time_left(module))
    assert {"few": 16, "slow": 14, "never ends": 10} == left
