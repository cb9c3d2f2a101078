"""The line that a process crashed or hung in is told, whatever it is doing there."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tracetwin.process.disk import is_overfull, wait
from tracetwin.process.faults import line_in
from tracetwin.process.messages import Failed
from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import Worker
from tracetwin.support.worker_errors import RunnerDied, RunnerTimeout

Make = Callable[..., Worker]
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there are no real-time signals")

SOURCE = """
import os
import itertools
def aborts():
    os.abort()
def hangs_in_c():
    return sum(itertools.repeat(1))
def leaves():
    os._exit(3)
"""


@pytest.fixture
def worker(make_worker: Make) -> Worker:
    return make_worker(SOURCE, limits=Limits(wall_seconds=0.2))


def test_a_crash_has_its_line(worker: Worker) -> None:
    with pytest.raises(RunnerDied, match="SIGABRT") as death:
        worker.request(("aborts", ()))
    assert death.value.line == 5


@linux
def test_a_hang_in_c_has_its_line(worker: Worker) -> None:
    with pytest.raises(RunnerTimeout) as late:
        worker.request(("hangs_in_c", ()))
    assert late.value.line == 7


def test_a_quiet_end_has_none_and_not_that_of_the_one_before(worker: Worker) -> None:
    with pytest.raises(RunnerDied):
        worker.request(("aborts", ()))
    with pytest.raises(RunnerDied, match="status 3") as death:
        worker.request(("leaves", ()))
    assert death.value.line == 0


@linux
def test_a_hanging_import_has_its_line(make_worker: Make) -> None:
    started = make_worker("import time\n\ntime.sleep(100)\n", limits=Limits(import_seconds=0.5)).start()
    assert isinstance(started, Failed)
    assert started.message == "the import did not end within 0.5 s (line 3)"


def test_a_crashing_import_has_its_line(make_worker: Make) -> None:
    started = make_worker("import os\n\nos.abort()\n").start()
    assert isinstance(started, Failed)
    assert started.message == "the import was killed by SIGABRT (line 3)"


def test_a_forged_record_gives_no_line_of_another_file() -> None:
    frames = (("/other.py", 3), ("/mine.py", 7), ("/mine.py", 9))
    record = "".join(f'  File "{file}", line {line} in f\n' for file, line in frames).encode()
    assert line_in(record, "/mine.py") == 7
    assert line_in(b"\xff" * 100, "/mine.py") == 0
    assert line_in(b'  File "/mine.py", line 99999999999999999999 in g\n', "/mine.py") == 999999999


def test_a_folder_that_is_too_full_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "file").write_bytes(bytes(100_000))
    assert not is_overfull(str(tmp_path))
    monkeypatch.setattr("tracetwin.process.disk.MOST_BYTES", 50_000)
    assert is_overfull(str(tmp_path))


def test_an_import_that_writes_without_an_end_is_ended(
    make_worker: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracetwin.process.disk.MOST_BYTES", 1 << 20)
    source = """
        import itertools
        for number in itertools.count():
            with open(f"file{number % 10}", "wb") as file:
                file.write(bytes(1_000_000))
        """
    started = make_worker(source, limits=Limits(import_seconds=10)).start()
    assert isinstance(started, Failed)
    assert "the import wrote more than" in started.message


def test_waiting_ends_with_its_time(tmp_path: Path) -> None:
    import os

    reading, writing = os.pipe()
    try:
        assert wait(reading, 0.0, str(tmp_path))
    finally:
        os.close(reading)
        os.close(writing)
