"""A replaying process that stays: batch after batch of cases on the original, in one import of it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tracetwin.model.case import Case
from tracetwin.model.codec.cases import encode_case
from tracetwin.model.observation import Observation, ended
from tracetwin.model.status import Outcome
from tracetwin.process import wire
from tracetwin.process.walls.sandbox import Limits
from tracetwin.replay import received
from tracetwin.replay.conditions import perturbations as drift
from tracetwin.replay.conditions.conditions import HERE
from tracetwin.replay.launch import CASE_SECONDS, GRACE, begin, end, environment, job_of

if TYPE_CHECKING:
    from types import TracebackType

    from tracetwin.target.selection import TargetModule


class Session:
    """Runs cases when asked, each in a clean child of the imported module; use it as a context.

    The process starts with the first case. When it dies, what it did not answer has died with it, and the
    next batch gets a new one.

    Args:
        module: the module to import.
        timeout_per_case: seconds of wall time that one case may take.
        limits: the sandbox's limits; None for its defaults.
    """

    def __init__(
        self, module: TargetModule, *, timeout_per_case: float = CASE_SECONDS, limits: Limits | None = None
    ) -> None:
        self.module = module
        self.seconds = timeout_per_case
        self.limits = limits or Limits()
        self._process: subprocess.Popen[bytes] | None = None
        self._scratch = ""

    def __enter__(self) -> Session:  # noqa: PYI034 - `Self` came with Python 3.11
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, cases: Sequence[Case]) -> list[Observation]:
        """What each case did, in their order."""
        seen: list[Observation] = []
        try:
            if self._process is None:
                self._open()
            self._send(list(map(encode_case, cases)))
            while len(seen) < len(cases):
                seen.append(received.observation(self._read_body(self.seconds)))
        except (wire.TooLate, wire.Closed, BrokenPipeError):
            self.close()
            seen += [ended(Outcome.DIED, "the replaying process ended") for _ in cases[len(seen) :]]
        return seen

    def close(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            end(self._process)
            self._process = None
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _open(self) -> None:
        self._scratch = tempfile.mkdtemp(prefix="tracetwin-replay-")
        with drift.addresses(fixed=HERE.fixed):
            self._process = begin(self._scratch, environment(HERE))
        self._send(job_of(self.module, [], self.seconds, self.limits, more=True))
        if "error" in received.imported(wire.unpack(self._read_body(self.limits.import_seconds))):
            raise wire.Closed

    def _send(self, message: Any) -> None:
        if self._process is None or self._process.stdin is None:
            raise wire.Closed
        wire.write_all(self._process.stdin.fileno(), wire.pack(message))

    def _read_body(self, seconds: float) -> bytes:
        if self._process is None or self._process.stdout is None:
            raise wire.Closed
        return wire.read_body(self._process.stdout.fileno(), time.monotonic() + seconds + GRACE)
