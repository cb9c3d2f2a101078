"""Suites for modules of released packages: branches, mutants, failures and time, for trees in turns.

    python benchmarks/released/run.py [--tree NAME=PYTHON]... [--only REGEX] [--weak] [--seconds 20]
                                      [--mutants 30] [--pynguin PYTHON] [--results build/released.json]
                                      [--again] [--page] [--check]

The releases of `modules.py` are installed into `build/released/` first. Each tree is an interpreter with
its own tracetwin; without one it is this interpreter's. What the results file holds is not measured again.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "classes")]

import pynguin_side  # noqa: E402 - the folders above hold what the benchmarks share
import summary  # noqa: E402
from harness import REPOSITORY, Json, gate, surroundings, write_section  # noqa: E402
from judging import generate, judge, module_name  # noqa: E402
from modules import RELEASES, WEAK, Release, install  # noqa: E402

SITE = REPOSITORY / "build" / "released"


def wanted(arguments: argparse.Namespace) -> Iterator[str]:
    """Yield the files to measure."""
    releases: tuple[Release, ...] = WEAK if arguments.weak else RELEASES
    for file in (file for release in releases for file in release.files):
        if re.search(arguments.only, file):
            yield file


def measure(file: str, tree: str, python: Path, arguments: argparse.Namespace) -> Json:
    """Generate and judge the suite of one module by one tree, or by Pynguin."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        if tree == "pynguin":
            found = pynguin_side.generate(python, module_name(file), SITE, arguments.seconds, out)
            found.setdefault("error", None)
        else:
            found = generate(python, SITE, file, arguments.seconds, out)
        return {**found, **judge(SITE, file, out, arguments.mutants)}


def trees(arguments: argparse.Namespace) -> dict[str, Path]:
    """Return the interpreters by name, in the order in which they take turns."""
    named = [tree.partition("=") for tree in arguments.tree] or [("here", "=", sys.executable)]
    found = {name: Path(python) for name, _, python in named}
    return found | ({"pynguin": Path(arguments.pynguin)} if arguments.pynguin else {})


def main(arguments: argparse.Namespace) -> int:
    """Measure, print the tables, and check the goals."""
    install(SITE, RELEASES)
    results: Json = {}
    if arguments.results.exists():
        results = json.loads(arguments.results.read_text(encoding="utf-8"))
    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    pythons = trees(arguments)
    for file in wanted(arguments):
        for tree, python in pythons.items():
            key = f"{tree}:{file}"
            if key in results and not arguments.again:
                continue
            results[key] = found = measure(file, tree, python, arguments)
            arguments.results.write_text(json.dumps(results, indent=1), encoding="utf-8")
            print(f"{key}: {summary.line(found)}", flush=True)
    shown = {file: {tree: results[f"{tree}:{file}"] for tree in pythons} for file in wanted(arguments)}
    text = summary.table(shown)
    print(text)
    if arguments.page:
        command = "Command: `python benchmarks/released/run.py`"
        note = f"{command} ({surroundings()}, {arguments.seconds:g} s a module)."
        write_section("released", "Released packages", f"{note}\n\n{text}")
    if not arguments.check:
        return 0
    first = [by_tree[next(iter(pythons))] for by_tree in shown.values()]
    missed = summary.missed(first, arguments.seconds)
    return gate(not missed, "; ".join(missed) or f"{len(shown)} modules")


def parse(argv: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    verbatim = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=verbatim)
    parser.add_argument("--tree", action="append", default=[], metavar="NAME=PYTHON")
    parser.add_argument("--pynguin", metavar="PYTHON")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--weak", action="store_true")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--mutants", type=int, default=30)
    parser.add_argument("--results", type=Path, default=REPOSITORY / "build" / "released.json")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--check", action="store_true")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(parse(sys.argv[1:])))
