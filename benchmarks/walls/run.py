"""What the walls cost: the same generation with them and without them, in turns, in one run.

Without them means a copy of the packages in which a process that runs code of a target gets its limits and
its scratch folder, but no audit hook, no Landlock, no system call filter. Both sides do the same work: the
number of runs is given, not the time.
Usage: python benchmarks/walls/run.py [--rounds 3] [--max-runs 40] [--check] [TARGET ...]
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGES = ("tracetwin", "runtime", "instrumenter")
MOST = 1.10

WITHOUT = '''

def enter(limits, scratch, *, allow_fork=False, permissions=None, readable=()):
    """For the benchmark: a scratch folder and limits, and no walls."""
    scratch = os.path.realpath(scratch)
    with contextlib.suppress(PermissionError):
        os.setsid()
    kernel().die_with_parent()
    _settle_in(scratch)
    _limit(limits)
    sys.dont_write_bytecode = True
    return Walls(1, True, True)


def seal():
    """For the benchmark."""
    kernel().die_with_parent()
'''


class Cost(NamedTuple):
    """Seconds of one generation."""

    wall: float
    processor: float


def main(words: Sequence[str] | None = None) -> int:
    """Measure, print a table, and say whether the gate holds."""
    options = _options(words)
    given = map(Path, options.targets) if options.targets else sorted((REPOSITORY / "examples").glob("*.py"))
    targets = [str(path.absolute()) for path in given]
    limits = ("--max-runs", str(options.max_runs), "--time-limit", "300", "-j", "1", "-q")
    with tempfile.TemporaryDirectory(prefix="tracetwin-walls-") as folder:
        sides = {"with": Path(folder, "with"), "without": Path(folder, "without")}
        for name, place in sides.items():
            _copy(place, walls=name == "with")
        seen: dict[str, list[Cost]] = {name: [] for name in sides}
        for number in range(-1, options.rounds):  # the first fills caches, and is not counted
            for name in sides if number % 2 else reversed(sides):
                cost = _generate(sides[name], targets, limits, Path(folder, "out"))
                if number >= 0:
                    seen[name].append(cost)
                    print(f"{name:8} {cost.wall:7.1f} s wall, {cost.processor:7.1f} s processor", flush=True)
    return _verdict(seen, check=options.check)


def _options(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", help="default: every example")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--max-runs", type=int, default=40)
    parser.add_argument("--check", action="store_true", help="exit status 1 where the gate is missed")
    return parser.parse_args(words)


def _copy(place: Path, *, walls: bool) -> None:
    for name in PACKAGES:
        shutil.copytree(REPOSITORY / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(place)], check=True)
    if not walls:
        with (place / "tracetwin" / "worker" / "sandbox.py").open("a", encoding="utf-8") as file:
            file.write(WITHOUT)


def _generate(place: Path, targets: Sequence[str], limits: Sequence[str], out: Path) -> Cost:
    shutil.rmtree(out, ignore_errors=True)
    environment = {**os.environ, "PYTHONPATH": str(place), "TRACETWIN_CACHE": str(place / "cache")}
    began, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [sys.executable, "-m", "tracetwin", "generate", *targets, "-o", str(out), *limits]
    done = subprocess.run(words, cwd=place, env=environment, capture_output=True, text=True, check=False)
    if done.returncode or not any(out.glob("test_*.py")):
        raise SystemExit(f"exit status {done.returncode}\n{done.stdout}{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(time.monotonic() - began, used)


def _verdict(seen: dict[str, list[Cost]], *, check: bool) -> int:
    ratios = {
        part: statistics.median(getattr(cost, part) for cost in seen["with"])
        / statistics.median(getattr(cost, part) for cost in seen["without"])
        for part in Cost._fields
    }
    for part, ratio in ratios.items():
        print(f"{part:9} with walls / without: {ratio:.3f}")
    missed = ratios["processor"] > MOST
    print(f"gate: at most {MOST:.2f} times the processor time: {'missed' if missed else 'kept'}")
    return int(missed and check)


if __name__ == "__main__":
    sys.exit(main())
