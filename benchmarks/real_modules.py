"""Generate suites for real modules straight from their wheels and write the table to docs/results.md.

The wheels come by `pip download` from whatever index pip is set up with. Exit status 1 when a module gets
no suite or a suite fails. Usage: python benchmarks/real_modules.py [MODULE...]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

from harness import (
    BenchmarkError,
    Json,
    failed_row,
    gate,
    generate,
    markdown_table,
    measure,
    row,
    run_suite,
    surroundings,
    write_section,
)

TIME_LIMIT = 60


@dataclass(frozen=True)
class Wheel:
    """A pinned release, and the modules of it to generate tests for."""

    project: str
    version: str
    modules: tuple[str, ...]


WHEELS = (
    Wheel("inflection", "0.5.1", ("inflection",)),
    Wheel("humanize", "4.17.0", ("humanize.number", "humanize.filesize")),
    Wheel("packaging", "26.3", ("packaging.utils",)),
    Wheel("semver", "3.1.1", ("semver.version",)),
    Wheel("wcwidth", "0.9.4", ("wcwidth",)),
)


def download(wheel: Wheel, folder: Path) -> Path:
    """Fetch the pure-Python wheel of a release, also where one with compiled parts would fit this machine."""
    folder.mkdir()
    requirement = f"{wheel.project}=={wheel.version}"
    pure = ["--only-binary", ":all:", "--implementation", "py", "--abi", "none", "--platform", "any"]
    argv = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        *pure,
        "-d",
        str(folder),
        requirement,
    ]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
    found = list(folder.glob("*.whl"))
    if done.returncode != 0 or len(found) != 1:
        raise BenchmarkError(f"no pure wheel of {requirement}: {done.stderr.strip()}")
    return found[0]


def source_file(unpacked: Path, module: str) -> Path:
    """Find the source of a module in an unpacked wheel; a package comes before a module, as in an import."""
    stem = unpacked.joinpath(*module.split("."))
    package = stem / "__init__.py"
    return package if package.exists() else stem.with_suffix(".py")


@dataclass
class Table:
    """The rows so far, and what is wrong with them."""

    rows: list[tuple[str, ...]]
    complaints: list[str]

    def fail(self, name: str, reason: str) -> None:
        """Add a module that got no suite."""
        self.rows.append(failed_row(name, reason))
        self.complaints.append(f"{name}: no suite")

    def add(self, module: Json, out: Path, wheel: Path, unpacked: Path) -> None:
        """Run the suite of a module on the wheel, measure it on the unpacked wheel, and add the row."""
        name = str(module["name"])
        if module["error"]:
            self.fail(name, str(module["error"]))
            return
        if not module["test_file"]:
            if module["functions"]:
                self.fail(name, "no tests")
            return  # else a module of tables or re-exports: nothing to test
        suite = out / Path(module["test_file"]).name
        run = run_suite(suite, wheel)
        # coverage.py can't read sources inside a wheel, so that the count is taken on its unpacked contents.
        coverage = measure(suite, source_file(unpacked, name), out, unpacked)
        self.rows.append(row(module, coverage, run))
        if run.failing:
            self.complaints.append(f"{name}: {run.failing} failing tests")
            print(run.output, file=sys.stderr)


def process(wheel: Wheel, wanted: set[str], table: Table, scratch: Path) -> None:
    """Generate and run the suites of the wanted modules of one wheel."""
    modules = [name for name in wheel.modules if not wanted or name in wanted]
    if not modules:
        return
    file = download(wheel, scratch / wheel.project)
    unpacked = scratch / wheel.project / "unpacked"
    with zipfile.ZipFile(file) as archive:
        archive.extractall(unpacked)
    for name in modules:
        start = time.perf_counter()
        out = scratch / wheel.project / f"out-{name}"
        options = ["--time-limit", str(TIME_LIMIT), "--seed", "0"]
        try:
            results = generate([f"{file}:{name}"], out, *options, timeout=3600)
        except BenchmarkError as error:
            table.fail(name, str(error))
            continue
        for module in results:
            table.add(module, out, file, unpacked)
        print(f"{name}: {len(results)} modules, {time.perf_counter() - start:.1f} s", flush=True)


def main(arguments: list[str]) -> int:
    """Measure the modules named, or all, write the table and check that all suites pass."""
    wanted = set(arguments)
    unknown = wanted - {name for wheel in WHEELS for name in wheel.modules}
    if unknown:
        print(f"not among the pinned modules: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    table = Table([], [])
    with tempfile.TemporaryDirectory() as folder:
        for wheel in WHEELS:
            process(wheel, wanted, table, Path(folder))
    text = markdown_table(table.rows)
    if wanted:  # a part of the table is for the eye, not for the page
        print(text)
    else:
        releases = ", ".join(f"{wheel.project} {wheel.version}" for wheel in WHEELS)
        note = f"Command: `python benchmarks/real_modules.py` ({surroundings()}), which calls\n"
        note += (
            f"`tracetwin generate WHEEL:MODULE --time-limit {TIME_LIMIT} --seed 0` for {releases}.\n"
        )
        note += (
            "Lines and branches are what coverage.py counts while the emitted suite runs in a fresh process."
        )
        write_section("real-modules", "Real modules", f"{note}\n\n{text}")
    return gate(not table.complaints, "; ".join(table.complaints) or f"{len(table.rows)} modules")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
