"""The tables of the class benchmarks, in Markdown, and the verdicts against the goals of the work."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness import Json
from subjects import STRUCTURES, Subject

MEBIBYTE = 2**20
MEMORY_LIMIT = 1024 * MEBIBYTE
PACMAN_SHARE = 0.95
PACMAN_TESTS = 315  # the suite of the thesis

HEADER = (
    "class", "branches", "%", "infeasible", "lines", "tests", "failing", "goals", "runs", "seconds", "CPU s",
    "MiB",
)  # fmt: skip


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table whose first column is text and the others numbers."""
    rule = ["---", *["---:"] * (len(header) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, rule, *rows))


def share(result: Json) -> float:
    """Covered part of the feasible branches, from 0 to 1."""
    branches = result.get("branches", 0)
    return float(result["covered_branches"] / branches) if branches else float("branches" in result)


def row(subject: Subject, result: Json) -> list[str]:
    """One line under HEADER."""
    if "branches" not in result:
        reason = str(result["error"]).replace("\n", " ").replace("|", "\\|")[-120:]
        return [f"`{subject.name}`", reason, *[""] * (len(HEADER) - 2)]
    return [
        f"`{subject.name}`",
        f"{result['covered_branches']}/{result['branches']}",
        f"{100 * share(result):.0f}",
        str(result["infeasible"]),
        f"{result['covered_lines']}/{result['lines']}",
        str(result["tests"]),
        str(result["failing"]),
        f"{result['goals_reached']}/{result['goals']}" if result["goals"] else "",
        str(result["runs"]),
        f"{result['wall']:.1f}",
        f"{result['cpu']:.1f}",
        f"{result['peak'] / MEBIBYTE:.0f}",
    ]


def show(subjects: Sequence[Subject], results: Json) -> str:
    """The table of all subjects that were measured."""
    measured = [subject for subject in subjects if subject.key in results]
    return markdown(HEADER, (row(subject, results[subject.key]) for subject in measured))


def misses(subjects: Sequence[Subject], results: Json) -> str:
    """What is not covered, subject by subject."""
    lines = []
    for subject in subjects:
        result = results.get(subject.key, {})
        missing = [*result.get("missing", ()), *(f"goal {goal}" for goal in result.get("goals_missed", ()))]
        if missing:
            lines.append(f"{subject.key}: {', '.join(missing)}")
    return "\n".join(lines)


def complaints(subjects: Sequence[Subject], results: Json) -> list[str]:
    """Which goals of the work are missed by what was measured, in words."""
    found = []
    for subject in subjects:
        result = results.get(subject.key)
        if result is not None:
            found += [f"{subject.key}: {problem}" for problem in _problems(subject, result)]
    return found


def _problems(subject: Subject, result: Json) -> list[str]:
    if "branches" not in result:
        return [str(result["error"])]
    problems = []
    if result["failing"] or result["error"]:
        problems.append(f"{result['failing']} failing tests, {result['error']}")
    if result["divergences"]:
        problems.append(f"{result['divergences']} divergences")
    if result["goals_missed"]:
        problems.append(f"goals missed: {', '.join(result['goals_missed'])}")
    if subject.kind == "ports" and share(result) < 1:
        problems.append(f"{100 * share(result):.1f} % of the feasible branches")
    # Wall-clock time says as much about who else uses the machine.
    if result["cpu"] > subject.seconds:
        problems.append(f"{result['cpu']:.0f} s of processor time")
    if subject.name in STRUCTURES and result["peak"] > MEMORY_LIMIT:
        problems.append(f"{result['peak'] / MEBIBYTE:.0f} MiB")
    if subject.kind == "pacman":
        problems += _pacman(result)
    return problems


def _pacman(result: Json) -> list[str]:
    problems = []
    if share(result) < PACMAN_SHARE:
        problems.append(f"{100 * share(result):.1f} % of the feasible branches")
    if result["tests"] >= PACMAN_TESTS:
        problems.append(f"{result['tests']} tests")
    if result.get("redundant"):
        problems.append(f"{len(result['redundant'])} redundant tests")
    return problems
