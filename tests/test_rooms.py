"""What import-linter's contracts can't see: imports through importlib, and the whole standard library."""

from __future__ import annotations

import ast
import functools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@functools.cache
def imported(file: Path) -> frozenset[str]:
    """Return the top-level names that a file imports, by statement or by `import_module("name")`."""
    return frozenset(_imported(file))


def _imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            yield from (str(a.value).partition(".")[0] for a in node.args if isinstance(a, ast.Constant))


def strangers(room: str, *known: str) -> dict[str, frozenset[str]]:
    """Per file of a room, what it imports besides the standard library and what is known there."""
    allowed = {*sys.stdlib_module_names, *known}
    found = {
        file.relative_to(ROOT).as_posix(): imported(file) - allowed
        for file in sorted((ROOT / room).rglob("*.py"))
    }
    assert found, f"there are no files in {room}"
    return {file: names for file, names in found.items() if names}


@pytest.mark.parametrize(
    ("room", "known"),
    [
        ("runtime", ("runtime",)),
        ("instrumenter", ("instrumenter", "libcst")),
        ("tracetwin/solving", ("runtime", "tracetwin", "z3")),
        ("tracetwin/worker", ("instrumenter", "runtime", "tracetwin")),
        ("tracetwin/process", ("instrumenter", "tracetwin")),
        ("tracetwin/drawing", ("runtime", "tracetwin")),
        ("tracetwin/analysis", ("instrumenter", "runtime", "tracetwin")),
        ("tracetwin/model", ("instrumenter", "tracetwin")),
        ("tracetwin/replay", ("coverage", "tracetwin")),
        ("tracetwin/cli/report", ("rich", "tracetwin")),
        ("tracetwin/target", ("packaging", "tomli", "tracetwin")),
    ],
)
def test_each_room_imports_only_what_it_may(room, known):
    assert {} == strangers(room, *known)


def test_only_the_solvers_import_z3():
    users = [file for file, names in strangers("tracetwin").items() if "z3" in names]
    assert [] == [file for file in users if not file.startswith("tracetwin/solving/")]


def test_each_folders_readme_is_made_from_the_docstrings_beneath_it():
    command = [sys.executable, "docs/readmes.py", "--check"]
    check = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "" == check.stdout.strip(), "run python docs/readmes.py"
