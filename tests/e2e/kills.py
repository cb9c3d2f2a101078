"""Kills runs at random moments and has them resumed: `python -m tests.e2e.kills --count 50`.

Each round starts a run, kills it once or several times (the command alone, its whole process group, or one of
its explorers), resumes it, and holds the result against that of a run that nobody disturbed.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tests.e2e.command import environment, family, tracetwin_command, wait_until
from tracetwin.emit.stamp import is_untouched

LIMIT: Final = 600.0
_PYTHONS_OWN: Final = re.compile(r"[a-z0-9_]{8}$")
"""A file by which `tempfile`, when it is first used, finds out where it can write: a kill may leave it."""
OLD: Final = "# what was there before\n"
OPTIONS: Final = ("--max-runs", "160", "--time-limit", "600", "-j", "2")
TARGET: Final = '''\
"""Some state, some loops, some questions for a solver."""


class Queue:
    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError("capacity")
        self.capacity = capacity
        self.items: list[int] = []

    def push(self, item: int) -> bool:
        if len(self.items) >= self.capacity:
            return False
        self.items.append(item)
        return True

    def pop(self) -> int:
        if not self.items:
            raise IndexError("empty")
        return self.items.pop(0)


def grade(points: int, bonus: int) -> str:
    if points * 3 + bonus == 1234:
        return "exact"
    if points > 90:
        return "a"
    if points > 70 and bonus > 3:
        return "b"
    return "c"


def code(text: str) -> int:
    if text.startswith("id-") and text[3:].isdigit():
        if int(text[3:]) > 4000:
            return 2
        return 1
    return 0
'''


@dataclass
class Run:
    """A project and the folders of one run in it."""

    folder: Path
    options: tuple[str, ...] = OPTIONS
    project: Path = field(init=False)

    def __post_init__(self) -> None:
        self.project = self.folder / "project"
        for name in ("project/out", "temporary"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        (self.project / "target.py").write_text(TARGET)
        self.suite.write_text(OLD)

    @property
    def suite(self) -> Path:
        return self.project / "out" / "test_target.py"

    @property
    def written(self) -> Path:
        """The tests: the file that was there has been written by nobody we know, and stays."""
        beside = self.suite.with_name(self.suite.name + ".new")
        return beside if beside.exists() else self.suite

    def start(self, *, resume: bool) -> subprocess.Popen[str]:
        result = ("--json", str(self.folder / "result.json"))
        command = tracetwin_command("generate", "target.py", "-o", "out", *self.options, *result)
        extra = {"TMPDIR": str(self.folder / "temporary"), "TRACETWIN_CACHE": str(self.folder / "cache")}
        return subprocess.Popen(
            [*command, *(["--resume"] if resume else [])],
            cwd=self.project,
            env=environment(extra),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def finish(self, *, resume: bool) -> str:
        process = self.start(resume=resume)
        said, _ = process.communicate(timeout=LIMIT)
        assert process.returncode == 0, said
        return said

    def covered(self) -> dict[str, Any]:
        """What the written tests leave out, and how much there is."""
        (module,) = json.loads((self.folder / "result.json").read_text())["modules"]
        left = [miss["line"] for miss in module["uncovered"]]
        return {"lines": module["covered_lines"], "branches": module["covered_branches"], "left": left}

    def check_files(self) -> None:
        """No file is half there: the old one stands, or a whole new one lies beside it."""
        assert self.suite.read_text() == OLD
        for file in (self.project / "out").glob("*.py*"):
            ast.parse(file.read_text())
            assert file == self.suite or is_untouched(file.read_text()), file
        result = self.folder / "result.json"
        if result.exists():
            json.loads(result.read_text())

    def check_places(self) -> None:
        """Nothing temporary is left, however the run ended."""

        def left() -> list[Path]:
            there = (self.folder / "temporary").iterdir()
            return [path for path in there if not _PYTHONS_OWN.match(path.name)]

        assert wait_until(lambda: not left(), 10), left()


def kill(process: subprocess.Popen[str], how: str, choose: random.Random) -> None:
    """End a run with no time for anything."""
    everyone = family(process.pid)
    if how == "group":
        os.killpg(process.pid, signal.SIGKILL)
    elif how == "everyone":  # as the machine's end does it
        for pid in everyone:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    elif how == "explorer":
        with suppress(ProcessLookupError):
            os.kill(choose.choice(_explorers(process.pid, everyone)), signal.SIGKILL)
            time.sleep(choose.random())
    process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _explorers(pid: int, everyone: list[int]) -> list[int]:
    """The forks of the command of a command, else the command; the end of a worker may cost an input."""
    forks = [other for other in everyone if other != pid and _command_line(other) == _command_line(pid)]
    return forks or [pid]


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def disturbed(run: Run, seconds: float, choose: random.Random) -> list[str]:
    """Kill a run some times; what was done."""
    told = []
    watched = True
    for number in range(choose.choice((1, 1, 1, 2, 3))):
        moment = choose.uniform(0.0, seconds)
        how = choose.choice(("command", "group", "everyone", "explorer"))
        watched = watched and how in ("command", "group")  # else the watcher may be killed as well
        told.append(f"{how} after {moment:.2f} s")
        process = run.start(resume=number > 0)
        try:
            process.communicate(timeout=moment)
        except subprocess.TimeoutExpired:
            kill(process, how, choose)
        else:
            told[-1] += " (had ended)"
            watched = True
        run.check_files()
    if watched:
        run.check_places()
    return told


def rounds(count: int, seed: int, options: tuple[str, ...] = OPTIONS) -> Iterator[tuple[list[str], str]]:
    """Kill and resume; what was done, and what is wrong in the end, "" where all is well."""
    base = Path(tempfile.mkdtemp(prefix="kills-"))
    try:
        whole = Run(base / "whole", options)
        began = time.monotonic()
        whole.finish(resume=False)
        seconds = time.monotonic() - began
        wanted = whole.covered()
        for number in range(count):
            choose = random.Random(f"{seed} {number}")
            run = Run(base / str(number), options)
            shutil.copytree(whole.folder / "cache" / "twins", run.folder / "cache" / "twins")
            told = disturbed(run, seconds, choose)
            said = run.finish(resume=True)
            run.check_files()
            run.check_places()
            yield told, _wrong(whole, run, wanted, said)
            shutil.rmtree(run.folder)
    finally:
        shutil.rmtree(base, ignore_errors=True)


def _wrong(whole: Run, run: Run, wanted: dict[str, Any], said: str) -> str:
    found = run.covered()
    if found != wanted:
        return f"covers {found} instead of {wanted}\n{said}"
    journals = list((run.folder / "cache" / "journals").iterdir())
    if journals:
        return f"journals are left: {journals}"
    return "" if run.written.read_bytes() == whole.written.read_bytes() else "other bytes"


def main() -> int:
    """Tell of each round; the status is 1 where something was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    lost = others = 0
    for number, (told, wrong) in enumerate(rounds(arguments.count, arguments.seed), 1):
        _tell(f"{number:3} {', then '.join(told)}: {wrong or 'as undisturbed'}")
        lost += wrong not in ("", "other bytes")
        others += wrong == "other bytes"
    _tell(f"{arguments.count} killed and resumed, {lost} lost something, {others} wrote other tests")
    return 1 if lost else 0


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
