"""What looks at frames, source or lifetimes sees in a twin what it sees in the original.

Each side is one process that imports the same module, with or without the hook and the live runtime.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

LOOKING = Path(__file__).parent / "data" / "looking"
ROOT = Path(__file__).parents[2]
CHECKS = [
    node.name
    for node in ast.parse((LOOKING / "looked.py").read_text("utf-8")).body
    if isinstance(node, ast.FunctionDef) and node.name.startswith("check_")
]


def seen(side: str) -> dict[str, list[str]]:
    environment = {
        "PYTHONPATH": str(ROOT),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "COLUMNS": "80",
    }
    done = subprocess.run(
        [sys.executable, str(LOOKING / "show.py"), side],
        env=environment, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert 0 == done.returncode, done.stderr
    shown: dict[str, list[str]] = json.loads(done.stdout)
    return shown


@pytest.fixture(scope="module")
def original() -> dict[str, list[str]]:
    return seen("original")


@pytest.fixture(scope="module")
def twin() -> dict[str, list[str]]:
    return seen("twin")


# What a version can't have alike, and why.
DIFFERENT = {
    ("check_exc_info", (3, 10)): "3.10 raises again with the traceback it caught: our own entry stays in it",
    ("check_logging", (3, 10)): "3.10 passes over frames of `logging` only when it looks for the caller",
    ("check_tracing", (3, 12)): "3.12 begins a line again where the values of operands meet",
    ("check_pdb", (3, 12)): "3.12 begins a line again where the values of operands meet",
}


@pytest.mark.parametrize("check", CHECKS)
def test_nothing_looks_different(check, original, twin):
    if (check, sys.version_info[:2]) in DIFFERENT:
        pytest.skip(DIFFERENT[check, sys.version_info[:2]])
    assert "the check itself failed" not in original[check]
    for before, after in zip(original[check], twin[check], strict=False):
        assert before == after
    assert len(original[check]) == len(twin[check])
