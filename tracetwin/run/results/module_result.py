"""The results of a run: per function and per module, narrowed to what was selected, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tracetwin.emit.result import Covered
from tracetwin.explore.criteria.base import criteria_named, details
from tracetwin.model.goal import Goal, Uncovered
from tracetwin.model.timeline import Gain, LogEntry, SlowQuestion, Span
from tracetwin.model.tree import DrawnTree
from tracetwin.model.written_test import Suspect, WrittenTest, met_alone
from tracetwin.run.results.gain import together
from tracetwin.run.results.refusals import Refusal
from tracetwin.support.data import dataclass
from tracetwin.support.failures import Failure
from tracetwin.target.module import Boundary

if TYPE_CHECKING:
    from tracetwin.emit.result import Suite
    from tracetwin.model.invokable import Invokable
    from tracetwin.replay.functions import SourceFunction


def narrowed(suite: Suite, selection: Sequence[str], invokables: Iterable[Invokable]) -> Suite:
    """Return a suite whose coverage of the module is that of what was selected."""
    if not selection or suite.coverable is None:
        return suite
    places = (suite.coverage.get(one.place) for one in _selected(suite, selection, invokables))
    parts = [part for part in places if part is not None]
    whole = Covered(
        frozenset(line for part in parts for line in part.lines),
        frozenset(line for part in parts for line in part.covered_lines),
        frozenset(arc for part in parts for arc in part.branches),
        frozenset(arc for part in parts for arc in part.covered_branches),
    )
    return replace(suite, coverage={**suite.coverage, "": whole})


def goals_within(
    goals: Iterable[Goal], suite: Suite, selection: Sequence[str], invokables: Iterable[Invokable]
) -> list[Goal]:
    """Return the goals that lie in what was selected."""
    if not selection or suite.coverable is None:
        return list(goals)
    spans = [(one.first_line, one.last_line) for one in _selected(suite, selection, invokables)]
    return [goal for goal in goals if any(first <= goal.line <= last for first, last in spans)]


def _selected(
    suite: Suite, selection: Sequence[str], invokables: Iterable[Invokable]
) -> Iterator[SourceFunction]:
    """Yield the functions that were selected, with all that is defined in them."""
    # One that a class inherits has the name of its base in the source; it is known by where it is.
    firsts = {one.first_line for one in invokables}
    for function in suite.coverable.functions if suite.coverable else ():
        within = any(f"{function.qualname}.".startswith(f"{name}.") for name in selection)
        if within or any(function.first_line <= first <= function.last_line for first in firsts):
            yield function


SCHEMA_VERSION: Final = 1
"""Raised whenever a field of the JSON changes its meaning or goes; new fields don't raise it."""

COUNTS: Final = (
    "lines",
    "covered_lines",
    "branches",
    "covered_branches",
    "tests",
    "runs",
    "queries",
    "divergences",
)
"""The counted fields that functions, modules and the total share, in the order of the JSON."""


@dataclass
class FunctionResult:
    """The coverage and the figures of one function or method.

    Attributes:
        qualname: dotted name inside the module, `Class.method`.
        first_line: where its definition starts.
        lines: executable lines.
        branches: outcomes of conditional jumps, as coverage.py counts them.
        tests: tests written that call it as their target.
        queries: questions put to the solver.
        divergences: runs that did not take the promised path, and infeasible paths that happened.
        seconds: wall-clock time spent on it.
        notes: what else the user should know, one sentence each.
        given_up: why runs of it were given up, one sentence each.
        ended: how the search for its inputs ended, "" where there was none.
        misfits: the lines in which values of types that do not fit ended runs.
    """

    qualname: str
    first_line: int
    lines: int = 0
    covered_lines: int = 0
    branches: int = 0
    covered_branches: int = 0
    tests: int = 0
    runs: int = 0
    queries: int = 0
    divergences: int = 0
    seconds: float = 0.0
    uncovered: list[Uncovered] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    given_up: list[str] = field(default_factory=list)
    ended: str = ""
    misfits: list[int] = field(default_factory=list)


