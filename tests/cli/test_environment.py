"""Targets are run by their project's own interpreter, with its packages, and nothing is written there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tracetwin.cli.main import main

USER = """\
import ast
import sys

from env_sample_package import LIMIT


def is_large(n: int) -> bool:
    return n > LIMIT


def version(wanted: int) -> str:
    if wanted == sys.version_info[1]:
        return f"{wanted!r:>{wanted - wanted + 4}}"
    return "another"


def counted(text: str) -> int:
    found = 0
    for letter in text:
        found += letter == "x"
    if found > 2:
        raise KeyError(found)
    return found


def number(text):
    return ast.literal_eval(text) + 1
"""

VERSIONS = ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14")


def interpreter(version: str) -> str:
    """An interpreter of that version on this machine, "" where there is none."""
    if version == ".".join(map(str, sys.version_info[:2])):
        return sys.executable
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    known = sorted(root.glob(f"versions/{version}.*/bin/python"))
    return str(known[-1]) if known else shutil.which(f"python{version}") or ""


def environment(folder: Path, python: str) -> Path:
    """An environment with a package that no other has."""
    subprocess.run([python, "-m", "venv", "--without-pip", str(folder)], check=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    (packages / "env_sample_package.py").write_text("LIMIT = 77\n")
    return folder


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "env_sample.py").write_text(USER)
    (folder / "pyproject.toml").write_text("")
    environment(folder / ".venv", sys.executable)
    return folder


def generate(project: Path, *options: str) -> Result:
    little = ["--max-runs", "60", "--criterion", "branch", "--no-journal"]
    target = str(project / "env_sample.py")
    return CliRunner().invoke(main, ["generate", target, "-o", str(project / "t"), *little, *options])


def files(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


@pytest.mark.parametrize("named", [False, True])
def test_packages_of_the_environment_are_seen_and_nothing_is_written_there(
    project: Path, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    before = files(project / ".venv")
    done = generate(project, *(("--python", str(project / ".venv" / "bin" / "python")) if named else ()))
    assert done.exit_code == 0, done.output
    assert ("note: modules are run by Python" in done.output) is not named
    assert "78" in (project / "t" / "test_env_sample.py").read_text()
    assert "tried to read" not in done.output  # types of the library are read from files of tracetwin's
    assert files(project / ".venv") == before


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_modules_are_run_by_the_interpreter_of_their_project(version: str, tmp_path: Path) -> None:
    python = interpreter(version)
    if not python:
        pytest.skip(f"there is no Python {version} on this machine")
    (tmp_path / "env_sample.py").write_text(USER)
    there = environment(tmp_path / "there", python)
    before = files(there)
    done = generate(tmp_path, "--python", str(there))
    assert done.exit_code == 0, done.output
    assert files(there) == before
    assert "branches 6/6" in done.output  # the version is an input that only that interpreter has
    assert "untouched" not in done.output
    text = (tmp_path / "t" / "test_env_sample.py").read_text()
    assert f"version({version[2:]})" in text
    command = [str(there / "bin" / "python"), "-B", "-W", "error", "-m", "unittest", "discover", "-s", "t"]
    tried = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert tried.returncode == 0, tried.stderr


def test_the_active_environment_is_seen(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(project / ".venv"))
    assert generate(project).exit_code == 0


def test_no_environment_when_none_is_wanted(project: Path) -> None:
    done = generate(project, "--python", "none")
    assert done.exit_code == 1
    assert "env_sample_package" in done.output


@pytest.mark.parametrize("how", ["named", "active", "of the folder"])
def test_names_are_those_of_the_environment(
    project: Path, how: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path if how != "of the folder" else project
    monkeypatch.chdir(folder)
    there = str(project / ".venv")
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    if how == "active":
        monkeypatch.setenv("VIRTUAL_ENV", there)
    (package,) = (project / ".venv").glob("lib/python*/site-packages")
    (package / "env_function.py").write_text("def double(n: int) -> int:\n    return n + n\n")
    options = ["--python", there] if how == "named" else []
    options += ["-o", str(tmp_path / "t"), "--max-runs", "20", "--criterion", "branch", "--no-journal"]
    done = CliRunner().invoke(main, ["generate", "env_function", *options])
    assert done.exit_code == 0, done.output
    assert "double(" in (tmp_path / "t" / "test_env_function.py").read_text()


@pytest.mark.slow
def test_modules_of_the_library_are_targets_beside_an_environment_too(project: Path, tmp_path: Path) -> None:
    little = ["--python", str(project / ".venv"), "--max-runs", "20", "--criterion", "branch", "--no-journal"]
    done = CliRunner().invoke(main, ["generate", "textwrap:indent", "-o", str(tmp_path / "t"), *little])
    assert done.exit_code == 0, done.output
    assert "indent(" in (tmp_path / "t" / "test_textwrap.py").read_text()


def test_what_is_no_interpreter(project: Path) -> None:
    done = generate(project, "--python", str(project / "pyproject.toml"))
    assert done.exit_code == 2
    assert "--python: " in done.output
    assert "can't be run" in done.output


def test_an_interpreter_that_our_side_does_not_run_on_is_refused(project: Path) -> None:
    fake = project / "python9"
    fake.write_text('#!/bin/sh\necho \'[[3, 99], "/nowhere", [], "/nowhere", "00", "cpython"]\'\n')
    os.chmod(fake, 0o755)  # noqa: PTH101
    done = generate(project, "--python", str(fake))
    assert done.exit_code == 2
    said = " ".join(done.output.split())
    assert "is cpython 3.99; the targets can be run by CPython 3.9 to 3.14" in said


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("command", ["explore", "summary", "tree"])
def test_other_commands_run_in_the_project_too(version: str, command: str, tmp_path: Path) -> None:
    python = interpreter(version)
    if not python:
        pytest.skip(f"there is no Python {version} on this machine")
    source = (
        "import sys\nfrom env_sample_package import LIMIT\n\n\nclass Held:\n"
        "    def __init__(self) -> None:\n        self.n = 0\n\n"
        "    def hold(self, n: int) -> None:\n"
        "        if n > LIMIT + sys.version_info[1]:\n            self.n = 1\n"
    )
    (tmp_path / "env_held.py").write_text(source)
    there = environment(tmp_path / "there", python)
    before = files(there)
    target = str(tmp_path / "env_held.py") + (":Held.hold" if command == "tree" else ":Held")
    done = CliRunner().invoke(main, [command, target, "--time-limit", "10", "--python", str(there)])
    assert done.exit_code == 0, done.output
    assert command == "explore" or str(77 + int(version[2:])) in done.output  # only there it has that value
    assert files(there) == before


THEIRS = """\
import unittest

