"""Dependence of gaps on others: lines that no test runs before it runs lines of another function."""

from __future__ import annotations

import re
from typing import Final

from tracetwin.report.outside_names import OutsideNames
from tracetwin.report.result import Module
from tracetwin.run.results.making import Making
from tracetwin.run.results.places import Places
from tracetwin.support.data import dataclass

_ENDING: Final = re.compile(r"line (\d+) ends there in (\w+):")
_OF_STATE: Final = ("no sequence of calls", "what the object holds", "ends there", "are ended in it")
"""Words of reasons that may be about an attribute which nothing has set."""

_MAKING: Final = ("__init__", "__new__", "__post_init__")


@dataclass(frozen=True)
class Prerequisite:
    """A missed line that has to be run first, and why."""

    line: int
    words: str


class Dependence:
    """Finds out which lines of other functions the missed lines of one module wait for."""

    def __init__(self, module: Module, places: Places, names: OutsideNames, making: Making) -> None:
        self._missed = frozenset(miss.line for miss in module.misses)
        self._places = places
        self._names = names
        self._making = making

    def of(self, line: int, reason: str) -> Prerequisite | None:
        """Return what runs that come to a line wait for there, None where nothing is known."""
        return self._ended(reason) or self._unset(line, reason)

    def _ended(self, reason: str) -> Prerequisite | None:
        """A function in which every run ends, and which has lines that none comes to."""
        found = _ENDING.search(reason)
        for function in self._places.named(found[2]) if found else ():
            inside = range(function.lineno, (function.end_lineno or 0) + 1)
            missed = [line for line in inside if line in self._missed]
            if missed and found and int(found[1]) not in inside:
                told = f"every run ends in `{function.name}`, and none comes to line {missed[0]} there"
                return Prerequisite(missed[0], told)
        return None

    def _unset(self, line: int, reason: str) -> Prerequisite | None:
        """The lines that alone set an attribute which is looked at."""
        if not any(words in reason for words in _OF_STATE):
            return None
        stopped = re.search(r"holds.* in line (\d+)", reason)
        at = int(stopped[1]) if stopped else line
        around = self._places.around(at)
        if around is None or self._making.deciding(at).made_with:
            return None
        owner = self._names.owner(around[0])
        for field in self._names.fields_at(around[1], at):
            setters = self._names.setters(owner, field)
            later = [(name, at) for name, at in setters if name.rpartition(".")[2] not in _MAKING]
            if later and all(at in self._missed for _, at in later) and not self._is_in(line, later[0][0]):
                name, first = later[0]
                told = f"`{field}` is set in line {first}, in `{name}`, which no test runs"
                return Prerequisite(first, told)
        return None

    def _is_in(self, line: int, function: str) -> bool:
        around = self._places.around(line)
        return around is not None and around[0] == function
