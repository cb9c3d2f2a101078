"""Mutants that suites of three generators kill, on ten modules of `mutated.py`.

    python benchmarks/mutation/beside.py --pynguin PYTHON --crosshair PYTHON [--only REGEX] [--seconds 20]
                                         [--mutants 30] [--results build/beside.json] [--again] [--page]

Each generator has the same time for a module, Pynguin as much again to choose its assertions. All suites are
run by pytest, on the module and on the same mutants (`released/sampling.py`); tests that fail on the module
as it is are counted, and take no part in judging mutants.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / folder) for folder in ("", "classes", "released")]

import pynguin_side  # noqa: E402 - the folders above
from harness import REPOSITORY, Json, surroundings, write_section  # noqa: E402
from judging import generate, judge_by_pytest  # noqa: E402
from modules import install  # noqa: E402
from mutated import RELEASES, SITE, Subject, subjects  # noqa: E402
from rivals import CROSSHAIR_VERSION, by_crosshair, by_pynguin  # noqa: E402

CHOSEN = (
    "examples/intervals.py",
    "examples/shipping.py",
    "depth/checksums.py",
    "depth/texts_library.py",
    "classes/bank.py",
    "classes/ring_buffer.py",
    "mocks/payment.py",
    "released/boltons/mathutils.py",
    "released/rsa/common.py",
    "released/validators/card.py",
)
"""Modules of each group; CrossHair wants annotations, which most of them have."""

Generator = Callable[[Path, Subject, float, Path], Json]


def ours(python: Path, subject: Subject, seconds: float, out: Path) -> Json:
    """Let tracetwin write a suite with its usual criteria."""
    return generate(python, subject.site, subject.file, seconds, out)


GENERATORS: dict[str, Generator] = {"tracetwin": ours, "pynguin": by_pynguin, "crosshair": by_crosshair}


def measure(generator: str, python: Path, subject: Subject, arguments: argparse.Namespace) -> Json:
    """Generate and judge one suite."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        found = GENERATORS[generator](python, subject, arguments.seconds, out)
        found.setdefault("error", None)
        return {**found, **judge_by_pytest(subject.site, subject.file, out, arguments.mutants)}


def table(results: Mapping[str, Json], shown: list[Subject]) -> str:
    """Return the figures of each module and generator, and their sums."""
    heads = [f"{what}, {name}" for what in ("mutants", "tests", "failing") for name in GENERATORS]
    rows = [f"| module | {' | '.join(heads)} |", "| --- |" + " ---: |" * len(heads)]
    kept = {subject.name: [results.get(f"{subject.name} {name}") for name in GENERATORS] for subject in shown}
    whole = {name: [one for one in sides if one] for name, sides in kept.items() if all(sides)}
    rows += [_row(name, sides) for name, sides in whole.items()]
    sums = [_sum([sides[index] for sides in whole.values()]) for index in range(len(GENERATORS))]
    return "\n".join([*rows, _row(f"{len(whole)} modules", sums)])


def _sum(figures: list[Json]) -> Json:
    return {name: sum(one[name] for one in figures) for name in ("killed", "mutants", "tests", "failing")}


def _row(name: str, sides: list[Json]) -> str:
    cells = [f"{one['killed']}/{one['mutants']}" for one in sides]
    cells += [str(one[figure]) for figure in ("tests", "failing") for one in sides]
    return f"| {name} | {' | '.join(cells)} |"


def main(arguments: argparse.Namespace) -> int:
    """Measure and print the table."""
    known = {subject.name: subject for subject in subjects()}
    asked = [known[name] for name in CHOSEN if re.search(arguments.only, name)]
    if any(subject.group == "released" for subject in asked):
        install(SITE, RELEASES)
    pythons = {"tracetwin": sys.executable, "pynguin": arguments.pynguin, "crosshair": arguments.crosshair}
    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    results: Json = {}
    if arguments.results.exists():
        results = json.loads(arguments.results.read_text(encoding="utf-8"))
    for subject in asked:
        for generator, python in pythons.items():
            key = f"{subject.name} {generator}"
            if key not in results or arguments.again:
                results[key] = measure(generator, Path(python).absolute(), subject, arguments)
                arguments.results.write_text(json.dumps(results, indent=1), encoding="utf-8")
                print(f"{key}: {results[key]['killed']}/{results[key]['mutants']}", flush=True)
    text = table(results, asked)
    print(text)
    if arguments.page:
        others = f"Pynguin {pynguin_side.VERSION}, CrossHair {CROSSHAIR_VERSION}"
        command = "`python benchmarks/mutation/beside.py --pynguin PYTHON --crosshair PYTHON --page`"
        note = f"Command: {command} ({surroundings()}, {arguments.seconds:g} s a module; {others})."
        write_section("beside", "Mutants, beside two other generators", f"{note}\n\n{text}")
    return 0


def parse(argv: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    verbatim = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=verbatim)
    parser.add_argument("--pynguin", required=True, metavar="PYTHON")
    parser.add_argument("--crosshair", required=True, metavar="PYTHON")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--mutants", type=int, default=30)
    parser.add_argument("--results", type=Path, default=REPOSITORY / "build" / "beside.json")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--page", action="store_true")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(parse(sys.argv[1:])))
