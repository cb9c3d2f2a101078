"""Wheels that were made to do harm: each is refused in one sentence, and costs neither memory nor time."""

from __future__ import annotations

import io
import os
import stat
import struct
import tracemalloc
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.target.layout import FUNCTION, make_wheel
from tracetwin.support.errors import TargetError
from tracetwin.target.selection import resolve_runnable
from tracetwin.target.wheels import archive
from tracetwin.target.wheels.unpacking import unpack

NAME = "evil-1.0-py3-none-any.whl"


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    return make_wheel(tmp_path / NAME, {"good.py": FUNCTION})


def refusals(path: Path, folder: Path) -> set[str]:
    """What is said where a wheel is read in place, and where it is unpacked; nothing is left behind."""
    with pytest.raises(TargetError) as caught:
        unpack("it", path, folder / "deep" / "there")
    assert not (folder / "deep").exists()
    found = resolve_runnable([str(path)])
    assert not found.modules
    return {caught.value.reason, *(problem.reason for problem in found.problems)}


def add(path: Path, entry: str | zipfile.ZipInfo, data: str = "x", method: int = zipfile.ZIP_STORED) -> None:
    with zipfile.ZipFile(path, "a") as opened:
        opened.writestr(entry, data, method)


@pytest.mark.parametrize(
    "name", ["../evil.py", "/etc/evil.py", "a/../../evil.py", "C:/evil.py", "a/b:c", "a\\b.py", "//x", ".."]
)
def test_names_that_lead_outside(wheel: Path, tmp_path: Path, name: str) -> None:
    add(wheel, name)
    assert refusals(wheel, tmp_path) == {f"refused: {name!r} leads outside the wheel"}


@pytest.mark.parametrize("name", ["./a.py", "a//b.py", "a/./b.py", "evil-1.0.data/purelib//etc/x.py"])
def test_names_that_two_readers_may_understand_differently(wheel: Path, tmp_path: Path, name: str) -> None:
    add(wheel, name)
    assert refusals(wheel, tmp_path) == {f"refused: {name!r} is no plain name of a file in a wheel"}


@pytest.mark.parametrize("name", ["a\x1b[31m.py", "a\u202eyp.py", "a\nb.py", "a\x7f"])
def test_names_that_could_steer_a_terminal(wheel: Path, tmp_path: Path, name: str) -> None:
    add(wheel, name)
    (said,) = refusals(wheel, tmp_path)
    assert said.endswith("has characters in its name that nobody sees")
    assert said.isprintable()


@pytest.mark.parametrize("name", ["a" * 256, "a/" * 600 + "x"])
def test_names_that_no_disk_holds(wheel: Path, tmp_path: Path, name: str) -> None:
    add(wheel, name)
    assert refusals(wheel, tmp_path) == {f"refused: {name!r} has too long a name"}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["good.py"], "'good.py' is in the wheel twice"),
        (["evil-1.0.data/purelib/good.py"], "'evil-1.0.data/purelib/good.py' is in the wheel twice"),
        (["good.py/inner.py"], "'good.py' is a file in the wheel, and a folder"),
        (["a", "a/"], "'a' is a file in the wheel, and a folder"),
    ],
)
def test_two_things_of_one_name(wheel: Path, tmp_path: Path, names: list[str], words: str) -> None:
    for name in names:
        add(wheel, name)
    assert refusals(wheel, tmp_path) == {f"refused: {words}"}


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK, stat.S_IFSOCK])
def test_links_and_devices(wheel: Path, tmp_path: Path, kind: int) -> None:
    entry = zipfile.ZipInfo("passwords")
    entry.external_attr = (kind | 0o777) << 16
    add(wheel, entry, "/etc/passwd")
    assert refusals(wheel, tmp_path) == {"refused: 'passwords' in the wheel is a link or a device"}


