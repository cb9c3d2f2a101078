"""Tests are generated from what the project's own tests have shown."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.e2e.command import run, run_suite

pytestmark = pytest.mark.slow

SHOP = """
import hashlib


class Account:
    def __init__(self, owner, codes):
        self.owner = owner
        self.codes = codes

    def open(self, word):
        if hashlib.sha256(word.encode()).hexdigest() in self.codes:
            return f"welcome {self.owner}"
        return "no"


def read(blob):
    if hashlib.sha256(blob).hexdigest().startswith("2cf24dba"):
        return "greeting"
    return "other"


def handle(thing):
    return thing
"""

TESTS = """
import hashlib
import shop


def test_open():
    account = shop.Account("ann", [hashlib.sha256(b"sesame").hexdigest()])
    assert account.open("sesame") == "welcome ann"


def test_read():
    assert shop.read(b"hello") == "greeting"
    shop.handle({"a": 1.5})
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "test_own.py").write_text(TESTS)
    return tmp_path


COMMAND = f'"{sys.executable}" -m pytest -q -p no:cacheprovider test_own.py'


def test_what_no_solver_finds_is_taken_from_the_projects_tests(project):
    done = run("generate", "shop.py", "-o", "out", "--max-runs", "60", "--learn-from", COMMAND, cwd=project)
    assert done.returncode == 0, done.stderr
    assert "learned from" in done.stderr
    text = (project / "out" / "test_shop.py").read_text()
    assert '"greeting"' in text
    assert '"welcome ' in text
    suite = run_suite(project / "out", project)
    assert suite.returncode == 0, suite.stderr


def test_the_same_recording_gives_the_same_tests_with_any_number_of_processes(project):
    written = []
    for jobs in ("1", "2"):
        done = run(
            *("generate", "shop.py", "-o", f"out{jobs}", "--max-runs", "60", "-j", jobs),
            *("--learn-from", COMMAND),
            cwd=project,
            extra={"PYTHONHASHSEED": jobs},
        )
        assert done.returncode == 0, done.stderr
        written.append((project / f"out{jobs}" / "test_shop.py").read_bytes())
    assert written[0] == written[1]


def test_generation_goes_on_without_the_command(project):
    command = ("generate", "shop.py:handle", "-o", "out", "--max-runs", "20", "--learn-from")
    done = run(*command, "no-such-program", cwd=project)
    assert done.returncode == 0
    assert "there is no program 'no-such-program'" in done.stderr


def test_the_configuration_may_name_the_command(project):
    settings = f"[tool.tracetwin]\nlearn-from = '{COMMAND}'\nlearn-limit = 30\n"
    (project / "pyproject.toml").write_text(settings)
    command = ("generate", "shop.py:read", "-o", "out", "--max-runs", "20", "-j", "1")
    found = run(*command, cwd=project)
    assert "learn-from is not run for a file that was found" in found.stderr
    assert "learned from" not in found.stderr
    done = run(*command, "--config", "pyproject.toml", cwd=project)
    assert "learned from" in done.stderr, done.stderr
    assert '"greeting"' in (project / "out" / "test_shop.py").read_text()
