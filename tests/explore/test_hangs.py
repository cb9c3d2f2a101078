"""A z3 that does not heed its limits costs one question, not the exploration."""

from __future__ import annotations

import hashlib
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runtime.expr import Sort, apply, const, var
from tracetwin.api import generate_tests
from tracetwin.explore.loop.past import Begun
from tracetwin.explore.loop.shard_log import ENDED, Home
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
    from tracetwin.solving.smt import alarm
    from tracetwin.solving.smt import session as z3_session

    check = z3_session.Session.check

    def check_or_hang(self: Any, rlimit: int, *extra: Any) -> Any:
        if any("1234567" in str(part.node) for part in self._parts[-1:]):
            hang()
        return check(self, rlimit, *extra)

    monkeypatch.setattr(z3_session.Session, "check", check_or_hang)
    monkeypatch.setattr(chain, "CPU_SECONDS", 0.1)
    monkeypatch.setattr(alarm, "_PATIENCE", 0.1)
    return hang


@pytest.mark.slow
@pytest.mark.usefixtures("hanging_z3")
def test_a_hanging_question_costs_itself_only(tmp_path: Path) -> None:
    target = tmp_path / "hangs.py"
    target.write_text(SOURCE)
    started = time.monotonic()
    (module,) = generate_tests(str(target), output=tmp_path / "out", time_limit=20, max_runs=60, jobs=1)
    assert time.monotonic() - started < 18
    assert any("went on" in note for note in module.notes), (module.error, module.notes)
    assert [2] == [miss.line - 1 for miss in module.uncovered]
    assert "z3 did not stop" in module.uncovered[0].reason or "gave up" in module.uncovered[0].reason
    assert 6 == module.functions[0].covered_lines


def test_an_alarm_gives_up_on_what_does_not_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    from tracetwin.solving import alarm as module

    monkeypatch.setattr(module, "_PATIENCE", 0.05)
    events: list[str] = []
    alarm = Alarm(lambda: events.append("stop"), 0.05, lambda: events.append("hang"))
    with alarm:
        until = time.process_time() + 1.0
        while time.process_time() < until and len(events) < 2:
            pass
    assert ["stop", "hang"] == events


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
    home = Home(path, lost=lost)
    home.begin(Begun("f", 0, None, 1.0, ()))
    return home, home.solver(solver)


def _broken_off(path: Path) -> Any:
    """Two answers, and a question that none came to."""
    home, first = _begun(path, _Solver(Sat({"x": 4}, "test"), Unsat()))
    assert not home.hung
    first.solve(_question(3)), first.solve(_question(5))
    with pytest.raises(KeyboardInterrupt):
        first.solve(_question(7))
    return home


AGAIN = [Sat({"x": 4}, "test"), Unsat(), Unknown(ENDED), Unknown("asked again")]


def test_the_question_that_ended_its_process_is_not_asked_again(journal: Path) -> None:
    _broken_off(journal)
    home, second = _begun(journal, _Solver(Unknown("asked again")), lost=True)
    assert home.hung
    assert AGAIN == [second.solve(_question(n)) for n in (3, 5, 7, 9)]
    _, third = _begun(journal, _Solver())
    assert AGAIN[:3] == [third.solve(_question(n)) for n in (3, 5, 7)]


def test_a_question_that_was_given_up_is_not_asked_again(journal: Path) -> None:
    _broken_off(journal).give_up()
    home, second = _begun(journal, _Solver(Unknown("asked again")))
    assert home.hung
    assert AGAIN == [second.solve(_question(n)) for n in (3, 5, 7, 9)]


def test_a_question_that_was_under_way_in_a_killed_run_is_asked_again(journal: Path) -> None:
    _broken_off(journal)
    home, second = _begun(journal, _Solver(Unsat()))
    assert not home.hung
    assert [*AGAIN[:2], Unsat()] == [second.solve(_question(n)) for n in (3, 5, 7)]


def test_a_journal_of_other_questions_is_not_believed(journal: Path) -> None:
    _begun(journal, _Solver(Unsat()))[1].solve(_question(3))
    assert Unknown("new") == _begun(journal, _Solver(Unknown("new")))[1].solve(_question(4))
