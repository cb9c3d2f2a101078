"""What tracetwin reaches of code against interfaces.

    python benchmarks/mocks/run.py [--only REGEX] [--time-limit SECONDS] [--results build/mocks.json]
                                   [--again] [--keep DIR] [--page]

Each module gets a suite: the listings of the paper, six clients of message queues, and clients of all
kinds. What is in the results file already, for the source as it is, is not measured again but with `--again`.
The exit status is 1 when a goal is missed.
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
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "classes")]

import verdict  # noqa: E402 - the folders above hold what the benchmarks share
from harness import REPOSITORY, Json, gate, surroundings, write_section  # noqa: E402
from suites import digest, measure  # noqa: E402
from targets import Target, targets  # noqa: E402

SECONDS = 15.0  # of exploring: replaying and writing end within verdict.SECONDS


def _load(file: Path) -> Json:
    results: Json = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return results


def _store(file: Path, results: Json) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_text(json.dumps(results, indent=1, sort_keys=True), encoding="utf-8")
    part.replace(file)


@contextlib.contextmanager
def _folder(keep: Path | None, name: str) -> Iterator[Path]:
    """An empty folder for a suite, which stays if it was asked for."""
    if keep is None:
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
        return
    kept = (keep / name).resolve()
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    yield kept


def _measure(wanted: list[Target], results: Json, options: argparse.Namespace) -> None:
    for target in wanted:
        if not options.again and results.get(target.key, {}).get("digest") == digest(target):
            continue
        with _folder(options.keep, target.key) as folder:
            measured = results[target.key] = measure(target, options.time_limit, folder)
        _store(options.results, results)
        said = measured["error"] or (
            f"{measured['covered']}/{measured['branches']} branches, {measured['tests']} tests, "
            f"{measured['failing']} failing, mypy {len(measured['mypy'])}"
        )
        print(f"{target.key:30} {measured['seconds']:5.1f} s  {said}", flush=True)


def _arguments() -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--only", default="", metavar="REGEX", help="modules whose kind.name it finds")
    parser.add_argument("--time-limit", type=float, default=SECONDS, metavar="SECONDS")
    parser.add_argument("--results", type=Path, default=REPOSITORY / "build" / "mocks.json", metavar="FILE")
    parser.add_argument("--again", action="store_true", help="measure what is in the results file once more")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the suites stay")
    parser.add_argument("--page", action="store_true", help="write what was measured to docs/results.md")
    return parser.parse_args()


def main() -> int:
    """Measure what is asked for, print the table, judge."""
    options = _arguments()
    wanted = [target for target in targets() if re.search(options.only, target.key)]
    results = _load(options.results)
    _measure(wanted, results, options)
    print(verdict.table(wanted, results))
    print(verdict.misses(wanted, results))
    if options.page:
        note = f"Command: `python benchmarks/mocks/run.py --page` ({surroundings()}), one process,\n"
        note += f"{options.time_limit:g} s a module. `benchmarks/README.md` explains it."
        write_section("mocks", "Code against interfaces", f"{note}\n\n{verdict.table(targets(), results)}")
    complaints = verdict.complaints(wanted, results)
    return gate(not complaints, "; ".join(complaints) or "all goals")


if __name__ == "__main__":
    sys.exit(main())
