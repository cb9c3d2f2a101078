"""Puts the result of a module together: figures per function, reasons for uncovered lines, the file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from tracetwin.drawing.rules.call_patterns import Permits
from tracetwin.explore.criteria.base import ModuleText, Raising, SuiteCoverage, criteria_named
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.goal import Goal
from tracetwin.model.invokable import Invokable
from tracetwin.model.met import Met
from tracetwin.model.timeline import SlowQuestion, Span
from tracetwin.model.tree import DrawnTree, share_of_nodes
from tracetwin.model.written_test import SettledNames
from tracetwin.run.results.chains import linked
from tracetwin.run.results.earlier import reasons_of_before
from tracetwin.run.results.endings import sentences
from tracetwin.run.results.explaining import Explaining
from tracetwin.run.results.gain import GainCurve, thinned
from tracetwin.run.results.module_result import FunctionResult, ModuleResult, goals_within, narrowed
from tracetwin.run.results.outside_reasons import OutsideReasons
from tracetwin.run.results.reasons import Reasons
from tracetwin.run.results.refusals import Refusal, of_functions
from tracetwin.run.results.stops import misfits
from tracetwin.run.results.unkept import unkept
from tracetwin.support.failures import Failure
from tracetwin.support.text import call_at
from tracetwin.target.wheels.archive import bytes_of
from tracetwin.target.wheels.unpacking import wheels_of

if TYPE_CHECKING:
    from tracetwin.emit.result import Covered, Suite
    from tracetwin.model.options import Options
    from tracetwin.replay.functions import SourceFunction
    from tracetwin.target.selection import TargetModule


MOST_SLOW: Final = 20
"""Questions of a module that took z3 longest, as they are shown."""


class ExploredModule(Protocol):
    """The state of a module when its suite is built."""

    module: TargetModule
    invokables: dict[str, Invokable]
    outcomes: dict[str, ExplorationOutcome]
    sites: tuple[Any, ...]
    solvers: dict[str, dict[str, Any]]
    notes: list[str]
    spans: list[Span]
    slowest: dict[str, tuple[SlowQuestion, ...]]
    refused: list[Refusal]
    failures: list[Failure]
    curve: GainCurve
    unpacked: tuple[TargetModule, TargetModule] | None
    settled: SettledNames
    before: ModuleResult | None

    @property
    def elapsed(self) -> float:
        """Seconds since it was begun."""


_EXPLORED: Final = "every path was explored"
_TRIED: Final = "nothing was left to try"
_TAKEN: Final = "every side of a condition was taken"
_USED_UP: Final = "time or runs were used up"
"""How the search for inputs of a function ended; that of which lines are missing has not seen every path."""


def failed(module: TargetModule, sentence: str, seconds: float = 0.0) -> ModuleResult:
    """The result of a module for which nothing can be written."""
    return ModuleResult(module.name, module.file, error=sentence, seconds=seconds)


def write_suite(place: Path, suite: Suite, result: ModuleResult, *, accept: bool = False) -> str:
    """Write the files of tests and say in the result where they are; nothing where there is no test.

    Returns:
        What the user should know now, as a sentence, or "".

    Raises:
        OSError: one can't be written.
    """
    from tracetwin.emit.beside import remove_tests, write_tests
    from tracetwin.emit.file_names import places_of

    result.suspicious = suite.suspicious
    said: list[str] = []
    files: list[Path | None] = []
    both = ("", "")
    parts = zip((suite.text, suite.apart), suite.over or both, suite.held or both, strict=True)
    for file, (text, over, held) in zip(places_of(place), parts, strict=True):
        files.append(None)
        keep = "has tests that no longer hold" if held and not accept else ""
        if text:
            written = write_tests(file, text, keep, over)
            files[-1] = written.path
            said += filter(None, [written.message])
        elif suite.text and not keep:
            remove_tests(file)  # an earlier suite had some; in this one there are none
    result.suspicious_file = files[1]
    result.test_file = files[0] or files[1]
    if result.test_file is not None:
        result.digests = digests(result.file, result.test_file)
    result.notes += said
    return " ".join(said)


def digests(source: str, tests: Path) -> dict[str, str]:
    """Return the checksums of files that a report will show, of those that can be read."""
    found: dict[str, str] = {}
    for name, place in (("source", Path(source)), ("tests", tests)):
        with suppress(OSError):
            found[name] = hashlib.sha256(bytes_of(place)).hexdigest()
    return found


def assemble(state: ExploredModule, suite: Suite, text: ModuleText, options: Options) -> ModuleResult:
    """The result of a module whose suite was built."""
    selection, chosen = state.module.selection, state.invokables.values()
    suite = narrowed(suite, selection, chosen)
    result = ModuleResult(state.module.name, state.module.file, seconds=state.elapsed)
    result.selected = bool(selection)
    result.outside = state.module.outside or None
    result.wheels, result.unpacked = wheels_of(state.module), state.unpacked is not None
    result.error = suite.error
    result.notes = [*state.notes, *suite.notes, *_dropped_notes(suite)]
    explored = [
        (i, state.outcomes[i.qualname]) for i in state.invokables.values() if i.qualname in state.outcomes
    ]
    permits = Permits(state.module.rules)
    dropped = _dropped_lines(state, suite)
    known = Reasons(
        text.tree, state.sites, explored, dropped,
        lambda qualname: not permits.permits(state.module.name, qualname),
        suite.coverage[""].covered_lines if "" in suite.coverage else (), state.module.name,
        suite.raised_anywhere, options.max_runs is not None, _dropped_sides(suite),
        {line for lines in suite.first_reached.values() for line in lines},
    )  # fmt: skip
    known.take_over(*reasons_of_before(state))
    if state.module.outside:
        known = OutsideReasons(_functions(suite), explored, dropped)
    reasons = Explaining(known)
    for invokable in state.invokables.values():
        outcome = state.outcomes.get(invokable.qualname)
        function = _function(invokable, outcome, suite, reasons, state.module.name)
        result.functions.append(function)
    refused = ((invokable, outcome.statistics.refused) for invokable, outcome in explored)
    result.refusals = [*state.refused, *of_functions(refused)]
    result.failures = list(state.failures)
    _sum_up(result, state, suite, reasons)
    found = [goal for _, outcome in explored for goal in outcome.goals]
    written = _written(state, suite, reasons, result, text, found)
    result.cases = suite.shown
    result.regressions, result.suspicious = suite.regressions, suite.suspicious
    result.unkept = unkept(suite)
    if suite.coverable is not None and suite.coverable.met is not None:
        result.theirs = suite.coverable.met.tests
    result.trees = dict(_trees(state))
    result.spans = state.spans
    slow = (question for questions in state.slowest.values() for question in questions)
    result.slowest = sorted(slow, key=lambda question: -question.seconds)[:MOST_SLOW]
    result.curve = thinned(state.curve.points)
    goals = (goal for criterion in criteria_named(options.criteria) for goal in criterion.report(written))
    result.goals = goals_within(goals, suite, selection, chosen)
    result.failures += reasons.failures.values()
    return result


def _functions(suite: Suite) -> Sequence[SourceFunction]:
    return suite.coverable.functions if suite.coverable else ()


def _dropped_lines(state: ExploredModule, suite: Suite) -> dict[str, dict[int, str]]:
    """Return for each function the lines that runs came to of which no test could be made, and why."""
    lines = {site.id: site.line for site in state.sites}
    found = {name: dict(known) for name, known in suite.dropped_lines.items()}
    begins = {one.qualname: min(one.lines) for one in _functions(suite) if one.lines}
    for case, why in suite.dropped:
        known = found.setdefault(case.target, {})
        if case.target in begins:  # its run came there, whether or not it was replayed
            known.setdefault(begins[case.target], why)
        for side in case.shows:  # which are known of those, too, that were not replayed
            if isinstance(side, int) and side >> 1 in lines:
                known.setdefault(lines[side >> 1], why)
    return found


def _dropped_sides(suite: Suite) -> dict[int, str]:
    """Return the sides of conditions that cases show of which no test could be made, and why."""
    found: dict[int, str] = {}
    for case, why in suite.dropped:
        for side in case.shows:
            if isinstance(side, int):
                found.setdefault(side, why)
    return found


def _trees(state: ExploredModule) -> Iterator[tuple[str, DrawnTree]]:
    """The constraint trees that were asked for, with the lines of their conditions."""
    sites = {site.id: (site.line, site.scope) for site in state.sites}
    trees = {name: found.tree for name, found in state.outcomes.items() if found.tree and found.tree.nodes}
    for name, whole in trees.items():
        tree = whole.first(share_of_nodes(len(trees)))
        placed = ((node, *sites.get(node.site, (0, ""))) for node in tree.nodes)
        nodes = tuple(replace(node, line=line, function=scope) for node, line, scope in placed)
        yield name, replace(tree, nodes=nodes)


def _written(
    state: ExploredModule,
    suite: Suite,
    reasons: Explaining,
    result: ModuleResult,
    text: ModuleText,
    found: Sequence[Goal],
) -> SuiteCoverage:
    """Return the coverage and the reasons that criteria report from."""
    whole = suite.coverage.get("")
    met = suite.coverable.met if suite.coverable else None
    met = met or Met()
    missed = {miss.line: miss.reason for miss in result.uncovered}

    def explored(line: int) -> tuple[Invokable | None, ExplorationOutcome | None]:
        invokable = _around(state.invokables, line)
        return invokable, state.outcomes.get(invokable.qualname) if invokable else None

    return SuiteCoverage(
        text,
        whole.lines if whole else (),
        whole.covered_lines if whole else (),
        whole.branches if whole else (),
        whole.covered_branches if whole else (),
        lambda line: missed.get(line, ""),
        lambda line, way: reasons.explain_side(line, way, *explored(line)),
        reasons.function,
        found,
        suite.mutants,
        state.sites,
        {*met.shown, *(entry for *_, case in suite.written for entry in case.shows)},
        {entry for outcome in state.outcomes.values() for case in outcome.cases for entry in case.shows},
        suite.raised | {Raising.of(name, place, at) for name, _, place, at in met.endings if place},
        suite.raised_anywhere,
        lambda site, outcome: _why_site(state, site, outcome),
        suite.closest,
        lambda line: reasons.rest(explored(line)[1]),
    )


def _why_site(state: ExploredModule, site: int, outcome: int) -> str:
    """Return why no run took a side; "" where nothing is known of it."""
    fates = (found.fates.get((site, outcome)) for found in state.outcomes.values())
    return next((fate[0].value for fate in fates if fate is not None), "")


def _function(
    invokable: Invokable, outcome: ExplorationOutcome | None, suite: Suite, reasons: Explaining, module: str
) -> FunctionResult:
    function = FunctionResult(invokable.qualname, invokable.first_line)
    covered = _coverage(suite, invokable)
    if covered is not None:
        _count(function, covered)
        for line in sorted(covered.lines - covered.covered_lines):
            function.uncovered.append(reasons.explain(line, invokable, outcome))
    function.tests = suite.tests.get(invokable.qualname, 0)
    if invokable.problem:
        function.notes.append(invokable.problem)
    if outcome is not None:
        statistics = outcome.statistics
        function.runs, function.queries = statistics.runs, statistics.queries
        function.divergences, function.seconds = statistics.divergences, outcome.seconds
        function.divergences += suite.disagreements.get(invokable.qualname, 0)
        function.notes.extend(_outcome_notes(outcome, module))
        proved = all(miss.reason.startswith("infeasible") for miss in function.uncovered)
        closed = outcome.exhausted and proved
        over = _TRIED if outcome.tried else _TAKEN if outcome.complete else _USED_UP
        function.ended = _EXPLORED if closed else over
        function.given_up.extend(sentences(outcome))
        function.misfits = misfits(statistics.stops)
    return function


def _coverage(suite: Suite, invokable: Invokable) -> Covered | None:
    """Return the coverage of an invokable; a constructor is its `__init__`."""
    name = invokable.qualname.removesuffix(".setter").removesuffix(".deleter")
    for candidate in (name, f"{name}.__init__", f"{name}.__new__", f"{name}.__post_init__"):
        for function in _functions(suite):
            # Several can have one name: what a property does, or the definitions under `if` and `else`.
            if function.qualname == candidate and _is_at(function, invokable.first_line):
                return suite.coverage.get(function.place)
        found = suite.coverage.get(candidate)
        if found is not None:
            return found
    return next((suite.coverage.get(one.place) for one in _inherited(suite, invokable)), None)


def _inherited(suite: Suite, invokable: Invokable) -> Iterator[SourceFunction]:
    """Yield the function of a base of the same module that is called through a class that inherits it."""
    name = invokable.qualname.removesuffix(".setter").removesuffix(".deleter").rpartition(".")[2]
    for function in _functions(suite):
        if function.qualname.rpartition(".")[2] == name and _is_at(function, invokable.first_line):
            yield function


def _is_at(function: SourceFunction, line: int) -> bool:
    return function.first_line <= line <= function.last_line


def _count(result: FunctionResult | ModuleResult, covered: Covered) -> None:
    result.lines, result.covered_lines = len(covered.lines), len(covered.covered_lines)
    result.branches, result.covered_branches = len(covered.branches), len(covered.covered_branches)


def _outcome_notes(outcome: ExplorationOutcome, module: str) -> list[str]:
    notes = list(outcome.statistics.notes)
    losses = sorted(outcome.statistics.losses)
    return [*notes, *(f"values were lost at a call of {call_at(*loss, module)}" for loss in losses)]


def _dropped_notes(suite: Suite) -> list[str]:
    """One sentence per reason why a case made no test."""
    by_reason: dict[str, set[str]] = {}
    for case, reason in suite.dropped:
        by_reason.setdefault(reason, set()).add(case.target)
    return [
        f"no test was written for some inputs of {_listed(names)}: {reason}"
        for reason, names in by_reason.items()
    ]


def _listed(names: Iterable[str]) -> str:
    ordered = sorted(names)
    return ", ".join(ordered[:3]) + (f" and {len(ordered) - 3} more" if len(ordered) > 3 else "")


def _sum_up(result: ModuleResult, state: ExploredModule, suite: Suite, reasons: Explaining) -> None:
    whole = suite.coverage.get("")
    if whole is not None:
        _count(result, whole)
        for line in sorted(whole.lines - whole.covered_lines):
            invokable = _around(state.invokables, line)
            outcome = state.outcomes.get(invokable.qualname) if invokable else None
            result.uncovered.append(reasons.explain(line, invokable, outcome))
    found = list(result.uncovered)
    parts: list[ModuleResult | FunctionResult] = [result, *result.functions]
    for part in parts:
        part.uncovered = linked(part.uncovered, found)
    for function in result.functions:
        result.tests += function.tests
        result.runs += function.runs
        result.queries += function.queries
        result.divergences += function.divergences
    if not result.selected:  # of functions that are no targets, or of which nobody knows
        result.tests += sum(n for name, n in suite.tests.items() if name not in state.invokables)
    result.stats["exploration_seconds"] = round(sum(f.seconds for f in result.functions), 3)
    result.stats["phases"] = _plain(suite.phases)
    result.stats["first_reached"] = _plain(suite.first_reached)
    solver: dict[str, Any] = {}
    for figures in state.solvers.values():
        _add_up(solver, figures)
    result.stats["solver"] = _plain(solver)
    spent = result.stats["exploration_seconds"]
    if solver and spent:
        result.stats["solver_share"] = round(min(1.0, solver["seconds"] / spent), 3)


def _add_up(total: dict[str, Any], part: dict[str, Any]) -> None:
    """Add the figures of one exploration to those of its module."""
    for name, value in part.items():
        if isinstance(value, dict):
            _add_up(total.setdefault(name, {}), value)
        else:
            total[name] = total.get(name, 0) + value


def _around(invokables: Mapping[str, Invokable], line: int) -> Invokable | None:
    """The innermost invokable whose definition spans the line."""
    spanning = [i for i in invokables.values() if i.first_line and i.first_line <= line <= i.last_line]
    return max(spanning, key=lambda i: i.first_line, default=None)


def _plain(value: Any) -> Any:
    """Statistics as plain data."""
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    return round(value, 4) if isinstance(value, float) else value
