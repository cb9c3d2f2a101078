"""The project's test command, run once as the user would run it, with the recorder in its Pythons."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tracetwin.support.data import dataclass

LOOK_SECONDS: Final = 0.1
"""How often it is looked whether the command has ended."""

PATIENCE_SECONDS: Final = 3.0
"""What a stopped command may take to end by itself."""

SHOWN: Final = 3
"""Last lines of its output that are told."""

HOOK: Final = Path(__file__).parent / "hook"


class NoCommand(Exception):
    """There is nothing to run; the message says why, in words that follow the name of the option."""


@dataclass(frozen=True)
class Ended:
    """How the command ended.

    Attributes:
        status: its exit status, negative for a signal; None where it was stopped at its time limit.
        output: the last lines that it wrote.
    """

    status: int | None
    output: tuple[str, ...]


def words_of(command: str, folder: Path) -> list[str]:
    """The words of a command line; no shell reads it.

    Raises:
        NoCommand: it has none, or its program can't be found.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise NoCommand(f"can't be read as a command: {str(error).lower()}") from error
    if not words:
        raise NoCommand("is empty")
    name = words[0]
    found = shutil.which(str(folder / name) if os.sep in name else name)
    if found is None:
        advice = "name one that is on the PATH, such as python or pytest"
        raise NoCommand(f"there is no program {name!r}; {advice}")
    return [found, *words[1:]]


def environment(private: Path, around: Mapping[str, str]) -> dict[str, str]:
    """The environment in which each Python starts the recorder."""
    path = os.pathsep.join(entry for entry in (str(HOOK), around.get("PYTHONPATH", "")) if entry)
    return {**around, "PYTHONPATH": path, "TRACETWIN_LEARN": str(private)}


def run(
    words: list[str], folder: Path, private: Path, limit: float, tick: Callable[[float], None]
) -> Ended:
    """Run a command to its end, or to its time limit.

    Raises:
        NoCommand: it can't be started.
    """
    began = time.monotonic()
    log = private / "output"
    with log.open("wb") as output:
        try:
            process = subprocess.Popen(
                words, cwd=folder, env=environment(private, os.environ), stdin=subprocess.DEVNULL,
                stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise NoCommand(f"can't be started: {error.strerror or error}") from error
    try:
        status = _wait(process, began + limit, lambda: tick(time.monotonic() - began))
    finally:
        _end(process)
    return Ended(status, _last_lines(log))


def _wait(process: subprocess.Popen[bytes], until: float, tick: Callable[[], None]) -> int | None:
    while time.monotonic() < until:
        try:
            return process.wait(LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            tick()
    return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what still runs, with all that it has started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        os.killpg(process.pid, number)
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            continue


def _last_lines(log: Path) -> tuple[str, ...]:
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 4000))
        text = file.read().decode("utf-8", "replace")
    return tuple(line.strip() for line in text.splitlines() if line.strip(" =-_"))[-SHOWN:]
