"""A z3 that does not heed its limits costs one question, not the exploration."""

from __future__ import annotations

import hashlib
import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runtime.expr import Sort, apply, const, var
from tracetwin.api import generate_tests
from tracetwin.explore.loop.digests import Digests
from tracetwin.explore.loop.past import Begun
from tracetwin.explore.loop.shard_log import ENDED, ShardLog
from tracetwin.solving import Answer, Problem, Sat, Unknown, Unsat
from tracetwin.solving.smt.alarm import Alarm

SOURCE = """\
def classify(n: int, m: int) -> str:
    if n * n * m - m * m * n == 1234567 * n * m + 5:
        return "the question that hangs"
    if m > 10:
        return "large"
    if n == 321_123:
        return "one"
    return "other"
"""


def hang() -> None:
    """Work in C that holds no lock and listens to nobody."""
    hashlib.pbkdf2_hmac("sha256", b"", b"", 10**9)


@pytest.fixture
def hanging_z3(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    from tracetwin.solving import chain
    from tracetwin.solving.smt import session as z3_session

    check = z3_session.SolverSession.check

    def check_or_hang(self: Any, rlimit: int, *extra: Any) -> Any:
        if any("1234567" in str(part.node) for part in self._parts[-1:]):
            hang()
        return check(self, rlimit, *extra)

    monkeypatch.setattr(z3_session.SolverSession, "check", check_or_hang)
    monkeypatch.setattr(chain, "CPU_SECONDS", 0.1)
    return hang


@pytest.mark.slow
@pytest.mark.usefixtures("hanging_z3")
def test_a_hanging_question_costs_itself_only(tmp_path: Path) -> None:
    target = tmp_path / "hangs.py"
    target.write_text(SOURCE)
    started = time.monotonic()
    (module,) = generate_tests(str(target), output=tmp_path / "out", time_limit=60, max_runs=60, jobs=1)
    assert time.monotonic() - started < 60
    assert [] == [note for note in module.notes if "explorer process" in note]
    assert [2] == [miss.line - 1 for miss in module.uncovered]
    assert "z3 did not stop" in module.uncovered[0].reason or "gave up" in module.uncovered[0].reason
    assert 6 == module.functions[0].covered_lines


@pytest.mark.slow
def test_an_alarm_stops_what_goes_on_once() -> None:
    events: list[str] = []
    alarm = Alarm(lambda: events.append("stop"), 0.05)
    with alarm:
        until = time.process_time() + 1.0
        while time.process_time() < until:
            pass
    assert (["stop"], True) == (events, alarm.rang)


def test_an_alarm_keeps_what_it_stops_alive_during_its_block_only() -> None:
    held = _Solver()
    gone = weakref.ref(held)
    alarm = Alarm(held.__repr__, 60.0)
    with alarm:
        pass
    time.sleep(0.6)  # whoever watches has looked at it by then
    del alarm, held
    assert gone() is None


class _Solver:
    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)

    def solve(self, problem: Problem) -> Answer:
        if not self.answers:
            raise KeyboardInterrupt
        return self.answers.pop(0)

    def recall(self, problem: Problem, answer: Answer) -> None:
        return


def _question(number: int) -> Problem:
    x = var("x", Sort.INT)
    return Problem((), apply("gt", Sort.BOOL, x, const(number)), {"x": 0}, {"x": Sort.INT})


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def _begun(path: Path, solver: _Solver, *, lost: bool = False) -> Any:
    """A process that works on a task, and the solver behind its journal."""
    log = ShardLog(path, lost=lost)
    log.begin(Begun("f", 0, None, 1.0, ()))
    return log, log.solver(solver)


def _broken_off(path: Path) -> Any:
    """Two answers, and a question that none came to."""
    log, first = _begun(path, _Solver(Sat({"x": 4}, "test"), Unsat()))
    assert not log.hung
    first.solve(_question(3)), first.solve(_question(5))
    with pytest.raises(KeyboardInterrupt):
        first.solve(_question(7))
    return log


