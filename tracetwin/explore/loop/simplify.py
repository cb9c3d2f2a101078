"""Shorter and simpler inputs that do the same: 0, 1, "a" and [] read better than what a solver finds."""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from tracetwin.explore.loop.run import Assignment, Run
from tracetwin.explore.loop.shown import path_of
from tracetwin.model.status import Status
from tracetwin.support.minimize import Attempts, first_accepted

_LETTERS = string.ascii_lowercase

MOST_SINGLE = 6
"""Empty values that are filled one by one when they can't be filled together."""

ATTEMPTS = 40
"""Runs spent on one input."""


def with_simpler(
    cases: Sequence[Run], matter: Sequence[Run], execute: Callable[[Assignment], Run | None], *, by_path: bool
) -> list[Run]:
    """Return the cases with simpler ones in the places of those that matter.

    Where runs are told apart `by_path`, those of which the simpler one takes another path stay as well.
    """
    kept = [run for run in cases if any(run is other for other in matter)]
    rest = [run for run in cases if not any(run is other for other in kept)]
    simpler = [replace(enlivened(simplified(run, execute), execute), found=run.found) for run in kept]
    if by_path:
        rest += [run for run, other in zip(kept, simpler, strict=True) if path_of(run) != path_of(other)]
    return simpler + rest


def simplified(run: Run, execute: Callable[[Assignment], Run | None]) -> Run:
    """A run with simpler values that passes the same sides and ends the same way."""
    attempts = Attempts(ATTEMPTS)
    for name in sorted(run.variables, key=lambda name: (name not in run.structural, name)):
        while name in run.variables:
            found = _simpler_run(run, name, execute, attempts)
            if found is None:
                break
            run = found
            if not isinstance(run.values[name], (str, bytes)):  # of others the simplest is tried first
                break
    return run


def _simpler_run(
    run: Run, name: str, execute: Callable[[Assignment], Run | None], attempts: Attempts
) -> Run | None:
    """The run with a simpler value for one variable, None where there is none."""
    home = run.homes.get(name)
    simpler = _simpler(run.values.get(name)) if home is None else _nearer(run.values.get(name), home)

    def tried(value: object) -> Run | None:
        other = execute({**run.values, name: value})
        if other is None:
            attempts.left = 0
        return other if other is not None and attempts.left and _does_the_same(other, run) else None

    return first_accepted(attempts.each(simpler), tried)


def enlivened(run: Run, execute: Callable[[Assignment], Run | None]) -> Run:
    """The run with small distinct numbers and letters where nothing but emptiness was needed.

    Zeros and empty texts hide faults: adding nothing looks like not adding. So 1, 2, 3 and "a" replace them
    wherever the input still passes the same sides and ends the same way.
    """
    empty = [name for name, value in run.values.items() if not value and _can_be_lively(name, run)]
    empty.sort(key=lambda name: isinstance(run.values[name], (str, bytes)))  # numbers matter more
    if not empty:
        return run
    count = len(empty)
    for numbers in (range(1, count + 1), range(count, 0, -1), [1] * count):
        lively = {name: _lively(run.values[name], n) for name, n in zip(empty, numbers, strict=True)}
        other = execute({**run.values, **lively})
        if other is None or _does_the_same(other, run):
            return other or run
    for name in empty[:MOST_SINGLE]:
        if name not in run.values:
            continue  # an earlier call of a mock gave another answer, and this one is not made any more
        other = execute({**run.values, name: _lively(run.values[name], 1)})
        if other is None:
            return run
        if _does_the_same(other, run):
            run = other
    return run


def _can_be_lively(name: str, run: Run) -> bool:
    return name not in {*run.structural, *run.homes} and not isinstance(run.values[name], bool)


def _lively(value: object, number: int) -> object:
    """A small value that is not empty, of the type of `value`."""
    letter = _LETTERS[(number - 1) % len(_LETTERS)]
    if isinstance(value, str):
        return letter
    if isinstance(value, bytes):
        return letter.encode()
    return type(value)(number)  # type: ignore[call-arg]


