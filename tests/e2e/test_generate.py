"""`tracetwin generate` from the command line to the written files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.command import ROOT, SLOW, run, run_suite
from tests.target.layout import lay_out, make_wheel

FILES = {
    "grades.py": """
        '''Grades.'''

        NAMES = {"a": 4, "b": 3}


        def grade(points: int) -> str:
            if points > 89:
                return "excellent"
            if points > 49:
                return "passed"
            return "failed"


        def average(names: list[str]) -> float:
            total = 0
            for name in names:
                if name not in NAMES:
                    raise ValueError(f"unknown grade: {name}")
                total += NAMES[name]
            return total / len(names)


        def distinct(words: set[str]) -> set[str]:
            return {word.strip() for word in words}


        class Gradebook:
            def __init__(self, limit: int = 3) -> None:
                if limit < 1:
                    raise ValueError("limit must be positive")
                self.limit = limit
                self.points: list[int] = []

            def add(self, points: int) -> bool:
                if len(self.points) >= self.limit:
                    return False
                self.points.append(points)
                return True

            def best(self) -> int | None:
                return max(self.points) if self.points else None
        """,
    "shop/__init__.py": "from shop.cart import total\n",
    "shop/cart.py": """
        from shop.prices import price


        def total(names: list[str]) -> int:
            return sum(price(name) for name in names)
        """,
    "shop/prices.py": """
        def price(name: str) -> int:
            if name == "tea":
                return 3
            if not name:
                raise KeyError("empty")
            return 1
        """,
    "raising.py": "values = {}\nvalues['missing']\n\n\ndef f(x: int) -> int:\n    return x\n",
    "leaving.py": "import sys\n\nsys.exit(3)\n\n\ndef f(x: int) -> int:\n    return x\n",
    "broken.py": "def f(:\n    pass\n",
    "empty.py": "X = 1\n",
    "slow.py": SLOW,
}


def _dedented(text: str) -> str:
    import textwrap

    return textwrap.dedent(text).lstrip("\n")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lay_out(
        tmp_path_factory.mktemp("project"), {name: _dedented(text) for name, text in FILES.items()}
    )


@pytest.fixture(scope="module")
def generated(project: Path) -> tuple[Path, dict[str, Any], str]:
    """One run over a module and a package: its folder, its JSON and its standard output."""
    out = project / "out"
    done = run(
        "generate",
        "grades.py",
        "shop",
        "-o",
        out,
        "--json",
        "result.json",
        "--max-runs",
        "400",
        "-v",
        cwd=project,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    return out, json.loads((project / "result.json").read_text()), done.stdout


@pytest.mark.slow
def test_one_file_per_module_with_something_to_test(generated):
    out, _, _ = generated
    written = {file.name for file in out.glob("*.py")}
    usual = {"test_grades.py", "test_shop_cart.py", "test_shop_prices.py"}
    assert usual | {"test_grades_suspicious.py"} == written, "what another module states is no fault"


FIGURES = {
    "lines",
    "covered_lines",
    "branches",
    "covered_branches",
    "tests",
    "runs",
    "queries",
    "divergences",
    "seconds",
}


@pytest.mark.slow
def test_the_result_for_machines_has_the_promised_fields(generated):
    _, result, _ = generated
    assert {"grades", "shop.cart", "shop.prices"} == {m["name"] for m in result["modules"]}
    for module in result["modules"]:
        assert module.keys() >= FIGURES | {"uncovered"}
        for function in module["functions"]:
            assert function.keys() >= FIGURES | {"uncovered"}
            for missing in function["uncovered"]:
                assert missing.keys() == {"line", "reason"}
                assert isinstance(missing["line"], int)
                assert missing["reason"]


def test_everything_in_the_project_is_covered(generated):
    _, result, _ = generated
    grades = next(m for m in result["modules"] if m["name"] == "grades")
    assert (grades["lines"], grades["branches"]) == (grades["covered_lines"], grades["covered_branches"])
    assert [] == grades["uncovered"]
    assert 0 == grades["divergences"]


def test_every_explored_function_is_in_the_result(generated):
    _, result, _ = generated
    grades = next(m for m in result["modules"] if m["name"] == "grades")
    names = {f["name"] for f in grades["functions"]}
    assert names >= {"grade", "average", "distinct", "Gradebook.add", "Gradebook.best"}
    assert all(f["tests"] > 0 for f in grades["functions"])


def test_the_counts_agree_with_each_other(generated):
    out, result, _ = generated
    for module in result["modules"]:
        assert module["runs"] == sum(f["runs"] for f in module["functions"])
        assert module["runs"] <= 400
        assert module["tests"] == sum(f["tests"] for f in module["functions"])
        files = out.glob(f"test_{module['name'].replace('.', '_')}*.py")
        assert module["tests"] == sum(file.read_text().count("    def test_") for file in files)


def test_verbose_shows_divergences(generated):
    assert "divergences" in generated[2]


@pytest.mark.parametrize("seed", [0, 4711])
def test_suites_pass_in_a_fresh_process(generated, project, seed):
    done = run_suite(generated[0], project, seed=seed)
    assert 0 == done.returncode, done.stderr
    assert "Ran 0 tests" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["out/test_grades.py", "out/test_shop_cart.py"],
        ["discover", "-s", "out"],
        pytest.param(
            ["discover", "-s", "out", "-t", "."],
            marks=pytest.mark.xfail(reason="not since Python 3.11", strict=False),
        ),
    ],
    ids=["files", "folder", "start and top folder"],
)
def test_suites_pass_from_the_root(generated, project, arguments):
    done = subprocess.run(
        [sys.executable, "-m", "unittest", *arguments],
        cwd=project, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert 0 == done.returncode, done.stderr


@pytest.mark.parametrize("command", [["format", "--check"], ["check"]], ids=lambda c: c[0])
def test_suites_please_ruff(generated, command):
    ruff = [sys.executable, "-m", "ruff", *command, "--isolated", "--no-cache", "--line-length", "100"]
    done = subprocess.run([*ruff, str(generated[0])], capture_output=True, text=True, timeout=60, check=False)
    assert 0 == done.returncode, done.stdout + done.stderr


def test_suites_import_the_target_and_the_standard_library_only(generated):
    for file in generated[0].glob("*.py"):
        imported = {
            line.split()[1].partition(".")[0]
            for line in file.read_text().splitlines()
            if line.startswith(("import ", "from "))
        }
        assert imported - set(sys.stdlib_module_names) <= {"grades", "shop"}


def test_names_of_tests_are_unique(generated):
    for file in generated[0].glob("*.py"):
        scope, names = "", set()
        for line in file.read_text().splitlines():
            if line.startswith("class "):
                scope = line
            if line.startswith("    def test_"):
                assert (scope, line) not in names
                names.add((scope, line))


@pytest.mark.slow
def test_the_same_bytes_with_one_job_and_two_and_twice(project, tmp_path):
    texts = []
    for name, jobs in (("one", "1"), ("two", "2"), ("again", "2")):
        out = tmp_path / name
        done = run("generate", "grades.py", "-o", out, "--max-runs", "60", "-j", jobs, "-q", cwd=project)
        assert 0 == done.returncode, done.stderr
        texts.append((out / "test_grades.py").read_bytes())
    assert texts[0] == texts[1] == texts[2]


@pytest.mark.slow
def test_another_seed_is_accepted(project, tmp_path):
    assert (
        0
        == run(
            "generate", "shop.prices", "-o", tmp_path, "--max-runs", "30", "--seed", "7", cwd=project
        ).returncode
    )


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 7, 40])
def test_max_runs_is_never_exceeded(project, tmp_path, most):
    done = run("generate", "grades.py", "-o", tmp_path, "--max-runs", str(most), "--json", "-", cwd=project)
    runs = json.loads(done.stdout)["modules"][0]["runs"]
    assert runs <= most


@pytest.mark.slow
def test_the_time_limit_is_respected(project, tmp_path):
    done = run("generate", "slow.py", "-o", tmp_path, "--time-limit", "5", "--json", "-", cwd=project)
    module = json.loads(done.stdout)["modules"][0]
    assert 0 == done.returncode
    assert module["seconds"] < 12.0


@pytest.mark.slow
def test_the_time_limit_holds_where_every_run_hangs(project, tmp_path):
    (project / "hanging.py").write_text(
        "def f(x: int) -> int:\n    while x != 12345 or x == 12345:\n        x = 12345\n    return x\n"
    )
    done = run("generate", "hanging.py", "-o", tmp_path, "--time-limit", "4", "--json", "-", cwd=project)
    module = json.loads(done.stdout)["modules"][0]
    assert 1 == done.returncode
    assert module["seconds"] < 7.0


@pytest.mark.slow
def test_pytest_style(project, tmp_path):
    done = run("generate", "grades.py", "-o", tmp_path, "--max-runs", "60", "--style", "pytest", cwd=project)
    assert 0 == done.returncode, done.stderr
    assert "unittest" not in (tmp_path / "test_grades.py").read_text()
    ran = run_suite(tmp_path, project, runner="pytest")
    assert 0 == ran.returncode, ran.stdout


def test_one_function_of_a_module(project, tmp_path):
    done = run("generate", "grades:grade", "-o", tmp_path, "--json", "-", "--max-runs", "60", cwd=project)
    assert ["grade"] == [f["name"] for f in json.loads(done.stdout)["modules"][0]["functions"]]
    assert "average" not in (tmp_path / "test_grades.py").read_text()


@pytest.mark.slow
def test_one_method_of_a_class(project, tmp_path):
    done = run(
        "generate", "grades:Gradebook.add", "-o", tmp_path, "--json", "-", "--max-runs", "80", cwd=project
    )
    module = json.loads(done.stdout)["modules"][0]
    assert ["Gradebook.add"] == [f["name"] for f in module["functions"]]
    assert module["functions"][0]["covered_branches"] == module["functions"][0]["branches"]


@pytest.mark.slow
def test_a_wheel(project, tmp_path):
    wheel = make_wheel(
        tmp_path / "shop-1.0-py3-none-any.whl",
        {name: _dedented(text) for name, text in FILES.items() if name.startswith("shop/")},
    )
    done = run("generate", wheel, "-o", tmp_path / "out", "--max-runs", "100", cwd=tmp_path)
    assert 0 == done.returncode, done.stdout + done.stderr
    ran = run_suite(tmp_path / "out", wheel)
    assert 0 == ran.returncode, ran.stderr
    assert "test_shop_prices.py" in {f.name for f in (tmp_path / "out").iterdir()}


@pytest.mark.slow
def test_bad_targets_are_named_and_the_others_go_on(project, tmp_path):
    done = run(
        "generate", "raising.py", "leaving.py", "broken.py", "nosuch.py", "empty.py", "shop.prices",
        "-o", tmp_path, "--max-runs", "60", cwd=project,
    )  # fmt: skip
    assert 7 == done.returncode
    assert ["test_shop_prices.py"] == [f.name for f in tmp_path.iterdir()]
    said = done.stdout + done.stderr
    assert "KeyError" in said
    assert "raising" in said
    assert "leaving" in said
    assert "sys.exit(3)" in said
    assert "broken.py" in said
    assert "line 1" in said
    assert "nosuch.py" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("target", ["raising.py", "leaving.py", "broken.py", "nosuch.py", "empty.py"])
def test_status_1_when_nothing_could_be_generated(project, tmp_path, target):
    done = run("generate", target, "-o", tmp_path / "out", "--max-runs", "20", cwd=project)
    assert 1 == done.returncode
    assert "Traceback" not in done.stdout + done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("arguments", [[], ["grades.py"], ["grades.py", "-o", "out", "--max-runs", "0"],
                                       ["grades.py", "-o", "out", "--style", "nose"]])  # fmt: skip
def test_status_2_for_wrong_usage(project, arguments):
    assert 2 == run("generate", *arguments, cwd=project).returncode


def test_a_module_that_hangs_while_imported_is_given_up(tmp_path, monkeypatch):
    """Through the parts, since the command has no option for the 20 seconds an import may take."""
    from tracetwin.process.walls.sandbox import Limits
    from tracetwin.process.worker import Failed, Worker
    from tracetwin.run import module_facts as modules
    from tracetwin.target.selection import resolve_all

    lay_out(
        tmp_path, {"hanging_import.py": "while True:\n    pass\n\n\ndef f(x: int) -> int:\n    return x\n"}
    )
    target = resolve_all([str(tmp_path / "hanging_import.py")], None).modules[0]
    with Worker(target, Limits(import_seconds=0.5), patterns=modules.patterns_of(target)) as worker:
        answer = worker.start()
    assert isinstance(answer, Failed)
    assert "hung" == answer.kind
    assert "hanging_import: importing it hung" in modules.import_sentence(target, answer)


@pytest.mark.slow
def test_a_target_with_modules_called_as_ours(tmp_path):
    folder = ROOT / "examples" / "own_runtime"
    done = run(
        "generate",
        folder / "app.py",
        folder / "runtime.py",
        "-o",
        tmp_path,
        "--max-runs",
        "150",
        cwd=tmp_path,
    )
    assert 0 == done.returncode, done.stdout + done.stderr
    assert {"test_app.py", "test_runtime.py"} == {f.name for f in tmp_path.iterdir()}
    ran = run_suite(tmp_path, folder)
    assert 0 == ran.returncode, ran.stderr


@pytest.mark.slow
def test_a_target_with_an_instrumenter_of_its_own(tmp_path):
    lay_out(
        tmp_path,
        {
            "instrumenter.py": "LIMIT = 7\n\n\ndef tune(x: int) -> int:\n"
            "    return x + 1 if x > LIMIT else x\n",
            "tracetwin_user.py": "import instrumenter\n\n\ndef f(x: int) -> str:\n"
            "    return 'high' if instrumenter.tune(x) > 8 else 'low'\n",
        },
    )
    done = run(
        "generate", tmp_path / "tracetwin_user.py", tmp_path / "instrumenter.py",
        "-o", tmp_path / "out", "--max-runs", "80",
        cwd=ROOT,
    )  # fmt: skip
    assert 0 == done.returncode, done.stdout + done.stderr
    assert 0 == run_suite(tmp_path / "out", tmp_path).returncode


@pytest.mark.slow
@pytest.mark.parametrize("name", ["instrumenter", "runtime"])
def test_such_a_module_may_lie_in_the_current_folder(tmp_path, name):
    lay_out(tmp_path, {f"{name}.py": "def tune(x: int) -> int:\n    return x + 1 if x > 7 else x\n"})
    done = run("generate", f"{name}.py", "-o", "out", "--max-runs", "80", cwd=tmp_path)
    assert 0 == done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_a_target_can_not_harm_its_surroundings(tmp_path):
    lay_out(
        tmp_path,
        {
            "harmful.py": "import os\nimport subprocess\n\n\ndef f(x: int) -> int:\n"
            f"    open({str(tmp_path / 'written')!r}, 'w').close()\n    return x\n\n\n"
            f"def g(x: int) -> int:\n    subprocess.run(['touch', {str(tmp_path / 'touched')!r}])\n"
            "    return x\n\n\n"
            f"def h(x: int) -> int:\n    os.remove({str(tmp_path / 'victim')!r})\n    return x\n",
            "victim": "here",
        },
    )
    run("generate", "harmful.py", "-o", "out", "--max-runs", "30", cwd=tmp_path)
    assert {"harmful.py", "victim"} == {f.name for f in tmp_path.iterdir()} - {"out"}


@pytest.mark.slow
def test_random_and_changing_results_are_not_asserted(tmp_path):
    lay_out(
        tmp_path,
        {
            "shaky.py": "import random\nimport time\n\n\n"
            "def now(x: int) -> float:\n    return time.time() + x\n\n\n"
            "def dice(x: int) -> float:\n    return random.random() + x\n\n\n"
            "def thing(x: int) -> object:\n    return object()\n\n\n"
            "def steady(x: int) -> int:\n    return x + 1\n",
        },
    )
    done = run("generate", "shaky.py", "-o", "out", "--max-runs", "40", "-v", cwd=tmp_path)
    assert 0 == done.returncode, done.stdout + done.stderr
    for seed in (0, 1):
        assert 0 == run_suite(tmp_path / "out", tmp_path, seed=seed).returncode
    assert os.access(tmp_path / "out" / "test_shaky.py", os.R_OK)


@pytest.mark.slow
def test_deep_expressions_and_modules_without_anything_public(tmp_path):
    chain = "x if x else " * 300
    lay_out(tmp_path, {
        "deep.py": f"def deep(x):\n    return {chain} 0\n",
        "private.py": "def _hidden(x):\n    return x\n",
    })
    done = run("generate", "deep.py", "private.py", "-o", "out", "--max-runs", "2", "-v", cwd=tmp_path)
    assert 0 == done.returncode, done.stderr
    assert (tmp_path / "out/test_deep.py").is_file()
    assert "note: it defines no public function or class: its private ones are tested" in done.stdout
    assert "_hidden(" in (tmp_path / "out/test_private.py").read_text()
