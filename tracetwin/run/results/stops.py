"""Stops: exceptions that ended runs of which no test is written, by what is passed or an object holds."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Container, Iterable
from typing import Final

from tracetwin.analysis.entries import WayIn
from tracetwin.analysis.misuse import CLUMSY
from tracetwin.run.results.endings import NO_INPUT
from tracetwin.run.results.places import Places

_PARTS: Final = re.compile(r"([\w.]+)(?: in line (\d+))?(?:: (.*))?", re.DOTALL)
_MISSING: Final = re.compile(r"'(\w+)' object has no attribute '(\w+)'")

STATE: Final = "runs end by what the object holds, whatever is passed: {}"
WITHIN: Final = "runs that come to line {} are ended in it: {}"
GUESSED: Final = "no run goes there but by misuse: a value of a guessed type is refused ({})"


class Stops:
    """Tells why runs that an exception ended make no tests.

    Args:
        places: the functions of the module.
        found: the exceptions with their lines and words, see `tracetwin.explore.loop.run.Run.stop`.
    """

    def __init__(self, places: Places, found: Iterable[Counter[str]]) -> None:
        self._places = places
        self._found = sum(found, Counter[str]())

    def most(self, lines: Container[int] | None = None) -> str:
        """Return the one of this kind that ended most runs, in some lines or anywhere, "" for none."""
        ranked = (stop for stop, _ in self._found.most_common())
        return next((one for one in ranked if _is_clumsy(one) and (not lines or _line(one) in lines)), "")

    def at(self, way: WayIn) -> str:
        """Return why the runs that come to where a way in begins make no tests, "" where nothing is known."""
        around = self._places.around(way.after)
        here = range(way.after, way.last + 1)
        if stop := self.most(here) if around else "":
            return self.told(stop, way.last + 1)
        for called in self._places.reached(_called(around[1], here) if around else ()):
            if stop := self.most(range(called.lineno, (called.end_lineno or called.lineno) + 1)):
                return self.told(stop, way.last + 1)
        return ""

    def told(self, stop: str, line: int) -> str:
        """Return the reason of a line to which only runs came that one ended; of none that came past it."""
        kind, place = stop.partition(":")[0].partition(" in line ")[0], _line(stop)
        found = self._places.around(place or line)
        if found is not None:
            lines = [place] if place else range(found[1].lineno, (found[1].end_lineno or 0) + 1)
            if missing := self._places.not_there(found[1], lines, kind):
                return NO_INPUT.format(missing)
        if place and self._is_own(place, stop):
            return STATE.format(stop)
        before = found is not None and found == self._places.around(line) and place < line
        return WITHIN.format(place, stop) if place and before else GUESSED.format(stop)

    def _is_own(self, place: int, stop: str) -> bool:
        """Return whether what the object holds, and no argument, is to blame for an exception."""
        around, receiver = self._places.around(place), self._places.receiver(place)
        cut = self._places.cut(place)
        if around is None or cut is None or not receiver:
            return False
        read = [ast.unparse(one) for one in ast.walk(around[1]) if getattr(one, "lineno", 0) == place
                and isinstance(one, ast.Attribute)]  # fmt: skip
        missing = _MISSING.search(stop)
        if missing and f"{receiver}.{missing[2]}" in read and missing[1] in around[0].split("."):
            return True
        return cut.near.keys() == {receiver}


def misfits(stops: Iterable[str]) -> list[int]:
    """Return the lines in which exceptions ended runs that the interpreter raises for wrong types."""
    return sorted({_line(stop) for stop in stops if _is_clumsy(stop)} - {0})


def _called(function: ast.AST, lines: range) -> list[str]:
    parts = (one for one in ast.walk(function) if isinstance(one, ast.Call) and one.lineno in lines)
    return [ast.unparse(one.func) for one in parts]


def _line(stop: str) -> int:
    found = _PARTS.match(stop)
    return int(found[2] or 0) if found else 0


def _is_clumsy(stop: str) -> bool:
    found = _PARTS.match(stop)
    return found is not None and found[1] in CLUMSY
