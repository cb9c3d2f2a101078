"""Cases run on mutants in a process of their own, which mutants can't do without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tracetwin.model.case import NO_STEP, Act, Case, Step
from tracetwin.model.recipe import Answer, MockMember, MockRecipe, RecordedCall, Scalar, list_of
from tracetwin.mutation.session import MutantSession
from tracetwin.replay.session import replay
from tracetwin.target.selection import TargetModule, resolve

SOURCE = """\
import asyncio
import time

CALLS = []


def double(n: int) -> int:
    return n * 2


def count(n: int) -> int:
    done = 0
    while n > 0:
        n -= 1
        done += 1
    return done


def stuck(n: int) -> int:
    while n > 3:
        pass
    return n


def remember(n: int) -> int:
    CALLS.append(n)
    return len(CALLS)


def digits(n: int, m: int) -> int:
    while m != 0:
        n, m = m, n % m
    return n


def check(n: int) -> None:
    if n < 10:
        raise ValueError("too small")


def pause(n: int, wait=time.sleep) -> int:
    if n > 3:
        wait(3600)
    return n


def age(n: int) -> float:
    return time.time() * n


class Timer:
    def __init__(self, clock=time.time):
        self.clock = clock
        self.begun = clock()

    def passed(self, n: int) -> int:
        return (self.clock() - self.begun) * n


async def rest(n: int, wait=asyncio.sleep) -> int:
    if n > 3:
        await wait(3600)
    return n
