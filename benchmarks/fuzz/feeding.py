"""Feeds one input to the command in this very process, and notes all that came of it."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import sys
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from inputs import Input

from tracetwin.cli.main import main

RUN_SECONDS: Final = 10
"""Processor seconds of a program that `tracetwin run` runs."""


@dataclass
class Outcome:
    """What the command did.

    Attributes:
        status: its exit status, None where an exception escaped from it.
        escaped: the traceback of that.
        output: what it wrote to standard output.
        errors: what it wrote to standard error.
        report: its JSON, where it wrote one.
        written: the files in its output folder.
        changed: files of the input that are not what they were.
        seconds: how long it took.
    """

    status: int | None = None
    escaped: str = ""
    output: bytes = b""
    errors: bytes = b""
    report: dict[str, Any] | None = None
    written: dict[str, bytes] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def runs(self) -> int:
        """Executions of the target."""
        return int((self.report or {}).get("total", {}).get("runs", 0))

    @property
    def stage(self) -> str:
        """How far `generate` came: "refused", "imported", "explored" or "written"."""
        if any(module.get("test_file") for module in (self.report or {}).get("modules", ())):
            return "written"
        if self.runs:
            return "explored"
        return "imported" if (self.report or {}).get("modules") else "refused"


def feed(given: Input, folder: Path) -> Outcome:
    """Run the command on an input.

    Args:
        given: what to feed.
        folder: a folder of ours; all that is in it goes.
    """
    clear(folder)
    place = folder / "in"
    place.mkdir(parents=True)
    given.write(place)
    before = contents(place)
    outcome = Outcome()
    started = time.monotonic()
    with _current_folder(place), _streams(given.encoding) as streams:
        if given.command == "run":
            outcome.status = _apart(given, folder)
        else:
            outcome.status, outcome.escaped = _called(given.argv)
    outcome.seconds = time.monotonic() - started
    outcome.output, outcome.errors = (stream.getvalue() for stream in streams)
    after = contents(place)
    outcome.changed = sorted(name for name in before if before[name] != after.get(name))
    outcome.written = contents(folder / "out")
    outcome.report = _report(folder / "out.json")
    return outcome


def clear(folder: Path) -> None:
    """Empty a folder, whatever is in it, and make sure that it is there."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)


def contents(folder: Path) -> dict[str, bytes]:
    """The regular files beneath a folder, but byte code."""
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = Path(parent, name)
            if path.is_file() and not path.is_symlink() and "__pycache__" not in parent:
                found[str(path.relative_to(folder))] = path.read_bytes()
    return found


def _called(argv: tuple[str, ...]) -> tuple[int | None, str]:
    """The exit status, as the shell would see it, or what escaped."""
    try:
        main(list(argv), prog_name="tracetwin")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0 if end.code is None else 1, ""
    except BaseException:  # noqa: BLE001 - that is what we are looking for
        return None, traceback.format_exc()
    return 0, ""


def _apart(given: Input, folder: Path) -> int:
    """`tracetwin run` becomes another program: in a child, with all that it prints in files."""
    child = os.fork()
    if child == 0:
        import resource

        try:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (RUN_SECONDS, RUN_SECONDS))
            resource.setrlimit(resource.RLIMIT_FSIZE, (16 << 20, 16 << 20))
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            null = os.open(os.devnull, os.O_RDWR)
            said = os.open(folder / "said", os.O_WRONLY | os.O_CREAT)
            for stream, number in ((null, 0), (null, 1), (said, 2)):
                os.dup2(stream, number)
            sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
            _called(given.argv)
        finally:
            os._exit(99)  # it never comes back from becoming another program, but where that is refused
    until = time.monotonic() + 3 * RUN_SECONDS
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            break
        if time.monotonic() > until:
            os.killpg(child, 9)
        time.sleep(0.01)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, 9)  # what the program left behind is not the tool's
    sys.stderr.write((folder / "said").read_text(encoding="utf-8", errors="replace"))
    return os.waitstatus_to_exitcode(status)


@contextlib.contextmanager
def _current_folder(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextlib.contextmanager
def _streams(encoding: str) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Standard output and error as a program has them, in memory."""
    kept = io.BytesIO(), io.BytesIO()
    before = sys.stdout, sys.stderr
    made = [
        io.TextIOWrapper(buffer, encoding, errors)
        for buffer, errors in zip(kept, ("strict", "backslashreplace"), strict=True)
    ]
    sys.stdout, sys.stderr = made
    try:
        yield kept
    finally:
        sys.stdout, sys.stderr = before
        for stream in made:
            stream.detach()  # flushes, and leaves what it wrote to open


def _report(file: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads(file.read_bytes())
    except FileNotFoundError:
        return None
    except ValueError:
        return {"unreadable": file.read_text(encoding="utf-8", errors="replace")[:300]}
    return found
