"""One module by one tool: a suite generated as a user would, and what a fresh interpreter says of it."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from harness import BenchmarkError, Json, environment
from sampling import sample
from watching import Finished, run_watched

HERE = Path(__file__).resolve().parent
ORDERS = ("1", "2")
SUITE_SECONDS = 300.0
PYTEST = ("-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir=.")
"""Options that keep a run of pytest free of what lies around."""


def module_name(file: str) -> str:
    """Return the dotted name of a file below the folder of the installation."""
    return ".".join(Path(file).with_suffix("").parts).removesuffix(".__init__")


def generate(python: Path, site: Path, file: str, seconds: float, out: Path, *options: str) -> Json:
    """Let the tracetwin of an environment write a suite.

    Args:
        python: interpreter of the environment.
        site: where the releases are installed.
        file: the module, relative to that.
        seconds: the time limit.
        out: an empty folder, which keeps suite and report.
        options: more of the command's.

    Returns:
        `wall`, `cpu` and `peak` of the command, what its own report says, and `error`.
    """
    report = out / "result.json"
    argv = [str(python), "-m", "tracetwin", "generate", str(site / file), "--root", str(site), "-o", str(out)]
    argv += ["--time-limit", f"{seconds:g}", "--seed", "0", "-j", "1", "--json", str(report), *options]
    done = run_watched(argv, out, seconds * 8 + 120)
    found: Json = {"wall": done.seconds, "cpu": done.cpu, "peak": done.peak, "status": done.status}
    found["internal"] = len(re.findall(r"internal error", done.output))
    if not report.exists():
        return {**found, "error": f"exit status {done.status}: {done.output.strip()[-300:]}"}
    module = next(iter(json.loads(report.read_text(encoding="utf-8"))["modules"]), {})
    found["error"] = module.get("error")
    for figure in ("runs", "divergences"):
        found[figure] = module.get(figure, 0)
    stats = module.get("stats", {})
    found["exploring"] = stats.get("exploration_seconds", 0.0)
    found["phases"] = stats.get("phases", {})
    reasons = [one.get("reason", "") for one in module.get("uncovered", [])]
    found["uncovered"] = len(reasons)
    found["budget"] = sum("budget" in reason for reason in reasons)
    return found


def judge(site: Path, file: str, out: Path, mutants: int) -> Json:
    """Run the suite in a folder in fresh processes: under coverage.py, in random orders, and on mutants."""
    if not list(out.glob("test_*.py")):
        made = len(sample((site / file).read_text(encoding="utf-8"), mutants))
        return {"tests": 0, "failing": 0, "killed": 0, "mutants": made, **_nothing(site / file)}
    found = _run(site, out)
    found["failing"] += _in_other_orders(site, out)
    return {**found, **_covered(site / file, out), **(_mutation(site, file, out, mutants) if mutants else {})}


def _run(site: Path, out: Path) -> Json:
    option = [f"--data-file={out / 'suite.coverage'}", f"--include={site}/*", "--rcfile="]
    done = _python(site, out, ["-m", "coverage", "run", "--branch", *option, *_discover(out)])
    ran = re.search(r"^Ran (\d+) tests?", done.output, re.MULTILINE)
    counts = re.findall(r"(failures|errors|unexpected successes)=(\d+)", done.output)
    failing = sum(int(count) for _, count in counts)
    return {"tests": int(ran.group(1)) if ran else 0, "failing": failing or int(done.status not in (0, 5))}


def _discover(out: Path) -> list[str]:
    return ["-m", "unittest", "discover", "-q", "-s", str(out)]


def _python(site: Path, out: Path, argv: Sequence[str], seconds: float = SUITE_SECONDS) -> Finished:
    env = {**environment(site), "PYTHONHASHSEED": "7"}
    return run_watched([sys.executable, *argv], out, seconds, env)


def _in_other_orders(site: Path, out: Path) -> int:
    done = _python(site, out, [str(HERE / "shuffled.py"), str(out), *ORDERS])
    return done.status if done.status is not None and done.status >= 0 else 1


def _covered(source: Path, out: Path) -> Json:
    report = out / "suite.coverage.json"
    argv = [sys.executable, "-m", "coverage", "json", "--rcfile=", "-q", f"--include={source}"]
    argv += [f"--data-file={out / 'suite.coverage'}", "-o", str(report)]
    done = subprocess.run(argv, capture_output=True, text=True, cwd=out, check=False)
    if done.returncode != 0:
        return _nothing(source)
    (figures,) = json.loads(report.read_text(encoding="utf-8"))["files"].values()
    executed = set(figures["executed_lines"])
    within = body_lines(source) & (executed | set(figures["missing_lines"]))
    totals = figures["summary"]
    return {
        "lines": len(within),
        "covered_lines": len(within & executed),
        "branches": totals["num_branches"],
        "covered_branches": totals["covered_branches"],
    }


def _nothing(source: Path) -> Json:
    """Return the figures of a module for which there is no suite, by coverage.py's count of branches."""
    from coverage.python import PythonParser

    parser = PythonParser(filename=str(source))
    parser.parse_source()
    within = body_lines(source) & parser.statements
    branches = sum(count for count in parser.exit_counts().values() if count > 1)
    return {"lines": len(within), "covered_lines": 0, "branches": branches, "covered_branches": 0}


def body_lines(source: Path) -> set[int]:
    """Return the lines within functions: those that an import does not execute."""
    found = set[int]()
    for node in ast.walk(ast.parse(source.read_bytes())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found.update(range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1))
    return found


def judge_by_pytest(site: Path, file: str, out: Path, mutants: int) -> Json:
    """Run any suite in a folder by pytest: on the module, and without what fails there on its mutants.

    Returns:
        `tests` and `failing` on the module as it is, `killed`, `mutants` and `survivors`.
    """
    if not list(out.glob("test_*.py")):
        made = len(sample((site / file).read_text(encoding="utf-8"), mutants))
        return {"tests": 0, "failing": 0, "killed": 0, "mutants": made, "survivors": []}
    report = out / "suite.xml"
    done = _python(site, out, ["-m", "pytest", *PYTEST, f"--junitxml={report}", str(out)])
    if not report.exists():
        raise BenchmarkError(f"pytest on {file}: {done.output[-300:]}")
    tests = failing = 0
    without = []
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - our own report
        tests += 1
        if case.find("failure") is not None or case.find("error") is not None:
            failing += 1
            without.append(_named(case.get("classname", ""), case.get("name", "")))
    judged = _mutation(site, file, out, mutants, runner="pytest", without=without)
    return {"tests": tests, "failing": failing, **judged}


def _named(classname: str, name: str) -> str:
    """Return the id of a test of a report, without its folder; of a file that was not collected, the file."""
    file, *inside = (classname or name).split(".")
    return "::".join([f"{file}.py", *inside, *([name] if classname else [])])


def _mutation(site: Path, file: str, out: Path, most: int, **more: object) -> Json:
    job = out / "mutants.job"
    asked = {"suite": str(out), "name": module_name(file), "file": str(site / file), "most": most, **more}
    job.write_text(json.dumps(asked), encoding="utf-8")
    done = _python(site, out, [str(HERE / "killing.py"), str(job)], seconds=most * 15 + 60)
    lines = [line for line in done.output.splitlines() if line.startswith("{")]
    if not lines:
        raise BenchmarkError(f"mutants of {file}: {done.output[-300:]}")
    answer: Json = json.loads(lines[-1])
    return {"killed": answer["killed"], "mutants": answer["made"], "survivors": answer["survivors"]}
