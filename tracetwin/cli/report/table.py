"""The final table: figures per function, and the reason for each uncovered line.

Where the time of a module went, shown under `-v`.

The solver's figures for a module, shown under `-v`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any, Final

from tracetwin.cli.report.scores import scores
from tracetwin.explore.criteria.base import criteria_named
from tracetwin.model.goal import Goal, Uncovered
from tracetwin.model.written_test import met_alone
from tracetwin.run.results.module_result import FunctionResult, ModuleResult
from tracetwin.run.results.refusals import detail_lines, refusal_lines
from tracetwin.support.text import clean, columns, count, duration, listed, shown
from tracetwin.target.module import Boundary

MOST_GIVEN_UP: Final = 8
"""Lines about runs that were given up."""

MOST_ALONE: Final = 4
MOST_SUSPICIOUS: Final = 8
"""Tests that are named which pin what looks like a fault."""

SHORT: Final = 40
"""Letters of a reason that is told again, instead of where it stands above."""

MOST_NAMES: Final = 6
"""Functions that are named as those of lines with one reason."""


def render(
    modules: Sequence[ModuleResult],
    boundaries: Iterable[Boundary] = (),
    *,
    verbose: bool = False,
    unusable: int = 0,
) -> list[str]:
    """Return the lines of the whole report; modules that failed were reported when they did."""
    done = [module for module in modules if module.error is None]
    lines = []
    for module in done:
        lines += [*_module(module, verbose=verbose), ""]
    return [*lines, *describe_boundaries(boundaries), *_imported_from(done), _total(modules, done, unusable)]


def describe_boundaries(boundaries: Iterable[Boundary]) -> Iterator[str]:
    """For each target, the modules that run as they are."""
    by_target: dict[str, list[str]] = {}
    for boundary in sorted(set(boundaries)):
        by_target.setdefault(boundary.target, []).append(f"{boundary.name} ({boundary.kind})")
    for target, named in by_target.items():
        are = "module is a boundary" if len(named) == 1 else "modules are boundaries"
        yield clean(f"{shown(target)}: {len(named)} {are}: {', '.join(named)}", 2000)


def _imported_from(modules: Iterable[ModuleResult]) -> Iterator[str]:
    """Return how to run the tests of modules in wheels: one way for all of them where there is one."""
    written = [module for module in modules if module.wheels and module.test_file is not None]
    all_wheels = tuple(dict.fromkeys(wheel for module in written for wheel in module.wheels))
    ways: dict[tuple[bool, tuple[str, ...]], list[str]] = {}
    for module in written:
        wheels = tuple(module.wheels) if _exclude_each_other(all_wheels) else all_wheels
        unpacked = any(other.unpacked for other in written if set(other.wheels) <= set(wheels))
        ways.setdefault((unpacked, wheels), []).append(clean(module.name))
    for (unpacked, wheels), tests in ways.items():
        names = [clean(shown(wheel)) for wheel in wheels]
        which = "the tests" if len(ways) == 1 else f"the tests of {listed(tests)}"
        how = f"install {listed(names)}" if unpacked else f"set PYTHONPATH={os.pathsep.join(names)}"
        yield f"to run {which}, {how}"


def _exclude_each_other(wheels: Iterable[str]) -> bool:
    """Return True if two wheels hold the same library, of which a path can have only one."""
    libraries = [re.sub(r"[-_.]+", "_", PurePath(wheel).name.split("-")[0]).lower() for wheel in wheels]
    return len(libraries) > len(set(libraries))


def fold(missed: Iterable[Uncovered]) -> list[tuple[str, str]]:
    """Lines as `12-14, 20` with the reason that they share, in the order of the first line."""
    by_reason: dict[str, list[int]] = {}
    for miss in sorted(set(missed)):
        lines = by_reason.setdefault(clean(miss.reason) or "no reason known", [])
        if miss.line not in lines[-1:]:
            lines.append(miss.line)
    return [(", ".join(_ranges(lines)), reason) for reason, lines in by_reason.items()]


def _ranges(lines: list[int]) -> Iterator[str]:
    start = previous = lines[0]
    for line in [*lines[1:], None]:
        if line == previous + 1:
            previous = line
            continue
        yield str(start) if start == previous else f"{start}-{previous}"
        if line is not None:
            start = previous = line


def _module(module: ModuleResult, *, verbose: bool) -> Iterator[str]:
    yield f"{clean(module.name)}  {clean(shown(module.file))}"
    heads = ["function", "lines", "branches", "tests", "time"]
    if verbose:
        heads += ["runs", "queries", "divergences"]
    rows = [heads]
    rows += [_row(function.qualname, function, verbose=verbose) for function in module.functions]
    if len(module.functions) != 1:
        rows.append(_row("all of these" if module.selected else "whole module", module, verbose=verbose))
    yield from columns(rows)
    if module.outside:
        yield f"  explored from outside only, without symbolic reasoning: {clean(module.outside)}"
    yield from _uncovered(module)
    yield from _goals(module)
    yield from (f"  {line}" for line in refusal_lines(module.refusals))
    yield from _given_up(module, verbose=verbose)
    notes = [*((note, "") for note in module.notes)]
    notes += [(note, f"{function.qualname}: ") for function in module.functions for note in function.notes]
    if verbose:
        yield from (f"  note: {clean(where)}{' ' if where else ''}{clean(note)}" for note, where in notes)
        yield from (f"  {line}" for line in detail_lines(module.refusals))
        yield from _alone(module)
        yield from phase_lines(module.runs, module.stats)
        yield from solver_lines(module.stats)
        others = {name: value for name, value in module.stats.items() if name not in APART}
        yield from (f"  {clean(name)}: {clean(value)}" for name, value in _flat(others))
    else:
        theirs = [note for note in module.notes if note.startswith("your test ")]
        yield from (f"  note: {clean(note)}" for note in theirs)
        if more := len(notes) - len(theirs):
            yield f"  {count(more, 'note')}, shown by -v"
    if module.test_file is None:
        found = "no input was found whose result can be asserted"
        if module.theirs:
            found = "your own tests meet all goals that were reached"
        yield f"  nothing written: {found if module.functions else 'there is nothing to call'}"
    else:
        wrote = "nothing has changed: kept" if module.unchanged else "wrote"
        yield from _suspicious(module)
        other = module.suspicious_file if module.suspicious_file != module.test_file else None
        beside = f" and {clean(other)}" if other is not None else ""
        yield f"  {wrote} {clean(module.test_file)}{beside} ({count(module.tests, 'test')})"


def _alone(module: ModuleResult) -> Iterator[str]:
    """Say of each test what it meets that no other does: why it is there."""
    for test, alone in zip(module.cases, met_alone(module.cases), strict=True):
        said = [f"branch {first}->{last}" for first, last in alone.branches]
        said += [f"line {line}" for line in alone.lines]
        more = [f"{len(said) - MOST_ALONE} more"] if len(said) > MOST_ALONE else []
        noticed = [count(len(alone.mutants), "mutant")] if alone.mutants else []
        if parts := [*said[:MOST_ALONE], *more, *noticed]:
            title = f"{test.class_name}.{test.name}".lstrip(".")
            yield f"  only {clean(title)}: {', '.join(parts)}"


def _suspicious(module: ModuleResult) -> Iterator[str]:
    """The tests that pin what looks like a fault, those first that are most likely one."""
    yield from (f"  unkept: {clean(sentence)}" for sentence in module.unkept)
    if not module.suspicious:
        return
    believed = "it is believed" if len(module.suspicious) == 1 else "they are believed"
    yield f"  suspicious: {count(len(module.suspicious), 'test')} to look at before {believed}"
    for one in module.suspicious[:MOST_SUSPICIOUS]:
        yield f"    {clean(one.test)}: {clean(one.told)}"
    if len(module.suspicious) > MOST_SUSPICIOUS:
        yield f"    and {len(module.suspicious) - MOST_SUSPICIOUS} more"


def _goals(module: ModuleResult) -> Iterator[str]:
    """How much each criterion has covered, and what it tells of its goals."""
    found = scores(module.goals)
    if len(found) > 1:
        yield "  goals: " + ", ".join(f"{name} {score.text}" for name, score in found.items())
    told = {miss.reason: miss.line for miss in reversed(module.uncovered)}
    for criterion in criteria_named(dict.fromkeys(goal.criterion for goal in module.goals)):
        mine = [_in_short(goal, told) for goal in module.goals if goal.criterion == criterion.name]
        yield from (f"  {line}" for line in criterion.told(mine))


def _in_short(goal: Goal, told: Mapping[str, int]) -> Goal:
    """A goal; where lines are not covered for the same long reason, it says which of them comes first."""
    line = told.get(goal.reason) if len(goal.reason) > SHORT else None
    return goal if line is None else replace(goal, reason=f"as line {line} above")


def _given_up(module: ModuleResult, *, verbose: bool) -> Iterator[str]:
    """The functions whose runs died or did not end, the first of them."""
    told = [(function.qualname, why) for function in module.functions for why in function.given_up]
    most = len(told) if verbose else MOST_GIVEN_UP
    for name, why in told[:most]:
        yield f"  {clean(name, 60)}: {clean(why)}"
    if len(told) > most:
        yield f"  {count(len(told) - most, 'line')} like these, shown by -v"


def _flat(stats: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Nested figures as `outer inner` with their value."""
    for name, value in sorted(stats.items()):
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", value


