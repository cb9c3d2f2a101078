"""Accounts of a suite: what its tests cover, notice and raise, and what became of the other cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tracetwin.emit.exhibit import Chosen
from tracetwin.emit.merge.rows import without_row
from tracetwin.emit.result import Covered
from tracetwin.emit.stand_ins import stand_ins
from tracetwin.explore.criteria.base import Raising
from tracetwin.explore.criteria.def_use import PAIR
from tracetwin.explore.loop.shown import VECTOR
from tracetwin.model.written_test import WrittenTest

if TYPE_CHECKING:
    from tracetwin.emit.select.choice import Choice


def shown(
    choice: Choice, position: int, class_name: str, name: str, took: Mapping[tuple[str, str], float]
) -> WrittenTest:
    """Return what the test of a case covers and notices.

    Args:
        choice: knows the case.
        position: that of the case.
        class_name: the test's class.
        name: its own.
        took: how many seconds each test took.
    """
    case, seen = choice.now(position)
    lines, arcs = choice.facts.covered(seen.lines, seen.arcs)
    killed = choice.killing.noticed(case)
    pairs, vectors = (
        tuple(
            entry.removeprefix(kind)
            for entry in case.shows
            if isinstance(entry, str) and entry.startswith(kind)
        )
        for kind in (PAIR, VECTOR)
    )
    return WrittenTest(
        class_name, name, case.target, tuple(sorted(lines)), tuple(sorted(arcs)), killed, pairs,
        stand_ins(case), took.get((class_name, without_row(name)), 0.0), vectors,
    )  # fmt: skip


def closest(choice: Choice, written: Sequence[tuple[int, str, str]]) -> dict[int, str]:
    """Return for mutants that a test runs and does not notice the name of the test that does least else.

    Args:
        choice: knows what tests notice.
        written: the position of each test's case, its class and its name.
    """
    found = choice.killing.closest([choice.now(position)[0] for position, _, _ in written])
    return {number: f"{written[at][1]}.{written[at][2]}".lstrip(".") for number, at in found.items()}


def raised(cases: Iterable[Chosen]) -> frozenset[Raising]:
    """Return the exceptions that cases raise."""
    return frozenset(
        Raising.of(case.target, seen.raised.place, seen.raised_at)
        for case, seen in cases
        if seen.raised is not None
    )


def first_reached(choice: Choice) -> dict[str, dict[int, float]]:
    """Return for each function the seconds after which its exploration ran a line for the first time."""
    found: dict[str, dict[int, float]] = {}
    for case, seen in zip(choice.cases, choice.replayed.observations, strict=True):
        lines = found.setdefault(case.target, {})
        for line in seen.lines:
            lines[line] = min(lines.get(line, case.found), case.found)
    return found


def dropped_lines(choice: Choice) -> dict[str, dict[int, str]]:
    """Return for each function the lines that cases run which make no test, and why."""
    found: dict[str, dict[int, str]] = {}
    for position, reason in sorted(choice.excluded.items()):
        lines = found.setdefault(choice.cases[position].target, {})
        for line in choice.replayed.observations[position].lines:
            lines.setdefault(line, reason)
    return found


def disagreements(choice: Choice) -> dict[str, int]:
    """Return how often the twin did not do what the original does: a fault of ours, or unstable code."""
    found: dict[str, int] = {}
    for case, seen in zip(choice.cases, choice.replayed.observations, strict=True):
        if not seen.outcome.is_answer:
            continue
        ending = seen.outcome.value
        if seen.raised is not None:
            ending += " " + seen.raised.qualname.rpartition(".")[2]
        if case.origin.split()[0:1] in (["returned"], ["raised"]) and case.origin != ending:
            found[case.target] = found.get(case.target, 0) + 1
    return found


def coverage(choice: Choice, chosen: Iterable[int]) -> dict[str, Covered]:
    """Return what some cases, and importing, cover of each function, and under "" of the whole file."""
    facts = choice.facts
    lines, arcs = set(choice.replayed.import_lines), set(choice.replayed.import_arcs)
    for position in chosen:
        seen = choice.now(position)[1]
        lines |= set(seen.lines)
        arcs |= set(seen.arcs)
    got_lines, got_arcs = facts.covered(lines, arcs)
    if facts.met is not None:
        got_lines, got_arcs = got_lines | facts.met.lines, got_arcs | facts.met.arcs
    found = {"": Covered(facts.lines, got_lines, facts.arcs, got_arcs)}
    for function in facts.functions:
        found[function.place] = found[function.qualname] = Covered(
            function.lines, function.lines & got_lines, function.arcs, function.arcs & got_arcs
        )
    return found
