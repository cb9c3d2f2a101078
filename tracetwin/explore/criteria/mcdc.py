"""The criterion `mcdc`: each operand of a condition is shown to decide it alone (DO-178C, masking form).

Two evaluations of a condition show that for an operand if it and the outcome differ between them, and in each
of them the other operands leave it to decide: with the other value of this one the outcome would be the other
(Chilenski, "An Investigation of Three Forms of the MC/DC Criterion", 2001).
"""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING, Final

from tracetwin.explore.criteria.base import Criterion, ModuleText, Reached, Sides, SuiteCoverage
from tracetwin.explore.criteria.branch import JUMPS, LOOPS
from tracetwin.explore.loop.shown import VECTOR
from tracetwin.model.goal import Goal, GoalFate

if TYPE_CHECKING:
    from instrumenter.twin import Site


MOST_OPERANDS: Final = 12
"""Operands of a condition of which the masking form is looked at; the stricter one for more."""


class McdcCriterion(Criterion):
    """Pairs of tests that show what each operand does."""

    name = "mcdc"
    noun = "operand"
    wants_sides = True
    listed_as = "operands"
    wants_vectors = True

    def sides(self, site: Site, text: ModuleText) -> Sides:
        both = (site.id * 2, site.id * 2 + 1)
        return Sides() if site.kind.value in LOOPS else Sides(main=both)

    def select(self, reached: Reached) -> Iterator[tuple[Hashable, ...]]:
        yield from (("shown", entry) for entry in reached.shown if str(entry).startswith(VECTOR))
        yield from (("shown", entry) for entry in reached.shown if isinstance(entry, int))
        yield ("called", reached.target)

    def report(self, written: SuiteCoverage) -> list[Goal]:
        by_site = _vectors(written)
        decisions = {
            owner: decision_of(written.text.tree, site, len(operands))
            for owner, (site, operands) in _conditions(written.sites).items()
        }
        found: list[Goal] = []
        owner: Site | None = None
        place = 0
        for site in sorted(written.sites, key=lambda one: one.id):
            if site.kind.value != "operand":
                owner, place = site, 0
                continue
            if owner is not None and owner.scope:
                vectors = by_site.get(owner.id, [])
                found.append(self._goal(site, place, vectors, decisions.get(owner.id), written))
            place += 1
        found += [
            self._decision(site, written)
            for site in written.sites
            if site.kind.value in JUMPS and site.scope and site.id not in decisions
        ]
        return sorted(found, key=lambda goal: goal.line)

    def _goal(
        self,
        site: Site,
        place: int,
        vectors: Sequence[str],
        decision: ast.expr | None,
        written: SuiteCoverage,
    ) -> Goal:
        name = f"operand {place + 1} of the condition in line {site.line}, column {site.column}"
        function = written.function(site.line)
        pair = next((two for two in combinations(vectors, 2) if self.shows(decision, two, place)), ())
        fate, why = (GoalFate.COVERED, "") if pair else (
            GoalFate.OPEN, written.why_line(site.line) or written.why_rest(site.line)
        )
        details = {
            "line": site.line, "column": site.column, "function": function, "operand": place + 1,
            "text": operands_of(decision)[place] if decision is not None else "",
            "fate": fate.value, "pair": list(pair), "condition": site.id - place - 1,
        }  # fmt: skip
        return Goal(self.name, name, function, site.line, fate, why, details)

    def shows(self, decision: ast.expr | None, pair: tuple[str, str], place: int) -> bool:
        """Return whether two evaluations show that the operand at a place decides alone."""
        if decision is None or len(pair[0]) > MOST_OPERANDS:
            return shows_alone(*pair, place)
        return (
            {pair[0][place], pair[1][place]} == {"0", "1"}
            and outcome_of(decision, pair[0]) != outcome_of(decision, pair[1])
            and all(decides(decision, one, place) for one in pair)
        )

    def _decision(self, site: Site, written: SuiteCoverage) -> Goal:
        """A condition of one operand, which decides it alone."""
        name = f"condition in line {site.line}, column {site.column}"
        both = {site.id * 2, site.id * 2 + 1} <= set(written.shown)
        fate = GoalFate.COVERED if both else GoalFate.OPEN
        reason = "" if both else written.why_line(site.line) or written.why_rest(site.line)
        return Goal(self.name, name, written.function(site.line), site.line, fate, reason)


