"""What tracetwin covers of modules without their annotations, beside what it covers with them.

    python benchmarks/stripped/run.py [--only REGEX] [--sides annotated,stripped] [--again]
                                      [--time-limit 20 | --max-runs N] [--results build/stripped.json]
                                      [--keep DIR] [--page] [--check]

Each module of `depth/functions/` and `examples/` that has annotations gets two suites by the same limits: one
for it as it is, one for its copy by `strip.py`. Branches are what coverage.py counts while a suite runs in a
fresh process. What is in the results file already, for the source as it is, is not measured again but with
`--again`.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from harness import (  # noqa: E402 - the folder above holds what the benchmarks share
    REPOSITORY,
    BenchmarkError,
    Json,
    gate,
    generate,
    measure,
    run_suite,
    surroundings,
    write_section,
)
from strip import has_annotations, stripped  # noqa: E402

WANTED = 0.9
FOLDERS = ("benchmarks/depth/functions", "examples")
SIDES = ("annotated", "stripped")


def subjects() -> list[Path]:
    """The modules that have annotations."""
    files = [file for folder in FOLDERS for file in sorted((REPOSITORY / folder).glob("*.py"))]
    return [file for file in files if has_annotations(file.read_text(encoding="utf-8"))]


def key_of(subject: Path) -> str:
    """`examples.coin_box`, `depth.bits`."""
    return f"{'examples' if subject.parent.name == 'examples' else 'depth'}.{subject.stem}"


def digest(subject: Path) -> str:
    """A result holds for the source it was measured with."""
    return hashlib.sha256(subject.read_bytes()).hexdigest()[:16]


class Results:
    """What was measured, kept in a file from module to module."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.data: Json = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}

    def holds(self, subject: Path, side: str) -> bool:
        """Whether one side of a module was measured as it is now."""
        return bool(self.data.get(key_of(subject), {}).get(side, {}).get("digest") == digest(subject))

    def add(self, subject: Path, side: str, measured: Json) -> None:
        """Take in the result of one side and write the file."""
        self.data.setdefault(key_of(subject), {})[side] = {"digest": digest(subject), **measured}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        part = self._file.with_suffix(".part")
        part.write_text(json.dumps(self.data, indent=1, sort_keys=True), encoding="utf-8")
        part.replace(self._file)


@contextlib.contextmanager
def _folder(keep: Path | None, name: str) -> Iterator[Path]:
    if keep is None:
        with tempfile.TemporaryDirectory() as scratch:
            yield Path(scratch)
        return
    folder = (keep / name).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    yield folder


def _measured(subject: Path, side: str, limits: list[str], scratch: Path) -> Json:
    """The figures of one suite for one form of a module.

    Args:
        subject: the module as it is.
        side: `annotated` or `stripped`.
        limits: options of `generate`.
        scratch: a folder for the copy and its suite.
    """
    text = subject.read_text(encoding="utf-8")
    target = scratch / subject.name
    target.write_text(text if side == "annotated" else stripped(text), encoding="utf-8")
    out = scratch / "suite"
    try:
        (module,) = generate([str(target)], out, *limits, "--seed", "0", "--jobs", "1", timeout=600)
        if not module["test_file"]:
            return _failed(module["error"] or "no tests")
        suite = Path(module["test_file"])
        run = run_suite(suite, scratch)
        coverage = measure(suite, target, scratch, scratch)
    except (BenchmarkError, subprocess.TimeoutExpired) as problem:
        return _failed(str(problem))
    return {
        "error": None,
        "branches": coverage.branches,
        "covered": coverage.covered_branches,
        "failing": run.failing,
        "tests": run.tests,
        "divergences": module["divergences"],
        "seconds": module["seconds"],
        "missed": [f"{miss['line']}: {miss['reason']}" for miss in module["uncovered"]],
    }


def _failed(message: str) -> Json:
    return {"error": message.strip().rpartition("\n")[2][-300:], "branches": 0, "covered": 0}


