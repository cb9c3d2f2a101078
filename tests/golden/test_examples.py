"""The suites generated for examples/: unchanged, passing elsewhere, and red when the target has a fault.

Set TRACETWIN_UPDATE_GOLDEN=1 to write examples/expected/ anew.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tracetwin.model.mutant import MutantFate
from tracetwin.mutation.suites import judge_suite
from tracetwin.target.selection import resolve

REPOSITORY = Path(__file__).resolve().parents[2]
EXAMPLES = REPOSITORY / "examples"
EXPECTED = EXAMPLES / "expected"
UPDATE = os.environ.get("TRACETWIN_UPDATE_GOLDEN") == "1"

# The executions bound the work, so that the result does not depend on the machine's speed; the time limit is
# only a net.
BUDGET = ("--seed", "0", "--time-limit", "600")
RUNS, MORE_RUNS = "300", "1000"
HARD = frozenset(("checksums",))
"""Modules whose last branches take more executions."""

SOURCES = {
    source.stem: source for folder in (EXAMPLES, EXAMPLES / "own_runtime") for source in folder.glob("*.py")
}
MODULES = sorted(SOURCES)
QUICK = ("bmi", "clamp", "coin_box")
"""Modules that are generated for `make test` as well."""

GENERATED = [pytest.param(m, marks=() if m in QUICK else pytest.mark.slow) for m in MODULES]


class Generation:
    """The suites that the command line writes for the examples, generated when they are first asked for.

    Attributes:
        folder: where they are.
    """

    def __init__(self, folder: Path) -> None:
        """Begin with an empty folder."""
        self.folder = folder
        self._results: dict[str, dict[str, Any]] = {}

    def of(self, module: str) -> dict[str, Any]:
        """Return what is reported of a module."""
        if module not in self._results:
            rest = [m for m in MODULES if m not in HARD and m not in QUICK]
            alike = next((group for group in (QUICK, rest) if module in group), [module])
            reported = generate(list(alike), MORE_RUNS if module in HARD else RUNS, self.folder)
            self._results.update((result["name"], result) for result in reported)
        return self._results[module]

    def all(self) -> Path:
        """Return the folder when all suites are in it."""
        for module in MODULES:
            self.of(module)
        return self.folder


@pytest.fixture(scope="session")
def generation(tmp_path_factory: pytest.TempPathFactory) -> Generation:
    """Return the suites, after writing all of them to examples/expected/ when asked to."""
    made = Generation(tmp_path_factory.mktemp("generated"))
    if UPDATE:
        EXPECTED.mkdir(exist_ok=True)
        for stale in EXPECTED.glob("test_*.py"):
            stale.unlink()
        for suite in made.all().glob("test_*.py"):
            shutil.copy(suite, EXPECTED)
    return made


def generate(names: list[str], runs: str, folder: Path) -> list[dict[str, Any]]:
    """Write the suites of some examples, and return what is reported of each."""
    targets = [str(SOURCES[name].relative_to(REPOSITORY)) for name in names]
    report = folder / "result.json"
    argv = [sys.executable, "-m", "tracetwin", "generate", *targets, "-o", str(folder)]
    done = subprocess.run(
        [*argv, "--json", str(report), "-q", "--max-runs", runs, *BUDGET],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["modules"]
    return found


@pytest.fixture(scope="session")
def suites(generation: Generation) -> Path:
    """Return the folder of golden suites, written anew before if that was asked for."""
    assert generation.folder.is_dir()
    return EXPECTED


def run_suite(suite: Path, import_root: Path, hash_seed: int) -> subprocess.CompletedProcess[str]:
    """Run a suite in a fresh process that finds only the target and the standard library first."""
    env = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONDONTWRITEBYTECODE": "1"}
    env["PYTHONPATH"] = str(import_root)
    return subprocess.run(
        [sys.executable, "-m", "unittest", suite.stem],
        cwd=suite.parent,
        env=env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("module", GENERATED)
def test_generated_suite_equals_the_golden_file(module: str, generation: Generation) -> None:
    """The same sources, seed and budget give the same bytes."""
    golden = EXPECTED / f"test_{module}.py"
    assert golden.exists(), f"no {golden.name}: write it with TRACETWIN_UPDATE_GOLDEN=1"
    generation.of(module)
    for name in (golden.name, f"test_{module}_suspicious.py"):
        expected, made = EXPECTED / name, generation.folder / name
        assert expected.exists() == made.exists()
        assert not made.exists() or expected.read_bytes() == made.read_bytes()


@pytest.mark.slow
def test_every_golden_file_belongs_to_an_example(generation: Generation) -> None:
    """Neither a suite of a removed example nor a second file for one is left over."""
    known = {f"test_{module}.py" for module in MODULES}
    apart = {f"test_{module}_suspicious.py" for module in MODULES}
    there = {file.name for file in EXPECTED.glob("test_*.py")}
    assert known <= there <= known | apart
    assert there == {file.name for file in generation.all().glob("test_*.py")}


@pytest.mark.parametrize("command", [("format", "--check"), ("check",)], ids=" ".join)
def test_golden_suites_please_ruff(command: tuple[str, ...], suites: Path) -> None:
    """By its own defaults, at 100 columns, whatever this project's configuration says."""
    argv = [sys.executable, "-m", "ruff", *command, "--isolated", "--no-cache", "--line-length", "100"]
    done = subprocess.run([*argv, str(suites)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("hash_seed", [0, 4711])
@pytest.mark.parametrize("module", MODULES)
def test_golden_suite_passes_in_a_fresh_process(module: str, hash_seed: int, suites: Path) -> None:
    """No test depends on the order in which sets and dicts of strings hash."""
    for suite in sorted(suites.glob(f"test_{module}*.py")):
        done = run_suite(suite, SOURCES[module].parent, hash_seed)
        assert done.returncode == 0, done.stderr
        assert "Ran 0 tests" not in done.stderr


@pytest.mark.parametrize("module", GENERATED)
def test_no_input_takes_another_path_than_promised(module: str, generation: Generation) -> None:
    """A divergence would be a defect of ours, in a model or in the twin."""
    assert generation.of(module)["divergences"] == 0


@pytest.mark.parametrize("module", GENERATED)
def test_every_feasible_branch_of_public_functions_is_covered(module: str, generation: Generation) -> None:
    """What is missing in a module-level function has been proved infeasible."""
    for function in generation.of(module)["functions"]:
        name = function["name"]
        if "." in name or name.startswith("_") or function["covered_branches"] == function["branches"]:
            continue
        reasons = [entry["reason"] for entry in function["uncovered"]]
        assert reasons, f"{name}: a branch is missing, and no line says why"
        assert all(reason.startswith("infeasible") for reason in reasons), f"{name}: {reasons}"


def test_the_infeasible_line_is_proved_so(generation: Generation) -> None:
    """`priority_band` has exactly one line that no input reaches."""
    functions = {entry["name"]: entry for entry in generation.of("clamp")["functions"]}
    source = SOURCES["clamp"].read_text(encoding="utf-8").splitlines()
    uncovered = functions["priority_band"]["uncovered"]
    assert [source[entry["line"] - 1] for entry in uncovered] == ['    return "invalid"']
    assert uncovered[0]["reason"] == "infeasible (proved)"


FAULTS = [
    pytest.param("bmi", "index < NORMAL_BELOW", "index > NORMAL_BELOW", id="reversed comparison"),
    pytest.param("clamp", "return high", "return low", id="wrong limit"),
    pytest.param("coin_box", "self.cur_qtrs += 1", "self.cur_qtrs += 2", id="wrong state of the receiver"),
    pytest.param("dates", "if year % 100 == 0:\n        return False", "", id="forgotten rule"),
    pytest.param("event_parser", "level > HIGHEST_LEVEL", "level < HIGHEST_LEVEL", id="wrong exception"),
    pytest.param("inventory", "left = dict(stock)", "left = stock", id="argument changed in place"),
    pytest.param("ledger", "source.balance += amount", "pass", id="state after an exception"),
    pytest.param("roman", 'raise ValueError("empty numeral")', "return 0", id="missing exception"),
    pytest.param("shipping", "return rate * 4", "return rate * 3", id="wrong constant"),
    pytest.param("text_tools", "width - 3", "width - 2", id="off by one"),
    pytest.param("runtime", "minutes < 60", "minutes < 0", id="never true"),
]


@pytest.mark.parametrize(("module", "correct", "faulty"), FAULTS)
def test_a_seeded_fault_turns_the_suite_red(
    module: str, correct: str, faulty: str, suites: Path, tmp_path: Path
) -> None:
    """The assertions are strong enough to notice a change of behaviour."""
    source = SOURCES[module]
    text = source.read_text(encoding="utf-8")
    assert text.count(correct) == 1, "the fault no longer fits the example"
    for neighbour in source.parent.glob("*.py"):
        shutil.copy(neighbour, tmp_path)
    mutant = text.replace(correct, faulty)
    compile(mutant, source.name, "exec")  # a syntax error would turn any suite red
    (tmp_path / source.name).write_text(mutant, encoding="utf-8")
    done = run_suite(suites / f"test_{module}.py", tmp_path, hash_seed=0)
    assert done.returncode != 0
    assert "FAILED" in done.stderr, done.stderr


@pytest.mark.parametrize(
    "module", ["clamp", *(pytest.param(name, marks=pytest.mark.slow) for name in ("ledger", "matrix"))]
)
def test_the_suite_notices_the_mutants_that_it_is_said_to_notice(
    module: str, generation: Generation, suites: Path
) -> None:
    """What is said comes from single cases; here the written file itself runs on each mutant."""
    goals = [goal for goal in generation.of(module)["goals"] if goal["criterion"] == "mutation"]
    target = resolve(str(SOURCES[module]))[0]
    judged = judge_suite(target, sorted(suites.glob(f"test_{module}*.py")), jobs=2, pytest=False)
    assert not judged.problem
    assert len(goals) == len(judged.fates)
    noticed = {(mutant.line, mutant.change) for mutant, fate, _ in judged.fates if fate is MutantFate.KILLED}
    said = [goal for goal in goals if goal["fate"] == "covered"]
    assert said
    wrong = [
        goal["name"]
        for goal in said
        if not any(line == goal["line"] and change in goal["name"] for line, change in noticed)
    ]
    assert not wrong
