from __future__ import annotations

import stat
from pathlib import Path

import pytest

from tracetwin.emit.write import write_text


def test_folders_are_made_and_text_is_utf_8(tmp_path: Path) -> None:
    write_text(tmp_path / "a" / "b" / "test_x.py", "x = 'ä'\n")
    assert (tmp_path / "a" / "b" / "test_x.py").read_bytes() == "x = 'ä'\n".encode()


def test_an_old_file_is_replaced_and_keeps_its_mode(tmp_path: Path) -> None:
    place = tmp_path / "test_x.py"
    place.write_text("old")
    place.chmod(0o640)
    write_text(place, "new")
    assert place.read_text() == "new"
    assert stat.S_IMODE(place.stat().st_mode) == 0o640


def test_a_failure_leaves_the_old_file_whole_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "test_x.py"
    place.write_text("old")

    def fail(*_paths: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        write_text(place, "new")
    assert place.read_text() == "old"
    assert list(tmp_path.iterdir()) == [place]
