"""The suite of a module some of whose functions break us: they are found, and all others get their tests."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from tracetwin.model.case import Case
from tracetwin.support.failures import Failure, failure_of

if TYPE_CHECKING:
    from tracetwin.emit.result import Suite

Build = Callable[[list[Case]], "Suite"]

MOST_SECONDS: Final = 40.0
"""How long it may take to find out which functions are to blame."""


def salvaged(cases: Sequence[Case], build: Build) -> tuple[Suite, tuple[Failure, ...]]:
    """The suite of as many functions as possible, and what happened to the others.

    Raises:
        Exception: what `build` raises where one function is not to blame: for one alone, for all of them, or
            because of the system.
    """
    try:
        return build(list(cases)), ()
    except Exception as error:
        names = list(dict.fromkeys(map(_function, cases)))
        if len(names) < 2 or not failure_of(error, "").internal:
            raise
        sound, failures = _shared_out(names, cases, build)
        if not sound:
            raise
    return build(_of(sound, cases)), failures


def _shared_out(
    names: Sequence[str], cases: Sequence[Case], build: Build
) -> tuple[list[str], tuple[Failure, ...]]:
    """Those functions of which a suite can be made, by halves of halves, and what is wrong with the rest."""
    until = time.monotonic() + MOST_SECONDS
    sound, failures = list[str](), list[Failure]()
    waiting = _halves(names)
    while waiting:
        part = waiting.pop(0)
        try:
            if time.monotonic() > until:
                raise TimeoutError("there was no time to find out which of them is to blame")
            build(_of(part, cases))
        except Exception as error:  # noqa: BLE001 - told of the one function that it is about
            if len(part) > 1 and time.monotonic() < until:
                waiting = [*_halves(part), *waiting]
            else:
                failures += [failure_of(error, f"writing the tests of {name}") for name in part]
        else:
            sound += part
    return sound, tuple(failures)


def _halves(names: Sequence[str]) -> list[Sequence[str]]:
    middle = len(names) // 2
    return [names[:middle], names[middle:]]


def _of(names: Iterable[str], cases: Sequence[Case]) -> list[Case]:
    wanted = set(names)
    return [case for case in cases if _function(case) in wanted]


def _function(case: Case) -> str:
    return case.target