from env_tried import above


class TestAbove(unittest.TestCase):
    def test_below(self):
        self.assertFalse(above(0))
"""


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_tests_of_the_project_are_run_by_its_interpreter(version: str, tmp_path: Path) -> None:
    python = interpreter(version)
    if not python:
        pytest.skip(f"there is no Python {version} on this machine")
    source = "import sys\nfrom env_sample_package import LIMIT\n\n\ndef above(n: int) -> bool:\n"
    source += "    if sys.version_info[1] != WANTED:\n        raise LookupError\n    return n > LIMIT\n"
    (tmp_path / "env_tried.py").write_text(source.replace("WANTED", version[2:]))
    (tmp_path / "test_env_tried.py").write_text(THEIRS)
    there = environment(tmp_path / "there", python)
    before = files(there)
    target, tests = str(tmp_path / "env_tried.py"), str(tmp_path / "test_env_tried.py")
    judged = CliRunner().invoke(main, ["mutants", target, "--tests", tests, "--python", str(there), "-v"])
    assert judged.exit_code == 0, judged.output
    assert "`>` becomes `>=` in `n > LIMIT`" in judged.output, "not noticed"
    assert "becomes `==`" not in judged.output, "noticed: it would raise"
    little = ["--max-runs", "60", "--no-journal", "--criterion", "branch,condition,mutation"]
    rest = ["-o", str(tmp_path / "t"), "--complement", tests, "--python", str(there), *little]
    done = CliRunner().invoke(main, ["generate", target, *rest])
    assert done.exit_code == 0, done.output
    assert "your 1 test cover" in done.output
    assert "they notice" in done.output
    assert "above(" in (tmp_path / "t" / "test_env_tried.py").read_text()
    assert files(there) == before


def test_syntax_that_the_interpreter_does_not_know_is_the_targets_fault(tmp_path: Path) -> None:
    python = interpreter("3.9")
    if not python:
        pytest.skip("there is no Python 3.9 on this machine")
    matching = "def f(x: str) -> int:\n    match x:\n        case 'a':\n            return 1\n    return 2\n"
    (tmp_path / "env_match.py").write_text(matching)
    (tmp_path / "env_sample.py").write_text("import env_match\n\n\ndef f(x: int) -> int:\n    return x\n")
    for name, told in (
        ("env_match", "syntax error in line 2: invalid syntax (read as Python 3.9, by which it is run)"),
        ("env_sample", "importing it raised SyntaxError"),
    ):
        options = ("-o", str(tmp_path / "t"), "--max-runs", "20", "--python", python)
        done = CliRunner().invoke(main, ["generate", str(tmp_path / f"{name}.py"), *options])
        assert done.exit_code == 1, done.output
        assert told in " ".join(done.output.split())
