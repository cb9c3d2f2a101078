"""The limit of decisions is a run's: a program that merely uses the hook may go on for ever."""

from __future__ import annotations

import pytest

from instrumenter.transform import instrument
from runtime import trace, twin
from runtime.inputs import Inputs

PROGRAM = """
def count(limit):
    number = 0
    while number < limit:
        number += 1
    return number

def endless():
    number = 0
    while True:
        number += 1
        if number < 0:
            return number
"""


def twin_of(name: str):
    rewritten = instrument(PROGRAM, name="steps", filename="steps.py")
    space = {"__name__": "steps", rewritten.prelude_name: twin}
    exec(compile(rewritten.source, "steps.py", "exec"), space)
    return space[name]


@pytest.fixture(autouse=True)
def _no_run():
    yield
    trace.stop()


def test_without_a_run_there_is_no_limit():
    trace.stop()
    assert trace.MAX_STEPS * 2 == twin_of("count")(trace.MAX_STEPS * 2)


@pytest.mark.parametrize("name", ["count", "endless"])
def test_a_run_has_a_limit(name):
    trace.start()
    arguments = (trace.MAX_STEPS * 2,) if name == "count" else ()
    with pytest.raises(trace.StepLimit):
        twin_of(name)(*arguments)


def test_after_a_run_there_is_no_limit():
    trace.start()
    trace.stop()
    assert trace.MAX_STEPS + 1 == twin_of("count")(trace.MAX_STEPS + 1)


def test_a_run_knows_the_outcomes_of_its_sites():
    rewritten = instrument(PROGRAM, name="steps", filename="steps.py")
    site = rewritten.sites[0].id
    count = twin_of("count")
    current = trace.start()
    count(0)
    assert {site * 2} == current.outcomes
    count(1)
    assert {site * 2, site * 2 + 1} == current.outcomes
    trace.stop()
    count(1)
    assert set() == trace.start().outcomes


def test_traced_keys_are_known_from_their_first_hash_to_the_next_run():
    trace.start()
    number = Inputs({}).integer("number", 3)
    before = bool(trace.traced_keys)
    assert twin.getitem({3: "three"}, 3) == "three"
    known = {number: "three"}
    after = bool(trace.traced_keys)
    assert twin.getitem(known, 3) == "three"
    assert (False, True) == (before, after)
    assert trace.current.path
    trace.start()
    assert not trace.traced_keys