def decides(decision: ast.expr, outcomes: str, place: int) -> bool:
    """Return whether the outcome hangs on the operand at a place, for some outcomes of those not asked."""
    free = [at for at, one in enumerate(outcomes) if one == "-" and at != place]
    for values in product("01", repeat=len(free)):
        whole = list(outcomes)
        for at, value in zip(free, values, strict=True):
            whole[at] = value
        both = [outcome_of(decision, "".join([*whole[:place], one, *whole[place + 1 :]])) for one in "01"]
        if both[0] != both[1]:
            return True
    return False


def decision_of(tree: ast.Module, site: Site, operands: int) -> ast.expr | None:
    """Return the condition of a site, None where it can't be told which one that is."""
    tests: list[tuple[int, ast.expr]] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.While, ast.Assert, ast.IfExp)):
            tests.append((min(node.lineno, node.test.lineno), node.test))  # it may begin with a bracket
        tests += [(one.lineno, one) for one in getattr(node, "ifs", ())]
        if isinstance(node, ast.match_case) and node.guard is not None:
            tests.append((node.guard.lineno, node.guard))
    fitting = [
        test
        for first, test in tests
        if first <= site.line <= (test.end_lineno or test.lineno) and len(operands_of(test)) == operands
    ]
    return min(fitting, key=lambda test: abs(test.col_offset - site.column), default=None)


def operands_of(test: ast.expr) -> list[str]:
    """Return the operands of a condition as they are written, from left to right."""
    if isinstance(test, ast.BoolOp):
        return [operand for value in test.values for operand in operands_of(value)]
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return operands_of(test.operand)
    if isinstance(test, ast.Compare):
        ends = pairwise([test.left, *test.comparators])
        links = zip(ends, test.ops, strict=True)
        return [ast.unparse(ast.Compare(left, [link], [right])) for (left, right), link in links]
    return [ast.unparse(test)]


def outcome_of(test: ast.expr, outcomes: str) -> bool:
    """Return what a condition gives for these outcomes of its operands, from left to right."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return not outcome_of(test.operand, outcomes)
    if isinstance(test, ast.BoolOp):
        wanted = isinstance(test.op, ast.Or)
        place = 0
        for value in test.values:
            width = len(operands_of(value))
            part = outcomes[place : place + width]
            place += width
            if part.strip("-") and outcome_of(value, part) is wanted:
                return wanted
        return not wanted
    return "0" not in outcomes  # one operand, or the links of a chain


def shows_alone(first: str, second: str, place: int) -> bool:
    """Return whether two evaluations differ in nothing but the operand at a place, as far as was asked."""
    if {first[place], second[place]} != {"0", "1"}:
        return False
    others = (pair for at, pair in enumerate(zip(first, second, strict=True)) if at != place)
    return all(one == other or "-" in (one, other) for one, other in others)


def _vectors(written: SuiteCoverage) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for entry in sorted(map(str, written.shown)):
        if entry.startswith(VECTOR):
            _, site, outcomes = entry.split(":")
            found.setdefault(int(site), []).append(outcomes)
    return found


def _conditions(sites: Sequence[Site]) -> dict[int, tuple[Site, list[Site]]]:
    """The conditions that have operands, with these: their numbers follow that of the condition."""
    found: dict[int, tuple[Site, list[Site]]] = {}
    owner: Site | None = None
    for site in sorted(sites, key=lambda one: one.id):
        if site.kind.value != "operand":
            owner = site
        elif owner is not None:
            found.setdefault(owner.id, (owner, []))[1].append(site)
    return found


CRITERION: Final = McdcCriterion()
