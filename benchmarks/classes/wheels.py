"""Released packages: tracetwin, and Pynguin beside it, in the same time.

    python benchmarks/classes/wheels.py [--set interfaces] [--only REGEX] [--seconds 60] [--pynguin PYTHON]
                                        [--again] [--page]

Wheels come by `pip download` into build/wheels, results go to build/wheels.json (or build/interfaces.json)
module by module. What the wheels of a set need (`releases.py`) is installed beside both tools.
`--pynguin` names the interpreter of an environment with pynguin; without it that half of the table says so.
Both suites are run and counted in the same way, by pytest under coverage.py on the unpacked wheels.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import pynguin_side  # noqa: E402 - the folder above holds what the benchmarks share
from harness import REPOSITORY, Json, command_line, environment, surroundings, write_section  # noqa: E402
from releases import SETS, Releases, Wheel  # noqa: E402
from tables import markdown  # noqa: E402
from watching import run_watched  # noqa: E402

BUILD = REPOSITORY / "build"
WHEELS = BUILD / "wheels"


def fetch(wheel: Wheel) -> Path:
    """Download the pure-Python wheel of a release, unless it is there, and unpack it.

    Raises:
        LookupError: pip did not find it.
    """
    folder = WHEELS / wheel.project
    if not list(folder.glob("*.whl")):
        folder.mkdir(parents=True, exist_ok=True)
        pure = ["--only-binary", ":all:", "--implementation", "py", "--abi", "none", "--platform", "any"]
        argv = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", *pure, "-d", str(folder)]
        argv.append(f"{wheel.project}=={wheel.version}")
        done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
        if done.returncode != 0:
            raise LookupError(done.stderr.strip()[-300:])
    (file,) = folder.glob("*.whl")
    with zipfile.ZipFile(file) as archive:
        archive.extractall(WHEELS / "unpacked")
    return file


def _source(module: str) -> Path:
    stem = (WHEELS / "unpacked").joinpath(*module.split("."))
    package = stem / "__init__.py"
    return package if package.exists() else stem.with_suffix(".py")


def count(suite: Path, module: str) -> Json:
    """Run the tests of a folder with pytest under coverage.py, and count outcomes and branches."""
    data, report = suite / "suite.coverage", suite / "suite.coverage.json"
    option = [f"--data-file={data}", f"--include={_source(module)}"]
    tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, f"--rootdir={suite}"]
    settings = suite / "suite.coveragerc"
    settings.write_text("[run]\nbranch = true\ndynamic_context = test_function\n", encoding="utf-8")
    argv = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", *option, *tests, str(suite)]
    ran = run_watched(argv, suite, 300, environment(WHEELS / "unpacked"))
    # Of a package that pytest itself runs on, only what happens in a test counts.
    within = ["--contexts=."] if module.partition(".")[0] == "pluggy" else []
    argv = [sys.executable, "-m", "coverage", "json", "--rcfile=", "-q", *within, *option, "-o", str(report)]
    subprocess.run(argv, capture_output=True, cwd=suite, check=False)
    counts = re.findall(r"(\d+) (passed|failed|xfailed|errors?)\b", ran.output)
    found = {word: int(number) for number, word in counts}
    outcome: Json = {word: found.get(word, 0) for word in ("passed", "failed", "xfailed")}
    outcome["failed"] += found.get("error", 0) + found.get("errors", 0)
    if report.exists():
        totals = json.loads(report.read_text(encoding="utf-8"))["totals"]
        outcome["branches"], outcome["covered"] = totals["num_branches"], totals["covered_branches"]
    return outcome


def _tracetwin(wheel: Path, module: str, seconds: float, out: Path) -> Json:
    report = out / "result.json"
    links = [part for folder in WHEELS.iterdir() for part in ("--find-links", str(folder))]
    argv = [*command_line(), "generate", f"{wheel}:{module}", "-o", str(out), "--json", str(report), "-q"]
    argv += ["--time-limit", f"{seconds:g}", "--seed", "0", "--jobs", "1", *links]
    done = run_watched(argv, REPOSITORY, seconds * 3 + 120)
    if not list(out.glob("test_*.py")):
        return {"error": f"no suite (exit status {done.status}): {done.output[-200:]}"}
    return {"wall": done.seconds, "peak": done.peak, **count(out, module)}


def _cells(measured: Json | None) -> list[str]:
    if measured is None or "error" in measured:
        reason = "not measured" if measured is None else str(measured["error"])
        return [reason.replace("\n", " ").replace("|", "\\|")[:80], "", "", ""]
    if not measured.get("branches"):
        return ["nothing counted", "", "", ""]
    covered, branches = measured["covered"], measured["branches"]
    share = f"{covered}/{branches} ({100 * covered / branches:.0f} %)"
    outcomes = f"{measured['passed']} / {measured['failed']} / {measured['xfailed']}"
    return [share, outcomes, f"{measured['wall']:.0f}", f"{measured.get('peak', 0) / 2**20:.0f}"]


def table(results: Json) -> str:
    """Both tools side by side."""
    header = ["module"]
    for tool in ("tracetwin", "Pynguin"):
        header += [f"{tool}: branches", "passed / failed / xfailed", "seconds", "MiB"]
    rows = [
        [f"`{name}`", *_cells(both.get("tracetwin")), *_cells(both.get("pynguin"))]
        for name, both in results.items()
    ]
    return markdown(header, rows)


def _arguments() -> argparse.Namespace:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--set", choices=sorted(SETS), default="classes", help="which packages")
    parser.add_argument("--only", default="", metavar="REGEX", help="modules whose name it finds")
    parser.add_argument("--seconds", type=float, default=60.0, help="time of either tool for a module")
    parser.add_argument("--results", type=Path, metavar="FILE")
    parser.add_argument("--pynguin", type=Path, metavar="PYTHON")
    parser.add_argument("--without-tracetwin", action="store_true", help="measure Pynguin alone")
    parser.add_argument("--again", action="store_true", help="measure what is in the results file once more")
    parser.add_argument("--page", action="store_true", help="write the table to docs/results.md")
    return parser.parse_args()


def _measure(wheel: Path, module: str, options: argparse.Namespace, both: Json) -> None:
    out = BUILD / "wheel-suites" / module
    if not options.without_tracetwin and (options.again or "tracetwin" not in both):
        both["tracetwin"] = _tracetwin(wheel, module, options.seconds, _empty(out / "tracetwin"))
    if options.pynguin and (options.again or "pynguin" not in both):
        suite = _empty(out / "pynguin")
        both["pynguin"] = pynguin_side.generate(
            options.pynguin, module, WHEELS / "unpacked", options.seconds, suite
        )
        if "error" not in both["pynguin"]:
            both["pynguin"].update(count(suite, module))


def _empty(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _page(releases: Releases, options: argparse.Namespace, results: Json) -> None:
    named = "" if options.set == "classes" else f" --set {options.set}"
    command = f"python benchmarks/classes/wheels.py{named} --pynguin PYTHON --page"
    note = f"Command: `{command}` ({surroundings()}),\n"
    note += f"{options.seconds:g} seconds a module for either tool; Pynguin {pynguin_side.VERSION}.\n"
    note += "Releases: " + ", ".join(f"{wheel.project} {wheel.version}" for wheel in releases.wheels) + "."
    if releases.needs:
        note += f" Both environments have {' and '.join(releases.needs)}."
    write_section(releases.section, releases.title, f"{note}\n\n{table(results)}")


def main() -> int:
    """Measure what is asked for and print the table."""
    options = _arguments()
    releases = SETS[options.set]
    file = options.results or BUILD / ("wheels.json" if options.set == "classes" else f"{options.set}.json")
    results: Json = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    files = {wheel.project: fetch(wheel) for wheel in releases.wheels}  # all first: some need others
    for wheel in releases.wheels:
        for module in wheel.modules:
            if re.search(options.only, module):
                both = results.setdefault(module, {})
                _measure(files[wheel.project], module, options, both)
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(json.dumps(results, indent=1), encoding="utf-8")
                print(f"{module}: {both}", flush=True)
    print(table(results))
    if options.page:
        _page(releases, options, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