AGAIN = [Sat({"x": 4}, "test"), Unsat(), Unknown(ENDED), Unknown("asked again")]


def test_the_question_that_ended_its_process_is_not_asked_again(journal: Path) -> None:
    _broken_off(journal)
    log, second = _begun(journal, _Solver(Unknown("asked again")), lost=True)
    assert log.hung
    assert AGAIN == [second.solve(_question(n)) for n in (3, 5, 7, 9)]
    _, third = _begun(journal, _Solver())
    assert AGAIN[:3] == [third.solve(_question(n)) for n in (3, 5, 7)]


def test_a_question_that_was_given_up_is_not_asked_again(journal: Path) -> None:
    _broken_off(journal).give_up()
    log, second = _begun(journal, _Solver(Unknown("asked again")))
    assert log.hung
    assert AGAIN == [second.solve(_question(n)) for n in (3, 5, 7, 9)]


def test_a_question_that_was_under_way_in_a_killed_run_is_asked_again(journal: Path) -> None:
    _broken_off(journal)
    log, second = _begun(journal, _Solver(Unsat()))
    assert not log.hung
    assert [*AGAIN[:2], Unsat()] == [second.solve(_question(n)) for n in (3, 5, 7)]


def _deep(number: int) -> Problem:
    """Is a sum of nine numbers above one that stands deep inside of it?"""
    x = var("x", Sort.INT)
    total = apply("add", Sort.INT, x, const(number))
    for factor in range(2, 10):
        total = apply("add", Sort.INT, apply("mul", Sort.INT, total, const(factor)), x)
    return Problem((), apply("gt", Sort.BOOL, total, const(5)), {"x": 0}, {"x": Sort.INT})


def _behind(number: int) -> Problem:
    """The same question on two different paths."""
    asked = _question(7)
    return replace(asked, conditions=(apply("lt", Sort.BOOL, var("x", Sort.INT), const(number)),))


@pytest.mark.parametrize("questions", [
    pytest.param((_deep(1), _deep(2)), id="a text cut at depth 6 shows no difference"),
    pytest.param((_behind(0), _behind(99)), id="other conditions"),
    pytest.param((replace(_question(7), effort=4.0), replace(_question(7), effort=0.25)), id="less effort"),
])  # fmt: skip
def test_a_question_is_not_taken_for_another_that_hung(
    questions: tuple[Problem, Problem], journal: Path
) -> None:
    hanging, other = questions
    log, first = _begun(journal, _Solver())
    with pytest.raises(KeyboardInterrupt):
        first.solve(hanging)
    log.give_up()
    _, second = _begun(journal, _Solver(Unsat()))
    assert Unsat() == second.solve(other)
    assert Unknown(ENDED) == second.solve(hanging)
    assert Unknown(ENDED) == second.solve(replace(hanging, effort=16.0)), "more effort hangs the more"


def test_a_question_about_a_long_loop_is_recognised_again() -> None:
    x = total = var("x", Sort.INT)
    for number in range(5000):
        total = apply("add", Sort.INT, apply("mul", Sort.INT, total, const(3)), const(number))
    problem = Problem((apply("gt", Sort.BOOL, x, const(0)),), apply("gt", Sort.BOOL, total, x), {"x": 0}, {})
    assert Digests().of_problem(problem) == Digests().of_problem(problem)


def test_a_journal_of_other_questions_is_not_believed(journal: Path) -> None:
    _begun(journal, _Solver(Unsat()))[1].solve(_question(3))
    assert Unknown("new") == _begun(journal, _Solver(Unknown("new")))[1].solve(_question(4))


def test_a_task_that_is_gone_through_again_is_what_it_was(journal: Path) -> None:
    """How long its runs may take, and what it looks for, hang on how long it was to be then."""
    given, later = Begun("f", 0, None, 1.0, (), (3, 5)), Begun("f", 0, None, 60.0, (), (9,))
    assert ShardLog(journal).begin(given) == given
    again = ShardLog(journal)
    assert again.begin(later) == given
    assert again.begin(later._replace(number=1)).seconds == 60.0
