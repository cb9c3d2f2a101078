"""The cache among hostile neighbours: other writers, killed ones, full disks, files that it did not write."""

from __future__ import annotations

import errno
import hashlib
import marshal
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from instrumenter import cache_folder
from instrumenter.build import InstrumenterWarning, build
from instrumenter.cache import TwinCache

ROOT = Path(__file__).parents[2]
SOURCE = b"def f(a):\n    if a > 1: return a + 1\n"

# What other processes do: nothing that needs libcst, which each of them would load for half a second.
CHEAPLY = """
import os, sys, warnings
from instrumenter import cache as caching
from instrumenter.build import BuiltTwin
from instrumenter.twin import Twin

def build(source, *, name, filename):
    return BuiltTwin(Twin(source.decode(), (), "_tt"), compile(source, filename, "exec"))

caching.build = build
cache = caching.TwinCache(sys.argv[1])
"""


def start(script: str, *arguments: str | Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHEAPLY + textwrap.dedent(script), *map(str, arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def age(path: Path, seconds: float) -> None:
    moment = time.time() - seconds
    os.utime(path, (moment, moment))


def test_eight_writers_at_once(tmp_path: Path):
    script = """
        sources = [b"x = %d\\n" % number + b"# padding\\n" * 4_000 for number in range(4)]
        for turn in range(20):
            for number, source in enumerate(sources):
                built = cache.load(source, name="m", filename="m.py")
                space = {}
                exec(built.code, space)
                assert number == space["x"] and source.decode() == built.twin.source
                if turn % 3 == number % 3:
                    cache.path(source, "m").unlink(missing_ok=True)
        assert cache.failure is None, cache.failure
    """
    writers = [start(script, tmp_path) for _ in range(8)]
    said = [writer.communicate() for writer in writers]
    assert [("", "")] * 8 == said
    assert [0] * 8 == [writer.returncode for writer in writers]
    assert [] == [path for path in files(tmp_path) if path.suffix]


def test_killed_writer_leaves_no_entry_and_what_it_left_goes(tmp_path: Path):
    script = """
        import signal
        from instrumenter import files

        class Cut:
            def __init__(self, file): self.file = file
            def __enter__(self): return self
            def __exit__(self, *_): self.file.close()
            def write(self, content):
                self.file.write(content[: len(content) // 2])
                self.file.flush()
                os.kill(os.getpid(), signal.SIGKILL)

        files.open = lambda *arguments: Cut(open(*arguments))
        cache.load(sys.argv[2].encode(), name="m", filename="m.py")
    """
    writer = start(script, tmp_path, SOURCE.decode())
    writer.communicate()
    assert -signal.SIGKILL == writer.returncode
    (left,) = files(tmp_path)
    assert left.name.endswith(".new")
    assert TwinCache(tmp_path).load(SOURCE, name="m", filename="m.py").twin.sites
    assert left.exists(), "its writer could still be at it"

    age(left, 2 * 3600)
    age(tmp_path, 2 * 24 * 3600)
    TwinCache(tmp_path).load(SOURCE, name="n", filename="n.py")
    assert sorted(TwinCache(tmp_path).path(SOURCE, name) for name in "mn") == files(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_write_that_the_system_cuts_short_leaves_nothing(tmp_path: Path):
    script = """
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        for number in range(3):
            source = b"x = %d\\n" % number + b"# padding\\n" * 1000
            assert cache.load(source, name="m", filename="m.py").twin.source == source.decode()
            assert not cache.path(source, "m").exists()
    """
    writer = start(script, tmp_path)
    _, said = writer.communicate()
    assert 0 == writer.returncode, said
    assert 1 == said.count("twins are not cached")
    assert f"{tmp_path}: File too large" in said
    assert [] == files(tmp_path)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
def test_disk_that_refuses_is_named_once_in_a_process(tmp_path: Path, monkeypatch, number: int):
    def refuse(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("instrumenter.files.os.open", refuse)
    cache = TwinCache(tmp_path)
    failure = f"twins are not cached: {tmp_path}: {os.strerror(number)}"
    with pytest.warns(InstrumenterWarning, match=re.escape(failure)):
        assert cache.load(SOURCE, name="m", filename="m.py").twin.sites
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for other in cache, TwinCache(tmp_path):
            assert other.load(SOURCE, name="n", filename="n.py").twin.sites
            assert failure == other.failure
    monkeypatch.undo()
    cache.load(SOURCE, name="m", filename="m.py")
    assert cache.failure is None
    assert cache.path(SOURCE, "m").is_file()


def test_file_in_place_of_the_folder_is_left_alone(tmp_path: Path):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    cache = TwinCache(blocked)
    with pytest.warns(InstrumenterWarning, match="not cached"):
        cache.load(SOURCE, name="m", filename="m.py")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cache.load(SOURCE, name="n", filename="n.py").twin.sites
    assert "in the way" == blocked.read_text()


def replaced(change: Callable[[bytes], bytes]) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(change(path.read_bytes()))


def sound_but(payload: Any) -> Callable[[Path], None]:
    """An entry whose checksum holds, as whoever knows the format can make it."""

    def write(path: Path) -> None:
        key = bytes.fromhex(path.parent.name + path.name)
        data = marshal.dumps(payload)
        path.write_bytes(path.read_bytes()[:17] + hashlib.sha256(key + data).digest() + data)

    return write


def of_another_module(path: Path) -> None:
    cache = TwinCache(path.parents[2])
    cache.load(b"import os\n", name="other", filename="other.py")
    path.write_bytes(cache.path(b"import os\n", "other").read_bytes())


def into_folder(path: Path) -> None:
    path.unlink()
    (path / "sub").mkdir(parents=True)
    (path / "sub" / "file").touch()


def into_link(path: Path) -> None:
    path.symlink_to(path.rename(path.parents[2] / "elsewhere"))


def into_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def unreadable(path: Path) -> None:
    if not os.geteuid():
        pytest.skip("root reads everything")
    path.chmod(0)


def of_another_user(path: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can give files away")
    os.chown(path, 4711, -1)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "emptied": replaced(lambda data: b""),
    "cut short": replaced(lambda data: data[:-3]),
    "cut in the checksum": replaced(lambda data: data[:30]),
    "foreign": replaced(lambda data: b"?" + data[1:]),
    "altered": replaced(lambda data: data[:60] + b"\xff" + data[61:]),
    "a number": sound_but(1),
    "a text": sound_but("ab"),
    "no code": sound_but((("x = 1", (), "_tt", None), None)),
    "no twin": sound_but((("x = 1",), (lambda: 0).__code__)),
    "odd sites": sound_but((("x = 1", ((1, "unknown", 1, 1, ""),), "_tt", None), (lambda: 0).__code__)),
    "another's": of_another_module,
    "a folder": into_folder,
    "a link": into_link,
    "a pipe": into_pipe,
    "unreadable": unreadable,
    "another user's": of_another_user,
    "the group's": lambda path: path.chmod(0o620),
    "everybody's": lambda path: path.chmod(0o602),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_broken_or_foreign_entry_is_ignored_and_rewritten(tmp_path: Path, damage, monkeypatch):
    cache = TwinCache(tmp_path)
    expected = cache.load(SOURCE, name="m", filename="m.py")
    path = cache.path(SOURCE, "m")
    damage(path)
    counting = Mock(wraps=build)
    monkeypatch.setattr("instrumenter.cache.build", counting)
    for _ in "rewritten", "read":
        found = cache.load(SOURCE, name="m", filename="m.py")
        assert (expected.twin, expected.code) == (found.twin, found.code)
        assert cache.failure is None
        assert 1 == counting.call_count
    assert path.is_file()
    assert not path.is_symlink()


@pytest.mark.skipif(sys.platform == "win32", reason="has other permissions")
def test_entries_are_the_users_own_whatever_the_mask(tmp_path: Path):
    before = os.umask(0)
    try:
        cache = TwinCache(tmp_path)
        cache.load(SOURCE, name="m", filename="m.py")
    finally:
        os.umask(before)
    assert 0o600 == cache.path(SOURCE, "m").stat().st_mode & 0o777


def test_entries_unused_for_longest_go_when_there_are_too_many(tmp_path: Path):
    folder = tmp_path / "twins" / "ab"
    folder.mkdir(parents=True)
    for days in range(1, 6):
        path = folder / f"{days}"
        path.write_bytes(bytes(1000))
        age(path, days * 24 * 3600)
    (tmp_path / "mine").write_bytes(bytes(9000))
    cache_folder.tidy(tmp_path, 3500)
    assert 6 == len(files(tmp_path)), "once a day is enough"
    age(tmp_path, 2 * 24 * 3600)
    cache_folder.tidy(tmp_path, 3500)
    assert ["mine", "1", "2", "3"] == [path.name for path in files(tmp_path)]
    assert time.time() - tmp_path.stat().st_mtime < 3600
