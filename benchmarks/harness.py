"""What the benchmarks share: calling the tool, running suites under coverage.py, tables and gates."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
RESULTS = REPOSITORY / "docs" / "results.md"

Json = dict[str, Any]


class BenchmarkError(RuntimeError):
    """The tool, or a suite it wrote, did not do what the benchmark needs."""


def command_line() -> list[str]:
    """Return the console command beside this interpreter, else the package run as a module."""
    script = shutil.which("tracetwin", path=str(Path(sys.executable).parent))
    return [script] if script else [sys.executable, "-m", "tracetwin"]


def environment(*search_path: Path) -> dict[str, str]:
    """Copy the environment with only these entries on PYTHONPATH, and no byte code written beside sources."""
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    env["PYTHONPATH"] = os.pathsep.join(str(entry) for entry in search_path)
    return env


def generate(targets: Sequence[str], out: Path, *options: str, timeout: float = 1800) -> list[Json]:
    """Run `tracetwin generate` and return the JSON result of each module."""
    out.mkdir(parents=True, exist_ok=True)
    report = out / "result.json"
    report.unlink(missing_ok=True)
    argv = [*command_line(), "generate", *targets, "-o", str(out), "--json", str(report), "-q", *options]
    # The repository is the working directory, so that `-m tracetwin` is found without an installation.
    done = subprocess.run(argv, cwd=REPOSITORY, capture_output=True, text=True, timeout=timeout, check=False)
    if not report.exists():
        raise BenchmarkError(
            f"{' '.join(targets)}: exit status {done.returncode}\n{done.stdout}{done.stderr}"
        )
    modules: list[Json] = json.loads(report.read_text(encoding="utf-8"))["modules"]
    return modules


@dataclass(frozen=True)
class SuiteRun:
    """One run of an emitted suite in a fresh process."""

    tests: int
    failing: int
    output: str


def _parse_unittest(output: str, returncode: int) -> SuiteRun:
    ran = re.search(r"^Ran (\d+) tests?", output, re.MULTILINE)
    summary = re.search(r"^FAILED \((.*)\)", output, re.MULTILINE)
    counts = re.findall(r"(failures|errors|unexpected successes)=(\d+)", summary.group(1)) if summary else []
    failing = sum(int(count) for _, count in counts)
    if returncode != 0 and failing == 0 and not (ran and ran.group(1) == "0"):
        failing = 1  # the process itself died
    return SuiteRun(int(ran.group(1)) if ran else 0, failing, output)


def run_suite(suite: Path, *search_path: Path, launcher: Sequence[str] = ()) -> SuiteRun:
    """Run a suite with `python [launcher] -m unittest` from its own folder."""
    argv = [sys.executable, *launcher, "-m", "unittest", suite.stem]
    done = subprocess.run(
        argv,
        cwd=suite.parent,
        env=environment(*search_path),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return _parse_unittest(done.stderr, done.returncode)


@dataclass(frozen=True)
class Coverage:
    """What a suite reached in one file, by coverage.py's own count."""

    lines: int
    covered_lines: int
    branches: int
    covered_branches: int


def measure(suite: Path, source: Path, scratch: Path, *search_path: Path) -> Coverage:
    """Run a suite under coverage.py and count what it reaches in `source`."""
    data = scratch / f"{suite.stem}.coverage"
    report = scratch / f"{suite.stem}.coverage.json"
    option = [f"--data-file={data}", f"--include={source}"]
    run_suite(suite, *search_path, launcher=["-m", "coverage", "run", "--branch", "--rcfile=", *option])
    argv = [sys.executable, "-m", "coverage", "json", "--rcfile=", "-q", *option, "-o", str(report)]
    done = subprocess.run(argv, capture_output=True, text=True, cwd=scratch, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"coverage.py on {suite.name}: {done.stdout}{done.stderr}")
    totals = json.loads(report.read_text(encoding="utf-8"))["totals"]
    return Coverage(
        totals["num_statements"],
        totals["covered_lines"],
        totals["num_branches"],
        totals["covered_branches"],
    )


def rate(module: Json) -> float:
    """Return the runs per second of a module, generation as a whole."""
    seconds = float(module["seconds"])
    return float(module["runs"]) / seconds if seconds else 0.0


HEADER = ("module", "lines", "branches", "tests", "failing", "runs", "runs/s", "divergences", "seconds")


def row(module: Json, coverage: Coverage, suite: SuiteRun) -> tuple[str, ...]:
    """Format one module as a row under HEADER."""
    return (
        f"`{module['name']}`",
        f"{coverage.covered_lines}/{coverage.lines}",
        f"{coverage.covered_branches}/{coverage.branches}",
        str(suite.tests),
        str(suite.failing),
        str(module["runs"]),
        f"{rate(module):.0f}",
        str(module["divergences"]),
        f"{float(module['seconds']):.1f}",
    )


def failed_row(name: str, reason: str) -> tuple[str, ...]:
    """Format a module for which there is no suite."""
    return (f"`{name}`", reason.replace("|", "\\|").replace("\n", " "), *[""] * (len(HEADER) - 2))


def markdown_table(rows: Iterable[Sequence[str]]) -> str:
    """Join rows under HEADER into a Markdown table."""
    rule = ["---", *["---:"] * (len(HEADER) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (HEADER, rule, *rows))


def surroundings() -> str:
    """Say on what the figures were measured, without naming the machine."""
    return f"Python {platform.python_version()}, {platform.system()}, {os.cpu_count()} cores"


def write_section(name: str, title: str, text: str, file: Path = RESULTS) -> None:
    """Replace what stands between the markers of a section, or append the section."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    section = f"{begin}\n{text.strip()}\n{end}"
    page = file.read_text(encoding="utf-8") if file.exists() else "# Results\n"
    before, found, rest = page.partition(begin)
    if not found:
        page = f"{page.rstrip()}\n\n## {title}\n\n{section}\n"
    else:
        _, closed, after = rest.partition(end)
        if not closed:
            raise BenchmarkError(f"{file.name} has the marker {begin} but not {end}")
        page = before + section + after
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(page, encoding="utf-8")


def gate(passed: bool, message: str) -> int:
    """Print a verdict and return the exit status for it."""
    print(f"{'ok' if passed else 'MISSED'}: {message}")
    return 0 if passed else 1
