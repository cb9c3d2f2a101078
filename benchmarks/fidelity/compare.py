"""Original and twin, result by result."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

MISSING = "not run"


@dataclass
class Run:
    """What one child process reported.

    Attributes:
        outcomes: outcome of each test by its id.
        details: tracebacks and reasons, by id.
        seconds: time in the tests themselves.
        twins: per module loaded as a twin: why it is untouched, if it is, sites passed, sites there are.
        ended: empty, or how the process ended before its time, and in which test.
    """

    outcomes: dict[str, str] = field(default_factory=dict)
    details: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    twins: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    ended: str = ""


def read(file: Path, ended: str) -> Run:
    """The results in a child's file, also if it did not get to its end."""
    run = Run()
    last = "nothing"
    finished = False
    for line in file.read_text(encoding="ascii").splitlines() if file.exists() else ():
        parts: tuple[Any, ...] = ast.literal_eval(line)
        match parts:
            case ("start", name):
                last = name
            case ("test", name, outcome, seconds, details):
                run.outcomes[name] = outcome
                run.details[name] = details
                run.seconds += seconds
            case ("twin", name, untouched, reached, sites):
                run.twins[name] = (untouched, reached, sites)
            case ("end",):
                finished = True
            case _:
                raise ValueError(f"{file} has a line of no known kind: {line}")
    if ended or not finished:
        run.ended = f"{ended or 'stopped'} after {last}"
    return run


@dataclass
class Comparison:
    """One module in one interpreter.

    Attributes:
        module: the module as a person names it.
        version: of the interpreter, as in `3.11.7`.
        original: the run on the original.
        twin: the run on the twin.
        unstable: tests that differ between two runs of the original.
    """

    module: str
    version: str
    original: Run
    twin: Run
    unstable: set[str]

    @property
    def different(self) -> dict[str, tuple[str, str]]:
        """Outcomes on original and twin of the tests that do not agree, the unstable ones left out."""
        found = differing(self.original.outcomes, self.twin.outcomes)
        return {name: pair for name, pair in found.items() if name not in self.unstable}

    @property
    def same(self) -> int:
        """How many tests have the same outcome."""
        return sum(1 for name in self.original.outcomes if name not in self.different)

    @property
    def passing(self) -> int:
        """How many tests pass on the original."""
        return sum(1 for outcome in self.original.outcomes.values() if outcome == "ok")

    @property
    def faults(self) -> list[str]:
        """Why the figures cannot be trusted, whatever they say."""
        found = []
        if self.original.ended:
            found.append(f"original {self.original.ended}")
        if self.twin.ended:
            found.append(f"twin {self.twin.ended}")
        if not self.original.outcomes:
            found.append("no tests")
        found.extend(f"{name} untouched: {why}" for name, (why, *_) in self.twin.twins.items() if why)
        if not any(reached for _, reached, _ in self.twin.twins.values()):
            found.append("no twin was executed")
        return found


def differing(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """Both outcomes of each test that does not have the same in both."""
    names: Iterable[str] = dict.fromkeys([*before, *after])
    pairs = {name: (before.get(name, MISSING), after.get(name, MISSING)) for name in names}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