"""


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> TargetModule:
    file = tmp_path_factory.mktemp("target") / "mutable_sample.py"
    file.write_text(SOURCE)
    return resolve(str(file))[0]


@pytest.fixture(scope="module")
def session(target: TargetModule) -> Iterator[MutantSession]:
    with MutantSession(target) as opened:
        yield opened


def case(name: str, n: int) -> Case:
    return Case("mutable_sample", name, "function", (Step(Act.CALL, "mutable_sample", name, (Scalar(n),)),))


def killed(session: MutantSession, one: Case) -> dict[str, bool]:
    """The changes that a case reaches, with whether it notices them."""
    verdict = session.judge(one, None, range(len(session.mutants)), 5.0)
    return {session.mutants[number].change: number in verdict.killed for number in sorted(verdict.reached)}


def test_a_neutral_value_hides_a_mutant_that_another_one_shows(session: MutantSession) -> None:
    hidden = killed(session, case("double", 0))
    assert not hidden["`*` becomes `//` in `n * 2`"]
    assert killed(session, case("double", 3))["`*` becomes `//` in `n * 2`"]


def test_only_what_a_case_reaches_is_tried(session: MutantSession) -> None:
    verdict = session.judge(case("double", 3), None, range(len(session.mutants)), 5.0)
    assert {session.mutants[number].function for number in verdict.reached} == {"double"}
    assert verdict.tried == verdict.reached


def test_an_endless_mutant_is_noticed_and_costs_no_process(session: MutantSession) -> None:
    found = killed(session, case("count", 3))
    assert found["`n -= 1` is left out"]
    assert found["`done += 1` is left out"]


@pytest.mark.slow
def test_a_new_case_without_an_end_is_lost_though_mutants_had_limits_before(session: MutantSession) -> None:
    numbers = range(len(session.mutants))
    assert killed(session, case("count", 3))["`n -= 1` is left out"]
    assert session.judge(case("stuck", 5), None, numbers, 30.0).lost
    assert not session.judge(case("stuck", 1), None, numbers, 5.0).lost


def test_a_mutant_whose_numbers_fill_the_memory_is_noticed_like_an_endless_one(
    session: MutantSession,
) -> None:
    two = (Scalar(12), Scalar(42))
    one = Case("mutable_sample", "digits", "function", (Step(Act.CALL, "mutable_sample", "digits", two),))
    found = killed(session, one)
    assert found["`%` becomes `*` in `n % m`"]
    assert found["None is returned"]


def test_the_module_is_as_it_was_for_each_mutant(session: MutantSession) -> None:
    found = killed(session, case("remember", 1))
    assert found["`CALLS.append(n)` is left out"]
    assert found["None is returned"]
    assert killed(session, case("remember", 1)) == found


def test_a_boundary_is_noticed_at_the_boundary_only(session: MutantSession) -> None:
    change = "`<` becomes `<=` in `n < 10`"
    assert not killed(session, case("check", 9))[change]
    assert killed(session, case("check", 10))[change]
    assert killed(session, case("check", 9))["`raise ValueError('too small')` is left out"]


def test_a_case_that_does_not_do_what_was_expected_tells_nothing(
    session: MutantSession, target: TargetModule
) -> None:
    other = replay(target, [case("double", 4)]).observations[0]
    verdict = session.judge(case("double", 3), other, range(len(session.mutants)), 5.0)
    assert verdict.seen is None
    assert not verdict.killed


def test_the_step_is_told_that_raised_before_the_call(session: MutantSession) -> None:
    calls = [Step(Act.CALL, "mutable_sample", "check", (Scalar(n),)) for n in (20, 3)]
    last = case("double", 2)
    refused = session.judge(replace(last, steps=(*calls, last.last)), None, (), 5.0)
    assert (None, 1) == (refused.seen, refused.refused_at)
    assert NO_STEP == session.judge(last, None, (), 5.0).refused_at


def test_what_another_run_of_the_original_shows_otherwise_notices_nothing(session: MutantSession) -> None:
    found = killed(session, case("age", 3))
    assert not found["`*` becomes `//` in `time.time() * n`"]
    assert found["None is returned"]


def test_a_mock_may_be_asked_before_the_call_and_by_it(session: MutantSession) -> None:
    answers = tuple(RecordedCall((), (), Answer(Scalar(one))) for one in (10, 17))
    clock = MockRecipe(
        1, "function", "function", "clock", parameters=0, members={"__call__": MockMember("method", answers)}
    )
    timer = Step(Act.CALL, "mutable_sample", "Timer", (clock,), bind="timer")
    passed = Step(Act.METHOD, "timer", "passed", (Scalar(2),))
    one = Case("mutable_sample", "Timer.passed", "method", (timer, passed))
    verdict = session.judge(one, None, range(len(session.mutants)), 5.0)
    assert verdict.seen is not None
    assert Scalar(14) == verdict.seen.value
    assert verdict.killed


def test_arguments_of_any_kind_come_over(session: MutantSession) -> None:
    step = Step(Act.CALL, "mutable_sample", "double", (list_of(Scalar(1), Scalar(2)),))
    found = killed(session, Case("mutable_sample", "double", "function", (step,)))
    assert found["`2` becomes `3`"]


def test_a_session_that_is_not_wanted_starts_nothing(target: TargetModule) -> None:
    with MutantSession(target, enabled=False) as opened:
        assert [] == opened.mutants


def test_a_module_without_source_has_no_mutants(tmp_path: Path) -> None:
    file = tmp_path / "broken_sample.py"
    file.write_text("def f(:\n")
    module = TargetModule("broken_sample", str(file), str(tmp_path))
    with MutantSession(module) as opened:
        assert [] == opened.mutants


def test_the_interpreter_s_own_message_notices_nothing(tmp_path: Path) -> None:
    file = tmp_path / "message_sample.py"
    file.write_text(
        "def add(n, m):\n    return n + m\n\n\ndef refuse(n):\n    raise ValueError('no ' + str(n + 1))\n"
    )
    with MutantSession(resolve(str(file))[0]) as opened:
        plain = Case("message_sample", "add", "function", (
            Step(Act.CALL, "message_sample", "add", (Scalar(1), Scalar("a"))),
        ))  # fmt: skip
        own = Case("message_sample", "refuse", "function", (
            Step(Act.CALL, "message_sample", "refuse", (Scalar(1),)),
        ))  # fmt: skip
        assert not killed(opened, plain)["`+` becomes `-` in `n + m`"]
        assert killed(opened, own)["`1` becomes `2`"]


def test_what_a_mock_is_asked_shows_a_mutant_of_a_new_case_too(tmp_path: Path) -> None:
    file = tmp_path / "asking_sample.py"
    file.write_text("def send(post, to: str) -> None:\n    post(to.lower())\n")
    with MutantSession(resolve(str(file))[0]) as opened:
        found = {}
        for to in ("@", "@bC"):
            given = (MockRecipe(0, "function", "post", "post"), Scalar(to))
            step = Step(Act.CALL, "asking_sample", "send", given)
            one = Case("asking_sample", "send", "function", (step,))
            found[to] = killed(opened, one)["`lower` becomes `upper` in `to.lower()`"]
    assert found == {"@": False, "@bC": True}


@pytest.mark.parametrize("name", ["pause", "rest"])
def test_nobody_waits_for_a_mutant_that_sleeps(session: MutantSession, name: str) -> None:
    noticed = killed(session, case(name, 3))
    assert not noticed["`>` becomes `>=` in `n > 3`"]
    assert not noticed["`>` becomes `<=` in `n > 3`"]
    assert noticed["None is returned"]
