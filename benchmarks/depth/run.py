"""Which hard-to-reach lines tracetwin reaches in ten seconds a function, and CrossHair beside it.

    python benchmarks/depth/run.py [--only REGEX] [--seconds 10] [--jobs 1] [--results build/depth.json]
                                   [--crosshair PYTHON] [--again | --missed]
                                   [--page] [--check]

What is in the results file already is not measured again (but with `--again` or `--missed`), so that a run
may be interrupted and parts may be measured one by one. `--crosshair` names the interpreter of an environment
with crosshair-tool.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import crosshair_side  # noqa: E402 - the folder above holds what the benchmarks share
import tables  # noqa: E402
import tracetwin_side  # noqa: E402
from harness import REPOSITORY, Json, gate, surroundings, write_section  # noqa: E402
from marks import Marked, marked_functions  # noqa: E402

WANTED = 0.95


class Results:
    """What was measured, kept in a file from function to function."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = Lock()
        self.data: Json = {"tracetwin": {}, "crosshair": {}}
        if file.exists():
            self.data.update(json.loads(file.read_text(encoding="utf-8")))

    def holds(self, tool: str, marked: Marked) -> bool:
        """Whether the function was measured as it is now."""
        return bool(self.data[tool].get(marked.key, {}).get("digest") == marked.digest)

    def add(self, tool: str, marked: Marked, measured: Json) -> None:
        """Take in the result of one function and write the file."""
        with self._lock:
            self.data[tool][marked.key] = {"digest": marked.digest, **measured}
            self._file.parent.mkdir(parents=True, exist_ok=True)
            part = self._file.with_suffix(".part")
            part.write_text(json.dumps(self.data, indent=1, sort_keys=True), encoding="utf-8")
            part.replace(self._file)


def _tracetwin(marked: Marked, seconds: float) -> Json:
    with tempfile.TemporaryDirectory() as folder:
        return tracetwin_side.measure(marked, seconds, Path(folder))


def _measure(
    tool: str, function: Callable[[Marked], Json], wanted: list[Marked], results: Results, jobs: int
) -> None:
    def one(marked: Marked) -> None:
        measured = function(marked)
        results.add(tool, marked, measured)
        missing = [line for line in marked.lines if line not in measured["reached"]]
        verdict = "missed" if missing else "reached"
        print(f"{tool:9}  {marked.key:40}  {verdict}  {measured['wall']:.1f} s", flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(one, wanted))


def _page(functions: list[Marked], results: Json, seconds: float) -> None:
    note = f"Command: `python benchmarks/depth/run.py --crosshair PYTHON --page` ({surroundings()}),\n"
    note += f"{seconds:g} seconds a function for either tool. `benchmarks/README.md` explains the columns."
    write_section("depth", "Depth", f"{note}\n\n{tables.markdown(functions, results)}")


def _arguments() -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--only", default="", metavar="REGEX", help="functions whose module.name it finds")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--results", type=Path, default=REPOSITORY / "build" / "depth.json", metavar="FILE")
    parser.add_argument("--crosshair", type=Path, metavar="PYTHON", help="measure CrossHair as well")
    parser.add_argument("--without-tracetwin", action="store_true", help="measure CrossHair alone")
    parser.add_argument("--again", action="store_true", help="measure what is in the results file once more")
    parser.add_argument("--missed", action="store_true", help="measure again what was missed")
    parser.add_argument("--page", action="store_true", help="write the table to docs/results.md")
    parser.add_argument("--check", action="store_true", help=f"exit status 1 below {100 * WANTED:.0f} %%")
    return parser.parse_args()


def main() -> int:
    """Measure what is asked for and print the table."""
    wanted = _arguments()
    functions = [f for f in marked_functions() if re.search(wanted.only, f.key)]
    results = Results(wanted.results)

    def left(tool: str) -> list[Marked]:
        def is_open(marked: Marked) -> bool:
            missing = set(marked.lines) - set(results.data[tool].get(marked.key, {}).get("reached", ()))
            return bool(wanted.again or (wanted.missed and missing) or not results.holds(tool, marked))

        return [f for f in functions if is_open(f)]

    if not wanted.without_tracetwin:
        ours = lambda marked: _tracetwin(marked, wanted.seconds)  # noqa: E731 - one of two of a kind
        _measure("tracetwin", ours, left("tracetwin"), results, wanted.jobs)
    if wanted.crosshair:
        theirs = lambda marked: crosshair_side.measure(marked, wanted.seconds, wanted.crosshair)  # noqa: E731
        _measure("crosshair", theirs, left("crosshair"), results, wanted.jobs)
    tables.show(functions, results.data)
    if wanted.page:
        _page(functions, results.data, wanted.seconds)
    total = tables.rows(functions, results.data)[-1]
    if not wanted.check:
        return 0
    reached_wrongly = tables.wrong(functions, results.data["tracetwin"])
    passed = total.reached >= WANTED * total.lines and not reached_wrongly and not total.divergences
    return gate(passed, f"{total.reached} of {total.lines} lines reached, {total.divergences} divergences")


if __name__ == "__main__":
    sys.exit(main())