def _row(name: str, result: FunctionResult | ModuleResult, *, verbose: bool) -> list[str]:
    row = [
        clean(name, 60),
        f"{result.covered_lines}/{result.lines}",
        f"{result.covered_branches}/{result.branches}" if result.branches else "-",
        f"{result.tests:,}",
        duration(result.seconds),
    ]
    if verbose:
        row += [f"{result.runs:,}", f"{result.queries:,}", f"{result.divergences:,}"]
    return row


def _uncovered(module: ModuleResult) -> Iterator[str]:
    """The reasons, under the function that the lines belong to, and at last the lines of no function."""
    owned = {miss.line for function in module.functions for miss in function.uncovered}
    groups = [(function.qualname, function.uncovered) for function in module.functions]
    groups.append(("outside of them", [miss for miss in module.uncovered if miss.line not in owned]))
    rows = [(name, missed, *row) for name, missed in groups for row in fold(missed)]
    if not rows:
        return
    yield "  not covered:"
    for name, missed, lines, reason in rows:
        word = "line" if lines.isdecimal() else "lines"
        yield f"    {clean(name, 60)}, {word} {lines}: {reason}{_within(missed, reason)}"


def _within(missed: Iterable[Uncovered], reason: str) -> str:
    """The functions of such lines that no test calls, for the end of a sentence."""
    found = [miss.function for miss in sorted(missed) if clean(miss.reason) == reason and miss.function]
    names = list(dict.fromkeys(found))
    if not names:
        return ""
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return f" (in {', '.join(clean(name, 60) for name in names[:MOST_NAMES])}{more})"


