"""Small parts that run inside a worker: the deadline, the muted streams, the private modules."""

from __future__ import annotations

import builtins
import io
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tracetwin.process.deadline import Deadline, RunTimeout
from tracetwin.process.output import Muted, Output
from tracetwin.support.own_modules import Hider, OwnModules


@pytest.fixture
def _alarm() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM), signal.getsignal(signal.SIGPROF)
    yield
    signal.signal(signal.SIGALRM, before[0])
    signal.signal(signal.SIGPROF, before[1])


def spin(seconds: float = 5) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


@pytest.mark.usefixtures("_alarm")
def test_a_deadline_strikes() -> None:
    with pytest.raises(RunTimeout), Deadline(0.05):
        spin()


@pytest.mark.usefixtures("_alarm")
def test_processor_time_has_a_deadline_of_its_own() -> None:
    with pytest.raises(RunTimeout), Deadline(5, cpu_seconds=0.05):
        spin()
    with Deadline(5, cpu_seconds=0.05):
        time.sleep(0.2)


@pytest.mark.usefixtures("_alarm")
def test_a_deadline_that_is_swallowed_strikes_again() -> None:
    caught = 0
    try:
        with Deadline(0.05):
            while caught < 3:
                try:
                    spin()
                except RunTimeout:
                    caught += 1
            spin()
    except RunTimeout:
        caught += 1
    assert caught == 4


@pytest.mark.usefixtures("_alarm")
def test_nothing_strikes_after_the_block() -> None:
    for _ in range(3):
        with Deadline(0.02):
            pass
    time.sleep(0.1)


def test_output_has_a_buffer_and_can_be_closed() -> None:
    output = Output()
    assert output.buffer.write(b"raw") == 3
    assert output.write("\udcffext") == 4
    output.close()


def test_muted_streams_come_back(capfd: pytest.CaptureFixture[str]) -> None:
    before = sys.stdin, sys.stdout, sys.stderr
    with Muted():
        sys.stdout.write("out\n")
        sys.stderr.write("err\n")
        sys.stdin = sys.stdout = sys.stderr = io.StringIO()
    assert (sys.stdin, sys.stdout, sys.stderr) == before
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def own(tmp_path: Path) -> OwnModules:
    """Two packages of ours, one of them called like a module that is loaded already."""
    for name in ("ours", "json"):
        (tmp_path / name).mkdir()
    (tmp_path / "ours" / "__init__.py").write_text("")
    (tmp_path / "ours" / "first.py").write_text(
        "import json.here\nfrom ours import second\n"
        "def late():\n    from ours.third import value\n"
        "    import json.here as here\n    return value, here.name\n"
        "def size(x): return len(x)\n"
    )
    (tmp_path / "ours" / "second.py").write_text(
        "from dataclasses import dataclass\n@dataclass\nclass D:\n    x: int\n"
    )
    (tmp_path / "ours" / "third.py").write_text("import csv\nvalue = csv.__name__\n")
    (tmp_path / "json" / "here.py").write_text("name = __name__\n")
    return OwnModules({"ours": str(tmp_path / "ours"), "json": str(tmp_path / "json")})


def test_private_modules_find_each_other_and_nobody_else_finds_them(own: OwnModules) -> None:
    import json

    first = own.load("ours.first")
    assert "ours.first" not in sys.modules
    assert sys.modules["json"] is json
    assert first.late() == ("csv", "json.here")
    assert "ours.third" not in sys.modules
    assert sys.modules["json"] is json
    assert first.second.D(1) == first.second.D(1)


def test_private_modules_keep_their_builtins(own: OwnModules, monkeypatch: pytest.MonkeyPatch) -> None:
    first = own.load("ours.first")
    kept = builtins.len
    monkeypatch.setattr(builtins, "len", None)
    try:
        size = first.size("abc")
    finally:
        monkeypatch.setattr(builtins, "len", kept)
    assert size == 3


def test_the_hider_hides_ours_but_not_a_namesake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        (folder / "hidden_room").mkdir(parents=True)
        (folder / "hidden_room" / "__init__.py").touch()
    hider = Hider({"hidden_room": str(ours / "hidden_room")})
    monkeypatch.syspath_prepend(str(ours))
    with pytest.raises(ModuleNotFoundError):
        hider.find_spec("hidden_room")
    hider.find_spec("something_else")
    monkeypatch.syspath_prepend(str(theirs))
    hider.find_spec("hidden_room")  # not refused
