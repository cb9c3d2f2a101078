from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import tracetwin

ROOT = Path(tracetwin.__file__).parents[1]
HEAVY = {"libcst", "z3", "rich", "coverage", "multiprocessing", "asyncio"}


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=environment, check=False, timeout=60
    )


def loaded_by(statement: str) -> set[str]:
    done = python("-c", f"{statement}\nimport sys; print(*sys.modules)")
    assert "" == done.stderr
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_importing_the_package_loads_nothing_heavy():
    assert not loaded_by("import tracetwin") & {*HEAVY, "click", "instrumenter", "runtime"}


def test_help_loads_nothing_heavy():
    assert not loaded_by("import tracetwin.cli.main") & HEAVY


def test_resolving_targets_loads_nothing_heavy():
    assert not loaded_by("import tracetwin.target.selection") & HEAVY


@pytest.mark.parametrize("command", [[], ["generate"], ["instrument"]])
def test_help_teaches_by_example(run, command):
    result = run(*command, "--help")
    assert 0 == result.exit_code
    assert "tracetwin generate shop" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 100


def test_the_version(run):
    result = run("--version")
    assert f"tracetwin, version {tracetwin.__version__}\n" == result.stdout


def test_without_a_command_there_is_help(run):
    result = run()
    assert 2 == result.exit_code
    assert "Commands:" in result.output


def test_it_runs_as_a_module():
    done = python("-m", "tracetwin", "--version")
    assert (0, f"tracetwin, version {tracetwin.__version__}\n") == (done.returncode, done.stdout)


def test_every_option_is_in_the_reference():
    from tracetwin.cli.main import main

    reference = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    for command in main.commands.values():
        for parameter in command.params:
            for option in parameter.opts:
                if option.startswith("-"):
                    assert f"`{option}" in reference, f"{command.name} {option}"