def test_a_bomb(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel, "a", zipfile.ZIP_DEFLATED) as opened, opened.open("zeros", "w") as entry:
        for _ in range(65):
            entry.write(bytes(1 << 20))
    (said,) = refusals(wheel, tmp_path)
    assert "as in an archive made to fill a disk" in said


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_whose_output_has_no_limit(wheel: Path, tmp_path: Path, method: int) -> None:
    add(wheel, "a.py", FUNCTION, method)
    (said,) = refusals(wheel, tmp_path)
    assert said == "refused: 'a.py' in the wheel is compressed in a way that Python can't import from"


def test_a_list_of_files_without_end(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_LISTED", 100)
    (said,) = refusals(wheel, tmp_path)
    assert said.startswith("refused: the list of the files in it has ")


def lying(path: Path, member: str, size: int, checksum: int | None = None) -> None:
    """Make both headers of an entry declare that it has so many bytes."""
    with zipfile.ZipFile(path) as opened:
        info = opened.getinfo(member)
        begins = opened.start_dir
    data = bytearray(path.read_bytes())
    central = data.index(member.encode(), begins) - 46
    for place, offset in ((info.header_offset, 14), (central, 16)):
        if checksum is not None:
            struct.pack_into("<L", data, place + offset, checksum)
        struct.pack_into("<L", data, place + offset + 8, size)
    path.write_bytes(data)


@pytest.mark.parametrize("honest_checksum", [True, False])
def test_an_entry_that_is_larger_than_it_says_costs_no_memory(tmp_path: Path, honest_checksum: bool) -> None:
    path = make_wheel(tmp_path / NAME, {})
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as opened, opened.open("a.py", "w") as entry:
        for _ in range(100):
            entry.write(b" " * (1 << 20))
    lying(path, "a.py", 100, zlib.crc32(b" " * 100) if honest_checksum else None)
    tracemalloc.start()
    try:
        found = resolve_runnable([str(path)])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.problems
    assert not found.modules
    assert peak < 16 << 20


def test_an_entry_that_is_smaller_than_it_says_is_damaged(tmp_path: Path) -> None:
    path = make_wheel(tmp_path / NAME, {"a.py": FUNCTION})
    lying(path, "a.py", 1000)
    assert not resolve_runnable([str(path)]).modules


def test_a_pipe_with_a_wheels_name_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / NAME)
    (problem,) = resolve_runnable([str(tmp_path / NAME)]).problems
    assert "wheel" in str(problem)


@pytest.mark.parametrize(
    "metadata",
    [
        "Metadata-Version: 2.1\nName: evil\nVersion: " + "1" * 5000,
        "Metadata-Version: 2.1\nName: evil\nVersion: 1\nRequires-Dist: a; " + "(" * 5000,
        "Metadata-Version: 2.1\nName: evil\nVersion: 1\nRequires-Dist: a; os_name < 'x' and extra ~= 'y'",
        "Metadata-Version: 2.1\nName: evil\nVersion: 1\nRequires-Python: >=" + "9" * 5000,
        "Name: ev\x00il\nVersion: 1\n",
        "\xff\xfe\x1b[31m" * 100,
        "x" * (5 << 20),
    ],
    ids=range(7),
)
def test_metadata_that_makes_no_sense_is_a_note(tmp_path: Path, metadata: str) -> None:
    path = make_wheel(tmp_path / NAME, {"a.py": FUNCTION}, metadata=metadata)
    found = resolve_runnable([str(path)])
    assert [module.name for module in found.modules] == ["a"]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_is_damaged_is_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as opened:
        for name in ("good.py", "evil-1.0.dist-info/WHEEL", "evil-1.0.dist-info/METADATA"):
            opened.writestr(name, FUNCTION)
    content = bytearray(buffer.getvalue())
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.integers(0, 255))
    end = data.draw(st.just(len(content)) | st.integers(0, len(content)))
    path = tmp_path_factory.getbasetemp() / NAME
    path.write_bytes(content[:end])
    found = resolve_runnable([str(path)])
    assert found.modules or found.problems
    assert all("\n" not in str(problem) for problem in found.problems)
