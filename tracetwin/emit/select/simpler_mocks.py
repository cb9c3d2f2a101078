"""What may take the place of a mock: the same with fewer calls, and without effects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tracetwin.emit.mocks.mocked import number_of
from tracetwin.model.recipe_tree import given, rebuilt, walk

Step = dict[str, Any]

FEW: Final = 3
"""Calls from which on fewer are plainer: two with different results tell more than one."""

MOST_DROPPED: Final = 5
"""Calls of a member of which each is tried without."""


def with_simpler_mocks(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """The steps with one mock simpler wherever it stands."""
    mocks: dict[int, Any] = {}
    for step in steps:
        for recipe in given(step):
            for part in walk(recipe):
                if part[0] == "mock" and not isinstance(part[1], int):
                    mocks.setdefault(number_of(part), part)
    *setup, last = steps
    if last["args"] and last["args"][-1][0] == "mock" and not last["kwargs"]:
        yield [*setup, {**last, "args": last["args"][:-1]}]
    for number, mock in mocks.items():
        for members in _simpler(mock[2]):
            yield [_with(step, number, (*mock[:2], members)) for step in steps]


def _with(step: Step, number: int, mock: Any) -> Step:
    def change(part: Any) -> Any:
        found = part[0] == "mock" and not isinstance(part[1], int) and number_of(part) == number
        return mock if found else part

    kwargs = [(name, rebuilt(part, change)) for name, part in step["kwargs"]]
    return {**step, "args": [rebuilt(part, change) for part in step["args"]], "kwargs": kwargs}


def _simpler(members: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Those of members with many calls; answers that nobody asks for are gone already (`trimmed`)."""
    for name, member in members.items():
        for calls in _fewer(member["calls"]):
            yield {**members, name: {**member, "calls": calls}}
        if any(call["effects"] for call in member["calls"]):
            plain = [{**call, "effects": []} for call in member["calls"]]
            yield {**members, name: {**member, "calls": plain}}


def _fewer(calls: Sequence[Any]) -> Iterator[list[Any]]:
    """Some of the calls: the last ones, the later half, all but one; each costs a replay."""
    count = len(calls)
    if count < FEW:
        return
    for left in dict.fromkeys((1, 2, count // 2)):
        yield [*calls[count - left :]]
    if count <= MOST_DROPPED:
        yield from ([*calls[:dropped], *calls[dropped + 1 :]] for dropped in range(count))
