"""Suites that follow a history: each commit is generated onto the suite of the one before, and anew.

    python benchmarks/increments.py REPOSITORY TARGET [--commits 10] [--runs 100] [--needs DIR] [--check]

REPOSITORY is a git repository (a bare one does), TARGET a module or a package in it. The last commits of its
main line that change code there are taken, oldest first. At each, `generate --max-runs` goes over the suite
that the commit before left, with its store, and a second time into an empty folder without one. Told are the
functions whose source the commit changed and those that were explored again; the tests that stayed byte for
byte, came, and went; those that no longer hold (they stay, and fail); the branches and all goals that both
suites meet, and the processor time of both. A test that fails and was not named is stale: there must be none.
Where tests no longer hold, the next commit is generated with `--accept`, as by someone who looked at them.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

import harness
from harness import Json

HEAD = (
    "| commit | changed | explored | stayed | new | gone | no longer hold | stale "
    "| branches | anew | goals | anew | s | s anew |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
)


@dataclass(frozen=True)
class Generated:
    """One run of the tool: its result, the tests by name, and seconds of processor time."""

    result: Json
    tests: dict[str, str]
    seconds: float

    @property
    def branches(self) -> str:
        """Return how many branches are covered, of how many."""
        return f"{self.result['total']['covered_branches']}/{self.result['total']['branches']}"

    @property
    def goals(self) -> int:
        """Return how many goals are met."""
        goals = (goal for module in self.result["modules"] for goal in module["goals"])
        return sum(goal["fate"] == "covered" for goal in goals)

    @property
    def regressions(self) -> set[str]:
        """Return the names of the tests that no longer hold, with those of their classes."""
        return {one["test"] for module in self.result["modules"] for one in module["regressions"]}

    @property
    def explored(self) -> int:
        """Return how many functions were explored."""
        spans = ((module["name"], span) for module in self.result["modules"] for span in module["spans"])
        return len({(name, span["what"]) for name, span in spans if span["kind"] == "exploring"})


def commits_of(repository: str, target: str, most: int) -> list[str]:
    """Return the last commits that change code of a target, and the one before them, oldest first."""
    argv = ["git", "-C", repository, "log", "--first-parent", "--format=%h", "--", target]
    listed = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.split()
    found: list[str] = []
    after: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as work:
        for number, commit in enumerate(listed):
            tree = Path(work) / str(number)
            checked_out(Path(repository), commit, tree)
            code = definitions(tree, target, whole=True)
            if found and code == after:
                found.pop()  # the one after it changed nothing
            found.append(commit)
            after = code
            if len(found) > most + 1:
                break
    return found[most::-1]


def checked_out(repository: Path, commit: str, folder: Path) -> None:
    """Write the files of a commit over those of the one before."""
    argv = ["git", "-C", str(repository), "archive", commit]
    packed = subprocess.run(argv, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")


def modules_of(tree: Path, target: str) -> list[Path]:
    """Return the files of a target without its tests."""
    place = tree / target
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    return [file for file in files if "test" not in str(file.relative_to(tree))]


def definitions(tree: Path, target: str, *, whole: bool = False) -> dict[str, str]:
    """Return the functions of a target by name, or all of its modules, without positions."""
    found: dict[str, str] = {}

    def visit(node: ast.AST, inside: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                name = f"{inside}{child.name}"
                if not isinstance(child, ast.ClassDef):
                    found[name] = ast.dump(child)
                visit(child, f"{name}.")

    for file in modules_of(tree, target):
        parsed = ast.parse(file.read_text(encoding="utf-8"))
        if whole:
            found[str(file.relative_to(tree))] = ast.dump(parsed)
        else:
            visit(parsed, f"{file.relative_to(tree)}:")
    return found


def generated(tree: Path, target: str, out: Path, store: Path, *options: str) -> Generated:
    """Generate tests of a target into a folder."""
    before = os.times()
    root = tree / "src" if target.startswith("src/") else tree
    always = ("--root", str(root), "--no-config", "--seed", "0", "--time-limit", "900")
    argv = [*harness.command_line(), "generate", str(tree / target), "-o", str(out), "--store", str(store)]
    argv += [*always, "--json", str(out.with_suffix(".json")), "-q", "-j", "2"]
    argv += options
    subprocess.run(argv, cwd=harness.REPOSITORY, capture_output=True, check=False)
    after = os.times()
    result = json.loads(out.with_suffix(".json").read_text(encoding="utf-8"))
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return Generated(result, tests_in(out), seconds)


def tests_in(folder: Path) -> dict[str, str]:
    """Return the source of each test in a folder, by its file, class and name."""
    found = {}
    for file in sorted(folder.glob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        for owner in ast.parse(text).body:
            for node in owner.body if isinstance(owner, ast.ClassDef) else ():
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
                    found[f"{file.stem}.{owner.name}.{node.name}"] = ast.get_source_segment(text, node) or ""
    return found


def failing(folder: Path, *search_path: Path) -> set[str]:
    """Return the tests of a folder that fail in an interpreter of their own, by their class and name."""
    argv = [sys.executable, "-m", "unittest", "discover", "-s", str(folder)]
    env = harness.environment(*search_path)
    done = subprocess.run(argv, capture_output=True, text=True, env=env, check=False)
    found = re.findall(r"^(?:FAIL|ERROR): (\w+) \(([\w.]+)\)", done.stderr, re.MULTILINE)
    owners = ((name, where.removesuffix(f".{name}").rpartition(".")[2]) for name, where in found)
    return {f"{owner}.{name}" for name, owner in owners}


def replay(options: argparse.Namespace, work: Path) -> int:
    """Go through the commits, print a row for each, and return how many tests were stale."""
    tree, stale = work / "tree", 0
    before: Generated | None = None
    functions: dict[str, str] = {}
    given = ("--max-runs", str(options.runs), "--criterion", options.criterion)
    needs = [Path(needed).resolve() for needed in options.needs]
    os.environ["PYTHONPATH"] = os.pathsep.join(map(str, needs))
    print(HEAD, flush=True)
    for number, commit in enumerate(commits_of(options.repository, options.target, options.commits)):
        shutil.rmtree(tree, ignore_errors=True)
        checked_out(Path(options.repository), commit, tree)
        then, functions = functions, definitions(tree, options.target)
        accept = ("--accept",) if before is not None and before.regressions else ()
        now = generated(tree, options.target, work / "suite", work / "store", *given, *accept)
        anew = generated(tree, options.target, work / f"anew{number}", work / f"store{number}", *given)
        if before is not None:
            changed = sum(then.get(name) != text for name, text in functions.items())
            stayed = sum(before.tests.get(name) == text for name, text in now.tests.items())
            new = len(now.tests.keys() - before.tests.keys())
            gone = len(before.tests.keys() - now.tests.keys())
            wrong = failing(work / "suite", tree / "src", tree, *needs) - now.regressions
            if now.regressions:  # where a function is gone that it imports, none of the file runs
                wrong = {one for one in wrong if not one.startswith("_FailedTest.")}
            stale += len(wrong)
            counts = f"{changed} | {now.explored} of {len(functions)} | {stayed} | {new} | {gone}"
            ends = f"{len(now.regressions)} | {len(wrong)} | {now.branches} | {anew.branches}"
            ends += f" | {now.goals} | {anew.goals}"
            print(f"| {commit} | {counts} | {ends} | {now.seconds:.0f} | {anew.seconds:.0f} |", flush=True)
        before = now
    return stale


def main() -> int:
    """Measure; return 1 where a stale test was found and `--check` was given."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("repository")
    parser.add_argument("target")
    parser.add_argument("--commits", type=int, default=10)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--criterion", default="branch,exception", help="by which suites are made")
    parser.add_argument("--needs", action="append", default=[], help="a folder with packages that it imports")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        stale = replay(options, Path(work))
    return int(options.check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
