"""Backward deduction of sequences for the sides that a member misses (Buy, Orso, Pezze, section 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.heap import Heap
from tracetwin.explore.loop.run import Assignment, Executor
from tracetwin.explore.objects.members import Member
from tracetwin.explore.summaries.deduce import SearchLimits, SequenceSearch
from tracetwin.explore.summaries.refinement import refined
from tracetwin.explore.summaries.summary import Summaries
from tracetwin.solving import Solver

MOST_RUNS: Final = 400
"""Executions for the summaries of all words together."""

MOST_WAYS: Final = 6
"""Ways of the member to one side for which a sequence is sought, fewest conditions first."""

MOST_PROPOSALS: Final = 3
"""Sequences tried for one path: the first is mostly right, or none is."""

STATES: Final = (15, 60)
"""Conditions expanded for one path, by round."""


class Deducing:
    """Deduces sequences that bring a receiver into the states that one member misses."""

    def __init__(
        self,
        executor: Executor,
        solver: Solver,
        member: Member,
        words: Sequence[str],
        heaps: Sequence[Heap],
        *,
        module: str,
        longest: int,
        budget: Budget,
    ) -> None:
        self._member = member
        self._limits = SearchLimits(longest=longest, repetitions=longest, states=0, stop=budget.spent)
        self._searches: dict[int, list[SequenceSearch]] = {}
        self._summaries = None
        part = budget.part(MOST_RUNS)
        shape = refined(executor, solver, member.qualname, words, heaps, module, part)
        if shape is not None:
            self._summaries = Summaries(executor, solver, member.qualname, words, shape, part)

    def proposals(self, states: int) -> Iterator[tuple[tuple[str, ...], Assignment]]:
        """For missing sides, sequences and inputs that should take them; some may turn out wrong."""
        if self._summaries is None:
            return
        goals = self._member.goals
        for side in sorted(goals.main):
            for search in self._of(side) if side not in goals.covered else ():
                search.extend(states)
                for _, proposal in zip(range(MOST_PROPOSALS), search, strict=False):
                    yield proposal.prefix, dict(proposal.assignment)
                    if side in goals.covered:
                        break
                if side in goals.covered:
                    break

    def _of(self, side: int) -> list[SequenceSearch]:
        """The searches for the ways to a side, few conditions first."""
        assert self._summaries is not None
        if side not in self._searches:
            ways = sorted(self._summaries.ways_to(side), key=len)[:MOST_WAYS]
            self._searches[side] = [SequenceSearch(self._summaries, way, self._limits) for way in ways]
        return self._searches[side]
