"""How runs ended before they came to a line, in words: limits, refusals, exceptions."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from tracetwin.analysis.entries import WayIn
from tracetwin.analysis.guards import within
from tracetwin.analysis.outside import reads_command_line
from tracetwin.explore.criteria.base import Raising
from tracetwin.explore.loop.run import PREPARING
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.status import LIMITS, Status
from tracetwin.process.walls.acts import act_of
from tracetwin.run.results.places import Places
from tracetwin.support.text import count, listed

NO_INPUT: Final = "no input leads past what the code asks for: {}"
"""The reason where that is not there, whatever is passed."""

NOT_INSTALLED: Final = "line {} imports {}, which is not installed"
"""The reason behind an import that fails."""

MOST_KINDS: Final = 3
"""Kinds of exceptions that are named."""


class RunEnds:
    """Tells why runs that come to a statement do not get past it.

    Args:
        places: the functions of the module.
        raised: the exceptions that were seen leaving calls.
    """

    def __init__(self, places: Places, raised: Iterable[Raising]) -> None:
        self._places = places
        self._kinds: dict[int, list[str]] = {}
        for one in sorted(raised):
            if one.kind not in (known := self._kinds.setdefault(one.line, [])):
                known.append(one.kind)

    def at(self, way: WayIn, passed: Collection[int]) -> str:
        """Return what ends the runs that come to where a way in begins, "" where no exception was seen.

        Args:
            way: that way.
            passed: lines that are run.
        """
        around = self._places.around(way.after)
        if around is None:
            return ""
        parts = [one for one in ast.walk(around[1]) if _is_within(one, way)]
        here = range(way.after, way.last + 1)
        kinds, inside = self._raised(here), ""
        if kinds == [ModuleNotFoundError.__name__] and (asked := _imported(around[1], way.after)):
            return NOT_INSTALLED.format(way.after, asked)
        if len(kinds) == 1 and (missing := self._places.not_there(around[1], here, kinds[0])):
            return NO_INPUT.format(missing)
        if not kinds:
            names = [ast.unparse(one.func) for one in parts if isinstance(one, ast.Call)]
            for called in self._places.reached(names):
                if kinds := self._raised(range(called.lineno, (called.end_lineno or called.lineno) + 1)):
                    inside = f" in {called.name}"
                    break
        if kinds:
            asked = "; the command line (sys.argv) decides it" if reads_command_line(parts) else ""
            told = listed(kinds[:MOST_KINDS]).replace(" and ", " or ")
            return f"every run that comes to line {way.after} ends there{inside}: {told}{asked}"
        if any(isinstance(one, (ast.Yield, ast.YieldFrom)) for one in parts):
            return f"no run asks for what comes after the yield in line {way.after}"
        tries = (one for one in ast.walk(around[1]) if isinstance(one, ast.Try))
        caught = (one for part in tries if within(part.body, way.after) for one in part.handlers)
        if handler := next((one for one in caught if one.body[0].lineno in passed), None):
            told = f"every run that comes to line {way.after} goes on in the handler of line {handler.lineno}"
            return f"{told}: {ast.unparse(handler.type)}" if handler.type else told
        return ""

    def _raised(self, lines: range) -> list[str]:
        return list(dict.fromkeys(kind for at in lines for kind in self._kinds.get(at, ())))


def _is_within(node: ast.AST, way: WayIn) -> bool:
    return way.after <= getattr(node, "lineno", 0) <= way.last


def ended(outcome: ExplorationOutcome) -> str:
    """Return how all runs ended before the target did anything, "" where one on any object came further."""
    if outcome.cases or outcome.covered:
        return ""
    for beginning, words in _ENDINGS.items():
        if outcome.endings and all(ending.startswith(beginning) for ending in outcome.endings):
            ending, times = next(iter(outcome.endings.items()))
            first = ending.removeprefix(beginning).strip().removeprefix("was ")
            runs = sum(outcome.endings.values())
            often = f"all {count(runs, 'run')}" if times == runs > 1 else f"{times} of {count(runs, 'run')}"
            return f"{words}{first} (in {often}, no run got further)" if first else words
    return ""


def cut_short(outcome: ExplorationOutcome) -> str:
    """Return what kept runs from coming further, or ""."""
    return ended(outcome) or refused(outcome) or broken_off(outcome)


def broken_off(outcome: ExplorationOutcome, before: range = range(0)) -> str:
    """Why runs were given up of which nobody knows how far they would have come, or "".

    Those that were in some lines `before` do not count, as others came past these.
    """
    for cause, _ in causes(outcome):
        place = _PLACE.search(cause)
        if place is None or int(place[1]) not in before:
            return f"runs that may lead here were given up: {cause}"
    return ""


_PLACE: Final = re.compile(r" in line (\d+)$")


def refused(outcome: ExplorationOutcome) -> str:
    """Return the refusals of the walls before runs could come to the line, or ""."""
    acts = {act_of(event): None for event, _, word in sorted(outcome.statistics.refused) if word != PREPARING}
    return f"refused before it is reached: to {listed(list(acts))}" if acts else ""


_GIVEN_UP: Final = "every run was given up: "
_ENDINGS = {
    Status.SETUP: "argument could not be built: ",
    Status.UNFIT: "no input was found that keeps the preconditions",
    **dict.fromkeys(LIMITS, _GIVEN_UP),
}
"""How all runs of a target may have ended before it did anything, and how that is said."""


def causes(outcome: ExplorationOutcome) -> list[tuple[str, int]]:
    """Why runs of a target were given up, each with how often."""
    found = sorted(outcome.endings.items())
    return [(_cause(ending), times) for ending, times in found if ending.partition(" ")[0] in LIMITS]


def sentences(outcome: ExplorationOutcome) -> Iterator[str]:
    """One sentence per cause, and what followed from it."""
    runs = outcome.statistics.runs
    for cause, times in causes(outcome):
        yield f"{times} of its {runs} runs {'was' if times == 1 else 'were'} given up: {cause}"
    if struck := outcome.statistics.strikes.sentence():
        yield struck


def _cause(ending: str) -> str:
    status, _, detail = ending.partition(" ")
    return detail.removeprefix("was ") or status


def _imported(function: ast.AST, line: int) -> str:
    """Return the package that a statement on a line of a function imports, "" where it imports none."""
    for one in ast.walk(function):
        if isinstance(one, ast.Import) and one.lineno == line:
            return one.names[0].name.partition(".")[0]
        if isinstance(one, ast.ImportFrom) and one.lineno == line and not one.level:
            return (one.module or "").partition(".")[0]
    return ""
