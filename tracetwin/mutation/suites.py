"""Judges existing tests by the mutants of a module that they notice."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracetwin.model.mutant import Mutant, MutantFate
from tracetwin.mutation.readers import started
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule


@dataclass
class Judgement:
    """The mutants of a module and what became of them.

    Attributes:
        fates: each mutant with its fate, and the test that noticed it (or why it counts as noticed).
        failing: the tests that fail on the original, with the last line of what they say; they are left out.
        problem: why the tests could not be run, "" where they were.
    """

    module: str
    fates: list[tuple[Mutant, MutantFate, str]] = field(default_factory=list)
    failing: list[tuple[str, str]] = field(default_factory=list)
    problem: str = ""

    def count(self, fate: MutantFate) -> int:
        """Return how many mutants have a fate."""
        return sum(found is fate for _, found, _ in self.fates)

    @property
    def score(self) -> float:
        """The part of all mutants that tests notice, in percent."""
        return 100.0 * self.count(MutantFate.KILLED) / len(self.fates) if self.fates else 100.0

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain data for JSON."""
        return {
            "module": self.module,
            "score": round(self.score, 1),
            "problem": self.problem,
            "failing": [{"test": test, "why": why} for test, why in self.failing],
            "mutants": [
                {
                    "line": mutant.line,
                    "column": mutant.column,
                    "function": mutant.function,
                    "operator": mutant.operator,
                    "change": mutant.change,
                    "fate": fate.value,
                    "by": by,
                }
                for mutant, fate, by in self.fates
            ],
        }


def judge_suite(
    module: TargetModule,
    tests: Sequence[Path],
    *,
    jobs: int = 1,
    most: int | None = None,
    pytest: bool | None = None,
    seconds: float = math.inf,
    progress: Callable[[int, int], None] = lambda done, all_: None,
) -> Judgement:
    """Run tests on the mutants of a module.

    Tests are the user's own code: they run as he would run them, without walls.

    Args:
        module: the module.
        tests: files of tests.
        jobs: mutants that are tried at the same time.
        most: how many mutants are tried, drawn evenly from all; None for all of them.
        pytest: whether pytest runs the tests; None: where it is there.
        seconds: for all of it; mutants that were not tried by then are told as such.
        progress: told how many mutants were tried, and of how many.
    """
    found = Judgement(module.name)
    wanted = None if most is None else _drawn(module, most)
    mutants: list[Mutant] = []
    until = time.monotonic() + seconds
    for told in started("tracetwin.mutation.trial", module, tests, pytest, jobs=jobs, wanted=wanted):
        match told["kind"]:
            case "failing":
                found.failing.append((told["test"], told["why"]))
            case "mutants":
                mutants = [Mutant(*row) for row in told["mutants"]]
            case "fate":
                fate = mutants[told["number"]], MutantFate(told["fate"]), str(told["by"])
                found.fates.append(fate)
                progress(len(found.fates), len(mutants) if wanted is None else len(wanted))
            case _:
                found.problem = told["why"]
        if time.monotonic() > until:
            break
    known = {mutant.number for mutant, *_ in found.fates}
    left = [one for one in mutants if one.number not in known and (wanted is None or one.number in wanted)]
    found.fates += [(mutant, MutantFate.UNTRIED, "") for mutant in left]
    found.fates.sort(key=lambda one: one[0].number)
    return found


def _drawn(module: TargetModule, most: int) -> list[int] | None:
    """The numbers of so many mutants, evenly spread over the text; None where there are no more."""
    from tracetwin.mutation.schemata import mutants_of

    count = len(mutants_of(Path(module.file).read_bytes()))
    return None if count <= most else [place * count // most for place in range(most)]
