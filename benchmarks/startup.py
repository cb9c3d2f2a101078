"""Measure the time from the command line to the written file, on a trivial function.

Exit status 1 when the median exceeds the gate. Usage: python benchmarks/startup.py
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness import REPOSITORY, BenchmarkError, command_line, gate

GATE = 1.5
REPEATS = 5

TARGET = '''\
"""The smallest function with a branch."""


def sign(number: int) -> int:
    """Tell on which side of zero a number lies."""
    if number < 0:
        return -1
    return 1
'''


def once(target: Path, out: Path) -> float:
    """Generate into a new folder and return the wall time."""
    start = time.perf_counter()
    done = subprocess.run(
        [*command_line(), "generate", str(target), "-o", str(out), "-q"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    seconds = time.perf_counter() - start
    if done.returncode != 0 or not (out / "test_trivial.py").exists():
        raise BenchmarkError(f"exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return seconds


def main() -> int:
    """Repeat the measurement and compare the median with the gate."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "trivial.py"
        target.write_text(TARGET, encoding="utf-8")
        walls = [once(target, Path(folder) / f"out{repeat}") for repeat in range(REPEATS)]
    print(", ".join(f"{wall:.2f} s" for wall in walls))
    median = statistics.median(walls)
    return gate(median <= GATE, f"median {median:.2f} s to the written file, at most {GATE} s wanted")


if __name__ == "__main__":
    sys.exit(main())
