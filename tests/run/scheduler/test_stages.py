"""How the rounds of a module share out what it may spend."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace
from typing import Any

import pytest

from tracetwin.model.options import Options
from tracetwin.run.journal.run import RunJournal
from tracetwin.run.listener import Silent
from tracetwin.run.scheduler.stages import Stages


def stages(folder: Any, **options: Any) -> Stages:
    made = Options(folder, **options)
    return Stages([], [], made, Silent(), None, RunJournal([], made, Silent()))


def state(runs: int) -> Any:
    """What of a module's state matters to its rounds."""
    journal = SimpleNamespace(note_round=lambda _: None)
    empty: dict[str, Any] = {"invokables": {}, "models": {}, "todo": deque(), "notes": []}
    return SimpleNamespace(runs=runs, round=1, share=None, elapsed=0.0, opening=0.0, cases=0, journal=journal, **empty)


@pytest.mark.parametrize("used", [6, 7, 9])
def test_no_round_begins_where_the_executions_are_used_up(tmp_path, used):
    module = state(used)
    assert not stages(tmp_path, max_runs=6)._begin_round(module, ["one", "two", "three"])
    assert (deque(), 1) == (module.todo, module.round)


def test_what_is_left_is_shared_out_equally(tmp_path):
    module = state(1)
    assert stages(tmp_path, max_runs=6)._begin_round(module, ["one", "two"])
    assert (deque(["one", "two"]), 2) == (module.todo, module.share)


def test_with_fewer_executions_than_functions_the_first_ones_get_one_each(tmp_path):
    module = state(4)
    assert stages(tmp_path, max_runs=6)._begin_round(module, ["one", "two", "three"])
    assert (deque(["one", "two"]), 1) == (module.todo, module.share)


def test_where_time_ends_what_executions_were_to_bound_a_note_says_so(tmp_path):
    module = state(4)
    stages(tmp_path, max_runs=6, time_limit=5.0)._note_cut(module)
    assert module.notes == [
        "the time limit of 5 s ended it after 4 of 6 runs: another time it may find other tests"
    ]
    for other, options in ((state(6), {"max_runs": 6}), (state(4), {})):
        stages(tmp_path, **options)._note_cut(other)
        assert [] == other.notes
