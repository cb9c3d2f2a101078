"""Scores of modules by each criterion, and what bounded the work on one, in words."""

from __future__ import annotations

from collections import Counter

from tracetwin.report.result import Module
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class CriterionScore:
    """How many goals of a criterion are met.

    Attributes:
        feasible: all but those of which it is proved that nothing can meet them.
        infeasible: these.
        untried: of the feasible ones those mutants that nobody tried.
    """

    name: str
    covered: int
    feasible: int
    infeasible: int = 0
    untried: int = 0

    @property
    def percent(self) -> int:
        """The part that is met; all, where there is none."""
        return 100 * self.covered // self.feasible if self.feasible else 100


def scores(*modules: Module) -> list[CriterionScore]:
    """Return the score of some modules by each criterion."""
    counts: dict[str, Counter[str]] = {}
    for goal in (goal for module in modules for goal in module.goals):
        counts.setdefault(goal.criterion, Counter())[goal.fate] += 1
    untried = sum(one.fate == "not tried" for module in modules for one in module.mutants)
    return [
        CriterionScore(name, found["covered"], found.total() - cut, cut, left)
        for name, found in counts.items()
        for cut, left in ((found["infeasible"], untried if name == "mutation" else 0),)
    ]


def bounds(module: Module) -> str:
    """Return what bounded the work on a module in a sentence, "" where that is not known."""
    options = module.options
    if not options:
        return ""
    runs, seconds = options.get("max_runs"), options.get("time_limit")
    spent = [
        f"{runs} runs of it (--max-runs)" if runs else "",
        f"{seconds:g} s of time (--time-limit)" if seconds else "",
        f"a part of {options['budget']:g} s for all (--budget)" if options.get("budget") else "",
    ]
    told = " and ".join(filter(None, spent))
    jobs, criteria = options.get("jobs", 1), options.get("criterion", "")
    work = f"{jobs} process{'' if jobs == 1 else 'es'}"
    known = {goal.criterion for goal in module.goals}
    none = [name for name in criteria.split(",") if known and name and name not in known]
    gone = f" There is no goal of: {', '.join(none)}." if none else ""
    return (
        f"Asked for: {criteria.replace(',', ', ')}; at most {told} for each module, in which inputs are found"
        f" and tests are written, {work}.{gone}"
    )
