"""An exploration that was killed goes on where it was, and repeats nothing."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.run.journal.support import Killed, plain, processes
from tracetwin.explore.loop.past import DIED, Begun
from tracetwin.support.records import records

FUNCTION = """
def code(text: str, number: int) -> int:
    if text.startswith("id-") and number > 5:
        if number * 3 + len(text) == 1234:
            return 1
        return 2
    if text == "other":
        raise ValueError(text)
    return 3
"""
STATE = """
class Stack:
    def __init__(self) -> None:
        self.items: list[int] = []

    def push(self, item: int) -> None:
        if item > 10:
            self.items.append(item)

    def top(self) -> int:
        if not self.items:
            raise IndexError
        if len(self.items) > 2:
            return -1
        return self.items[-1]
"""


def _task(name: str, number: int, runs: int | None = 40) -> Begun:
    return Begun(name, number, runs, 60.0, ())


TASKS = {
    FUNCTION: [_task("code", 0, 30), _task("code", 1, 30)],
    STATE: [_task("Stack.push", 0), _task("Stack.top", 0), _task("Stack.push", 1), _task("Stack.top", 1)],
}


def _all(process: Any, tasks: list[Begun]) -> list[Any]:
    return [plain(process.explore(task)) for task in tasks]


@pytest.fixture(params=[FUNCTION, STATE], ids=["function", "state"])
def source(request: pytest.FixtureRequest) -> str:
    text: str = request.param
    return text


@pytest.mark.slow
@pytest.mark.parametrize("moments", [[7], [3, 3, 3], [20, 1, 0, 15]])
def test_a_killed_process_is_gone_on_with_and_nothing_is_done_twice(
    source: str, moments: list[int], tmp_path: Path
) -> None:
    tasks = TASKS[source]
    done = 0
    with processes(source) as start:
        whole = start(tmp_path / "whole")
        wanted = _all(whole, tasks)
        for moment in moments:
            process = start(tmp_path / "killed", moment)
            with pytest.raises(Killed):
                _all(process, tasks)
            done += process.limit.runs + process.limit.questions
        last = start(tmp_path / "killed")
        found = _all(last, tasks)
    assert wanted == found
    assert done == sum(moments)
    assert whole.limit.runs + whole.limit.questions == done + last.limit.runs + last.limit.questions


def test_a_finished_shard_is_repeated_from_its_journal_alone(source: str, tmp_path: Path) -> None:
    tasks = TASKS[source]
    with processes(source) as start:
        wanted = _all(start(tmp_path / "journal"), tasks)
        again = start(tmp_path / "journal")
        assert wanted[-1] == plain(again.explore(tasks[-1])), "those before it are done first"
    assert 0 == again.limit.runs == again.limit.questions


@pytest.mark.slow
def test_a_journal_cut_off_anywhere_costs_what_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with processes(FUNCTION) as start:
        wanted = _all(start(path), TASKS[FUNCTION])
        content = path.read_bytes()
        choose = random.Random(0)
        for size in [0, 19, 21, *choose.sample(range(len(content)), 4), len(content) - 1]:
            path.write_bytes(content[:size])
            assert wanted == _all(start(path), TASKS[FUNCTION]), size


def test_time_is_up_when_it_was(tmp_path: Path) -> None:
    """A limit of time leaves other traces than one of runs, and the same ones the second time."""
    path = tmp_path / "journal"
    timed = [_task("code", 0, None), _task("code", 1, None)]
    with processes(FUNCTION) as start:
        first = start(path)
        wanted = [plain(first.explore(timed[0], 0.05)), plain(first.explore(timed[1], 0.1))]
        size = len(list(records(path)))
        second = start(path)
        assert wanted == [plain(second.explore(task, 60.0)) for task in timed]
    assert second.limit.runs == second.limit.questions == 0
    assert size == len(list(records(path))), "what was only repeated is not written again"


def test_another_exploration_than_the_journals_takes_its_runs(tmp_path: Path) -> None:
    """Where an exploration goes another way, only what it has not run yet is run."""
    path = tmp_path / "journal"
    with processes(FUNCTION) as start:
        first = start(path)
        first.explore(_task("code", 0))
        second = start(path)
        second._asked.chain.seed = 1
        second.log._past.tasks[0].answers.clear()
        second.explore(_task("code", 0))
        assert second.limit.runs < first.limit.runs


def test_a_death_at_the_end_may_be_the_kill_itself(tmp_path: Path) -> None:
    """The worker may have been killed a moment before its explorer: the input is run again."""
    path = tmp_path / "journal"
    with processes(FUNCTION) as start:
        wanted = _all(start(tmp_path / "whole"), TASKS[FUNCTION])
        first = start(path, 9)
        with pytest.raises(Killed):
            _all(first, TASKS[FUNCTION])
        first.log._add_run(b"some request", DIED, ("was killed by SIGKILL", 0))
        assert wanted == _all(start(path), TASKS[FUNCTION])
        assert wanted == _all(start(path), TASKS[FUNCTION])
    assert not [r for r in records(path) if r.payload.startswith(b"Rsome request")]
