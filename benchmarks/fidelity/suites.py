"""Run CPython's own tests on twins of the standard library and on the originals, and compare each result.

Every test that passes on the original must pass on the twin; exit status 1 if one does not.
Usage: python benchmarks/fidelity/suites.py [MODULE ...] [--python VERSION ...] [--jobs 2] [--json FILE]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from compare import Comparison, Run, differing, read
from modules import LANGUAGE, SUBJECTS, Subject, subject_of

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent


class SuiteError(RuntimeError):
    """An interpreter or a module cannot be measured."""


@dataclass(frozen=True)
class Interpreter:
    """A Python with libcst and the package `test`.

    Attributes:
        path: of its executable.
        version: as in `3.11.7`.
        libraries: the folder with libcst.
        tests: the names of its test modules.
    """

    path: str
    version: str
    libraries: str
    tests: frozenset[str]

    @classmethod
    def find(cls, name: str) -> Interpreter:
        """The interpreter named by its path or by a version such as `3.12`.

        Raises:
            SuiteError: there is none, or it lacks what is needed.
        """
        path = name if os.sep in name else shutil.which(f"python{name}")
        if path is None:
            raise SuiteError(f"There is no python{name} on PATH; give the interpreter's path.")
        probe = (
            "import os, platform, libcst, test.support; folder = os.path.dirname; "
            "print(platform.python_version(), folder(folder(libcst.__file__)), sep='\\n'); "
            "print(*os.listdir(folder(folder(test.support.__file__))), sep='\\n')"
        )
        done = subprocess.run([path, "-c", probe], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SuiteError(f"{path} lacks libcst or the package `test`: {done.stderr.splitlines()[-1]}")
        version, libraries, *files = done.stdout.splitlines()
        return cls(path, version, libraries, frozenset(f"test.{Path(file).stem}" for file in files))


@dataclass(frozen=True)
class Options:
    """What is the same for all modules."""

    cache: Path
    timeout: float
    match: tuple[str, ...]
    output: bool


def clean_environment() -> dict[str, str]:
    """The environment without Python's variables but a fixed hash seed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}


