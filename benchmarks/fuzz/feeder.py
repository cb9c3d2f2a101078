"""One long-living parent: feeds inputs to the command, one after the other, and judges what comes of each.

Started by `run.py`, which it tells by lines of JSON on standard output. Its own walls keep what a mutated
program may do within its folder, so that a hole in the tool's walls does no harm here.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import re
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, Final, TextIO

from feeding import Outcome, clear, feed
from inputs import Input, draw
from judging import Finding, judge
from keeping import load
from walls import enclose

MOST_MEMORY: Final = 1 << 30
MOST_THREADS: Final = 2
"""Our own, and the one that watches the solver, which rests until it is needed again."""


class Feeder:
    """What stays the same from input to input, or ought to.

    Attributes:
        place: the folder of the input and of what comes of it.
        scratch: the folder for temporary files, which must be empty afterwards.
    """

    def __init__(self, folder: Path) -> None:
        """Put up the walls."""
        self.place, self.scratch = folder / "place", folder / "scratch"
        for made in (self.place, self.scratch, folder / "cache"):
            clear(made)
        os.environ.update(
            TMPDIR=str(self.scratch), XDG_CACHE_HOME=str(folder / "cache"), HOME=str(folder)
        )
        os.chdir(folder)
        enclose(folder)
        self._descriptors = -1

    def answer(self, given: Input) -> tuple[Outcome, list[Finding]]:
        """Feed one input, and look at what it left behind."""
        outcome = feed(given, self.place)
        return outcome, [*judge(given, outcome), *self._left()]

    def _left(self) -> list[Finding]:
        found = [*_orphans(), *self._litter()]
        descriptors = len(list(Path("/proc/self/fd").iterdir()))
        if 0 <= self._descriptors < descriptors:
            found.append(Finding("descriptors stay open", f"{descriptors}, before {self._descriptors}"))
        self._descriptors = descriptors
        if threading.active_count() > MOST_THREADS:
            found.append(Finding("threads pile up", str(threading.enumerate())))
        if (peak := _peak_memory()) > MOST_MEMORY:
            found.append(Finding("the parent needs more than 1 GiB", f"{peak >> 20} MiB"))
        return found

    def _litter(self) -> list[Finding]:
        names = sorted(path.name for path in self.scratch.iterdir())
        if not names:
            return []
        clear(self.scratch)
        kind = re.sub(r"\W|\d", "", names[0])[:12]
        return [Finding(f"temporary files are left: {kind}", ", ".join(names))]


def _peak_memory() -> int:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    return 0


def _orphans() -> list[Finding]:
    """Processes that are still there a little while after the command ended; they are ended."""
    until = time.monotonic() + 3.0
    while (pids := _children()) and time.monotonic() < until:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        time.sleep(0.02)
    names = []
    for pid in pids:
        with contextlib.suppress(OSError):
            line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")
            names.append(line.decode(errors="replace"))
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return [Finding("processes are left", "; ".join(names))] if names else []


def _children() -> list[int]:
    me = os.getpid()
    listed = Path(f"/proc/{me}/task/{me}/children").read_text(encoding="ascii")
    return [int(pid) for pid in listed.split()]


def describe(number: int | str, given: Input, outcome: Outcome, found: list[Finding]) -> dict[str, Any]:
    """One line for the supervisor."""
    return {
        "number": number, "kind": given.kind, "command": given.command, "status": outcome.status,
        "stage": outcome.stage, "runs": outcome.runs, "seconds": round(outcome.seconds, 3),
        "findings": [[f.signature, f.detail] for f in found],
    }  # fmt: skip


def warm() -> None:
    """Import what the commands need, once for all inputs."""
    import tracetwin.run.scheduler.scheduler
    import tracetwin.run.studies.explore
    import tracetwin.run.studies.summary  # noqa: F401 - each is for its effect


def _serve(folder: Path, seed: int, orders: TextIO, answers: TextIO) -> None:
    feeder = Feeder(folder)
    for line in orders:
        order = json.loads(line)
        given = draw(seed, order) if isinstance(order, int) else load(Path(order))
        outcome, found = feeder.answer(given)
        print(json.dumps(describe(order, given, outcome, found)), file=answers, flush=True)


def main() -> None:
    """FOLDER SEED: orders come on standard input, a line of JSON each; answers go to standard output."""
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    orders = os.fdopen(os.dup(0), encoding="utf-8")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)  # whatever writes to the descriptor past `sys.stdout`
    faulthandler.enable()
    faulthandler.register(signal.SIGUSR2, all_threads=True)
    warm()
    _serve(folder, seed, orders, answers)


if __name__ == "__main__":
    main()
