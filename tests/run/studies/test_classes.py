"""Classes are looked into for a report."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracetwin.run.studies.classes import studied
from tracetwin.target.selection import resolve_runnable

SOURCE = """
class Box:
    def __init__(self, size: int) -> None:
        if size < 0:
            raise ValueError(size)
        self.size = size

    def grow(self) -> int:
        self.size += 1
        return self.size


class Impossible:
    def __init__(self) -> None:
        raise RuntimeError("never")

    def f(self) -> int:
        return 1
"""


@pytest.mark.slow
def test_each_class_has_its_states_paths_and_pairs(tmp_path: Path) -> None:
    (tmp_path / "boxes.py").write_text(SOURCE, encoding="utf-8")
    found = studied(resolve_runnable([str(tmp_path / "boxes.py")]).modules[0], 20.0)
    assert found.failure is None
    box, impossible = found.classes
    assert box["states"]["states"][0]["holds"] == {"size": "box.size"}
    assert {path["raises"] for path in box["methods"][0]["paths"]} == {"", "ValueError"}
    assert {pair["status"] for pair in box["pairs"]} == {"covered", "infeasible"}
    assert not (impossible["states"] or {"states": []})["states"]
