"""The benchmark of guesses compares them with annotations that were removed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

SOURCE = """
from collections.abc import Sequence

class Box:
    def __init__(self, width: int, name: "str | None" = None) -> None:
        self.width = width
        self.name = name or "box"

def total(boxes: Sequence[Box], label: str, anything: object) -> str:
    return label.upper() + str(sum(box.width for box in boxes))

def kept(count: Box) -> Box:
    return count
"""


def test_guesses_are_counted_and_the_missed_ones_listed(tmp_path: Path) -> None:
    file = tmp_path / "boxes_of_a_test.py"
    file.write_text(SOURCE, encoding="utf-8")
    command = [sys.executable, str(ROOT / "benchmarks" / "stripped" / "guesses.py"), "--missed", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    missed, one, whole = done.stdout.splitlines()
    assert missed == "boxes_of_a_test kept count: Box, guessed int, str, None"
    assert one == "boxes_of_a_test.py: 5 parameters, first 4, one of three 4"
    assert whole == "5 parameters: first guess 80.0 %, one of the first three 80.0 %"
