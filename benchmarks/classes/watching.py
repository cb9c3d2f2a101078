"""Runs a command and watches the memory of all its processes."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

INTERVAL = 0.2  # seconds between two looks


@dataclass(frozen=True)
class Finished:
    """What became of a command.

    Attributes:
        status: its exit status, None if it was ended because its time was up.
        output: what it printed, both streams.
        seconds: wall-clock time.
        cpu: processor time of the command and of all processes it waited for, in seconds.
        peak: the largest memory of the command and its descendants at a time, in bytes (shared pages count
            once); 0 where the system does not tell.
    """

    status: int | None
    output: str
    seconds: float
    cpu: float
    peak: int


def run_watched(
    argv: Sequence[str], folder: Path, timeout: float, env: Mapping[str, str] | None = None
) -> Finished:
    """Run a command in a folder; it is ended, with its process group, after `timeout` seconds."""
    started, used = time.monotonic(), _cpu()
    peak = 0
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            argv, cwd=folder, env=env, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
        status: int | None = None
        while status is None and time.monotonic() - started < timeout:
            peak = max(peak, _memory(process.pid))
            try:
                status = process.wait(INTERVAL)
            except subprocess.TimeoutExpired:
                continue
        if status is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        seconds = time.monotonic() - started
        output.seek(0)
        text = output.read().decode(errors="replace")
    return Finished(status, text, seconds, _cpu() - used, peak)


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def _memory(root: int) -> int:
    return sum(_proportional(pid) for pid in _family(root))


def _family(root: int) -> list[int]:
    family = [root]
    for pid in family:  # grows while it is walked
        try:
            for task in Path(f"/proc/{pid}/task").glob("*/children"):
                family.extend(int(child) for child in task.read_text(encoding="ascii").split())
        except OSError:
            continue  # ended meanwhile
    return family


def _proportional(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    kibibytes = [line.split()[1] for line in text.splitlines() if line.startswith("Pss:")]
    return 1024 * sum(map(int, kibibytes))
