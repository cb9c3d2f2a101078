"""Run the test suites that released packages ship in their sdists, without and with `pytest --twin`.

Each test must come out the same; exit status 1 if one does not.
Usage: python benchmarks/fidelity/packages.py [NAME ...] [--work DIR] [--timeout SECONDS] [--details]
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

REPOSITORY = Path(__file__).resolve().parents[2]

ATTEMPTS: Final = 2
"""Runs of the original: what differs between them is not the twin's doing."""


class PackageError(RuntimeError):
    """A package can't be had, or its suite does not run at all."""


@dataclass(frozen=True)
class Package:
    """A released package whose sdist holds its tests.

    Attributes:
        name: as pip knows it.
        version: the one that is measured.
        twins: the names given to `--twin`.
        tests: where its tests are, within the sdist.
        needs: what the tests import besides pytest and hypothesis.
        without: files to be removed once it is installed, as patterns: accelerators in C.
        options: for pytest.
    """

    name: str
    version: str
    twins: tuple[str, ...]
    tests: str = "tests"
    needs: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


PACKAGES: Final = {
    package.name: package
    for package in (
        Package("attrs", "26.1.0", ("attr", "attrs"), needs=("cloudpickle==3.1.1", "pympler==1.1")),
        Package("packaging", "26.3", ("packaging",), needs=("pretend==1.0.9", "tomli-w==1.2.0")),
        Package("markupsafe", "3.0.4", ("markupsafe",), without=("markupsafe/_speedups*.so",)),
        Package("toolz", "1.2.0", ("toolz", "tlz"), tests="toolz"),
        Package("more-itertools", "11.2.1", ("more_itertools",)),
        Package("idna", "3.20", ("idna",)),
        Package(
            "pyparsing",
            "3.3.3",
            ("pyparsing",),
            needs=("jinja2==3.1.6", "markupsafe==3.0.4", "railroad-diagrams==3.0.1"),
        ),
    )
}


@dataclass(frozen=True)
class Outcome:
    """One run of a suite.

    Attributes:
        tests: outcome of each test by its name.
        details: what pytest said of those that did not pass.
        twins: how many modules were loaded as twins.
        seconds: how long pytest took.
        output: all that it printed.
    """

    tests: Mapping[str, str]
    details: Mapping[str, str]
    twins: int
    seconds: float
    output: str


@dataclass(frozen=True)
class Comparison:
    """Original and twin."""

    package: Package
    original: Outcome
    twin: Outcome
    different: Mapping[str, tuple[str, str]]
    unstable: frozenset[str]


def call(argv: Sequence[str], **options: object) -> None:
    """Run a command that has to succeed.

    Raises:
        PackageError: it did not.
    """
    done = subprocess.run(argv, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
    if done.returncode != 0:
        raise PackageError(f"{' '.join(argv)}: {(done.stderr or done.stdout).strip()[-2000:]}")


def prepare(package: Package, work: Path) -> tuple[Path, Path]:
    """Download, unpack and install a package; return the folders of its sdist and of its installation."""
    home = work / f"{package.name}-{package.version}"
    installed = home / "installed"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    if not (home / "ready").exists():
        wanted = [f"{package.name}=={package.version}", "--no-deps", "--no-binary", package.name]
        call([*pip, "download", *wanted, "-d", str(home / "sdist")])
        (sdist,) = (home / "sdist").iterdir()
        with tarfile.open(sdist) as archive:
            archive.extractall(home / "source", filter="data")
        call([*pip, "install", str(sdist), "--no-deps", "--target", str(installed)])
        if package.needs:
            call([*pip, "install", *package.needs, "--no-deps", "--target", str(home / "needs")])
        for pattern in package.without:
            for file in installed.glob(pattern):
                file.unlink()
        (home / "ready").touch()
    (source,) = (home / "source").iterdir()
    return source, installed


def run(package: Package, work: Path, timeout: float, *, twin: bool) -> Outcome:
    """Run a package's suite once.

    Raises:
        PackageError: it was not finished in time, or reported nothing.
    """
    source, installed = prepare(package, work)
    report = work / f"{package.name}.xml"
    report.unlink(missing_ok=True)
    names = [word for name in package.twins for word in ("--twin", name)] if twin else []
    # Also under `tracetwin run`: some of these packages are imported by pytest itself, before its plugins.
    launcher = ["-m", "tracetwin.cli.twin_program", *names] if twin else []
    argv = [sys.executable, *launcher, "-m", "pytest", package.tests, *package.options, *names]
    argv += [f"--junitxml={report}"]
    argv += ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "tracetwin.pytest_plugin", "--color=no", "-q"]
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    path = [installed, installed.with_name("needs"), REPOSITORY]
    env |= {
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "CI": "true",  # Hypothesis draws the same examples each time then, and sets no deadlines
        "TRACETWIN_CACHE": str(work / "cache"),
    }
    began = time.perf_counter()
    try:
        done = subprocess.run(
            argv, cwd=source, env=env, capture_output=True, text=True, check=False, timeout=timeout
        )
    except subprocess.TimeoutExpired as error:
        raise PackageError(f"{package.name}: killed when {timeout:.0f} s were over") from error
    seconds = time.perf_counter() - began
    output = done.stdout + done.stderr
    if not report.exists():
        raise PackageError(f"{package.name}: pytest reported nothing\n{output[-3000:]}")
    if "imported before pytest came to --twin" in done.stdout:
        raise PackageError(f"{package.name}: not all of it was twinned\n{output[-3000:]}")
    loaded = re.search(r"^(\d+) loaded: ", done.stdout, re.MULTILINE)
    return Outcome(*read(report), int(loaded.group(1)) if loaded else 0, seconds, output)


