"""The feeders as their supervisor sees them: each a process that takes orders, and may die of one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, Any, Final

HERE: Final = Path(__file__).resolve().parent
REPOSITORY: Final = HERE.parent.parent

KEPT_VARIABLES: Final = ("PATH", "LANG", "LC_ALL")

Line = dict[str, Any]


class Parent:
    """One feeder, which is begun anew when it died.

    Attributes:
        order: what it works on, None when idle.
        since: since when.
        process: where it runs.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        """Nothing is started yet.

        Args:
            folder: its own, for all that it writes.
            seed: of the inputs that it is told by numbers.
        """
        self._folder, self._seed = folder, seed
        self.order: int | str | None = None
        self.since = 0.0
        self.process: subprocess.Popen[str] | None = None

    def give(self, order: int | str) -> None:
        """Hand over the number of an input, or the folder of a kept one."""
        if self.process is None:
            self._start()
        assert self.process is not None
        assert self.process.stdin is not None
        self.order, self.since = order, time.monotonic()
        self.process.stdin.write(f"{json.dumps(order)}\n")
        self.process.stdin.flush()

    def _start(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(parents=True)
        environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        environment |= {"PYTHONPATH": str(REPOSITORY), "PYTHONHASHSEED": "0"}
        with (self._folder / "stderr").open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, str(HERE / "feeder.py"), str(self._folder), str(self._seed)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment,
                start_new_session=True,
            )  # fmt: skip

    @property
    def output(self) -> IO[str]:
        """Where its answers come."""
        assert self.process is not None
        assert self.process.stdout is not None
        return self.process.stdout

    def answer(self) -> Line | None:
        """The next answer; None when it died over its order."""
        return read(self.output.readline())

    @property
    def seconds(self) -> float:
        """Since when it works on its order."""
        return time.monotonic() - self.since

    def said(self) -> str:
        """The last that it wrote to standard error."""
        return (self._folder / "stderr").read_text(encoding="utf-8", errors="replace")[-4000:]

    def end(self, *, hangs: bool = False) -> int:
        """End it; the status."""
        assert self.process is not None
        if hangs:
            self.process.send_signal(signal.SIGUSR2)  # it writes down where it is
            time.sleep(1.0)
            self.process.kill()
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.output.close()
        status = self.process.wait()
        self.process = None
        return status


def read(text: str) -> Line | None:
    """One line of JSON; None where it is not whole."""
    try:
        line: Line = json.loads(text)
    except ValueError:
        return None
    return line
