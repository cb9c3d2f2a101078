"""`tracetwin watch` generates anew when a file is saved, and shows what came of it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest

from tests.report.hostile import result
from tracetwin.cli import watch as module
from tracetwin.cli.watch import keep_up, stamps
from tracetwin.report.live_server import LiveServer


def test_each_save_makes_a_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE", 0.01)
    source = tmp_path / "watched.py"
    source.write_text("x = 1\n", encoding="utf-8")
    made: list[str] = []

    def generate() -> Path:
        made.append(source.read_text("utf-8"))
        place = tmp_path / "r.json"
        place.write_text(json.dumps(result(tmp_path, bad="x")), encoding="utf-8")
        return place

    with LiveServer() as server:
        work = threading.Thread(target=keep_up, args=(server, lambda: [str(source)], generate, 2))
        work.start()
        while not made:
            time.sleep(0.01)
        source.write_text("x = 2222\n", encoding="utf-8")
        work.join(30)
        status = json.loads(urllib.request.urlopen(server.url + "status.json").read())
        text = urllib.request.urlopen(server.url).read().decode()
    assert made == ["x = 1\n", "x = 2222\n"]
    assert status == {"version": 2, "working": False}
    assert 'data-live="2"' in text


def test_a_run_without_a_result_leaves_an_empty_report() -> None:
    with LiveServer() as server:
        keep_up(server, list, lambda: None, 1)
        assert "0 tests for 0 modules" in urllib.request.urlopen(server.url).read().decode()


def test_files_that_are_gone_have_no_stamp(tmp_path: Path) -> None:
    assert stamps([str(tmp_path / "none.py")]) == {}


@pytest.mark.slow
def test_the_command_watches_until_it_is_interrupted(tmp_path: Path) -> None:
    source = tmp_path / "twice.py"
    source.write_text("def twice(n: int) -> int:\n    return 2 * n\n", encoding="utf-8")
    command = [sys.executable, "-m", "tracetwin", "watch", "twice.py", "-o", "t", "--time-limit", "3"]
    with subprocess.Popen(
        command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, preexec_fn=_interruptible  # noqa: PLW1509
    ) as running:
        try:
            assert running.stderr is not None
            found = re.search(r"http://\S+", running.stderr.readline())
            assert found is not None
            assert "version 1 of the report" in _line(running, "version 1")
            assert "twice" in urllib.request.urlopen(found[0]).read().decode()
            source.write_text("def twice(n: int) -> int:\n    return n + n if n else 0\n", encoding="utf-8")
            os.utime(source, (time.time() + 2, time.time() + 2))
            assert "version 2 of the report" in _line(running, "version 2")
            running.send_signal(signal.SIGINT)
            assert running.wait(20) == 0
        finally:
            running.kill()
    assert "def test_" in (tmp_path / "t" / "test_twice.py").read_text("utf-8")


def _interruptible() -> None:
    """What runs in the background may have been started so that it ignores interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _line(running: subprocess.Popen[str], words: str) -> str:
    assert running.stderr is not None
    return next((line for line in running.stderr if words in line), "")
