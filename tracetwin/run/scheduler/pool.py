"""The explorer processes of a run on this machine: one that ends is replaced."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext, suppress
from multiprocessing.connection import wait

from tracetwin.run.explorer.contract import Pool
from tracetwin.run.explorer.process import JobProcess
from tracetwin.support.failures import failure_of


class ExplorerPool(Pool[JobProcess]):
    """Processes that were forked from this one."""

    def __init__(self, count: int, held: int = 1) -> None:
        """Start processes: as many as asked for, or as the system gives us.

        Args:
            count: how many.
            held: how many modules each has ready at a time.

        Raises:
            OSError: it gives us none.
        """
        super().__init__()
        self._held = held
        for _ in range(count):
            with suppress(OSError) if self._jobs else nullcontext():
                self._jobs.append(JobProcess(self._jobs, held))

    def answers(self, seconds: float) -> Iterator[tuple[JobProcess, object]]:
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

    def replace(self, job: JobProcess) -> None:
        job.stop()
        others = [other for other in self._jobs if other is not job]
        try:
            self._jobs[self._jobs.index(job)] = JobProcess(others, self._held)
        except OSError:
            if not others:
                raise
            self._jobs.remove(job)
