"""Numbers of more digits than Python writes by itself are found, named and written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.command import run

SOURCE = """
LIMIT = 10 ** 5000


def above(n: int) -> str:
    if n > LIMIT:
        return "above"
    if n == LIMIT - 3:
        return "near"
    return "below"


def first(items: list[int]) -> int:
    return items[1] if len(items) > 1 and items[0] > 10 ** 400 else 0
"""


@pytest.mark.slow
def test_sides_behind_very_long_numbers_are_tested(tmp_path: Path) -> None:
    (tmp_path / "lengths.py").write_text(SOURCE)
    done = run("generate", "lengths.py", "-o", "out", "-j", "1", "--max-runs", "150", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "branches 4/4" in done.stdout
    text = (tmp_path / "out" / "test_lengths.py").read_text()
    assert "above(10**5000 + 1)" in text
    assert "above(10**5000 - 3)" in text
