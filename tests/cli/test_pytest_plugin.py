"""`pytest --twin`, in processes of their own as users start them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tracetwin
from tests.target.layout import lay_out

ROOT = Path(tracetwin.__file__).parents[1]

FILES = {
    "pytest.ini": "[pytest]\n",
    "shop/__init__.py": '"""A shop.\n\n>>> from shop.cart import total\n>>> total([1, 2])\n3\n"""\n',
    "shop/cart.py": (
        "def total(prices):\n"
        '    """The sum.\n\n    >>> total([1, 2])\n    3\n    """\n'
        "    result = 0\n"
        "    for price in prices:\n"
        "        if price > 100:\n            result += 1\n"
        "        result = result + price\n"
        "    return result\n"
    ),
    "tests/test_cart.py": (
        "from shop.cart import total\n\n"
        "def test_total():\n    assert 3 == total([1, 2])\n\n"
        "def test_is_a_twin():\n    assert '_tt' in total.__code__.co_names\n\n"
        "def test_wrong():\n    limit = 4\n    assert total([1, 2]) == limit\n"
    ),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "project", FILES)


@pytest.fixture
def run(project: Path, tmp_path: Path):
    def run(*arguments: str, program: str = "pytest") -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "PYTHONPATH": f"{ROOT}{os.pathsep}{project}", "TRACETWIN_CACHE": str(tmp_path / "cache"),
            "PYTEST_ADDOPTS": "-p no:cacheprovider -p tracetwin.pytest_plugin --color=no",
        }  # fmt: skip
        return subprocess.run(
            [sys.executable, "-m", *program.split(), *arguments],
            capture_output=True, text=True, check=False, timeout=120, cwd=project, env=environment,
        )  # fmt: skip

    return run


def test_tests_run_on_twins_and_their_assertions_are_explained(run):
    done = run("--twin", "shop", "tests")
    assert "twins: shop\n" in done.stdout
    assert "2 loaded: shop, shop.cart\n" in done.stdout
    assert "E       assert 3 == 4" in done.stdout
    assert "1 failed, 2 passed" in done.stdout
    without = run("tests")
    assert "2 failed, 1 passed" in without.stdout
    assert "twins: " not in without.stdout
    assert " loaded: " not in without.stdout


def test_names_may_stand_in_the_configuration(run, project):
    (project / "pytest.ini").write_text("[pytest]\ntwin =\n    shop.cart\n    shp\n")
    done = run("--twin", "shop.__init__", "-k", "total")
    assert "twins: shop.cart, shp, shop.__init__\n" in done.stdout
    assert "2 loaded: shop, shop.cart\n" in done.stdout
    assert "no module was imported for shp\n" in done.stdout
    assert "1 passed" in done.stdout


@pytest.mark.slow
def test_conftest_comes_after_the_hook_and_other_plugins_before(run, project):
    lay_out(project, {"tests/conftest.py": "import shop.cart\n", "early_plugin.py": "import shop\n"})
    assert "2 loaded: shop, shop.cart\n" in run("--twin", "shop", "tests", "-k", "twin").stdout
    done = run("-p", "early_plugin", "--twin", "shop", "tests", "-k", "twin")
    assert 2 == done.stdout.count("imported before pytest came to --twin, so not traced: shop\n")
    assert "1 loaded: shop.cart\n" in done.stdout


@pytest.mark.slow
def test_what_can_not_be_a_twin_is_named(run, project):
    import py_compile

    py_compile.compile(str(project / "shop/cart.py"), cfile=str(project / "shop/bare.pyc"), doraise=True)
    lay_out(project, {"tests/test_bare.py": "def test_bare():\n    import shop.bare\n"})
    done = run("--twin", "shop", "tests/test_bare.py")
    assert "1 loaded: shop\n" in done.stdout
    assert "left as it is: shop.bare, bytecode without source\n" in done.stdout


@pytest.mark.slow
def test_modules_left_for_one_reason_share_a_line(run, project):
    tests = {f"shop/tests/test_{i}.py": "def test():\n    pass\n" for i in range(10)}
    lay_out(project, {**tests, "shop/tests/__init__.py": ""})
    done = run("--twin", "shop", "shop/tests")
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("left as")]
    assert line.startswith("left as they are, loaded in a way of its own, by _pytest.assertion.rewrite")
    assert ": shop.tests.test_0, shop.tests.test_1, " in line
    assert line.endswith(", shop.tests.test_7 and 2 more")


@pytest.mark.slow
def test_twins_of_another_hook_count(run, project):
    lay_out(project, {"tests/__init__.py": "import tracetwin\ntracetwin.install('shop')\n"})
    done = run("--twin", "shop", "tests", "-k", "twin")
    assert "2 loaded: shop, shop.cart\n" in done.stdout
    assert "no module was imported" not in done.stdout


@pytest.mark.slow
def test_an_installed_plugin_does_not_warn_of_what_was_imported_for_the_hook(run, project):
    """pytest marks what a plugin's distribution holds for rewriting, and warns of what is there already."""
    folders = ("tracetwin", "runtime", "instrumenter")
    lay_out(project, {
        "tracetwin-0.dist-info/METADATA": "Metadata-Version: 2.1\nName: tracetwin\nVersion: 0\n",
        "tracetwin-0.dist-info/RECORD": "".join(f"{name}/__init__.py,,\n" for name in folders),
        "tracetwin-0.dist-info/entry_points.txt":
            "[pytest11]\ntracetwin.pytest_plugin = tracetwin.pytest_plugin\n",
        "start.py": "import instrumenter, runtime, pytest, sys\nsys.exit(pytest.main())\n",
    })  # fmt: skip
    for program in ("tracetwin run --twin shop -m pytest", "start"):
        done = run("tests/test_cart.py" if program != "start" else "-q", program=program)
        assert "passed" in done.stdout
        assert "PytestAssertRewriteWarning" not in done.stdout


