"""Records are whole or not there."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tracetwin.support import records as module
from tracetwin.support.records import Journal, records

PAYLOADS = [b"first", b"", b"the third" * 100]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


def _written(path: Path) -> list[bytes]:
    return [record.payload for record in records(path)]


@pytest.fixture
def content(path: Path) -> bytes:
    journal = Journal(path)
    for payload in PAYLOADS:
        journal.add(payload)
    journal.close()
    return path.read_bytes()


def test_what_was_added_is_read(path: Path, content: bytes) -> None:
    assert PAYLOADS == _written(path)
    journal = Journal(path)
    assert b"third" == journal.read(list(journal.records())[2].offset + 4, 5)


@pytest.mark.usefixtures("content")
def test_nothing_has_to_be_closed(path: Path) -> None:
    Journal(path).add(b"fourth")
    assert [*PAYLOADS, b"fourth"] == _written(path)


def test_a_torn_record_is_cut_off_before_more_is_written(path: Path, content: bytes) -> None:
    for size in range(0, len(content), 11):
        path.write_bytes(content[:size])
        whole = _written(path)
        assert whole == PAYLOADS[: len(whole)]
        journal = Journal(path)
        journal.add(b"more")
        journal.close()
        assert [*whole, b"more"] == _written(path), size


def test_a_damaged_byte_ends_what_is_believed(path: Path, content: bytes) -> None:
    for place in range(0, len(content), 7):
        damaged = bytearray(content)
        damaged[place] ^= 0x40
        path.write_bytes(damaged)
        whole = _written(path)
        assert whole == PAYLOADS[: len(whole)]
        assert len(whole) < len(PAYLOADS)


@pytest.mark.parametrize("room", [0, 3, 12])
def test_a_full_disk_ends_the_journal_and_nothing_else(
    path: Path, content: bytes, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        nonlocal room
        if not room:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken, room = data[:room], max(0, room - len(data))
        return write(descriptor, taken)

    journal = Journal(path)
    monkeypatch.setattr(os, "write", full)
    journal.add(b"a long record that has no room")
    journal.add(b"after it")
    assert "No space left on device" == journal.failure
    assert PAYLOADS == _written(path)
    assert content == path.read_bytes()


def test_a_journal_does_not_grow_without_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", 3 << 20)
    journal = Journal(path)
    for _ in range(5):
        journal.add(bytes(1 << 20))
    assert "it has grown to 3 MiB" == journal.failure
    assert 2 == len(_written(path))


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_what_others_may_have_written_is_not_believed(path: Path, content: bytes, mode: int) -> None:
    path.chmod(mode)
    journal = Journal(path)
    assert [] == list(journal.records())
    assert "it is not this user's alone" in journal.failure
    assert content == path.read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
def test_a_link_is_not_followed(path: Path, content: bytes, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(path)
    journal = Journal(link)
    journal.add(b"more")
    assert journal.failure
    assert content == path.read_bytes()
