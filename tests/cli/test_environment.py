"""Targets import what lies in their project's environment, though tracetwin is installed elsewhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tracetwin.cli.main import main

USER = """\
from env_sample_package import LIMIT


def is_large(n: int) -> bool:
    return n > LIMIT
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "env_sample.py").write_text(USER)
    (folder / "pyproject.toml").write_text("")
    environment = folder / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "env_sample_package.py").write_text("LIMIT = 77\n")
    return folder


def generate(project: Path, *options: str) -> Result:
    little = ["--max-runs", "20", "--criterion", "branch", "--no-journal"]
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
    assert ("note: modules see the packages of" in done.output) is not named
    assert "78" in (project / "t" / "test_env_sample.py").read_text()
    assert files(project / ".venv") == before


def test_the_active_environment_is_seen(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(project / ".venv"))
    assert generate(project).exit_code == 0


def test_no_environment_when_none_is_wanted(project: Path) -> None:
    done = generate(project, "--python", "none")
    assert done.exit_code == 1
    assert "env_sample_package" in done.output


def test_what_is_no_interpreter(project: Path) -> None:
    done = generate(project, "--python", str(project / "pyproject.toml"))
    assert done.exit_code == 2
    assert "--python: " in done.output
    assert "can't be run" in done.output


def test_an_interpreter_of_another_version_is_refused_with_what_to_do(project: Path) -> None:
    fake = project / "python9"
    fake.write_text('#!/bin/sh\necho \'[[3, 99], "/nowhere", []]\'\n')
    os.chmod(fake, 0o755)  # noqa: PTH101
    done = generate(project, "--python", str(fake))
    assert done.exit_code == 2
    assert "is Python 3.99, but tracetwin runs on" in " ".join(done.output.split())
