"""Sequences are shortened until every call matters, and no further."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.emit import sequence_cases
from tests.emit.sequence_cases import about, do, new
from tests.emit.source.test_layout import ruff
from tests.emit.support import EXPECTED, target
from tracetwin.emit.result import Suite
from tracetwin.emit.select.select import goals_of
from tracetwin.emit.select.shorten import MOST_TIMEOUTS, SLICE, Improving, ends_alike, share, shorten
from tracetwin.emit.suite import build_suite
from tracetwin.model.case import Case, Step
from tracetwin.model.codec import observation_key
from tracetwin.model.observation import Observation, ended
from tracetwin.model.recipe import Scalar
from tracetwin.model.status import Outcome
from tracetwin.replay.session import Session
from tracetwin.replay.static import coverable

TARGET = target("sequences")
FACTS = coverable(TARGET.file)
STYLES = ["unittest", "pytest"]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session(TARGET) as open_:
        yield open_


@pytest.fixture(scope="module", params=[pytest.param(style, marks=pytest.mark.slow) for style in STYLES])
def style(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def suite(style: str) -> Suite:
    return build_suite(TARGET, sequence_cases.ALL, style=style)


def shortened(session: Session, *cases: Case) -> list[list[Step]]:
    """The steps before the call of each case, the first one of all left out."""
    found = shorten(Improving(list(zip(cases, session.run(cases), strict=True)), session.run, FACTS))
    return [list(case.setup[1:]) for case, _ in found]


def told(seen: Observation) -> bytes:
    """What a test can assert."""
    return observation_key(seen, ("value", "raised", "changed", "state"))


def without(case: Case, position: int) -> Case | None:
    """The case without a step and without those that speak of what it binds; None where the call does."""
    dropped = {position}
    steps = case.steps
    for i in range(position + 1, len(steps)):
        if any(steps[i].mentions(steps[j].bind) for j in dropped):
            dropped.add(i)
    if len(steps) - 1 in dropped:
        return None
    kept = tuple(step for i, step in enumerate(steps) if i not in dropped)
    return replace(case, steps=kept, shows=())


def test_no_call_of_a_written_test_can_be_left_out(suite: Suite, session: Session) -> None:
    cases = [case for _, _, case in suite.written]
    seen = session.run(cases)
    goals = [goals_of(case, one, FACTS) for case, one in zip(cases, seen, strict=True)]
    asked = 0
    for number, case in enumerate(cases):
        others = set[Any]().union(*(some for i, some in enumerate(goals) if i != number))
        for position in range(len(case.steps) - 1):
            shorter = without(case, position)
            if shorter is not None:
                (after,) = session.run([shorter])
                kept = goals[number] - others <= goals_of(shorter, after, FACTS)
                alike = ends_alike(seen[number], after, case) and told(seen[number]) == told(after)
                assert not (kept and alike), (case.target, position)
                asked += 1
    assert asked > 10


def test_shortening_loses_nothing(suite: Suite, session: Session) -> None:
    seen = session.run(sequence_cases.ALL)
    lines = {line for one in seen for line in one.lines}
    arcs = {arc for one in seen for arc in one.arcs}
    whole = suite.coverage[""]
    assert FACTS.covered(lines, arcs)[0] <= whole.covered_lines
    assert FACTS.covered(lines, arcs)[1] <= whole.covered_branches
    assert suite.dropped == []


def test_the_text_is_the_golden_file(suite: Suite, style: str) -> None:
    golden = EXPECTED / f"{style}_sequences.py"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_bytes(suite.text.encode())
    assert suite.text == golden.read_text(encoding="utf-8")


def test_ruff_has_nothing_to_say(suite: Suite) -> None:
    formatted = ruff("format", "--diff", text=suite.text)
    assert formatted.returncode == 0, formatted.stdout.decode()
    checked = ruff("check", "--extend-select", "I,F,E,B", text=suite.text)
    assert checked.returncode == 0, checked.stdout.decode()


def test_calls_that_do_not_matter_go(session: Session) -> None:
    steps = shortened(session, sequence_cases.BOX[2], *sequence_cases.BOX[:2], sequence_cases.BOX[3])[0]
    assert [step.name for step in steps] == ["add_qtr", "add_qtr", "return_qtrs"]


def test_sixty_equal_calls_are_bisected(session: Session) -> None:
    asked: list[int] = []

    def run(cases: Sequence[Case]) -> list[Any]:
        asked.append(len(cases))
        return session.run(cases)

    case = about("Counter.check", new("Counter"), *[do("increment")] * 60, do("check"))
    case = replace(case, shows=(4, 7))
    ((short, _),) = shorten(Improving([(case, session.run([case])[0])], run, FACTS))
    assert len(short.steps) == 2 + 50
    assert sum(asked) < 120
    assert len(asked) < 30


def test_an_operand_that_the_case_was_chosen_for_is_kept(session: Session) -> None:
    pressed = [do("press_green"), do("press_red"), do("press_green")]
    setters = [about(f"Gate.{name}", new("Gate"), do(name)) for name in ("press_red", "press_green")]
    green = about("Gate.opens", new("Gate"), do("press_green"), do("press_green"), do("opens"))
    red = about("Gate.opens", new("Gate"), *pressed, do("opens"))
    closed = about("Gate.opens", new("Gate"), do("opens"))
    # By lines and branches either button would do; what is shown are the sides of `or`.
    shown = [replace(one, shows=(side,)) for one, side in ((green, 3), (red, 1), (closed, 0))]
    steps = shortened(session, *shown, *setters)
    assert [[step.name for step in one] for one in steps] == [["press_green"], ["press_red"], [], [], []]


def test_a_case_that_alone_shows_a_pair_keeps_its_steps(session: Session) -> None:
    case = about("CoinBox.add_qtr", new("CoinBox"), do("return_qtrs"), do("add_qtr"))
    pinned = replace(case, shows=("whole:pair:cur_qtrs:18:13",))
    plain = about("CoinBox.return_qtrs", new("CoinBox"), do("return_qtrs"))
    assert [step.name for step in shortened(session, pinned, plain)[0]] == ["return_qtrs"]
    assert shortened(session, replace(case, shows=()), plain)[0] == []


def test_an_object_that_nothing_needs_goes_with_all_that_was_done_to_it(session: Session) -> None:
    idle = [new("Account", 3, bind="idle"), do("deposit", 1, on="idle")]
    deposit = about("Account.deposit", new("Account", 5), do("deposit", 2))
    case = about("Account.deposit", new("Account", 5), *idle, do("deposit", 2))
    assert shortened(session, case) == [[]]
    assert shortened(session, deposit) == [[]]


def test_what_takes_too_long_is_tried_a_few_times_only() -> None:
    case = about("CoinBox.add_qtr", new("CoinBox"), *[do("add_qtr"), do("vend")] * 20, do("add_qtr"))
    asked: list[Case] = []

    def run(cases: Sequence[Case]) -> list[Any]:
        asked.extend(cases)
        return [ended(Outcome.TIMEOUT) for _ in cases]

    seen = Observation(Outcome.RETURNED, lines=(13, 14))
    ((short, _),) = shorten(Improving([(case, seen)], run, FACTS))
    assert short.steps == case.steps
    assert MOST_TIMEOUTS <= len(asked) <= SLICE


def test_what_is_settled_stays(session: Session) -> None:
    case = about("Account.deposit", new("Account", 5), do("deposit", 1), do("deposit", 2))
    ((short, _),) = shorten(Improving([(case, session.run([case])[0])], session.run, FACTS, settled={0}))
    assert short is case


def test_long_literals_get_short_and_superfluous_arguments_go(session: Session) -> None:
    case = about("Stack.pop", new("Stack"), do("push", "a long text"), do("pop"))
    ((push,),) = shortened(session, case)
    assert push.args == (Scalar("a"),)
    given = about("Counter.size", new("Counter", 1), do("size"))
    ((short, _),) = shorten(Improving([(given, session.run([given])[0])], session.run, FACTS))
    assert short.steps[0].args == ()


def test_many_cases_share_a_budget_of_replays():
    assert [400, 400, 100, 40] == [share(400, 4_000, 40, cases) for cases in (1, 10, 40, 1_000)]


def test_when_the_time_is_up_cases_stay_as_they_are(session: Session) -> None:
    def run(cases: Sequence[Case]) -> list[Any]:
        raise AssertionError(f"{len(cases)} cases are replayed")

    case = about("Counter.check", new("Counter"), *[do("increment")] * 9, do("check"))
    chosen = [(case, session.run([case])[0])]
    assert shorten(Improving(chosen, run, FACTS, until=time.monotonic())) == chosen
