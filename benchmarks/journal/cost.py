"""What the journal costs: runs per second with and without it, by turns, on the same targets.

The explorer's own time is measured as well, as that is where the journal is written; unlike the time on the
clock it does not depend on what else the machine does. Exit status 1 when what the journal adds to it is more
than the gate, as a part of the fastest exploration without.
Usage: python benchmarks/journal/cost.py [REPEATS]
"""

from __future__ import annotations

import ast
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

HOME: Final = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HOME))

from tracetwin.explore.loop.budget import Budget  # noqa: E402 - found by the line above
from tracetwin.explore.loop.executor import WorkerExecutor  # noqa: E402
from tracetwin.explore.loop.past import Begun  # noqa: E402
from tracetwin.explore.loop.shard_log import ShardLog  # noqa: E402
from tracetwin.explore.objects.exploration import Exploration  # noqa: E402
from tracetwin.explore.wanted import goals_of  # noqa: E402
from tracetwin.model.invokable import Invokable  # noqa: E402
from tracetwin.process.worker import Ready, Worker  # noqa: E402
from tracetwin.run.module_facts import patterns_of, sites_of, tree_of  # noqa: E402
from tracetwin.solving import build_chain  # noqa: E402
from tracetwin.target.selection import TargetModule  # noqa: E402

GATE: Final = 0.05
RUNS: Final = 3_000
TARGETS: Final = {
    # The sum is always even, and lists may be ever longer: all of the budget is spent.
    "loop": """
def tally(values: list[int], limit: int) -> int:
    total = 0
    for value in values:
        if value > limit:
            total += 4
        elif value < -limit:
            total -= 2
        else:
            total += 2
    if total % 2 == 1:
        return -1
    return total
""",
    "text": """
def words(text: str) -> int:
    found = 0
    for part in text.split(","):
        if part.startswith("a") and len(part) > found:
            found += 2
        elif part == "zz":
            found += 4
    if found % 2 == 1:
        return -1
    return found
""",
}


@dataclass
class Figures:
    """One exploration: seconds on the clock, of the explorer's own time, and bytes written."""

    runs: int
    clock: float
    own: float
    size: int

    @property
    def rate(self) -> float:
        """Runs per second."""
        return self.runs / self.clock


def measure(module: TargetModule, *, path: Path | None) -> Figures:
    """Explore the only function of a module, with a journal or without."""
    with Worker(module, patterns=patterns_of(module), options={"guide": {}}) as worker:
        started = worker.start()
        assert isinstance(started, Ready), started
        (invokable,) = (Invokable(**plain) for plain in started.info["invokables"])
        executor, chain = WorkerExecutor(worker), build_chain()
        log = None if path is None else ShardLog(path)
        exploration = Exploration(
            module.name,
            invokable,
            executor,
            chain if log is None else log.solver(chain),
            goals=goals_of(sites_of(module), invokable),
            tree=tree_of(module) or ast.Module([], []),
        )
        clock, own = time.monotonic(), time.process_time()
        budget = Budget(RUNS, clock + 600)
        if log is not None:
            executor.through(log.worker)
            log.begin(Begun(invokable.qualname, 0, RUNS, 600.0, ()))
            budget.late = log.late
        exploration.explore(budget)
        if log is not None:
            log.end()
        figures = Figures(
            exploration.outcome().statistics.runs, time.monotonic() - clock, time.process_time() - own, 0
        )
    if path is not None:
        figures.size = path.stat().st_size
    return figures


def compare(name: str, folder: Path, repeats: int) -> bool:
    """Measure a target by turns, and say what the journal adds; whether that is within the gate."""
    file = folder / f"{name}.py"
    file.write_text(TARGETS[name].lstrip(), encoding="utf-8")
    module = TargetModule(name, str(file), str(folder))
    measure(module, path=None)  # the twin is built, z3 is loaded
    plain, written = [], []
    for repeat in range(repeats):
        plain.append(measure(module, path=None))
        written.append(measure(module, path=folder / f"{name}-{repeat}"))
    slower = statistics.median(b.clock / a.clock for a, b in zip(plain, written, strict=True)) - 1
    more = min(w.own for w in written) / min(p.own for p in plain) - 1
    fastest = min(p.clock for p in plain)
    share = (min(w.own for w in written) - min(p.own for p in plain)) / fastest
    last = written[-1]
    print(
        f"{name}: {max(p.rate for p in plain):.0f} runs per second without, "
        f"{max(w.rate for w in written):.0f} with; {slower:+.1%} on the clock (median of {repeats} pairs); "
        f"{more:+.1%} of the explorer's own time, which is {share:+.1%} of the whole; "
        f"{last.size / last.runs:.0f} bytes per run"
    )
    return share <= GATE


def main() -> int:
    """Measure all targets."""
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        good = [compare(name, Path(folder), repeats) for name in TARGETS]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
