"""What a target imports while it runs is imported before the next runner."""

from __future__ import annotations

import importlib
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


def test_what_no_import_gives_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = late_imports.LateImports()
    seen.new()  # what tests before this one let go
    monkeypatch.setitem(sys.modules, "late_made", ModuleType("late_made"))
    assert seen.new() == []


def test_what_was_let_go_of_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    seen = late_imports.LateImports()
    for expected in (["colorsys"], []):
        importlib.import_module("colorsys")
        late_imports.let_go(["colorsys"])
        assert "colorsys" not in sys.modules
        assert seen.new() == expected


def test_modules_of_a_package_can_be_left_out_and_refused() -> None:
    late_imports.remember("some/file.py", ["own", "own.part", "other"])
    assert late_imports.remembered("some/file.py", without="own") == ["other"]
    late_imports.refuse("some/file.py", "own")
    late_imports.remember("some/file.py", ["own.more", "further"])
    assert late_imports.remembered("some/file.py") == ["other", "further"]
    late_imports.refuse("some/file.py")
    late_imports.refuse("some/file.py", "own")
    late_imports.remember("some/file.py", ["further"])
    assert late_imports.remembered("some/file.py") == []


@pytest.mark.parametrize(("stays", "refused"), [(True, None), (False, "own")])
def test_a_package_is_refused_where_its_modules_enter_themselves_in_it(
    stays: bool, refused: str | None
) -> None:
    assert late_imports.package_changed("own.part", ["other", "own.late"], lambda: stays) == refused
    assert late_imports.package_changed("own.part", ["other"], lambda: stays) is None


@pytest.mark.slow
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
