"""Questions for which a turn was too short are asked again in a longer one."""

from __future__ import annotations

from typing import Any

from tracetwin.explore.loop.postponed import Postponed

QUESTION: Any = type("Question", (), {"goal": (1, 1)})()


def pop(postponed: Postponed) -> Any:
    return postponed.pop(10**6, lambda _flip, _level: True, idle=True)


def test_it_waits_until_a_turn_is_twice_as_long():
    postponed = Postponed()
    postponed.put_off(QUESTION, 0, "too short", left=1.0)
    assert pop(postponed) is None
    postponed.revive(lambda wanted: wanted < 1.5, now=0)
    assert pop(postponed) is None
    postponed.revive(lambda wanted: wanted < 3.0, now=0)
    assert (QUESTION, 1, "too short") == pop(postponed)
    assert pop(postponed) is None


def test_it_is_asked_with_the_effort_that_it_was_to_have():
    postponed = Postponed()
    postponed.put_off(QUESTION, 2, "too short", left=1.0)
    postponed.revive(lambda _wanted: True, now=0)
    assert 2 == pop(postponed)[1]
