"""One budget for a package against an equal share for each of its modules.

    python benchmarks/budget.py FOLDER... [--share 60] [--part 0.5] [--jobs 1] [--keep DIR] [--check]

For each package folder, two runs: `--time-limit SHARE` for each module, and `--budget` of PART of the time
that these shares are together. Told are sides of conditions that runs reached (the end of the gain curve),
branches and tests of the suites, executions, and processor time of all processes, which says more than wall
time where the machine has other work; then where the curve of the budget passes what the shares reached.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import harness
from harness import Json

COUNTS = ("covered_branches", "branches", "covered_lines", "tests", "runs")


@dataclass(frozen=True)
class Side:
    """The totals of one run, and its gain curve."""

    totals: Json
    curve: list[Json]
    wall: float
    cpu: float

    @property
    def reached(self) -> int:
        """Return how many sides of conditions were reached."""
        return int(self.curve[-1]["covered"]) if self.curve else 0

    def row(self, package: str, name: str) -> str:
        """Return it as a row of the table."""
        covered, known, lines, tests, runs = (self.totals[name] for name in COUNTS)
        found = f"{self.reached} | {covered}/{known} | {lines} | {tests} | {runs:,}"
        return f"| {package} | {name} | {found} | {self.wall:.0f} | {self.cpu:.0f} |"

    def passes(self, sides: int) -> str:
        """Return where the curve passes a number of sides, as a sentence."""
        for point in self.curve:
            if point["covered"] >= sides:
                return f"{sides} sides after {point['seconds']:.0f} s and {point['runs']:,} executions"
        return f"{sides} sides never"


def measured(package: Path, out: Path, *options: str) -> Side:
    """Generate tests for a package."""
    before, began = os.times(), time.monotonic()
    always = ("--root", str(package.parent), "--no-journal", "--no-config")
    harness.generate([str(package)], out, *always, *options)
    after = os.times()
    result = json.loads((out / "result.json").read_text(encoding="utf-8"))
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return Side(result["total"], result["curve"], time.monotonic() - began, cpu)


def modules_in(package: Path, out: Path) -> int:
    """Return how many modules there are to test; their twins are in the cache then, for both runs."""
    always = ("--root", str(package.parent), "--no-journal", "--no-config", "--max-runs", "1")
    return sum(module["error"] is None for module in harness.generate([str(package)], out, *always))


def main(arguments: argparse.Namespace) -> int:
    """Measure, and print the table."""
    print("| package | run | sides reached | branches | lines | tests | executions | wall s | CPU s |")
    print("|---|---|---|---|---|---|---|---|---|")
    worse = 0
    with tempfile.TemporaryDirectory() as temporary:
        for package in arguments.packages:
            folder = Path(arguments.keep or temporary) / package.name
            count = modules_in(package, folder / "first")
            jobs, share = str(arguments.jobs), arguments.share
            equal = measured(package, folder / "equal", "--time-limit", str(share), "-j", jobs)
            print(equal.row(package.name, f"{count} x {share:g} s"), flush=True)
            budget = share * count * arguments.part
            one = measured(package, folder / "budget", "--budget", f"{budget:.0f}s", "-j", jobs)
            print(one.row(package.name, f"`--budget {budget:.0f}s`, {one.passes(equal.reached)}"), flush=True)
            worse += one.totals["covered_branches"] < equal.totals["covered_branches"]
    verdict = f"{len(arguments.packages) - worse} of {len(arguments.packages)} are covered as much"
    return harness.gate(not worse, verdict) if arguments.check else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("packages", nargs="+", type=lambda text: Path(text).resolve())
    parser.add_argument("--share", type=float, default=60.0)
    parser.add_argument("--part", type=float, default=0.5)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("--check", action="store_true")
    try:
        sys.exit(main(parser.parse_args()))
    except (harness.BenchmarkError, subprocess.TimeoutExpired) as error:
        sys.exit(str(error))
