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
    environment = {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "80"}
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


@pytest.mark.parametrize("check", CHECKS)
def test_nothing_looks_different(check, original, twin):
    assert "the check itself failed" not in original[check]
    for before, after in zip(original[check], twin[check], strict=False):
        assert before == after
    assert len(original[check]) == len(twin[check])
