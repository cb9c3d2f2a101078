"""Measure executions per second on a function that loops over ints.

Exit status 1 when the median stays below the gate. Usage: python benchmarks/runs_per_second.py
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from harness import gate, generate, rate

GATE = 1_000.0
REPEATS = 5
MAX_RUNS = 10_000

# The sum is always even, so the last branch stays uncovered, and because lists may be ever longer no finite
# number of paths proves it infeasible: the search goes on until the budget of executions is spent.
TARGET = '''\
"""A loop over ints."""


def tally(values: list[int], limit: int) -> int:
    """Weigh the values by where they lie."""
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
'''


def exploration_rate(module: dict[str, object]) -> float | None:
    """Return runs per second of exploring alone, when the result tells how long that took."""
    stats = module.get("stats")
    seconds = stats.get("exploration_seconds") if isinstance(stats, dict) else None
    runs = module["runs"]
    if not isinstance(seconds, (int, float)) or not isinstance(runs, int) or seconds <= 0:
        return None
    return runs / seconds


def main() -> int:
    """Repeat the measurement and compare the median with the gate."""
    rates: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "loop_over_ints.py"
        target.write_text(TARGET, encoding="utf-8")
        for repeat in range(REPEATS):
            out = Path(folder) / f"out{repeat}"
            (module,) = generate([str(target)], out, "--max-runs", str(MAX_RUNS), "--seed", "0")
            rates.append(rate(module))
            exploring = exploration_rate(module)
            alone = "" if exploring is None else f", exploring alone {exploring:.0f}/s"
            print(f"{module['runs']} runs in {module['seconds']:.2f} s: {rates[-1]:.0f}/s{alone}")
    median = statistics.median(rates)
    return gate(median >= GATE, f"median {median:.0f} runs per second, at least {GATE:.0f} wanted")


if __name__ == "__main__":
    sys.exit(main())
