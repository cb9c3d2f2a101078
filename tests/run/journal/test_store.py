"""The store of results stays small, whatever other runs do in it at the same time."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tracetwin.run.journal import store


def test_files_that_another_run_removes_meanwhile_are_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    @contextlib.contextmanager
    def listed(folder: Path) -> Iterator[list[os.DirEntry[str]]]:
        with scandir(folder) as entries:
            found = list(entries)
        (tmp_path / "gone").unlink()
        yield found

    for age, name in enumerate(("new", "gone", "old")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    monkeypatch.setattr(store, "MOST_FILES", 1)
    monkeypatch.setattr(os, "scandir", listed)
    store._tidy(tmp_path)
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == ["new"]
