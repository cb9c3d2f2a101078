"""Private functions that the module itself never calls are called from the beginning."""

from __future__ import annotations

from pathlib import Path

import pytest

from tracetwin.api import generate_tests

SOURCE = """\
def _large(size: int) -> str:
    return f"{size} cubits"


def _small(size: int) -> str:
    if size > 9:
        return "not small"
    return "small"


def _helper(size: int) -> int:
    return size + 1


TABLE = {"large": _large, "small": _small}


def describe(kind: object, size: int) -> str:
    found = getattr(kind, "of", TABLE.get)(str(type(kind)), None)
    return "unknown" if found is None else found(_helper(size))
"""


@pytest.mark.slow
def test_functions_that_stand_in_tables_only_get_tests_of_their_own(tmp_path: Path) -> None:
    target = tmp_path / "cubits.py"
    target.write_text(SOURCE)
    out = tmp_path / "out"
    (module,) = generate_tests(str(target), output=out, max_runs=40, jobs=1)
    text = (out / "test_cubits.py").read_text()
    assert 'cubits"' in text, "it has no condition, and a line that nothing else runs"
    assert "not small" in text
    assert "_helper" not in text, "what is called is seen by that"
    assert any("2 private functions were called directly" in note for note in module.notes)
    (only_public,) = generate_tests(str(target), output=tmp_path / "o", max_runs=40, jobs=1, private=False)
    assert "_large" not in (tmp_path / "o" / "test_cubits.py").read_text()
    assert only_public.covered_lines < module.covered_lines
