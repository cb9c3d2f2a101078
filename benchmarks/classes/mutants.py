"""Runs the suites of the correct classes on versions with a seeded fault."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import tables
from faults import FAULTS, Fault
from harness import Json
from measuring import measure as measure_class
from measuring import run_tests
from subjects import HERE, Subject

WANTED = 0.9
SECONDS = 60.0  # a fault may make a loop endless


def faults_of(subject: Subject) -> list[Fault]:
    """The faults seeded into the sources of a subject."""
    names = {file.relative_to(HERE).as_posix() for file in subject.files}
    return [fault for fault in FAULTS if fault.file in names]


def measure(subject: Subject, seconds: float, scratch: Path) -> Iterator[tuple[str, Json]]:
    """Generate a suite for the correct version and run it on each faulty one.

    Yields:
        The fault's name and its `outcome`: `killed`, `survived`, or why there is no suite to run.
    """
    suite = scratch / "suite"
    suite.mkdir()
    measured = measure_class(subject, seconds, suite)
    problem = measured["error"] or (f"{measured['failing']} tests fail" if measured["failing"] else None)
    for number, fault in enumerate(faults_of(subject)):
        entry = {"file": fault.file, "tests": measured.get("tests", 0)}
        if problem:
            yield fault.name, {**entry, "outcome": f"no suite: {problem}"}
            continue
        folder = scratch / f"fault-{number}"
        shutil.copytree(subject.target.parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
        faulty = folder / Path(fault.file).name
        faulty.write_text(fault.apply(faulty.read_text(encoding="utf-8")), encoding="utf-8")
        ran = run_tests(suite, folder, timeout=SECONDS)
        yield fault.name, {**entry, "outcome": "killed" if ran["failing"] else "survived"}


def table(results: Json) -> str:
    """Killed and all faults by class, then the names of those that were not noticed."""
    by_file: dict[str, list[str]] = {}
    for measured in results.values():
        by_file.setdefault(Path(measured["file"]).stem, []).append(measured["outcome"])
    rows = [[f"`{name}`", f"{found.count('killed')}/{len(found)}"] for name, found in sorted(by_file.items())]
    outcomes = [measured["outcome"] for measured in results.values()]
    rows.append(["all", f"{outcomes.count('killed')}/{len(outcomes)}"])
    survivors = [f"- {m['file']}: {name} ({m['outcome']})" for name, m in sorted(results.items())]
    left = [line for line in survivors if not line.endswith("(killed)")]
    return "\n".join([tables.markdown(("seeded faults", "killed"), rows), "", *left])


def complaints(results: Json) -> list[str]:
    """Whether too few of the faults were noticed."""
    killed = [measured["outcome"] for measured in results.values()].count("killed")
    if killed >= WANTED * len(results):
        return []
    return [f"{killed} of {len(results)} seeded faults killed"]
