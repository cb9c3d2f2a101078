"""The explorer processes of a run: each idle, or at work on one task; one that ends is replaced."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from multiprocessing.connection import wait
from types import TracebackType
from typing import TYPE_CHECKING

from tracetwin.run.explorer.process import JobProcess
from tracetwin.support.failures import failure_of

if TYPE_CHECKING:
    from typing_extensions import Self


class ExplorerPool:
    """The processes; use it in a `with` block, at whose end they are stopped."""

    def __init__(self, count: int, held: int = 1) -> None:
        """Start processes: as many as asked for, or as the system gives us.

        Args:
            count: how many.
            held: how many modules each has ready at a time.

        Raises:
            OSError: it gives us none.
        """
        self._held = held
        self._jobs: list[JobProcess] = []
        for _ in range(count):
            with suppress(OSError) if self._jobs else nullcontext():
                self._jobs.append(JobProcess(self._jobs, held))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for job in self._jobs:
            job.stop()

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[JobProcess]:
        """The processes; while one goes through them, they may be replaced."""
        return iter(list(self._jobs))

    def answers(self, seconds: float) -> Iterator[tuple[JobProcess, object]]:
        """Give the answers that come from the processes within some seconds.

        The end of a process is None, an answer that can't be read a `Failure`: it is as good as ended then.
        """
        busy = {job.connection: job for job in self._jobs if job.task is not None}
        for connection in wait(list(busy), seconds):
            job = busy[connection]  # type: ignore[index]
            try:
                answer: object = job.connection.recv()
            except (EOFError, ConnectionError):
                answer = None
            except Exception as error:  # noqa: BLE001 - whatever unpickling raises
                answer = failure_of(error, "reading an answer")
            yield job, answer

    def late(self) -> list[JobProcess]:
        """Those that should have ended their task by now: they hang, most likely in the solver."""
        now = time.monotonic()
        return [job for job in self._jobs if job.task is not None and now > job.deadline]

    def replace(self, job: JobProcess) -> None:
        """Stop a process, and start another in its place; where the system gives none, the others do it.

        Raises:
            OSError: there are no others.
        """
        job.stop()
        others = [other for other in self._jobs if other is not job]
        try:
            self._jobs[self._jobs.index(job)] = JobProcess(others, self._held)
        except OSError:
            if not others:
                raise
            self._jobs.remove(job)
