"""What tracetwin reaches: `generate` as a user calls it, then its suite on the original under coverage.py."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from coverage import CoverageData
from harness import BenchmarkError, Json, environment, generate
from marks import FUNCTIONS, Marked


def measure(marked: Marked, seconds: float, scratch: Path) -> Json:
    """Generate a suite for one function and tell which of its marked lines the suite executes.

    Args:
        marked: the function.
        seconds: `--time-limit`.
        scratch: an empty folder.
    """
    options = ["--time-limit", str(seconds), "--seed", "0", "--jobs", "1"]
    started = time.monotonic()
    try:
        (module,) = generate([f"{marked.file}:{marked.name}"], scratch, *options, timeout=seconds + 120)
    except (BenchmarkError, subprocess.TimeoutExpired) as problem:
        return {"error": str(problem)[-300:], "reached": [], "wall": time.monotonic() - started}
    result: Json = {"error": module["error"], "wall": time.monotonic() - started, **_figures(module, marked)}
    lines = executed_lines(Path(module["test_file"]), marked.file) if module["test_file"] else set()
    result["reached"] = marked.among(lines)
    reasons = {miss["line"] - marked.first: miss["reason"] for miss in module["uncovered"]}
    missed = [line for line in (*marked.lines, *marked.unreachable) if line not in result["reached"]]
    result["reasons"] = {str(line): reasons.get(line, "") for line in missed}
    return result


def _figures(module: Json, marked: Marked) -> Json:
    stats = module["stats"]
    solver = stats.get("solver", {})
    first = stats.get("first_reached", {}).get(marked.name, {})
    after = {n: first.get(str(n + marked.first)) for n in marked.lines}
    notes = [note for function in module["functions"] for note in function["notes"]]
    return {
        "seconds": module["seconds"],
        "exploring": stats.get("exploration_seconds", 0.0),
        "solving": solver.get("seconds", 0.0),
        "queries": solver.get("queries", 0),
        "stages": solver.get("stages", {}),
        "runs": module["runs"],
        "divergences": module["divergences"],
        "after": {str(n): seconds for n, seconds in after.items() if seconds is not None},
        "notes": [*module["notes"], *notes],
    }


def executed_lines(suite: Path, source: Path) -> set[int]:
    """The lines of the original that a written suite executes when it runs in a fresh process."""
    data = suite.with_suffix(".coverage")
    coverage = ["-m", "coverage", "run", "--rcfile=", f"--data-file={data}", f"--include={source}"]
    done = subprocess.run(
        [sys.executable, *coverage, "-m", "unittest", suite.stem],
        cwd=suite.parent,
        env=environment(FUNCTIONS),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if done.returncode not in (0, 5):
        raise BenchmarkError(f"{suite.name} fails:\n{done.stderr[-2000:]}")
    read = CoverageData(str(data))
    read.read()
    return set(read.lines(str(source)) or ())
