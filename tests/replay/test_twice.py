from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import pytest

from tests.emit.support import function, observe_twice, target
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.codec import key
from tracetwin.model.observation import Observation, Raised, ended
from tracetwin.model.recipe import Dictionary, Scalar, SeriesKind, list_of, tuple_of
from tracetwin.model.snapshot import Attributes, Opaque, Shuffled, Snapshot
from tracetwin.model.status import Outcome
from tracetwin.replay.observe.snap import in_order
from tracetwin.replay.session import NO_TIME
from tracetwin.replay.stability import TwoSessions, common, merge, missing

LIT = Scalar(1)


def seen(outcome: Outcome = Outcome.RETURNED, **parts: Any) -> Observation:
    return Observation(outcome, value=LIT, **parts)


def test_equal_observations_stay_as_they_are() -> None:
    both, reasons = merge(seen(lines=(1,), arcs=((1, 2),)), seen(lines=(1,), arcs=((1, 2),)))
    assert both == seen(lines=(1,), arcs=((1, 2),))
    assert reasons == []


def test_a_different_end_leaves_nothing() -> None:
    raised = seen(Outcome.RAISED, raised=Raised("builtins", "ValueError", "x"))
    both, reasons = merge(seen(), raised)
    assert both.outcome == "unstable"
    assert reasons == ["unstable: outcome returned in one run, raised in the other"]


def test_a_run_for_which_there_was_no_time_makes_the_other_no_different_one() -> None:
    raised = seen(Outcome.RAISED, raised=Raised("builtins", "ValueError", "x"))
    for pair in ((raised, ended(Outcome.TIMEOUT, NO_TIME)), (ended(Outcome.TIMEOUT, NO_TIME), raised)):
        both, reasons = merge(*pair)
        assert (both.outcome, both.why, reasons) == (Outcome.TIMEOUT, NO_TIME, [])


def test_a_different_exception_leaves_nothing_and_a_different_message_the_type() -> None:
    def raised(kind: str, message: str) -> Observation:
        return seen(Outcome.RAISED, raised=Raised("builtins", kind, message))

    assert merge(raised("ValueError", "x"), raised("KeyError", "x"))[0].outcome == "unstable"
    both, reasons = merge(raised("ValueError", "x"), raised("ValueError", "y"))
    assert both.raised == Raised("builtins", "ValueError", None)
    assert reasons == ["unstable: the message of ValueError differs between two runs"]


def test_only_the_part_of_a_value_that_differs_is_lost() -> None:
    def record(number: int) -> Any:
        return Attributes("m", "C", (("name", Scalar("a")), ("id", Scalar(number))))

    assert common(record(1), record(2)) == Attributes(
        "m",
        "C",
        (("name", Scalar("a")), ("id", Opaque("builtins:int", "unstable: differs between two runs"))),
    )


def test_lists_in_another_order_keep_their_members() -> None:
    there, back = [Scalar(n) for n in "abc"], [Scalar(n) for n in "cab"]
    assert common(list_of(*there), list_of(*back)) == Shuffled(SeriesKind.LIST, tuple(there))
    assert missing(Shuffled(SeriesKind.LIST, tuple(there))) == [
        "unstable: the order differs between two runs"
    ]


def test_dicts_in_another_order_are_the_same() -> None:
    pairs = ((Scalar("a"), LIT), (Scalar("b"), Scalar(2)))
    assert common(Dictionary(pairs), Dictionary(pairs[::-1])) == Dictionary(pairs)


def test_keys_tell_apart_what_equality_does_not() -> None:
    values: list[Any] = [1, True, 1.0, 0.0, -0.0, "1", b"1", 1 + 0j]
    assert len({key(Scalar(value)) for value in values}) == len(values)
    nan = float("nan")
    assert key(Scalar(nan)) == key(Scalar(float("nan")))


def test_members_of_sets_have_one_order() -> None:
    mixed: list[Snapshot] = [Scalar("b"), Scalar(3), Scalar("a"), Scalar(None), tuple_of(Scalar(1))]
    assert in_order(mixed) == in_order(mixed[::-1])
    assert in_order([Scalar(10), Scalar(9), Scalar(1.5)]) == [Scalar(1.5), Scalar(9), Scalar(10)]


def test_the_date_of_today_is_not_the_same_in_both_runs() -> None:
    module = target("odd", Path(__file__).parent / "data")
    found = observe_twice(module, [function("odd", "year")])
    assert found.observations[0].value == Opaque("builtins:str", "unstable: differs between two runs")
    assert found.reasons == [["result: unstable: differs between two runs"]]


