"""Mutants that suites kill, by their criteria: our own modules and 15 of released wheels.

    python benchmarks/mutation/run.py [--only REGEX] [--seconds 20 | --max-runs N] [--mutants 30]
                                      [--data short] [--results build/mutation.json] [--again]
                                      [--page] [--check]

A suite is made for each module with `--criterion branch` and with the usual criteria, by the same limit, and
judged by the mutants of `released/sampling.py`, which are made on the source without anything of the tool.
What the results file holds is not measured again.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / folder) for folder in ("", "classes", "released")]

from harness import REPOSITORY, Json, gate, surroundings, write_section  # noqa: E402 - the folders above
from judging import generate, judge  # noqa: E402
from modules import install  # noqa: E402
from mutated import RELEASES, SITE, Subject, subjects  # noqa: E402

BRANCH, USUAL = "branch", "usual"
OPTIONS = {BRANCH: ("--criterion", "branch"), USUAL: ()}
GOALS = {"examples": 95.0, "depth": 95.0, "classes": 95.0, "released": 85.0}
LONGER = 2.0
NET = 600.0
"""Seconds where executions bound the work."""


def measure(subject: Subject, criteria: str, arguments: argparse.Namespace) -> Json:
    """Generate and judge one suite."""
    options = [*OPTIONS[criteria], "--data", arguments.data]
    seconds = arguments.seconds
    if arguments.max_runs:
        options += ["--max-runs", str(arguments.max_runs)]
        seconds = NET
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        found = generate(Path(sys.executable), subject.site, subject.file, seconds, out, *options)
        return {**found, **judge(subject.site, subject.file, out, arguments.mutants)}


def table(results: Mapping[str, Json], shown: Iterable[Subject]) -> str:
    """Return the figures of both suites of each module, and the sums of each group."""
    names = [f"{what}, {criteria}" for what in ("branches", "mutants", "tests") for criteria in OPTIONS]
    rows = [f"| module | {' | '.join(names)} | failing |", "| --- |" + " ---: |" * (len(names) + 1)]
    sums: dict[str, list[Json]] = {}
    for subject in shown:
        both = [results.get(f"{subject.name} {criteria}") for criteria in OPTIONS]
        if (before := both[0]) is not None and (after := both[1]) is not None:
            rows.append(_row(subject.name, before, after))
            sums.setdefault(subject.group, []).append({"before": before, "after": after})
    for group, pairs in sums.items():
        before, after = (_sum([pair[side] for pair in pairs]) for side in ("before", "after"))
        rows.append(_row(f"{group}, {len(pairs)} modules", before, after))
    return "\n".join(rows)


def _sum(figures: list[Json]) -> Json:
    names = ("covered_branches", "branches", "killed", "mutants", "tests", "failing")
    return {name: sum(one[name] for one in figures) for name in names}


def _row(name: str, *sides: Json) -> str:
    cells = [f"{one['covered_branches']}/{one['branches']}" for one in sides]
    cells += [f"{one['killed']}/{one['mutants']}" for one in sides]
    cells += [str(one["tests"]) for one in sides]
    return f"| {name} | {' | '.join(cells)} | {sum(one['failing'] for one in sides)} |"


def missed(results: Mapping[str, Json], shown: Iterable[Subject]) -> list[str]:
    """Return the goals that are not met, with their figures."""
    found = []
    for group, goal in GOALS.items():
        names = [subject.name for subject in shown if subject.group == group]
        pairs = [(results.get(f"{name} {BRANCH}"), results.get(f"{name} {USUAL}")) for name in names]
        known = [(before, after) for before, after in pairs if before is not None and after is not None]
        if not known:
            continue
        before, after = (_sum([pair[side] for pair in known]) for side in range(2))
        score = 100 * after["killed"] / max(1, after["mutants"])
        longer = after["tests"] / max(1, before["tests"])
        found += [f"{group}: {score:.1f} % of the mutants"] if score < goal else []
        found += [f"{group}: {longer:.1f} times as many tests"] if longer > LONGER else []
        found += [f"{group}: {after['failing']} failing tests"] if after["failing"] else []
    return found


def main(arguments: argparse.Namespace) -> int:
    """Measure, print the table, and check the goals."""
    asked = [subject for subject in subjects() if re.search(arguments.only, subject.name)]
    if any(subject.group == "released" for subject in asked):
        install(SITE, RELEASES)
    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    results: Json = {}
    if arguments.results.exists():
        results = json.loads(arguments.results.read_text(encoding="utf-8"))
    for subject in asked:
        for criteria in OPTIONS:
            key = f"{subject.name} {criteria}"
            if key not in results or arguments.again:
                results[key] = measure(subject, criteria, arguments)
                arguments.results.write_text(json.dumps(results, indent=1), encoding="utf-8")
                print(f"{key}: {results[key]['killed']}/{results[key]['mutants']}", flush=True)
    text = table(results, asked)
    print(text)
    if arguments.page:
        runs = arguments.max_runs
        limit = f"`--max-runs {runs}`" if runs else f"{arguments.seconds:g} s a module"
        note = f"Command: `python benchmarks/mutation/run.py` ({surroundings()}, {limit})."
        write_section("mutation", "Mutants", f"{note}\n\n{text}")
    found = missed(results, asked)
    return gate(not found, "; ".join(found) or f"{len(asked)} modules") if arguments.check else 0


def parse(argv: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    verbatim = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=verbatim)
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--max-runs", type=int, default=0, metavar="N")
    parser.add_argument("--mutants", type=int, default=30)
    parser.add_argument("--data", default="short")
    parser.add_argument("--results", type=Path, default=REPOSITORY / "build" / "mutation.json")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--check", action="store_true")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(parse(sys.argv[1:])))