def _total(modules: Sequence[ModuleResult], done: Sequence[ModuleResult], unusable: int) -> str:
    tests = sum(module.tests for module in done)
    files = {file for module in done for file in (module.test_file, module.suspicious_file)}
    written = len(files - {None})
    covered, branches = sum(m.covered_branches for m in done), sum(m.branches for m in done)
    reached, lines = sum(m.covered_lines for m in done), sum(m.lines for m in done)
    words = [f"{count(tests, 'test')} in {count(written, 'file')}"]
    if lines:
        words.append(f"lines {reached}/{lines} ({percent(reached, lines)})")
    if branches:
        words.append(f"branches {covered}/{branches} ({percent(covered, branches)})")
    failed = sum(module.error is not None and not module.empty for module in modules) + unusable
    if failed:
        words.append(f"nothing for {count(failed, 'module')}")
    return "; ".join(words)


def percent(part: int, whole: int) -> str:
    """A share, rounded down, so that 100 % means all of it."""
    return f"{100 * part // whole if whole else 100} %"


LEAST: Final = 0.05
"""Seconds of a phase that is told."""


def phase_lines(runs: int, stats: Mapping[str, Any]) -> Iterator[str]:
    """A line on exploring, and one on what was done to the cases that were found."""
    spent = stats.get("exploration_seconds", 0.0)
    if spent and runs:
        yield f"  exploring: {duration(spent)}, {count(round(runs / spent), 'run')} a second"
    phases = stats.get("phases", {})
    told = [f"{clean(name)} {duration(seconds)}" for name, seconds in phases.items() if seconds >= LEAST]
    if told:
        yield f"  the suite: {duration(sum(phases.values()))} ({', '.join(told)})"


APART: Final = ("solver", "solver_share", "first_reached", "phases", "exploration_seconds")
"""The figures of a module that are shown here, or in the JSON only."""


def solver_lines(stats: Mapping[str, Any]) -> Iterator[str]:
    """One line in all, then a row for each stage and theory that was asked."""
    figures = stats.get("solver")
    if not figures or not figures["queries"]:
        return
    share = f", {100 * stats['solver_share']:.0f} % of exploring" if "solver_share" in stats else ""
    answered = f"{figures['folded']:,} folded, {figures['cache_hits']:,} from memory"
    yield (
        f"  solver: {count(figures['queries'], 'query')} in {duration(figures['seconds'])}{share}; "
        f"{answered}, {figures['unknown']:,} not answered"
    )
    rows = [["asked", "queries", "sat", "unsat", "unknown", "time"]]
    rows += [_asked(name, part) for name, part in figures["stages"].items() if part["queries"]]
    rows += [_asked(f"z3: {name}", part) for name, part in figures["theories"].items() if part["queries"]]
    yield from columns(rows, indent="    ")


def _asked(name: str, part: Mapping[str, Any]) -> list[str]:
    counts = [f"{part[key]:,}" for key in ("queries", "sat", "unsat", "unknown")]
    return [clean(name, 60), *counts, duration(part["seconds"])]
