"""How much would it gain to solve the next side while the worker runs an input?

Explores targets with one process and measures, turn by turn: how long the worker ran, how long the question
after it took, and whether its side was the best one before the run was seen. At most, overlapping saves the
shorter of both of each such pair; where inputs wait in line, the shorter of a run and of its evaluation.
Usage: PYTHONPATH=. python benchmarks/overlap.py TARGET ... [--max-runs N] [--root DIR]
"""

# ruff: noqa: SLF001 - what is measured lies inside

from __future__ import annotations

import argparse
import json
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tracetwin.api import generate_tests
from tracetwin.explore.loop.explorer import Explorer
from tracetwin.explore.loop.frontier import _TURNS, Frontier
from tracetwin.explore.loop.questions import Questions
from tracetwin.explore.loop.tree import Flip
from tracetwin.run.explorer.session import Exploring


@dataclass
class Times:
    """Seconds of one exploration.

    Attributes:
        running: the worker.
        solving: questions for sides.
        all: all of it.
        overlap: what solving ahead could save.
        ahead: what running ahead could save where the next input is known.
        right: questions whose side could have been foretold, of `asked` that came after a run.
    """

    running: float = 0.0
    solving: float = 0.0
    all: float = 0.0
    overlap: float = 0.0
    ahead: float = 0.0
    right: int = 0
    asked: int = 0


def best(frontier: Frontier, late: bool) -> Flip | None:
    """Return what the frontier would give next."""
    turn = frontier._popped % _TURNS
    late = late and frontier._built
    sides = [one for one in frontier._sides.values() if one.heap and not (late and one.early)]
    return min(sides, key=lambda side: frontier._rank(side, turn)).heap[0][2] if sides else None


def watch(folder: Path) -> None:
    """Have explorer processes forked from this one write their times to a folder."""
    times, last = Times(), [(None, 0.0)]  # type: ignore[var-annotated]
    execute, side, explore = Explorer._execute, Questions.side, Exploring.explore

    def executed(self: Explorer, *arguments: Any) -> Any:
        foretold = None if self._fresh else best(self._frontier, self._late)
        waiting, run, took = bool(self._fresh), self._executor.run, 0.0

        class Timed:
            def run(self, request: Any) -> Any:
                nonlocal took
                since = time.perf_counter()
                try:
                    return run(request)
                finally:
                    took += time.perf_counter() - since

        started, kept, self._executor = time.perf_counter(), self._executor, Timed()  # type: ignore[assignment]
        try:
            return execute(self, *arguments)
        finally:
            self._executor = kept
            times.running += took
            times.ahead += waiting * min(took, time.perf_counter() - started - took)
            last[0] = foretold, took

    def asked(self: Questions, flip: Flip, effort: float) -> Any:
        (foretold, took), last[0] = last[0], (None, 0.0)
        started = time.perf_counter()
        answer = side(self, flip, effort)
        spent = time.perf_counter() - started
        times.solving += spent
        times.asked += took > 0
        times.right += foretold is flip
        times.overlap += min(spent, took) * (foretold is flip)
        return answer

    def explored(self: Exploring, task: Any) -> Any:
        started = time.perf_counter()
        try:
            return explore(self, task)
        finally:
            times.all += time.perf_counter() - started
            (folder / "times.json").write_text(json.dumps(asdict(times)), encoding="utf-8")

    Explorer._execute = executed  # type: ignore[method-assign]
    Questions.side = asked  # type: ignore[method-assign]
    Exploring.explore = explored  # type: ignore[method-assign]


def main() -> None:
    """Print a row for each target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="+")
    parser.add_argument("--max-runs", type=int, default=150)
    parser.add_argument("--root")
    options = parser.parse_args()
    print("| target | exploring | worker | solver | foretold | solving ahead saves | running ahead saves |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        watch(folder)
        for target in options.targets:
            generate_tests(
                target, output=folder / "out", max_runs=options.max_runs, time_limit=600.0, jobs=1,
                criterion="branch", root=options.root, config=False, journal=False,
            )  # fmt: skip
            found = Times(**json.loads((folder / "times.json").read_text(encoding="utf-8")))
            print(
                f"| {target} | {found.all:.1f} s | {found.running / found.all:.0%} | "
                f"{found.solving / found.all:.0%} | {found.right} of {found.asked} | "
                f"{found.overlap / found.all:.1%} | {found.ahead / found.all:.1%} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