def test_a_name_that_is_none_is_a_usage_error(run):
    done = run("--twin", "shop/cart.py")
    assert 4 == done.returncode
    assert "ERROR: --twin shop/cart.py: is not the name of a module" in done.stderr


@pytest.mark.slow
def test_doctests_of_twins(run):
    done = run("--twin", "shop", "--doctest-modules", "shop")
    assert "2 passed" in done.stdout
    assert "2 loaded: shop, shop.cart\n" in done.stdout


@pytest.mark.slow
def test_processes_of_xdist_have_twins_and_report_them(run):
    pytest.importorskip("xdist")
    done = run("-n", "2", "--twin", "shop", "tests")
    assert "1 failed, 2 passed" in done.stdout
    assert "2 loaded: shop, shop.cart\n" in done.stdout


@pytest.mark.slow
def test_coverage_is_that_of_the_original(run, project):
    reports = []
    for twin in ([], ["--twin", "shop"]):
        run("--branch", "--source=shop", "-m", "pytest", "-q", "tests", *twin, program="coverage run")
        reports.append(run("-m", program="coverage report").stdout)
    assert "shop/cart.py" in reports[0]
    assert reports[0] == reports[1]


def test_without_a_name_nothing_is_imported(tmp_path):
    program = (
        "import sys, pytest\n"
        f"pytest.main(['-q', '-p', 'tracetwin.pytest_plugin', '-p', 'no:cacheprovider', {str(tmp_path)!r}])\n"
        "print(*sorted(name for name in sys.modules if name.partition('.')[0] in "
        "('libcst', 'runtime', 'instrumenter', 'tracetwin', 'click', 'z3')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False, timeout=60
    )
    loaded = done.stdout.splitlines()[-1].split()
    support = ["tracetwin.support", "tracetwin.support.data", "tracetwin.support.errors"]
    expected = ["tracetwin", "tracetwin.pytest_plugin", *support]
    assert expected == loaded