def shown(run: Run) -> set[object]:
    """Return what a run shows: tests are selected by what came back together with each side."""
    together = [(run.result, side) for side in run.outcomes] if run.status is Status.RETURNED else []
    effects = [("changes", name) for name in run.effects]
    return {*run.outcomes, *run.decisions, *run.checks, run.ending, *together, *effects}


def essential(cases: Iterable[Run], most: int) -> list[Run]:
    """A small set of the cases that shows everything that all of them show (greedy)."""
    left = [(run, shown(run)) for run in cases]
    kept: list[Run] = []
    while left and len(kept) < most:
        run, shows = max(left, key=lambda pair: len(pair[1]))
        if not shows:
            break
        kept.append(run)
        left = [(other, rest - shows) for other, rest in left if other is not run]
    return kept


def _does_the_same(other: Run, run: Run) -> bool:
    return (
        other.ending == run.ending
        and other.outcomes == run.outcomes
        and other.decisions >= run.decisions
        and other.checks >= run.checks
        and other.effects >= run.effects
    )


def _simpler(value: object) -> Iterator[object]:
    """Simpler values of the same type, simplest first."""
    if isinstance(value, bool):
        if value:
            yield False
    elif isinstance(value, int):
        yield from (v for v in (0, 1, 2, 3, 5, 10, 100, -1, -2, -10, value // 2) if _cost(v) < _cost(value))
    elif isinstance(value, float):
        yield from _simpler_float(value)
    elif isinstance(value, str):
        yield from _simpler_text(value)
    elif isinstance(value, bytes):
        for text in _simpler_text(value.decode("latin-1")):
            yield text.encode("latin-1")


def _nearer(value: object, home: object) -> Iterator[object]:
    """Where a value starts, and what is a round step from there; of texts any that is not empty."""
    if isinstance(value, str):
        yield from () if value == home else (home, *(text for text in _simpler(value) if text or not home))
    if type(value) is not type(home) or not isinstance(home, (int, float)):
        return
    distance = abs(value - home)  # type: ignore[operator]
    for step in (0, 1, 10, 60, 100, 3600, 86_400, 31_536_000, 315_360_000):
        if step >= distance:
            return
        yield from (type(home)(home + step), type(home)(home - step))
    if isinstance(value, float) and not value.is_integer():
        yield float(math.floor(value))
        yield float(math.ceil(value))


def _cost(value: int) -> tuple[int, int]:
    """Fewer digits first, then smaller; a sign costs a digit."""
    return (len(str(value)), abs(value))


def _simpler_float(value: float) -> Iterator[float]:
    if not math.isfinite(value):
        yield from (0.0, 1.0, -1.0, 1e9)
        return
    for candidate in (0.0, 1.0, 2.0, 10.0, -1.0, 0.5, 1.5):
        if len(repr(candidate)) <= len(repr(value)) and abs(candidate) < abs(value):
            yield candidate
    if abs(value) < 1e15:
        for digits in (0, 1, 2, 3):
            if len(repr(round(value, digits))) < len(repr(value)):
                yield round(value, digits)


def _simpler_text(value: str) -> Iterator[str]:
    if not value:
        return
    yield ""
    if len(value) > 1:
        yield "a"
        half = len(value) // 2
        if half > 1:
            yield value[:half]
            yield value[half:]
        for place in range(min(len(value), 12)):
            yield value[:place] + value[place + 1 :]
    for place, letter in enumerate(value[:12]):
        plainer = _plainer(letter)
        if plainer != letter:
            yield value[:place] + plainer + value[place + 1 :]


def _plainer(letter: str) -> str:
    """The plainest character of the same kind; a plain one stays."""
    if letter in "a1A ":
        return letter
    if letter.isdigit():
        return "1"
    return "A" if letter.isupper() else "a"
