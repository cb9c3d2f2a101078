"""A suite as it was written, and what is known about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from tracetwin.explore.criteria.base import Raising
from tracetwin.model.case import Case
from tracetwin.model.mutant import Mutant, MutantFate
from tracetwin.model.written_test import Suspect, WrittenTest
from tracetwin.replay.functions import Arc
from tracetwin.replay.static import Coverable
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class Covered:
    """How much of a function, or of the whole file, the written tests cover."""

    lines: frozenset[int]
    covered_lines: frozenset[int]
    branches: frozenset[Arc]
    covered_branches: frozenset[Arc]


@dataclass(frozen=True)
class Suite:
    """A test file and what is known about it.

    Attributes:
        text: the whole file, "" when no test could be written.
        tests: number of tests per function of the target (qualified name).
        written: class, name and case of every test, in the order of the file.
        shown: what each of them covers and notices.
        coverage: per function, by name (the last of it) and by `Function.place`, what the written tests, and
            importing, cover; `""` is the whole file.
        dropped: cases that make no test, and why.
        left_out: parts of what was seen that the tests say nothing about, and why.
        dropped_lines: per function, lines that only dropped cases reach, and why those were dropped.
        disagreements: cases per function that ended otherwise on the original than on the twin.
        first_reached: per function, seconds of its exploration after which a line ran for the first time.
        phases: seconds of replaying, shortening, enriching, verifying and the like.
        mutants: those of the module with what became of them, where a criterion wants them.
        closest: for each mutant that tests run and none notices, by its number, the test that comes closest.
        raised_anywhere: exceptions that cases raised, each with why no test expects it, "" where one does.
        apart: the file of tests that pin what looks like a fault, "" where they are among the others.
        suspicious: these tests, each with the reason; those first that are most likely a fault.
        over: the texts of the files that these are to take the place of, where tests of them stay.
        held: for both files whether those before them have tests that no longer hold.
        by_entry: the cases of each test, by what the list at the end of its file says of it.
        notes: what is to be said of tests that the user has edited.
        regressions: tests of the suite before this one that no longer hold, each with the reason.
        error: why the module could not be imported or read.
        coverable: what there is to cover; None when the file could not be read.
    """

    text: str = ""
    tests: dict[str, int] = field(default_factory=dict)
    written: list[tuple[str, str, Case]] = field(default_factory=list)
    coverage: dict[str, Covered] = field(default_factory=dict)
    dropped: list[tuple[Case, str]] = field(default_factory=list)
    left_out: list[tuple[Case, str]] = field(default_factory=list)
    disagreements: dict[str, int] = field(default_factory=dict)
    dropped_lines: dict[str, dict[int, str]] = field(default_factory=dict)
    error: str | None = None
    coverable: Coverable | None = None
    first_reached: dict[str, dict[int, float]] = field(default_factory=dict)
    phases: dict[str, float] = field(default_factory=dict)
    mutants: Sequence[tuple[Mutant, MutantFate]] = ()
    closest: dict[int, str] = field(default_factory=dict)
    raised: frozenset[Raising] = frozenset()
    raised_anywhere: Mapping[Raising, str] = field(default_factory=dict)
    shown: list[WrittenTest] = field(default_factory=list)
    apart: str = ""
    suspicious: list[Suspect] = field(default_factory=list)
    over: tuple[str, ...] = ()
    held: tuple[bool, ...] = ()
    by_entry: dict[str, tuple[Case, ...]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    regressions: list[tuple[str, str]] = field(default_factory=list)