HEADER = ("module", "branches", "with annotations", "without", "ratio", "failing", "divergences")


def rows(wanted: list[Path], results: Json) -> list[tuple[str, ...]]:
    """One row for each module that was measured on both sides, and the total."""
    made = []
    total = dict.fromkeys(("branches", "annotated", "stripped", "failing", "divergences"), 0)
    for subject in wanted:
        both = results.get(key_of(subject), {})
        if any(side not in both for side in SIDES):
            continue
        figures = {
            "branches": max(both[side]["branches"] for side in SIDES),
            **{side: both[side]["covered"] for side in SIDES},
            **{name: sum(both[side].get(name, 0) for side in SIDES) for name in ("failing", "divergences")},
        }
        total = {name: total[name] + figures[name] for name in total}
        made.append(_row(f"`{key_of(subject)}`", figures))
    return [*made, _row("**total**", total)]


def _row(name: str, figures: dict[str, int]) -> tuple[str, ...]:
    with_them = figures["annotated"]
    ratio = f"{100 * figures['stripped'] / with_them:.0f} %" if with_them else ""
    counts = [str(figures[part]) for part in ("branches", "annotated", "stripped")]
    return (name, *counts, ratio, str(figures["failing"]), str(figures["divergences"]))


def table(made: list[tuple[str, ...]]) -> str:
    """The rows in Markdown."""
    rule = ["---", *["---:"] * (len(HEADER) - 1)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (HEADER, rule, *made))


def _arguments() -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--only", default="", metavar="REGEX", help="modules whose folder.name it finds")
    parser.add_argument("--sides", default=",".join(SIDES), help="which of annotated,stripped to measure")
    parser.add_argument("--time-limit", type=float, default=20.0, metavar="SECONDS", help="for each suite")
    parser.add_argument("--max-runs", type=int, metavar="N", help="of each suite, instead of the time limit")
    default = REPOSITORY / "build" / "stripped.json"
    parser.add_argument("--results", type=Path, default=default, metavar="FILE")
    parser.add_argument("--again", action="store_true", help="measure what is in the results file once more")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where copies and suites stay")
    parser.add_argument("--page", action="store_true", help="write the table to docs/results.md")
    parser.add_argument("--check", action="store_true", help=f"exit status 1 below {100 * WANTED:.0f} %%")
    return parser.parse_args()


def main() -> int:
    """Measure what is asked for, print the table, judge."""
    options = _arguments()
    everything = subjects()
    results = Results(options.results)
    limits = ["--time-limit", f"{options.time_limit:g}"]
    if options.max_runs:
        limits = ["--max-runs", str(options.max_runs), "--time-limit", "300"]
    for subject in everything:
        for side in options.sides.split(","):
            if not re.search(options.only, key_of(subject)) or (
                results.holds(subject, side) and not options.again
            ):
                continue
            with _folder(options.keep, f"{key_of(subject)}-{side}") as folder:
                measured = _measured(subject, side, limits, folder)
            results.add(subject, side, measured)
            said = measured["error"] or f"{measured['seconds']:.1f} s"
            figures = f"{measured['covered']}/{measured['branches']}"
            print(f"{key_of(subject):28} {side:10} {figures:10} {said}", flush=True)
    made = rows(everything, results.data)
    print(table(made))
    if options.page:
        note = f"Command: `python benchmarks/stripped/run.py --page` ({surroundings()}), one process,\n"
        note += f"{options.time_limit:g} s a suite. `benchmarks/README.md` explains the columns."
        write_section("stripped", "Without annotations", f"{note}\n\n{table(made)}")
    if not options.check:
        return 0
    with_them, without = int(made[-1][2]), int(made[-1][3])
    passed = without >= WANTED * with_them and made[-1][-2:] == ("0", "0")
    return gate(passed, f"{without} branches without annotations, {with_them} with them")


if __name__ == "__main__":
    sys.exit(main())