def warm(interpreter: Interpreter, subject: Subject, options: Options) -> None:
    """Fill the cache: the processes that run tests have no libcst."""
    argv = [interpreter.path, str(HERE / "warm.py"), str(options.cache), *subject.twins]
    env = {**clean_environment(), "PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SuiteError(f"{subject.name} cannot be twinned: {done.stderr}")


def run(interpreter: Interpreter, subject: Subject, options: Options, *, twin: bool) -> Run:
    """Run a module's tests once, in a process group of its own that ends with it."""
    with tempfile.TemporaryDirectory() as scratch:
        results = Path(scratch) / "results"
        order = {
            "repository": str(REPOSITORY),
            "here": str(HERE),
            "libraries": interpreter.libraries,
            "cache": str(options.cache),
            "twins": subject.twins if twin else (),
            "tests": subject.tests,
            "match": options.match,
            "results": str(results),
        }
        argv = [interpreter.path, "-S", "-s", "-X", "frozen_modules=off", str(HERE / "child.py"), repr(order)]
        printed = Path(scratch) / "printed"
        with printed.open("wb") as sink:
            ended = _supervised(argv, Path(scratch), None if options.output else sink, options.timeout)
        if ended and not options.output:
            lines = printed.read_text(encoding="utf-8", errors="replace").splitlines()
            ended += f" ({lines[-1] if lines else 'nothing printed'})"
        return read(results, ended)


def _supervised(argv: Sequence[str], scratch: Path, sink: BinaryIO | None, timeout: float) -> str:
    """Run a process and all that it starts; say how it ended if that was before its time."""
    process = subprocess.Popen(
        argv,
        cwd=scratch,
        env={**clean_environment(), "TMPDIR": str(scratch)},
        stdin=subprocess.DEVNULL,
        stdout=sink,
        stderr=sink,
        start_new_session=True,
    )
    try:
        status = process.wait(timeout)
    except subprocess.TimeoutExpired:
        return f"killed when {timeout:.0f} s were over"
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return f"exit status {status}" if status else ""


def compare(interpreter: Interpreter, subject: Subject, options: Options) -> Comparison:
    """Run the tests on the original and on the twin; where they differ, on the original once more."""
    warm(interpreter, subject, options)
    original = run(interpreter, subject, options, twin=False)
    twin = run(interpreter, subject, options, twin=True)
    unstable: set[str] = set()
    if differing(original.outcomes, twin.outcomes):
        again = run(interpreter, subject, options, twin=False)
        unstable = set(differing(original.outcomes, again.outcomes))
    return Comparison(subject.name, interpreter.version, original, twin, unstable)


NAMED: Final = 40
"""Differing tests named for each module: beyond that, something is wrong with all of it."""

HEADER: Final = (
    "module",
    "Python",
    "tests",
    "pass",
    "same",
    "different",
    "s original",
    "s twin",
    "sites passed",
)


def row(result: Comparison) -> tuple[str, ...]:
    """Format one comparison as a row under HEADER."""
    reached = sum(reached for _, reached, _ in result.twin.twins.values())
    sites = sum(sites for *_, sites in result.twin.twins.values())
    return (
        f"`{result.module}`",
        result.version,
        str(len(result.original.outcomes)),
        str(result.passing),
        str(result.same),
        str(len(result.different)),
        f"{result.original.seconds:.1f}",
        f"{result.twin.seconds:.1f}",
        f"{reached} of {sites} in {len(result.twin.twins)}",
    )


def table(results: Iterable[Comparison]) -> str:
    """The comparisons as a Markdown table, with the names of what differs below."""
    ordered = sorted(results, key=lambda result: (result.module, result.version))
    rule = ["---", "---", *["---:"] * (len(HEADER) - 2)]
    lines = ["| " + " | ".join(cells) + " |" for cells in (HEADER, rule, *map(row, ordered))]
    for result in ordered:
        notes = [f"- {fault}" for fault in result.faults]
        pairs = list(result.different.items())
        notes.extend(
            f"- `{name}`: {before} on the original, {after} on the twin"
            for name, (before, after) in pairs[:NAMED]
        )
        if len(pairs) > NAMED:
            notes.append(f"- and {len(pairs) - NAMED} more")
        notes.extend(f"- `{name}`: unstable" for name in sorted(result.unstable))
        if notes:
            lines.extend(["", f"`{result.module}` on {result.version}:", "", *notes])
    return "\n".join(lines)


def as_json(result: Comparison) -> dict[str, object]:
    """One comparison as plain data, with the tracebacks of what differs."""
    return {
        "module": result.module,
        "python": result.version,
        "tests": len(result.original.outcomes),
        "passing": result.passing,
        "same": result.same,
        "different": {
            name: {"original": before, "twin": after, "details": result.twin.details.get(name, "")}
            for name, (before, after) in result.different.items()
        },
        "unstable": sorted(result.unstable),
        "faults": result.faults,
        "seconds": {"original": result.original.seconds, "twin": result.twin.seconds},
        "twins": {name: {"passed": n, "sites": of} for name, (_, n, of) in result.twin.twins.items()},
    }


def measure(
    interpreters: Sequence[Interpreter], names: Sequence[str], options: Options, jobs: int
) -> list[Comparison]:
    """Compare every module in every interpreter that has it, some at once, telling on stderr what is done.

    Raises:
        SuiteError: a module could not be measured.
    """
    pairs = []
    for python in interpreters:
        for name in names:
            if python.tests.isdisjoint(subject_of(name).tests):
                print(f"{name} has no tests in {python.version}", file=sys.stderr)
            else:
                pairs.append((python, name))
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(compare, python, subject_of(name), options) for python, name in pairs]
        results = []
        for future in futures:
            results.append(future.result())
            print(" ".join(row(results[-1])), *results[-1].faults, file=sys.stderr, flush=True)
    return results


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("modules", nargs="*", metavar="MODULE", help="default: all of the standard library's")
    parser.add_argument("--language", action="store_true", help="tests of the language, themselves as twins")
    parser.add_argument("--python", nargs="+", default=[sys.executable], help="versions (3.12) or paths")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="results with tracebacks of what differs")
    parser.add_argument("--timeout", type=float, default=900.0, help="seconds for each of the two runs")
    parser.add_argument("--match", nargs="+", default=[], metavar="PATTERN", help="only tests with this id")
    parser.add_argument("--details", action="store_true", help="print the tracebacks of what differs")
    parser.add_argument("--output", action="store_true", help="let through what the tests print")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "tracetwin-fidelity")
    chosen = parser.parse_args(argv)
    unknown = [name for name in chosen.modules if name not in SUBJECTS and not name.startswith("test.")]
    if unknown:
        parser.error(f"not in the table: {', '.join(unknown)}; there are {', '.join(SUBJECTS)}")
    return chosen


def main() -> int:
    """Measure what the command line names, print the table, and say whether the gate is met."""
    chosen = arguments()
    options = Options(chosen.cache, chosen.timeout, tuple(chosen.match), chosen.output)
    began = time.perf_counter()
    try:
        interpreters = [Interpreter.find(name) for name in chosen.python]
        names = chosen.modules or list(LANGUAGE if chosen.language else SUBJECTS)
        results = measure(interpreters, names, options, chosen.jobs)
    except SuiteError as error:
        print(error, file=sys.stderr)
        return 2
    print(table(results))
    if chosen.details:
        for result in results:
            for name in result.different:
                print(f"\n=== {result.module} {result.version} {name}\n{result.twin.details.get(name, '')}")
    if chosen.json is not None:
        text = json.dumps([as_json(result) for result in results], indent=1)
        chosen.json.write_text(text, encoding="utf-8")
    tests = sum(len(result.original.outcomes) for result in results)
    different = sum(len(result.different) for result in results)
    unfit = sum(1 for result in results if result.faults)
    met = tests > 0 and different == 0 and unfit == 0
    print(
        f"\n{'ok' if met else 'MISSED'}: {tests} tests, {different} different, {unfit} modules not measured "
        f"properly, {time.perf_counter() - began:.0f} s"
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
