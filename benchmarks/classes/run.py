"""What tracetwin covers of classes whose methods need their objects in the right state.

    python benchmarks/classes/run.py [--only REGEX] [--time-limit SECONDS] [--results build/classes.json]
                                     [--again] [--keep DIR] [--seeded] [--table states] [--page] [--check]

Without `--seeded` or `--table` each class gets a suite (`ports/`, `deep/`, `pacman/`) and the suite is
measured. What is in the results file already, for the source as it is, is not measured again but with
`--again`. `--seeded` runs the suites of the ports on versions with a fault; `--table states` is the table of
symbolic states per depth beside the papers' figures.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import mutants  # noqa: E402 - the folder above holds what the benchmarks share
import redundancy  # noqa: E402
import states  # noqa: E402
import tables  # noqa: E402
from harness import REPOSITORY, Json, gate, surroundings, write_section  # noqa: E402
from measuring import digest, import_root, measure  # noqa: E402
from subjects import Subject, subjects  # noqa: E402


class Results:
    """What was measured, kept in a file from class to class."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.data: Json = {"classes": {}, "faults": {}, "states": {}}
        if file.exists():
            self.data.update(json.loads(file.read_text(encoding="utf-8")))

    def holds(self, subject: Subject) -> bool:
        """Whether the subject was measured as it is now."""
        return bool(self.data["classes"].get(subject.key, {}).get("digest") == digest(subject))

    def add(self, section: str, key: str, measured: Json) -> None:
        """Take in one result and write the file."""
        self.data[section][key] = measured
        self._file.parent.mkdir(parents=True, exist_ok=True)
        part = self._file.with_suffix(".part")
        part.write_text(json.dumps(self.data, indent=1, sort_keys=True), encoding="utf-8")
        part.replace(self._file)


@contextlib.contextmanager
def _folder(keep: Path | None, name: str) -> Iterator[Path]:
    """An empty folder for a suite, which stays if it was asked for."""
    if keep is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
        return
    folder = (keep / name).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    yield folder


def _classes(wanted: list[Subject], results: Results, options: argparse.Namespace) -> None:
    for subject in wanted:
        if results.holds(subject) and not options.again:
            continue
        with _folder(options.keep, subject.key) as folder:
            measured = measure(subject, options.time_limit or subject.seconds, folder)
            if "tests" in measured and subject.kind == "pacman":
                root = import_root(subject)
                measured["redundant"] = redundancy.redundant_tests(folder, subject.files, root)
        results.add("classes", subject.key, measured)
        said = f"{measured.get('covered_branches', 0)}/{measured.get('branches', 0)} branches"
        goals = f"{measured.get('goals_reached', 0)}/{measured.get('goals', 0)} goals"
        print(f"{subject.key:28} {said:18} {goals:12} {measured['wall']:.1f} s", flush=True)


def _seeded(wanted: list[Subject], results: Results, options: argparse.Namespace) -> None:
    for subject in wanted:
        if not mutants.faults_of(subject):
            continue
        with _folder(options.keep, f"seeded-{subject.key}") as folder:
            for fault, measured in mutants.measure(subject, options.time_limit or subject.seconds, folder):
                results.add("faults", fault, measured)
                print(f"{fault:60} {measured['outcome']}", flush=True)


def _page(everything: list[Subject], results: Json) -> None:
    note = f"Command: `python benchmarks/classes/run.py --page` ({surroundings()}), one process,\n"
    note += "60 s a class (30 s in `deep/`, 600 s for the Pacman model). `benchmarks/README.md` explains it."
    parts = [note, tables.show(everything, results["classes"])]
    if results["faults"]:
        parts.append(mutants.table(results["faults"]))
    if results["states"]:
        parts.append(states.table(results["states"]))
    write_section("classes", "Classes", "\n\n".join(parts))


def _arguments() -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--only", default="", metavar="REGEX", help="subjects whose kind.name it finds")
    parser.add_argument("--time-limit", type=float, metavar="SECONDS", help="instead of each one's own")
    parser.add_argument("--results", type=Path, default=REPOSITORY / "build" / "classes.json", metavar="FILE")
    parser.add_argument("--again", action="store_true", help="measure what is in the results file once more")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the suites stay")
    parser.add_argument("--seeded", action="store_true", help="seeded faults instead of coverage")
    parser.add_argument("--table", choices=["states"], help="states per depth instead of coverage")
    parser.add_argument("--depth", type=int, default=8, help="for --table states")
    parser.add_argument("--page", action="store_true", help="write what was measured to docs/results.md")
    parser.add_argument("--check", action="store_true", help="exit status 1 when a goal is missed")
    return parser.parse_args()


def main() -> int:
    """Measure what is asked for, print the tables, judge."""
    options = _arguments()
    everything = subjects()
    wanted = [subject for subject in everything if re.search(options.only, subject.key)]
    results = Results(options.results)
    complaints: list[str] = []
    if options.seeded:
        _seeded(wanted, results, options)
        print(mutants.table(results.data["faults"]))
        complaints = mutants.complaints(results.data["faults"])
    elif options.table:
        for name in states.METHODS:
            if re.search(options.only, name):
                results.add("states", name, states.measure(name, options.depth))
        print(states.table(results.data["states"]))
        complaints = states.complaints(results.data["states"])
    else:
        _classes(wanted, results, options)
        print(tables.show(wanted, results.data["classes"]))
        print(tables.misses(wanted, results.data["classes"]))
        complaints = tables.complaints(wanted, results.data["classes"])
    if options.page:
        _page(everything, results.data)
    if options.check:
        return gate(not complaints, "; ".join(complaints) or "all goals")
    return 0


if __name__ == "__main__":
    sys.exit(main())
