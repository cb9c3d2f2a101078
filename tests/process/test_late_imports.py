"""What a target imports while it runs is imported before the next runner, if it is not of its package."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tracetwin.process import late_imports
from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import Worker

SOURCE = """
    import sys

    def present():
        return sorted(name for name in ("heavy", "heavy.part", "target") if name in sys.modules)

    def count():
        import heavy.part
        heavy.part.count += 1
        return heavy.part.count
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of the target, with a package that it imports when it is called."""
    folder = tmp_path / "root"
    (folder / "heavy").mkdir(parents=True)
    (folder / "heavy" / "__init__.py").write_text("")
    (folder / "heavy" / "part.py").write_text("count = 0")
    return folder


def called(worker: Worker, name: str) -> object:
    kind, told = worker.request((name, ()))
    assert kind == "returned"
    return told


@pytest.mark.usefixtures("root")
def test_the_next_runner_has_what_an_earlier_one_imported(make_worker: Callable[..., Worker]) -> None:
    worker = make_worker(SOURCE)
    assert called(worker, "present") == ["target"]
    assert called(worker, "count") == 1
    assert called(worker, "count") == 2
    worker.replace_runner()
    assert called(worker, "present") == ["heavy", "heavy.part", "target"]
    assert called(worker, "count") == 1, "as it was imported, not as a run left it"


@pytest.mark.usefixtures("root")
def test_another_process_of_the_same_target_has_it_too(make_worker: Callable[..., Worker]) -> None:
    worker = make_worker(SOURCE)
    called(worker, "count")
    worker.close()
    assert called(worker, "present") == ["heavy", "heavy.part", "target"]


def test_what_no_import_gives_and_the_own_package_are_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = late_imports.LateImports("late_target.part")
    for name in ("late_target.other", "late_made"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    assert seen.new() == []


def test_what_can_not_be_imported_ahead_costs_one_start(
    make_worker: Callable[..., Worker], root: Path
) -> None:
    worker = make_worker(SOURCE, limits=Limits(import_seconds=1.0))
    file = str(root / "target.py")
    late_imports.remember(file, ["endless"])
    (root / "endless.py").write_text("while True: pass")
    assert called(worker, "present") == ["target"]
    assert late_imports.remembered(file) == []
    assert worker.starts == 2