@dataclass
class ModuleResult:
    """The coverage and the figures of one module; its counts are the module's own, not sums over `functions`.

    Attributes:
        name: dotted name.
        functions: one entry per function or method explored.
        test_file: the written file, or None when there was nothing to write.
        error: why nothing could be generated, or None.
        empty: whether that is because there is nothing in it that a test could call.
        uncovered: the lines not reached in the whole module.
        outside: why it was explored from outside only, without symbolic reasoning; None where it was traced.
        wheels: the wheels that its tests import from.
        unpacked: whether those can be imported from only when they are installed.
        stats: further figures by name, JSON-able.
        options: what the user asked for, as far as it bounds the work, as plain data.
        goals: what each criterion wanted covered, and what became of it.
        suspicious: tests that pin what looks like a fault, each with the reason.
        unkept: a sentence for each exception that a docstring promises and no run raised.
        suspicious_file: the file that holds them, None where they are among the others.
        regressions: tests of the earlier suite that no longer hold, each with the reason.
        selected: whether it is of some functions only, and so are its figures.
        unchanged: whether nothing has changed since an earlier run, whose result this is.
        cases: the written tests with what each of them covers.
        trees: constraint trees of functions, where they are wanted.
        theirs: how many tests of the user's there are that these complement; 0 where that is not asked.
        curve: what its runs had reached at each time.
        digests: checksums (SHA-256) of the source and of the tests, as they were then.
        spans: what processes did for it, and when.
        slowest: what took z3 longest.
        classes: what is known of its classes, as plain data, where that is wanted.
        refusals: what the walls refused to its import and its functions.
        failures: errors that are not the target's: of tracetwin, or of the system.
    """

    name: str
    file: str
    functions: list[FunctionResult] = field(default_factory=list)
    test_file: Path | None = None
    error: str | None = None
    empty: bool = False
    seconds: float = 0.0
    lines: int = 0
    covered_lines: int = 0
    branches: int = 0
    covered_branches: int = 0
    tests: int = 0
    runs: int = 0
    queries: int = 0
    divergences: int = 0
    uncovered: list[Uncovered] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    stats: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    outside: str | None = None
    wheels: list[str] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    suspicious: list[Suspect] = field(default_factory=list)
    suspicious_file: Path | None = None
    unkept: list[str] = field(default_factory=list)
    regressions: list[tuple[str, str]] = field(default_factory=list)
    unchanged: bool = False
    selected: bool = False
    cases: list[WrittenTest] = field(default_factory=list)
    trees: dict[str, DrawnTree] = field(default_factory=dict)
    curve: list[Gain] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    theirs: int = 0
    unpacked: bool = False
    spans: list[Span] = field(default_factory=list)
    slowest: list[SlowQuestion] = field(default_factory=list)
    classes: list[dict[str, Any]] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def to_json(
    modules: Iterable[ModuleResult],
    boundaries: Iterable[Boundary] = (),
    *,
    errors: Iterable[str] = (),
    notes: Iterable[str] = (),
    log: Iterable[LogEntry] = (),
) -> dict[str, Any]:
    """The results as plain data for `json.dump`; docs/reference.md describes the fields."""
    listed = list(modules)
    total: dict[str, Any] = {name: sum(getattr(module, name) for module in listed) for name in COUNTS}
    total["seconds"] = round(sum(module.seconds for module in listed), 3)
    return {
        "schema": SCHEMA_VERSION,
        "modules": [_module(module) for module in listed],
        "boundaries": [asdict(boundary) for boundary in sorted(set(boundaries))],
        "errors": list(errors),
        "notes": list(notes),
        "log": [entry.to_plain() for entry in log],
        "total": total,
        "curve": [gain.to_plain() for gain in together(module.curve for module in listed)],
    }


def _module(module: ModuleResult) -> dict[str, Any]:
    return {
        "name": module.name,
        "file": module.file,
        "test_file": None if module.test_file is None else str(module.test_file),
        "error": module.error,
        "empty": module.empty,
        "outside": module.outside,
        "wheels": module.wheels,
        "unpacked": module.unpacked,
        **_figures(module),
        "stats": module.stats,
        "options": module.options,
        "goals": [goal.to_plain() for goal in module.goals],
        **_listed_goals(module),
        "cases": [
            {**case.to_plain(), "alone": alone.to_plain()}
            for case, alone in zip(module.cases, met_alone(module.cases), strict=True)
        ],
        "trees": {name: tree.to_plain() for name, tree in module.trees.items()},
        "spans": [span.to_plain() for span in module.spans],
        "slowest": [question.to_plain() for question in module.slowest],
        "classes": module.classes,
        "curve": [gain.to_plain() for gain in module.curve],
        "digests": module.digests,
        "suspicious": [one._asdict() for one in module.suspicious],
        "unkept": module.unkept,
        "suspicious_file": None if module.suspicious_file is None else str(module.suspicious_file),
        "regressions": [{"test": test, "why": why} for test, why in module.regressions],
        "unchanged": module.unchanged,
        "selected": module.selected,
        "theirs": module.theirs,
        "failures": [_failure(failure) for failure in module.failures],
        "refusals": [refusal.to_plain() for refusal in module.refusals],
        "functions": [
            {
                "name": function.qualname,
                "first_line": function.first_line,
                "ended": function.ended,
                "misfits": function.misfits,
                **_figures(function),
            }
            for function in module.functions
        ],
    }


def _listed_goals(module: ModuleResult) -> dict[str, Any]:
    """Return what criteria tell of their goals, in the lists that they have in a module's JSON."""
    found: dict[str, list[Any]] = {"pairs": []}  # which has been there since the first schema
    for criterion in criteria_named(dict.fromkeys(goal.criterion for goal in module.goals)):
        if criterion.listed_as:
            found[criterion.listed_as] = [dict(one) for one in details(criterion, module.goals)]
    return found


def _failure(failure: Failure) -> dict[str, Any]:
    return {
        "sentence": failure.sentence, "internal": failure.internal, "traceback": failure.details
    }  # fmt: skip


def _missed(miss: Uncovered) -> dict[str, Any]:
    plain: dict[str, Any] = {"line": miss.line, "reason": miss.reason}
    more = {"function": miss.function or None, "at": miss.at or None, "way": miss.way}
    return {**plain, **{name: value for name, value in more.items() if value is not None}}


def _figures(result: ModuleResult | FunctionResult) -> dict[str, Any]:
    return {
        **{name: getattr(result, name) for name in COUNTS},
        "seconds": round(result.seconds, 3),
        "uncovered": [_missed(miss) for miss in sorted(result.uncovered)],
        "notes": [*result.notes, *(result.given_up if isinstance(result, FunctionResult) else ())],
    }
