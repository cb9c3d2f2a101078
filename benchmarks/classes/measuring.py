"""One subject: its suite generated as a user would, and what the suite covers by coverage.py's count."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from harness import REPOSITORY, BenchmarkError, Json, command_line, environment
from infeasible import is_infeasible
from subjects import HERE, Subject
from watching import run_watched


def digest(subject: Subject) -> str:
    """A result holds for the sources it was measured with."""
    texts = b"\0".join(file.read_bytes() for file in subject.files)
    return hashlib.sha256(texts).hexdigest()[:16]


def measure(subject: Subject, seconds: float, scratch: Path) -> Json:
    """Generate a suite in one process, run it on the original, and count.

    Args:
        subject: what to generate for.
        seconds: time limit for all its modules together.
        scratch: an empty folder, which keeps the suite.
    """
    report = scratch / "result.json"
    per_module = seconds / len(subject.files)  # the option holds for each module
    options = ["--time-limit", f"{per_module:g}", "--seed", "0", "--jobs", "1", "--json", str(report), "-q"]
    argv = [*command_line(), "generate", str(subject.target), "-o", str(scratch), *options]
    # The repository is the working directory, so that `-m tracetwin` is found without an installation.
    done = run_watched(argv, REPOSITORY, seconds * 2 + 120)
    result: Json = {"digest": digest(subject), "wall": done.seconds, "cpu": done.cpu, "peak": done.peak}
    result["error"] = None
    if not report.exists():
        result["error"] = f"exit status {done.status}: {done.output[-600:]}"
        return result
    modules = json.loads(report.read_text(encoding="utf-8"))["modules"]
    for figure in ("runs", "divergences"):
        result[figure] = sum(module[figure] for module in modules)
    result["notes"] = [note for module in modules for note in module["notes"]]
    result["reasons"] = {module["name"]: module["uncovered"] for module in modules}
    result["error"] = "; ".join(str(module["error"]) for module in modules if module["error"]) or None
    if not any(scratch.rglob("test_*.py")):
        result["error"] = result["error"] or "no tests"
        return result
    return {**result, **suite_figures(subject, scratch), "limit": seconds}


def suite_figures(subject: Subject, folder: Path) -> Json:
    """Tests, failures and covered branches of the suite in a folder."""
    data, report = folder / "suite.coverage", folder / "suite.coverage.json"
    option = [f"--data-file={data}", "--include=" + ",".join(map(str, subject.files))]
    launcher = ["-m", "coverage", "run", "--branch", "--rcfile=", *option]
    ran = run_tests(folder, import_root(subject), launcher=launcher)
    argv = [sys.executable, "-m", "coverage", "json", "--rcfile=", "-q", *option, "-o", str(report)]
    done = subprocess.run(argv, capture_output=True, text=True, cwd=folder, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"coverage.py on {subject.key}: {done.stdout}{done.stderr}")
    files = json.loads(report.read_text(encoding="utf-8"))["files"]
    by_file = {Path(name).name: figures for name, figures in files.items()}
    return {**ran, **_branches(subject, by_file), **_goals(subject, by_file)}


def import_root(subject: Subject) -> Path:
    """The folder that the subject's modules are imported from."""
    return subject.target.parent


def _branches(subject: Subject, by_file: Json) -> Json:
    total = covered = impossible = 0
    missing: list[str] = []
    statements = executed = 0
    for file in subject.files:
        figures = by_file[file.name]
        totals = figures["summary"]
        statements += totals["num_statements"]
        executed += totals["covered_lines"]
        total += totals["num_branches"]
        covered += totals["covered_branches"]
        for origin, target in figures["missing_branches"]:
            if is_infeasible(file.relative_to(HERE).as_posix(), origin, target):
                impossible += 1
            else:
                missing.append(f"{file.name}:{origin}->{target if target > 0 else 'exit'}")
        lines = figures["missing_lines"]
        missing += [f"{file.name}:{line}" for line in lines]
    return {
        "lines": statements,
        "covered_lines": executed,
        "branches": total - impossible,
        "covered_branches": covered,
        "infeasible": impossible,
        "missing": missing,
    }


def _goals(subject: Subject, by_file: Json) -> Json:
    goals = [(name, line) for name, lines in subject.goals().items() for line in lines]
    reached = [goal for goal in goals if goal[1] in set(by_file[goal[0]]["executed_lines"])]
    missed = [f"{name}:{line}" for name, line in goals if (name, line) not in reached]
    return {"goals": len(goals), "goals_reached": len(reached), "goals_missed": missed}


def run_tests(
    folder: Path, *path: Path, launcher: list[str] | None = None, timeout: float = 120
) -> Json:
    """Run all tests of a folder in a fresh process and count them.

    Returns:
        `tests`, `failing` (a suite that does not end counts as one) and `expected_failures`.
    """
    argv = [sys.executable, *(launcher or []), "-m", "unittest", "discover", "-s", str(folder), "-q"]
    env = {**environment(*path), "PYTHONHASHSEED": os.environ.get("PYTHONHASHSEED", "0")}
    started = time.monotonic()
    try:
        done = subprocess.run(
            argv, cwd=folder, env=env, capture_output=True, text=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired:
        return {"tests": 0, "failing": 1, "expected_failures": 0, "suite_seconds": timeout}
    ran = re.search(r"^Ran (\d+) tests?", done.stderr, re.MULTILINE)
    counts = dict(re.findall(r"(failures|errors|unexpected successes|expected failures)=(\d+)", done.stderr))
    failing = sum(int(counts.get(name, 0)) for name in ("failures", "errors", "unexpected successes"))
    if done.returncode not in (0, 5) and not failing:
        failing = 1  # the process itself died
    return {
        "tests": int(ran.group(1)) if ran else 0,
        "failing": failing,
        "expected_failures": int(counts.get("expected failures", 0)),
        "suite_seconds": time.monotonic() - started,
    }
