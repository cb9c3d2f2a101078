"""What a module's journal holds can be read back."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

from tracetwin.emit.suite import build_suite
from tracetwin.run.journal.module import ModuleJournal
from tracetwin.run.results.module_result import ModuleResult
from tracetwin.target.module import TargetModule

SOURCE = "def double(x):\n    if x > 3:\n        return 2 * x\n    return x\n"




def finished(folder: Path) -> tuple[ModuleResult, Any]:
    (folder / "shop.py").write_text(SOURCE)
    module = TargetModule("shop", str(folder / "shop.py"), str(folder))
    suite = build_suite(module, [])
    return ModuleResult("shop", module.file), suite


def test_a_finished_module_is_read_back(tmp_path: Path) -> None:
    result, suite = finished(tmp_path)
    assert suite.coverable is not None
    journal = ModuleJournal(tmp_path / "journal")
    journal.note_round(1)
    journal.note_part("Shop.sell", 1)
    journal.note_result(result, suite)
    journal.close()
    again = ModuleJournal(tmp_path / "journal")
    assert again.failure == ""
    assert again.rounds == 1
    assert again.parts == {"Shop.sell": 1}
    assert again.result is not None
    assert again.result[0] == result
    assert again.result[1].coverable is not None
    assert again.result[1].coverable.lines == suite.coverable.lines
    again.close()


def test_what_is_to_be_covered_leaves_the_means_to_measure_behind(tmp_path: Path) -> None:
    _, suite = finished(tmp_path)
    assert b"coverage.python" not in pickle.dumps(suite)
