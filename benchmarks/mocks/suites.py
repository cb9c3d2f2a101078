"""One module: its suite generated as a user would, what the suite reaches, and what mypy says about it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from harness import REPOSITORY, BenchmarkError, Json, command_line, environment
from marks import Marks, marks_of
from measuring import run_tests
from targets import Target
from watching import run_watched


def digest(target: Target) -> str:
    """A result holds for the source it was measured with."""
    return hashlib.sha256(target.file.read_bytes()).hexdigest()[:16]


def measure(target: Target, seconds: float, folder: Path) -> Json:
    """Generate a suite in one process, run it on the original, count and check.

    Args:
        target: what to generate for.
        seconds: time limit.
        folder: an empty folder, which keeps the suite.
    """
    report = folder / "result.json"
    argv = [*command_line(), "generate", str(target.file), "-o", str(folder), "--json", str(report), "-q"]
    argv += ["--time-limit", f"{seconds:g}", "--seed", "0", "--jobs", "1"]
    # The repository is the working directory, so that `-m tracetwin` is found without an installation.
    done = run_watched(argv, REPOSITORY, seconds * 3 + 60)
    result: Json = {"digest": digest(target), "seconds": done.seconds, "cpu": done.cpu, "error": None}
    if not report.exists():
        return {**result, "error": f"exit status {done.status}: {done.output.strip()[-300:]}"}
    (module,) = json.loads(report.read_text(encoding="utf-8"))["modules"]
    result.update(runs=module["runs"], divergences=module["divergences"], reasons=module["uncovered"])
    suite = folder / f"test_{target.file.stem}.py"
    if not suite.exists():
        return {**result, "error": module["error"] or "no tests"}
    return {**result, **_run(target, folder), "mypy": mypy(suite, target.file.parent)}


def _run(target: Target, folder: Path) -> Json:
    data, report = folder / "suite.coverage", folder / "suite.coverage.json"
    option = [f"--data-file={data}", f"--include={target.file}"]
    launcher = ["-m", "coverage", "run", "--branch", "--rcfile=", *option]
    ran = run_tests(folder, target.file.parent, launcher=launcher)
    argv = [sys.executable, "-m", "coverage", "json", "--rcfile=", "-q", *option, "-o", str(report)]
    done = subprocess.run(argv, capture_output=True, text=True, cwd=folder, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"coverage.py on {target.key}: {done.stdout}{done.stderr}")
    (figures,) = json.loads(report.read_text(encoding="utf-8"))["files"].values()
    return {**ran, **_reached(marks_of(target.file), figures)}


def _reached(marks: Marks, figures: Json) -> Json:
    executed = set(figures["executed_lines"])
    missing = [tuple(branch) for branch in figures["missing_branches"]]
    feasible = [branch for branch in missing if not marks.is_infeasible(*branch)]
    return {
        "goals": len(marks.goals),
        "goals_reached": sum(line in executed for line in marks.goals),
        "goals_missed": [line for line in marks.goals if line not in executed],
        "infeasible": len(missing) - len(feasible),
        "branches": figures["summary"]["num_branches"] - (len(missing) - len(feasible)),
        "covered": figures["summary"]["covered_branches"],
        "missing": [f"{origin}->{target if target > 0 else 'exit'}" for origin, target in feasible],
        "lines": figures["summary"]["num_statements"],
        "covered_lines": figures["summary"]["covered_lines"],
        "missing_lines": figures["missing_lines"],
    }


def mypy(suite: Path, root: Path) -> list[str]:
    """What mypy objects to in a test file; bodies of functions without annotations are checked, too."""
    cache = REPOSITORY / "build" / "mypy-of-suites"
    argv = [sys.executable, "-m", "mypy", "--config-file=", "--no-error-summary", "--follow-imports=silent"]
    argv += ["--check-untyped-defs", f"--cache-dir={cache}", suite.name]
    env = {**environment(), "MYPYPATH": os.pathsep.join([str(root)])}
    done = subprocess.run(argv, cwd=suite.parent, env=env, capture_output=True, text=True, check=False)
    said = [line for line in done.stdout.splitlines() if ": note: " not in line]
    if done.returncode != 0 and not said:
        return [done.stderr.strip()[-300:] or f"mypy: exit status {done.returncode}"]
    return said
