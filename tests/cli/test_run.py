from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import tracetwin
from tests.target.layout import lay_out

ROOT = Path(tracetwin.__file__).parents[1]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return lay_out(tmp_path / "project", {
        "shop/__init__.py": "",
        "shop/__main__.py": (
            "import sys\nfrom shop import cart\n"
            "print(cart.total([1, 2]), sys.argv[1:], __name__)\n"
        ),
        "shop/cart.py": (
            "def total(prices):\n"
            "    result = 0\n"
            "    for price in prices:\n        result = result + price\n"
            "    return result, 'Twin' in type(__loader__).__name__\n"
        ),
        "script.py": (
            "import os, sys, shop.cart\n"
            "print('Twin' in type(__loader__).__name__, shop.cart.total([1]), sys.argv, __name__, __spec__)\n"
            "print(os.path.basename(__file__), sys.path[0] == os.path.dirname(os.path.realpath(__file__)))\n"
            "print(sys.modules['__main__'].__dict__ is globals())\n"
        ),
        "failing.py": "import shop.cart\ndef f():\n    shop.cart.total(3)\nf()\n",
        "leaving.py": "import sys\nsys.exit(3)\n",
        "tests/test_cart.py": (
            "import unittest\nfrom shop import cart\n"
            "class Cart(unittest.TestCase):\n"
            "    def test_total(self):\n        self.assertEqual((3, True), cart.total([1, 2]))\n"
        ),
        "tests/__init__.py": "",
    })  # fmt: skip


@pytest.fixture
def python(project: Path, tmp_path: Path):
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ, "PYTHONPATH": str(ROOT), "TRACETWIN_CACHE": str(tmp_path / "cache"),
        }  # fmt: skip
        return subprocess.run(
            [sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=60,
            cwd=project, env=environment,
        )  # fmt: skip

    return run


def test_a_script_runs_as_the_interpreter_runs_it(python):
    expected = python("script.py", "a", "--twin", "-m")
    twin = python("-m", "tracetwin", "run", "script.py", "a", "--twin", "-m")
    assert "" == twin.stderr
    assert expected.stdout.replace("False (1, False)", "True (1, False)") == twin.stdout


def test_a_module_runs_with_its_whole_package(python):
    done = python("-m", "tracetwin", "run", "-m", "shop", "-x")
    assert ("(3, True) ['-x'] __main__\n", "") == (done.stdout, done.stderr)


def test_unittest_discovers_tests_that_run_on_twins(python):
    discover = ["-m", "unittest", "discover", "-s", "tests", "-t", "."]
    done = python("-m", "tracetwin", "run", "--twin", "shop", *discover)
    assert done.stderr.endswith("OK\n")
    assert 1 == python(*discover).returncode


def documented() -> list[str]:
    """The recipes of the how-to for unittest suites."""
    page = (ROOT / "docs" / "how-to.md").read_text(encoding="utf-8")
    _, _, section = page.partition("## Run my unittest suite on twins\n")
    section, _, _ = section.partition("\n## ")
    return [line.removeprefix("$ ") for line in section.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize("command", documented())
def test_commands_of_the_recipe_for_unittest_work(python, command):
    _, *arguments = shlex.split(command)
    done = python("-m", "tracetwin", *arguments)
    assert (0, "OK") == (done.returncode, done.stderr.splitlines()[-1])


def test_a_package_of_tests_can_install_the_hook(python, project):
    page = (ROOT / "docs" / "how-to.md").read_text(encoding="utf-8")
    (snippet,) = re.findall(r'```python\n(import tracetwin\n\ntracetwin.install\("shop"\)\n)```', page)
    (project / "tests" / "__init__.py").write_text(snippet)
    done = python("-m", "unittest", "discover", "-t", ".", "-s", "tests")
    assert (0, "OK") == (done.returncode, done.stderr.splitlines()[-1])


def test_the_traceback_of_a_program_is_its_own(python):
    expected = python("failing.py")
    twin = python("-m", "tracetwin", "run", "--twin", "shop", "failing.py")
    assert (1, "") == (expected.returncode, expected.stdout)
    assert (expected.returncode, expected.stderr) == (twin.returncode, twin.stderr)


def test_the_exit_status_is_the_programs(python):
    done = python("-m", "tracetwin", "run", "leaving.py")
    assert (3, "", "") == (done.returncode, done.stdout, done.stderr)


def test_options_of_the_interpreter_reach_the_program(python, project):
    program = "import sys\nprint(sys.flags.optimize, sys.warnoptions, sys.flags.dev_mode)\n"
    (project / "flags.py").write_text(program)
    done = python("-O", "-Wignore::FutureWarning", "-X", "dev", "-m", "tracetwin", "run", "flags.py")
    assert done.stdout.startswith("1 [")
    assert "'ignore::FutureWarning'" in done.stdout
    assert done.stdout.endswith("True\n")


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["nosuch.py"], 2, "there is no file nosuch.py; for a module, say -m nosuch.py"),
        (["-m", "nosuch.module"], 1, "error: there is no module nosuch.module"),
        (["--twin", "shop/cart.py", "leaving.py"], 1, "error: shop/cart.py: is not the name of a module"),
        (["--twin", "shp", "leaving.py"], 3, "note: no module was imported for --twin shp"),
    ],
)
def test_mistakes_are_said(python, arguments, status, message):
    done = python("-m", "tracetwin", "run", *arguments)
    assert status == done.returncode
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "source", [b"x = 1\ny = \n", b"x = 1\n\0y\n", b"# coding: nosuch\n"], ids=["syntax", "null", "encoding"]
)
def test_what_can_not_be_compiled_is_said_without_our_frames(python, project, source):
    (project / "wrong.py").write_bytes(source)
    done = python("-m", "tracetwin", "run", "wrong.py")
    assert 1 == done.returncode
    assert "SyntaxError: " in done.stderr.splitlines()[-1]
    assert "wrong.py" in done.stderr
    assert "Traceback" not in done.stderr
    assert "frozen" not in done.stderr


@pytest.mark.parametrize("program", ["app", "app.zip"])
def test_folders_and_zip_files_run_as_they_do_without(python, project, program):
    lines = [
        "import sys, other", "other.show(sys.argv, sys.path[0], __name__, __file__, __package__, __cached__)",
        "print(__spec__.name, __spec__.origin)", "print(__loader__ is __spec__.loader)",
        "print('Twin' in type(__loader__).__name__, file=sys.stderr)",
    ]  # fmt: skip
    files = {"__main__.py": "\n".join(lines), "other.py": "show = print\n"}
    lay_out(project / "app", files)
    with zipfile.ZipFile(project / "app.zip", "w") as packed:
        for name, source in files.items():
            packed.writestr(name, source)
    expected = python(program, "2026")
    done = python("-m", "tracetwin", "run", program, "2026")
    assert (0, "False\n", "True\n") == (expected.returncode, expected.stderr, done.stderr)
    assert expected.stdout == done.stdout


def test_a_folder_without_a_program(python):
    done = python("-m", "tracetwin", "run", "tests")
    assert 1 == done.returncode
    assert re.fullmatch(r"error: can't find '__main__' module in '.*tests'\n", done.stderr)


def test_twins_of_the_programs_own_hook_count(python, project):
    (project / "hooked.py").write_text("import tracetwin\ntracetwin.install('shop')\nimport shop.cart\n")
    done = python("-m", "tracetwin", "run", "--twin", "shop", "hooked.py")
    assert (0, "") == (done.returncode, done.stderr)
