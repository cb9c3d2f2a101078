"""Whether a journal is of the same work, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tracetwin.model.options import Options
from tracetwin.run.journal.place import JournalFolder
from tracetwin.run.journal.run import work_of
from tracetwin.run.twins import Twins, TwinTask, build_twin
from tracetwin.target.module import TargetModule


@pytest.fixture
def module(tmp_path: Path) -> TargetModule:
    root = tmp_path / "project"
    root.mkdir()
    (root / "shop.py").write_text("def sell():\n    from helper import LIMIT\n    return LIMIT\n")
    (root / "helper.py").write_text("import deep\nimport shop\nLIMIT = 10\n")
    (root / "deep.py").write_text("import helper, json\n")
    (root / "other.py").write_text("")
    return TargetModule("shop", str(root / "shop.py"), str(root))


@pytest.fixture
def place(tmp_path: Path, module: TargetModule) -> Iterator[JournalFolder]:
    place = JournalFolder(tmp_path / "journal")
    place.begin(_work(module), resume=False)
    place.note_sources(_files(module))
    yield place
    place.release()


def _work(module: TargetModule, **options: Any) -> dict[str, Any]:
    return work_of(module, replace(Options(Path("out")), **options))


def _files(module: TargetModule) -> Sequence[str]:
    twins = Twins()
    task = TwinTask(0, module, target=True)
    twins.ended(task, build_twin(task))
    return twins.files(module)


def test_the_same_work(place: JournalFolder, module: TargetModule) -> None:
    assert "" == place.begin(_work(module), resume=True)
    assert "" == place.begin(_work(module, time_limit=1.0, jobs=7), resume=True)


def test_nobody_asks(place: JournalFolder, module: TargetModule) -> None:
    assert place.begin(_work(module), resume=False) is None
    assert not (place.folder / "sources.json").exists()


@pytest.mark.parametrize("name", ["shop", "helper", "deep"])
def test_a_source_has_changed(place: JournalFolder, module: TargetModule, name: str) -> None:
    file = Path(module.root, f"{name}.py")
    file.write_text(file.read_text() + "# changed\n")
    assert f"{file} has changed since" == place.begin(_work(module), resume=True)


def test_a_source_that_is_not_imported(place: JournalFolder, module: TargetModule) -> None:
    Path(module.root, "other.py").write_text("# changed\n")
    assert "" == place.begin(_work(module), resume=True)


def test_another_option(place: JournalFolder, module: TargetModule) -> None:
    assert "the journal is of a run with another --seed" == place.begin(_work(module, seed=3), resume=True)


def test_no_library_is_looked_through(module: TargetModule, tmp_path: Path) -> None:
    root = tmp_path / "site-packages"
    Path(module.root).rename(root)
    moved = replace(module, root=str(root), file=str(root / "shop.py"))
    assert [moved.file] == _files(moved)
