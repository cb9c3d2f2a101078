"""Measure what one run costs on paths of 250 to 2,000 conditions: doubling the loop must not square the time.

Every program passes a loop of so many traced steps in each run; everything counts that a run needs:
recording, sending, the tree, the choice of a side, the question about it. The least of some measurements
counts, for others use the machine too. Exit status 1 when doubling 500 or 1,000 steps costs more than the
gate. Usage: python benchmarks/long_paths.py [--runs N] [NAME ...]
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
from pathlib import Path

from harness import gate, generate

GATE = 2.3
SIZES = (250, 500, 1_000, 2_000)
REPEATS = 3

# The last branch of each needs something that hardly any input gives, so that there is always a side left.
PROGRAMS = {
    # one variable in all conditions
    "remainders": '''\
def remainders(n: int) -> int:
    """Count by remainder."""
    hits = 0
    for step in range(SIZE):
        if (n + step) % 7 == 3:
            hits += 1
    return -1 if hits == 1 else hits
''',
    # terms that grow with every turn
    "sums": '''\
def sums(start: int, step: int) -> int:
    """Walk up, and count how often the sum is beyond a bound."""
    total = start
    hits = 0
    for turn in range(SIZE):
        total = total + step
        if total > 3 * turn:
            hits += 1
    return -1 if total == 123_457 else hits
''',
    # a loop that ends by a traced condition
    "countdown": '''\
def countdown(n: int) -> int:
    """Count down to zero."""
    left = n % 10 + SIZE
    while left > 0:
        left -= 1
    return -1 if n == 123_457 else 0
''',
    # a variable for every turn
    "elements": '''\
def elements(bits: int, limit: int) -> int:
    """Look at one bit after the other."""
    hits = 0
    for place in range(SIZE):
        if bits >> (place % 8) & 1 and place > limit % 3:
            hits += 1
        if bits + place == limit:
            hits += 2
    return -1 if hits == 123_457 else hits
''',
}


def seconds_per_run(name: str, size: int, runs: int, folder: Path) -> float:
    """Return the seconds of one run: the least of some explorations."""
    target = folder / f"{name}_{size}.py"
    target.write_text(PROGRAMS[name].replace("SIZE", str(size)), encoding="utf-8")
    options = ("--max-runs", str(runs), "--seed", "0", "--time-limit", "600", "--jobs", "1")
    measured: list[float] = []
    for repeat in range(REPEATS):
        (module,) = generate([str(target)], folder / f"out_{name}_{size}_{repeat}", *options)
        measured.append(module["stats"]["exploration_seconds"] / max(1, module["runs"]))
    return min(measured)


def main() -> int:
    """Measure each program at each size and compare neighbouring sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"some of {', '.join(PROGRAMS)}; by default all")
    parser.add_argument("--runs", type=int, default=60, help="executions per exploration")
    asked = parser.parse_args()
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name in asked.names or PROGRAMS:
            times = [seconds_per_run(name, size, asked.runs, Path(folder)) for size in SIZES]
            ratios = [after / before for before, after in itertools.pairwise(times)]
            shown = ", ".join(f"{size}: {1000 * t:.1f} ms" for size, t in zip(SIZES, times, strict=True))
            print(f"{name}: {shown}; ratios {', '.join(f'{ratio:.2f}' for ratio in ratios)}", flush=True)
            worst = max(worst, *ratios[1:])
    return gate(worst <= GATE, f"doubling costs at most {worst:.2f} times as much, at most {GATE} wanted")


if __name__ == "__main__":
    sys.exit(main())
