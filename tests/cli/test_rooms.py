"""Programs that have top-level modules called like our packages."""

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
    "pytest.ini": "[pytest]\npythonpath = src\n",
    "src/runtime.py": "LIMIT = 55\n\ndef level(x):\n    return 1 if x == 9 else 2\n",
    "src/instrumenter/__init__.py": "from .core import EIGHT\n",
    "src/instrumenter/core.py": "EIGHT = 8\n",
    "src/app/__init__.py": (
        "import runtime, instrumenter.core\n"
        "def f(x):\n"
        "    return instrumenter.EIGHT if x > runtime.LIMIT else runtime.level(x)\n"
    ),
    "src/app/__main__.py": (
        "import app, runtime\nprint(app.f(60), app.f(9), runtime.LIMIT, '_tt' in app.f.__code__.co_names)\n"
    ),
    "tests/test_app.py": (
        "import app, unittest\n"
        "class App(unittest.TestCase):\n"
        "    def test_f(self):\n"
        "        self.assertEqual((8, 1, True), (app.f(60), app.f(9), '_tt' in app.f.__code__.co_names))\n"
    ),
}
START = "import sys; sys.path.insert(0, 'src'); import tracetwin\n"
SHOW = "import app, runtime\nprint(app.f(60), app.f(9), runtime.LIMIT, sorted(handle.twins))\n"
ALL = ["app", "instrumenter", "instrumenter.core", "runtime"]


@pytest.fixture
def python(tmp_path: Path):
    project = lay_out(tmp_path / "project", FILES)

    def run(*arguments: str, folder: str = ".") -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ, "PYTHONPATH": f".{os.pathsep}{ROOT}", "TRACETWIN_CACHE": str(tmp_path / "cache"),
        }  # fmt: skip
        return subprocess.run(
            [sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=120,
            cwd=project / folder, env=environment,
        )  # fmt: skip

    return run


def test_install_leaves_a_program_its_own_modules(python):
    done = python("-c", f"{START}handle = tracetwin.install('app', 'runtime', 'instrumenter')\n{SHOW}")
    assert (f"8 1 55 {ALL}\n", "") == (done.stdout, done.stderr)


def test_so_does_a_block(python):
    done = python("-c", f"{START}with tracetwin.twinned('app') as handle:\n    {SHOW.replace(chr(10), '; ')}")
    assert ("8 1 55 ['app']\n", "") == (done.stdout, done.stderr)


def test_the_programs_module_may_be_there_before_ours(python):
    program = f"{START}import runtime\nhandle = tracetwin.install('app')\n{SHOW}tracetwin.uninstall()"
    done = python("-c", program)
    assert ("8 1 55 ['app']\n", "") == (done.stdout, done.stderr)


def test_ours_by_name_are_those_of_the_hook(python):
    program = (
        "import warnings, json\nfrom instrumenter.hook import AlreadyImportedWarning\n"
        "warnings.simplefilter('error', AlreadyImportedWarning)\nimport tracetwin\n"
        "try:\n    tracetwin.install('json')\n"
        "except AlreadyImportedWarning:\n    print('caught')\n"
    )
    done = python("-c", program)
    assert ("caught\n", "") == (done.stdout, done.stderr)


def test_a_program_that_is_run(python):
    done = python("-m", "tracetwin", "run", "-m", "app", folder="src")
    assert ("8 1 55 True\n", "") == (done.stdout, done.stderr)


@pytest.mark.slow
def test_a_suite_under_pytest(python):
    done = python("-m", "pytest", "-p", "tracetwin.pytest_plugin", "-p", "no:cacheprovider", "--twin", "app")
    assert "1 passed" in done.stdout
    assert "1 loaded: app\n" in done.stdout


@pytest.mark.slow
def test_a_driver_beside_them(python, tmp_path):
    arguments = ["generate", "app", "-o", str(tmp_path / "out"), "--max-runs", "20"]
    script = f"import sys; sys.argv[1:] = {arguments}; from tracetwin.cli.main import main; main()"
    done = python("-c", script, folder="src")
    assert "lines 3/3 (100 %)" in done.stdout, done.stderr


def test_generating_after_the_programs_own_were_imported_is_refused(python):
    done = python("-c", f"{START}import runtime\ntracetwin.generate_tests('app', output='out')")
    message = "TargetError: runtime: a module of this name is imported already; use a new process"
    assert message in done.stderr.splitlines()[-1]
