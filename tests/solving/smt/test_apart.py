"""z3 in a process of its own: the same answers, and an end to questions that do not end."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runtime.expr import Node, Sort, apply, const, var
from tracetwin.solving import Problem, Sat, Unknown, Unsat, build_chain
from tracetwin.solving.smt.apart import Z3Process
from tracetwin.solving.vain import PATIENT

x, y = var("x", Sort.INT), var("y", Sort.INT)


@pytest.fixture
def apart() -> Iterator[Z3Process]:
    made = Z3Process()
    yield made
    made.close()


def product(number: int) -> Node:
    both = apply("mul", Sort.INT, x, apply("mul", Sort.INT, x, y))
    return apply("eq", Sort.BOOL, apply("add", Sort.INT, both, y), const(number))


def problem(goal: Node, *conditions: Node) -> Problem:
    return Problem(conditions, goal, {"x": 0, "y": 0}, {"x": Sort.INT, "y": Sort.INT})


def z3_only(apart: Z3Process) -> Any:
    chain = build_chain(apart=apart)
    chain._stages = [stage for stage in chain._stages if stage.name == "z3"]
    return chain


def test_it_finds_and_refutes_as_z3_does_here(apart: Z3Process) -> None:
    chain = z3_only(apart)
    found = chain.solve(problem(product(1010)))
    assert isinstance(found, Sat)
    one, other = found.model["x"], found.model["y"]
    assert isinstance(one, int)
    assert isinstance(other, int)
    assert 1010 == one * one * other + other
    less = apply("lt", Sort.BOOL, x, y)
    assert chain.solve(problem(apply("lt", Sort.BOOL, y, x), less)) == Unsat()
    asked = chain.statistics["theories"].values()
    assert (1, 1) == (sum(one["sat"] for one in asked), sum(one["unsat"] for one in asked))


def test_a_question_that_does_not_end_costs_itself_only(
    apart: Z3Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tracetwin.solving.smt import apart as module
    from tracetwin.solving.smt.stage import Z3Stage

    attempt = Z3Stage.attempt

    def hang(self: Z3Stage, task: Any) -> Any:
        while "4711" in str(task.goal):
            pass
        return attempt(self, task)

    monkeypatch.setattr(Z3Stage, "attempt", hang)
    monkeypatch.setattr(module, "PATIENCE", 0.2)
    apart.until = time.monotonic() + 0.5
    chain = z3_only(apart)
    answer = chain.solve(problem(product(4711)))
    assert isinstance(answer, Unknown)
    assert "z3 did not stop" in answer.reason
    apart.until = None
    assert isinstance(chain.solve(problem(product(1010))), Sat)


def test_its_process_ends_with_it(apart: Z3Process) -> None:
    chain = z3_only(apart)
    chain.solve(problem(product(1010)))
    pid = apart._pid
    os.kill(pid, 0)
    apart.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_numbers_of_nodes_may_begin_anew(apart: Z3Process) -> None:
    chain = z3_only(apart)
    assert isinstance(chain.solve(problem(product(1010))), Sat)
    for stage in chain._stages:
        stage.forget()
    assert isinstance(chain.solve(problem(product(1010))), Sat)


def test_after_many_nodes_another_process_goes_on(apart: Z3Process, monkeypatch: pytest.MonkeyPatch) -> None:
    from tracetwin.solving.smt import apart as module

    chain = z3_only(apart)
    assert isinstance(chain.solve(problem(product(1010))), Sat)
    first = apart._pid
    monkeypatch.setattr(module, "MOST_NODES", 0)
    assert isinstance(chain.solve(problem(product(2020))), Sat)
    assert first != apart._pid


def test_slow_questions_are_told_as_any_solver_reads_them(
    apart: Z3Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    import z3

    from tracetwin.solving import figures

    monkeypatch.setattr(figures, "SLOW_SECONDS", 0.0)
    chain = z3_only(apart)
    goal = product(1010)
    chain.solve(problem(goal))
    (slow,) = chain.slowest
    assert (slow.goal, slow.answer, slow.theory) == (goal, "sat", "ints")
    solver = z3.Solver()
    solver.from_string(slow.smtlib)
    assert solver.check() == z3.sat
    assert solver.model()[z3.Int("v.x")].as_long() != 0


def test_questions_are_written_out_only_where_they_are_slower_than_those_told(
    apart: Z3Process, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from tracetwin.solving import figures
    from tracetwin.solving.smt import stage

    def write(_session: object) -> str:
        with (tmp_path / "written").open("a", encoding="utf-8") as file:
            file.write("x")
        return "text"

    monkeypatch.setattr(figures.Slowest, "wants", lambda told, _: not told)
    monkeypatch.setattr(stage, "_smtlib", write)
    chain = z3_only(apart)
    for number in range(5):
        chain.solve(problem(product(1010 + number)))
    assert (tmp_path / "written").read_text() == "x"


def test_only_the_slowest_questions_are_told() -> None:
    from tracetwin.solving.figures import MOST_SLOW, SLOW_SECONDS, Slow, Slowest

    slowest = Slowest()
    for number in range(20):
        slowest.take(Slow(SLOW_SECONDS * (number - 1), "ints", "sat", ""))
    assert [slow.seconds for slow in slowest] == [SLOW_SECONDS * n for n in range(18, 18 - MOST_SLOW, -1)]


def test_what_was_asked_in_vain_is_known_in_the_next_turn_too(
    apart: Z3Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(session: Any, rlimit: int, *extra: Any) -> str:
        return f"canceled at {rlimit}"

    monkeypatch.setattr("tracetwin.solving.smt.session.SolverSession.check", check)
    chain = z3_only(apart)
    reasons = []
    for number in range(PATIENT + 1):
        answer = chain.solve(problem(product(number)))
        assert isinstance(answer, Unknown)
        reasons.append(answer.reason)
        chain.rest()
    assert "canceled at 500000" in reasons[0]
    assert "canceled at 125000" in reasons[-1]