def read(report: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Outcomes by test, and what was said of them, from a JUnit report."""
    outcomes: dict[str, str] = {}
    details: dict[str, str] = {}
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - written by our own child
        name = f"{case.get('classname', '')}::{case.get('name', '')}"
        found = [child for child in case if child.tag in {"failure", "error", "skipped"}]
        words = [" ".join(filter(None, (child.tag, child.get("type")))) for child in found] or ["passed"]
        # Tests that a class inherits may have one name; they come in the same order each time.
        outcomes[name] = ", ".join(filter(None, (outcomes.get(name), *words)))
        details[name] = "\n".join(child.text or child.get("message", "") for child in found)
    return outcomes, details


def differing(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """The tests that came out differently in two runs."""
    pairs = {name: (one.get(name, "not run"), other.get(name, "not run")) for name in {**one, **other}}
    return {name: pair for name, pair in sorted(pairs.items()) if pair[0] != pair[1]}


def compare(package: Package, work: Path, timeout: float) -> Comparison:
    """Run a suite on the original and on twins; where they differ, on the original again."""
    original = run(package, work, timeout, twin=False)
    twin = run(package, work, timeout, twin=True)
    different = differing(original.tests, twin.tests)
    unstable = set()
    for _ in range(ATTEMPTS - 1 if different else 0):
        unstable.update(differing(original.tests, run(package, work, timeout, twin=False).tests))
    stable = {name: pair for name, pair in different.items() if name not in unstable}
    return Comparison(package, original, twin, stable, frozenset(unstable))


HEADER: Final = (
    "package", "version", "tests", "pass", "same", "different", "twins", "s original", "s twin",
)  # fmt: skip


def row(result: Comparison) -> tuple[str, ...]:
    """Format one comparison as a row under HEADER."""
    tests = result.original.tests
    return (
        f"`{result.package.name}`",
        result.package.version,
        str(len(tests)),
        str(sum(outcome == "passed" for outcome in tests.values())),
        str(len(tests) - len(result.different.keys() & tests.keys())),
        str(len(result.different)),
        str(result.twin.twins),
        f"{result.original.seconds:.1f}",
        f"{result.twin.seconds:.1f}",
    )


def table(results: Sequence[Comparison]) -> str:
    """The comparisons as a Markdown table, with the names of what differs below."""
    rule = ["---", "---", *["---:"] * (len(HEADER) - 2)]
    lines = ["| " + " | ".join(cells) + " |" for cells in (HEADER, rule, *map(row, results))]
    for result in results:
        lines.extend(
            f"- `{name}`: {before} on the original, {after} on the twin"
            for name, (before, after) in result.different.items()
        )
        lines.extend(f"- `{name}`: unstable" for name in sorted(result.unstable))
    return "\n".join(lines)


def main() -> int:
    """Measure what the command line names, print the table, and say whether the gate is met."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(PACKAGES)}; default: all")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "tracetwin-packages")
    parser.add_argument("--timeout", type=float, default=1800.0, help="seconds for each run")
    parser.add_argument("--details", action="store_true", help="print what pytest says of what differs")
    chosen = parser.parse_args()
    unknown = set(chosen.names) - set(PACKAGES)
    if unknown:
        parser.error(f"not in the table: {', '.join(sorted(unknown))}; there are {', '.join(PACKAGES)}")
    results = []
    failed = 0
    for name in chosen.names or PACKAGES:
        try:
            results.append(compare(PACKAGES[name], chosen.work, chosen.timeout))
        except PackageError as error:
            failed += 1
            print(error, file=sys.stderr)
            continue
        print(" ".join(row(results[-1])), file=sys.stderr, flush=True)
        if chosen.details:
            for test in results[-1].different:
                print(f"\n=== {test}\n{results[-1].twin.details.get(test, '')}")
    print(table(results))
    tests = sum(len(result.original.tests) for result in results)
    different = sum(len(result.different) for result in results)
    idle = [result.package.name for result in results if not (result.twin.twins and result.original.tests)]
    met = tests > 0 and not (different or failed or idle)
    print(
        f"\n{'ok' if met else 'MISSED'}: {len(results)} packages, {tests} tests, {different} different, "
        f"{failed} packages without a result{', no tests or no twins in ' + ', '.join(idle) if idle else ''}"
    )
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
