"""Summarises classes of a source text in this process: no worker, nothing written."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from instrumenter.twin import Site
from runtime import trace
from runtime.expr import Node
from tests.explore.support import InProcess, _Here, twin_module
from tracetwin.explore.loop.budget import Budget
from tracetwin.explore.loop.run import Request, Run
from tracetwin.explore.summaries.deduce import Deduced, SearchLimits, SequenceSearch
from tracetwin.explore.summaries.shapes import shape_of
from tracetwin.explore.summaries.study import reached
from tracetwin.explore.summaries.summary import Summaries
from tracetwin.solving import build_chain


@dataclass
class Opened:
    """A class, ready to be summarised."""

    executor: Any
    summaries: Summaries
    sites: tuple[Site, ...]
    source: str
    target: str

    def line_of(self, text: str) -> int:
        found = [n for n, line in enumerate(self.source.splitlines(), 1) if text in line]
        assert len(found) == 1, (text, found)
        return found[0]

    def sides(self, text: str) -> list[int]:
        """Both sides of the condition in the line that holds `text`, the true one first."""
        site = next(s.id for s in self.sites if s.line == self.line_of(text))
        return [site * 2 + 1, site * 2]

    def goals(self, side: int) -> list[list[Node]]:
        return self.summaries.ways_to(side)

    def deduced(self, side: int, **limits: Any) -> tuple[Deduced, Run] | None:
        """The first sequence to a side that a run confirms."""
        for conditions in self.goals(side):
            for found in SequenceSearch(self.summaries, conditions, SearchLimits(**limits)):
                run = self.executor.run(Request(self.target, found.prefix, found.assignment))
                if side in run.outcomes:
                    return found, run
        return None


@contextmanager
def opened(source: str, target: str, words: tuple[str, ...] | None = None) -> Iterator[Opened]:
    """The class of the method `target`, with summaries over the states that short sequences reach."""
    source = textwrap.dedent(source).lstrip("\n")
    with twin_module(source) as (module, made):
        runner = _Here(module, 2.0)
        executor = InProcess(runner)
        described = {i.qualname: runner._catalogue.describe(i) for i in runner._catalogue.invokables}
        chosen = tuple(described[target]["methods"]) if words is None else words
        solver = build_chain(seed=0)
        budget = Budget(None, time.monotonic() + 60)
        heaps = reached(executor, solver, target, chosen, budget)
        shape = shape_of(heaps, module.__name__)
        assert shape is not None
        summaries = Summaries(executor, solver, target, chosen, shape, budget)
        yield Opened(executor, summaries, made.sites, source, target)
        trace.start()
