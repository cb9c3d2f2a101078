"""What a program makes by `tempfile` is its own: changes of it are none of anything else."""

from __future__ import annotations

from pathlib import Path

from tracetwin.process.walls.temporary import TemporaryFiles


def _made(place: Path) -> TemporaryFiles:
    files = TemporaryFiles()
    files.note("tempfile.mkdtemp", (str(place),))
    return files


def test_what_is_made_is_held_with_all_beneath(tmp_path: Path) -> None:
    files = _made(tmp_path / "new")
    assert files.hold(str(tmp_path / "new"))
    assert files.hold(str(tmp_path / "new" / "inner" / "file"))
    assert not files.hold(str(tmp_path / "newer"))
    assert not files.hold(str(tmp_path))
    assert not files.hold(None)


def test_what_was_there_before_was_not_made_for_this(tmp_path: Path) -> None:
    assert not _made(tmp_path).hold(str(tmp_path / "file"))


def test_a_path_that_leads_out_again_is_not_held(tmp_path: Path) -> None:
    files = _made(tmp_path / "new")
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "out").symlink_to(tmp_path)
    assert not files.hold(str(tmp_path / "new" / ".." / "file"))
    assert not files.hold(str(tmp_path / "new" / "out" / "file"))


def test_what_is_left_is_seen_and_each_case_begins_anew(tmp_path: Path) -> None:
    files = _made(tmp_path / "new")
    assert not files.left()
    (tmp_path / "new").mkdir()
    assert files.left()
    files.forget()
    assert not files.left()
    assert not files.hold(str(tmp_path / "new"))
