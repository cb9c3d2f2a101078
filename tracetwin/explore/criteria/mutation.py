"""The criterion `mutation`: small changes of the code make some test fail.

DeMillo, Lipton and Sayward, "Hints on Test Data Selection" (1978). The changes are made in one program that
holds them all (`tracetwin.mutation`), and tests are chosen, and made, so that they notice them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from tracetwin.explore.criteria.base import (
    Criterion,
    ModuleText,
    Reached,
    Sides,
    SuiteCoverage,
    fate_of,
    tally,
)
from tracetwin.model.goal import Goal, GoalFate
from tracetwin.model.mutant import KILLS, Mutant, MutantFate
from tracetwin.support.text import count

if TYPE_CHECKING:
    from instrumenter.twin import Site

MOST_TOLD: Final = 10
"""Surviving mutants that the terminal lists; the JSON has all."""


class MutationCriterion(Criterion):
    """Tests that notice mutants; the search for inputs itself is that of the other criteria."""

    name = "mutation"
    noun = "mutant"
    listed_as = "mutants"
    wants_mutants = True
    wants_borders = 8

    def sides(self, site: Site, text: ModuleText) -> Sides:
        both = (site.id * 2, site.id * 2 + 1)
        return Sides(finer=both)

    def select(self, reached: Reached) -> Iterator[tuple[Hashable, ...]]:
        yield from (("kill", entry) for entry in reached.shown if str(entry).startswith(KILLS))
        yield ("called", reached.target)

    def report(self, written: SuiteCoverage) -> list[Goal]:
        return [self._goal(mutant, fate, written) for mutant, fate in written.mutants]

    def _goal(self, mutant: Mutant, fate: MutantFate, written: SuiteCoverage) -> Goal:
        function = written.function(mutant.line)
        details = {
            "line": mutant.line,
            "column": mutant.column,
            "function": function,
            "operator": mutant.operator,
            "change": mutant.change,
            "fate": fate.value,
        }
        if fate is MutantFate.EQUIVALENT:
            why = _REASONS[fate]
            return Goal(self.name, mutant.name, function, mutant.line, GoalFate.INFEASIBLE, why, details)
        if fate is MutantFate.KILLED:
            return Goal(self.name, mutant.name, function, mutant.line, GoalFate.COVERED, "", details)
        reason = _REASONS[fate]
        if fate is MutantFate.SURVIVED and mutant.number in written.closest:
            details["closest"] = written.closest[mutant.number]
        if fate is MutantFate.UNREACHED and mutant.line not in written.covered_lines:
            reason = written.why_line(mutant.line) or reason
        return Goal(self.name, mutant.name, function, mutant.line, fate_of(reason), reason, details)

    def told(self, goals: Sequence[Goal]) -> Iterator[str]:
        """How many are noticed, and those of them that tests run but do not notice."""
        if goals:
            yield tally(self.noun, [goal.fate.value for goal in goals])
        for goal in goals:
            if goal.details.get("fate") == MutantFate.EQUIVALENT.value:
                yield f"equivalent (proved): {goal.name}"
        survived = [goal for goal in goals if goal.details.get("fate") == MutantFate.SURVIVED.value]
        for goal in survived[:MOST_TOLD]:
            closest = goal.details.get("closest")
            yield f"not noticed: {goal.name}" + (f" (closest: {closest})" if closest else "")
        if len(survived) > MOST_TOLD:
            yield f"and {count(len(survived) - MOST_TOLD, 'more mutant')} that no test notices"


_REASONS: Final = {
    MutantFate.EQUIVALENT: "equivalent: the same results for all inputs of the annotated types (proved)",
    MutantFate.SURVIVED: "tests run it, and none notices it",
    MutantFate.UNREACHED: "no test runs it",
    MutantFate.UNTRIED: "the time was up before it was tried",
}


CRITERION: Final = MutationCriterion()