@pytest.mark.parametrize("asked", ["pwd.getpwuid(os.getuid()).pw_name", "pwd.getpwuid(os.getuid()).pw_dir",
                                   "platform.processor()", "platform.node()"])  # fmt: skip
def test_what_is_told_of_user_and_machine_is_not_the_same_in_both_runs(tmp_path: Path, asked: str) -> None:
    source = f"import os, platform, pwd\n\ndef ask():\n    return {asked}\n"
    (tmp_path / "asks.py").write_text(source)
    found = observe_twice(target("asks", tmp_path), [function("asks", "ask")])
    assert found.observations[0].value == Opaque("builtins:str", "unstable: differs between two runs")


@pytest.mark.parametrize(
    "asked",
    [
        "os.close(10)",
        "os.write(0, b'a')",
        "os.read(1, 1)",
        "time.time() % 1 < 0.2",
        "int(time.monotonic() % 1 * 10)",
    ],
)
def test_what_a_shell_left_open_and_how_old_a_second_is_differ_in_both_runs(
    tmp_path: Path, asked: str
) -> None:
    (tmp_path / "left.py").write_text(f"import os, time\n\ndef ask():\n    return {asked}\n")
    found = observe_twice(target("left", tmp_path), [function("left", "ask")])
    (seen,) = found.observations
    assert seen.outcome is Outcome.UNSTABLE or isinstance(seen.value, Opaque)


def test_a_glance_tells_how_cases_end_without_asking_for_their_state(tmp_path: Path) -> None:
    (tmp_path / "boxes.py").write_text(
        "class Box:\n    def __init__(self): self.size = 1\n    def grow(self): self.size += 1\n"
    )
    module = target("boxes", tmp_path)
    steps = (Step(Act.CALL, "boxes", "Box", bind="box"), Step(Act.METHOD, "box", "grow"))
    made = Case("boxes", "Box.grow", "method", steps)
    with TwoSessions(module) as sessions:
        (glance,) = sessions.glance([made]).observations
        assert (Outcome.RETURNED, ()) == (glance.outcome, glance.state)
        assert glance.touched
        (whole,) = sessions.observe([made]).observations
        assert whole.state
        (late,) = sessions.glance([made], seconds=-1.0).observations
        assert (Outcome.TIMEOUT, NO_TIME) == (late.outcome, late.why)
        first, second = sessions.glance([made, made], seconds=-1.0, least=1).observations
        assert (Outcome.RETURNED, NO_TIME) == (first.outcome, second.why)


def test_from_a_time_on_no_case_is_run_nor_waited_for(tmp_path: Path) -> None:
    (tmp_path / "naps.py").write_text("import time\n\ndef nap(n):\n    time.sleep(n)\n")
    module = target("naps", tmp_path)
    with TwoSessions(module) as sessions:
        assert sessions.start() > 0
        began = time.monotonic()
        sessions.until = began + 0.5
        seen = sessions.glance([function("naps", "nap", number) for number in (0, 4, 0)], least=3)
        assert time.monotonic() - began < 3.0
        first, late, last = seen.observations
        assert (Outcome.RETURNED, Outcome.TIMEOUT, NO_TIME) == (first.outcome, late.outcome, last.why)
        assert late.why == NO_TIME, "it is not slow for having been broken off"
        sessions.until = math.inf
        assert Outcome.RETURNED is sessions.observe([function("naps", "nap", 0)]).observations[0].outcome


@pytest.mark.slow
def test_what_takes_too_long_is_not_tried_once_more_where_there_is_no_time(tmp_path: Path) -> None:
    (tmp_path / "naps.py").write_text("import time\n\ndef nap(n):\n    time.sleep(n)\n")
    with TwoSessions(target("naps", tmp_path)) as sessions:
        assert Outcome.RETURNED is sessions.attempt([function("naps", "nap", 0)])[0].outcome
        began = time.monotonic()
        sessions.until = began + 2.0
        assert Outcome.TIMEOUT is sessions.attempt([function("naps", "nap", 9)])[0].outcome
        assert time.monotonic() - began < 3.9


@pytest.mark.slow
def test_a_case_that_hangs_leaves_time_for_the_others(tmp_path: Path) -> None:
    (tmp_path / "naps.py").write_text("import time\n\ndef nap(n):\n    time.sleep(n)\n")
    with TwoSessions(target("naps", tmp_path)) as sessions:
        assert sessions.start() > 0
        sessions.until = time.monotonic() + 6.0
        hung, *others = sessions.attempt([function("naps", "nap", number) for number in (9, 0, 0)])
        assert Outcome.TIMEOUT is hung.outcome
        assert [Outcome.RETURNED] * 2 == [one.outcome for one in others]
