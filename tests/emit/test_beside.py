from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from tracetwin.emit.beside import write_tests
from tracetwin.emit.stamp import is_untouched, stamped

FIRST = '"""Tests of `shop`, generated."""\n\nVALUE = 1\n'
WINDOWS = stamped(FIRST).replace("\n", "\r\n")
SECOND = FIRST.replace("1", "2")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Where the tests go."""
    return tmp_path / "test_shop.py"


def test_a_new_file_carries_the_line_that_tells_of_edits(place: Path) -> None:
    written = write_tests(place, FIRST)
    assert (written.path, written.message) == (place, "")
    assert is_untouched(place.read_text())


@pytest.mark.parametrize("old", ["", "\n \n", stamped(FIRST), "\ufeff" + WINDOWS])
def test_what_was_generated_or_is_empty_is_replaced(place: Path, old: str) -> None:
    place.write_bytes(old.encode())
    assert write_tests(place, SECOND).path == place
    assert place.read_text() == stamped(SECOND)
    assert list(place.parent.iterdir()) == [place]


@pytest.mark.parametrize(
    ("old", "why"),
    [
        (stamped(FIRST) + "# mine\n", "was edited since it was generated"),
        (stamped(FIRST).replace("VALUE = 1", "VALUE = 3"), "was edited since it was generated"),
        (stamped(FIRST)[:-3], "was edited since it was generated"),
        (FIRST, "was not generated"),
        ("\xff\xfe\x00", "was not generated"),
        (stamped(FIRST.replace("shop", "other")), "holds the tests of another module"),
    ],
)
def test_everything_else_is_kept_and_the_new_file_goes_beside(place: Path, old: str, why: str) -> None:
    data = old.encode("latin-1")
    place.write_bytes(data)
    written = write_tests(place, SECOND)
    beside = place.with_name("test_shop.py.new")
    assert written.path == beside
    assert written.message == f"{place} {why}: it is kept, and the new tests are in {beside}"
    assert place.read_bytes() == data
    assert beside.read_text() == stamped(SECOND)


def test_the_file_beside_is_replaced_until_it_is_edited_too(place: Path) -> None:
    place.write_text("mine")
    beside = place.with_name("test_shop.py.new")
    assert write_tests(place, FIRST).path == beside
    assert write_tests(place, SECOND).path == beside
    assert beside.read_text() == stamped(SECOND)
    beside.write_text("mine as well")
    assert write_tests(place, FIRST).path == place.with_name("test_shop.py.new2")
    assert (place.read_text(), beside.read_text()) == ("mine", "mine as well")


def test_a_read_only_file_is_kept(place: Path) -> None:
    place.write_text(stamped(FIRST))
    place.chmod(0o444)
    assert "is read-only" in write_tests(place, SECOND).message
    assert place.read_text() == stamped(FIRST)


def test_a_link_to_a_generated_file_is_followed_and_stays_a_link(place: Path) -> None:
    real = place.parent / "real" / "tests.py"
    real.parent.mkdir()
    real.write_text(stamped(FIRST))
    place.symlink_to(real)
    assert write_tests(place, SECOND).message == ""
    assert place.is_symlink()
    assert real.read_text() == stamped(SECOND)


@pytest.mark.parametrize("aim", ["precious.txt", "nowhere", "test_shop.py", "."])
def test_any_other_link_is_kept(place: Path, aim: str) -> None:
    precious = place.parent / "precious.txt"
    precious.write_text("precious")
    place.symlink_to(aim)
    written = write_tests(place, SECOND)
    assert written.path == place.with_name("test_shop.py.new")
    assert "it is kept" in written.message
    assert place.readlink() == Path(aim)
    assert precious.read_text() == "precious"
    assert not (place.parent / "nowhere").exists()


def test_another_name_of_a_generated_file_keeps_the_old_content(place: Path) -> None:
    other = place.parent / "other.py"
    other.write_text(stamped(FIRST))
    os.link(other, place)
    assert write_tests(place, SECOND).path == place
    assert other.read_text() == stamped(FIRST)


def test_what_is_no_regular_file_is_neither_read_nor_replaced(place: Path) -> None:
    os.mkfifo(place)
    assert "is no regular file" in write_tests(place, SECOND).message
    assert stat.S_ISFIFO(place.stat().st_mode)
    place.unlink()
    place.mkdir()
    assert "is no regular file" in write_tests(place, FIRST).message
    assert place.is_dir()


def test_odd_names_can_not_steer_a_terminal(tmp_path: Path) -> None:
    place = tmp_path / "test_\x1b[31m\u202e\n.py"
    place.write_text("mine")
    message = write_tests(place, FIRST).message
    assert not any(letter in message for letter in "\x1b\u202e\n")
