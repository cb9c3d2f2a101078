"""Calls of mocks that give answers, as assertions: what was asked, told once for each place that asks.

A test that has just set an answer need not repeat that it was asked for; but of a suite in which no test says
with what it was, nobody learns that a client sends the wrong name to the wrong address.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from tracetwin.emit.exhibit import Called, Chosen, Exhibit
from tracetwin.emit.mocks.calls import MOST_TOLD
from tracetwin.emit.mocks.stub_class import is_special
from tracetwin.emit.source.literals import is_plain
from tracetwin.model.observation import MockCall
from tracetwin.model.status import Outcome

Place: TypeAlias = tuple[str, str, int, str]
"""Module and name of a function, a line of the target, and the member that it calls there."""


def mark_questions(chosen: Sequence[Chosen]) -> list[Exhibit]:
    """Return what was seen of cases that make a suite, with the questions that their tests assert.

    That sets ``asked``. Each place that asks is told by one test, of a call that returned where there is one;
    what a test has told before it goes on to tell.
    """
    told: set[Place] = set()
    for case, seen in chosen:
        told |= {place for called in seen.asked for place in _places(case.module, case.target, called, seen)}
    marked = [seen for _, seen in chosen]
    order = sorted(range(len(chosen)), key=lambda at: chosen[at][1].outcome is not Outcome.RETURNED)
    for at in order:
        case, seen = chosen[at]
        asked = list(seen.asked)
        for called in dict.fromkeys((call.number, call.member) for call in seen.calls if _is_telling(call)):
            new = _places(case.module, case.target, called, seen) - told
            full = len(seen.told) + len(asked) >= MOST_TOLD
            if new and not full and called not in seen.told and called not in asked:
                asked.append(called)
                told |= new
        marked[at] = replace(seen, asked=tuple(asked))
    return marked


def asking_all(seen: Exhibit) -> Exhibit:
    """Return an exhibit whose test asserts all that mocks were asked, as much as a test tells."""
    called = dict.fromkeys((call.number, call.member) for call in seen.calls if _is_telling(call))
    more = [one for one in called if one not in seen.told and one not in seen.asked]
    return replace(seen, asked=(*seen.asked, *more[: max(0, MOST_TOLD - len(seen.told) - len(seen.asked))]))


def only_asserted(seen: Exhibit) -> Exhibit:
    """Return an exhibit with those calls of mocks only that its test asserts."""
    asserted = {*seen.told, *seen.asked}
    calls = tuple(call for call in seen.calls if (call.number, call.member) in asserted)
    return replace(seen, calls=calls)


def _places(module: str, target: str, called: Called, seen: Exhibit) -> set[Place]:
    return {
        (module, target, call.line, call.member)
        for call in seen.calls
        if (call.number, call.member) == called and call.line and _is_telling(call)
    }


def _is_telling(made: MockCall) -> bool:
    """Return whether the target itself made a call, with arguments that a test can write."""
    own = made.line is not None and made.line > 0
    given = [*made.args, *(snap for _, snap in made.kwargs)]
    named = made.member == "__call__" or not is_special(made.member)
    return own and named and any(map(is_plain, given))
