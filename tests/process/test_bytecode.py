"""Bytecode kept for processes to come, of sources that have none beside them."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

import pytest

from tracetwin.process import bytecode


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the file of a module that can be imported and has no bytecode."""
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    file = tmp_path / "site" / "kept_module.py"
    file.parent.mkdir()
    file.write_text("def number():\n    return 41\n")
    importlib.invalidate_caches()
    yield file
    sys.modules.pop("kept_module", None)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the files that an import has compiled."""
    files, original = [], SourceFileLoader.source_to_code

    def noted(self: SourceFileLoader, data: Any, path: Any, **options: Any) -> Any:
        files.append(path)
        return original(self, data, path, **options)

    monkeypatch.setattr(SourceFileLoader, "source_to_code", noted)
    return files


def test_a_kept_source_is_not_compiled_again(module: Path, compiled: list[str], tmp_path: Path) -> None:
    bytecode.keep(str(tmp_path / "cache"), [str(module)])
    with bytecode.kept_in(str(tmp_path / "cache")):
        found = importlib.import_module("kept_module")
    assert [] == compiled
    assert 41 == found.number()
    assert str(module) == found.number.__code__.co_filename


def test_a_changed_source_is_compiled(module: Path, compiled: list[str], tmp_path: Path) -> None:
    bytecode.keep(str(tmp_path / "cache"), [str(module)])
    module.write_text("def number():\n    return 42\n")
    with bytecode.kept_in(str(tmp_path / "cache")):
        found = importlib.import_module("kept_module")
    assert [str(module)] == compiled
    assert 42 == found.number()


def test_a_copy_elsewhere_shares_the_code_and_tells_its_own_place(
    module: Path, compiled: list[str], tmp_path: Path
) -> None:
    other = tmp_path / "other.py"
    other.write_bytes(module.read_bytes())
    bytecode.keep(str(tmp_path / "cache"), [str(other)])
    with bytecode.kept_in(str(tmp_path / "cache")):
        found = importlib.import_module("kept_module")
    assert [] == compiled
    assert str(module) == found.number.__code__.co_filename


def test_the_loader_is_as_it_was_afterwards(tmp_path: Path) -> None:
    with bytecode.kept_in(str(tmp_path)):
        assert "source_to_code" in vars(SourceFileLoader)
    assert "source_to_code" not in vars(SourceFileLoader)


def test_what_cannot_be_compiled_is_passed_over(module: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("def (")
    bytecode.keep(str(tmp_path / "cache"), [str(wrong), str(tmp_path), "/dev/zero", 7, str(module)])
    assert 1 == len([file for file in (tmp_path / "cache" / bytecode.FOLDER).rglob("*") if file.is_file()])


def test_a_process_tells_which_sources_had_no_bytecode(
    make_worker: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRACETWIN_CACHE", str(tmp_path / "cache"))
    worker = make_worker("import helper", name="package.target")
    (tmp_path / "root" / "helper.py").write_text("VALUE = 1\n")
    assert "names" in worker.start().info
    kept = [file for file in (tmp_path / "cache" / bytecode.FOLDER).rglob("*") if file.is_file()]
    assert 2 == len(kept)


@pytest.mark.parametrize("told", [None, 7, "all", {"a": 1}, [None, 7, "\0", "relative.py"]])
def test_a_process_may_tell_anything(told: object, tmp_path: Path) -> None:
    bytecode.keep(str(tmp_path / "cache"), told)
    assert not list(tmp_path.rglob("*"))


def test_no_source_is_compiled_when_the_time_is_up(module: Path, tmp_path: Path) -> None:
    bytecode.keep(str(tmp_path / "cache"), [str(module)], seconds=0.0)
    assert not (tmp_path / "cache").exists()
