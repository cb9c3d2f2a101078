from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from tracetwin.support.atomic_files import write_text


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


def test_a_link_stays_and_the_file_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_text(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_pipe_is_written_to_as_it_is(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()), daemon=True)
    reader.start()
    write_text(pipe, "through")
    reader.join(5)
    assert got == ["through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_a_killed_process_left_unfinished_is_removed(tmp_path: Path) -> None:
    left = tmp_path / ".tracetwin-99999999-ab_c.tmp"
    left.write_text("half a fi")
    names = (f".tracetwin-{os.getpid()}-abc.tmp", ".tracetwin-x.tmp", "a.tmp")
    others = {tmp_path / name for name in names}
    for other in others:
        other.write_text("")
    write_text(tmp_path / "test_x.py", "new")
    assert set(tmp_path.iterdir()) == {*others, tmp_path / "test_x.py"}


def test_a_long_name_needs_no_longer_one_while_it_is_written(tmp_path: Path) -> None:
    name = "t" * 252 + ".py"
    write_text(tmp_path / name, "x")
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_letters_without_bytes_are_written_as_escapes(tmp_path: Path) -> None:
    write_text(tmp_path / "x", "a\udc80b")
    assert (tmp_path / "x").read_bytes() == b"a\\udc80b"
