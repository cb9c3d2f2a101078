"""The explorers of a run on a cluster: as many as its workers have threads.

Each explorer process is hosted by one worker. What is asked of it are dask tasks that only that worker may
do; an explorer has one of them at a time, which ends within a moment. A worker that is lost takes its
explorers along; what these had written down has come here before, and whoever takes a task over goes on
from there. New workers get explorers as they come.
"""

from __future__ import annotations

import queue
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

from tracetwin.run.cluster import hosted
from tracetwin.run.cluster.client import (
    ANSWER_SECONDS,
    ENDING_SECONDS,
    SECONDS,
    asked,
    connected,
    why_unfit,
    within,
    workers_of,
)
from tracetwin.run.cluster.places import dumped, loaded
from tracetwin.run.cluster.sources import sources_of
from tracetwin.run.explorer.contract import ExplorerHandle, Explorers
from tracetwin.run.learning.recording import FILE
from tracetwin.run.tasks import ExploreTask
from tracetwin.support.errors import ConfigError
from tracetwin.support.failures import Failure, failure_of

if TYPE_CHECKING:
    from tracetwin.run.tasks import Task
    from tracetwin.target.module import TargetModule

WATCH_SECONDS: Final = 1.0
"""How often is looked which workers there are."""


class RemoteExplorer(ExplorerHandle):
    """The scheduler's side of an explorer process on a worker.

    Attributes:
        worker: the address of the worker.
        future: what is asked of it at the moment.
    """

    def __init__(
        self, client: Any, worker: str, places: dict[int, str], done: Callable[[RemoteExplorer, Any], None]
    ) -> None:
        super().__init__()
        self.worker = worker
        self.name = secrets.token_hex(8)
        self.future: Any = None
        self._client = client
        self._places = places
        self._done = done
        self._ending = "ended"
        self._sent: set[Path] = set()

    def _send(self, task: Task) -> None:
        self.ask(dumped(hosted.HostedTask(task, tuple(self._files(task))), self._places))

    def _files(self, task: Task) -> Iterator[tuple[Path, bytes]]:
        """The files that a task reads that this explorer does not have yet."""
        wanted = [task.journal] if isinstance(task, ExploreTask) else []
        learned = task.module.rules.get(FILE)
        for file in (*wanted, *([Path(learned)] if learned else [])):
            if file not in self._sent and file.exists():
                yield file, file.read_bytes()
            self._sent.add(file)

    def ask(self, data: bytes | None = None) -> None:
        """Hand a task over, or ask how it goes."""
        self.future = self._on_worker(hosted.work, self.name, data)
        self.future.add_done_callback(lambda future: self._done(self, future))

    def _on_worker(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._client.submit(function, *arguments, workers=[self.worker], pure=False, retries=0)

    def news(self) -> Iterator[object]:
        """Give what it has said, as `Pool.answers` does."""
        from distributed import KilledWorker
        from distributed.client import FutureCancelledError

        try:
            news: hosted.News = loaded(self.future.result(), self._places)
        except (KilledWorker, LookupError, FutureCancelledError):
            self.vanished = True
            yield None
            return
        except Exception as error:  # noqa: BLE001 - of any kind: its task is done by another one
            yield failure_of(error, "hearing of an explorer on the cluster")
            return
        if news.journal is not None:
            _write(*news.journal)
        yield from news.answers
        if news.ended:
            self._ending = news.ended
            yield None

    @property
    def ending(self) -> str:
        return "ended with its worker" if self.vanished else self._ending

    def interrupt(self) -> None:
        self._tell(hosted.interrupt)

    def stop(self) -> None:
        self.task = None
        self.future = None
        if not self.vanished:
            self._tell(hosted.stop)

    def _tell(self, function: Callable[[str], None]) -> None:
        """Have something done at once, though all threads of the worker may be at work."""
        with suppress(Exception):  # it is gone, as is then what should be ended
            if self.worker in workers_of(self._client):
                told = [self.worker]
                within(ANSWER_SECONDS, self._client.run, function, self.name, workers=told, on_error="ignore")


def _write(file: Path, place: int, data: bytes) -> None:
    """Put what an explorer has written down where another one will look for it."""
    with file.open("r+b" if file.exists() else "x+b") as target:
        file.chmod(0o600)
        target.truncate(place)
        target.seek(place)
        target.write(data)


class ClusterPool(Explorers[RemoteExplorer]):
    """Explorers on the workers of a cluster."""

    def __init__(
        self,
        address: str,
        modules: Sequence[TargetModule],
        journals: Sequence[Path],
        say: Callable[[str], None],
        *,
        held: int = 1,
        shared: bool = True,
    ) -> None:
        """Start explorers on the workers that are there.

        Args:
            address: see `connected`.
            modules: the targets.
            journals: the folders of their journals.
            say: is told what the user should know.
            held: how many modules each explorer has ready at a time.
            shared: whether workers may use sources that they see at the same place.

        Raises:
            ConfigError: there is no cluster, or no worker of it fits.
            TargetError: the targets can't be worked on there.
        """
        super().__init__()
        self._say = say
        self._held = held
        self._shared = shared
        self._run = f"run-{secrets.token_hex(8)}"
        self._sources = sources_of(modules)
        first = len(self._sources.folders)
        self._journals = {first + number: str(folder) for number, folder in enumerate(journals)}
        self._places = {**self._sources.folders, **self._journals}
        self._queue: queue.SimpleQueue[tuple[RemoteExplorer, Any]] = queue.SimpleQueue()
        self._unfit: dict[str, str] = {}
        self._watched = 0.0
        self._patience = SECONDS
        with ExitStack() as stack:
            self._client = stack.enter_context(connected(address, say))
            self._grow(self._workers())
            if not self._jobs:
                raise ConfigError("", "cluster", "; ".join(self._unfit.values()) or "no worker can be used")
            self._stack = stack.pop_all()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._stack:
            super().__exit__(kind, error, trace)
            with suppress(Exception):  # its workers may be gone by now
                within(ANSWER_SECONDS, self._client.run, hosted.end, self._run, on_error="ignore")

    def hurry(self) -> None:
        self._patience = ENDING_SECONDS

    def _workers(self) -> dict[str, int]:
        """Return the threads of each worker that is there now.

        Raises:
            OSError: nobody answers.
        """
        self._watched = time.monotonic()
        return workers_of(self._client)

    def _grow(self, workers: dict[str, int]) -> None:
        """Give each worker that fits as many explorers as it has threads."""
        there = Counter(job.worker for job in self._jobs)
        for worker, threads in workers.items():
            if worker not in self._unfit:
                self._unfit[worker] = why_unfit(self._client, worker, self._patience)
                if self._unfit[worker]:
                    self._say(f"warning: not used: {self._unfit[worker]}")
            for _ in range(0 if self._unfit[worker] else threads - there[worker]):
                with suppress(OSError):
                    self._jobs.append(self._started(worker))

    def _started(self, worker: str) -> RemoteExplorer:
        """Start an explorer on a worker.

        Raises:
            OSError: it could not be started there.
        """
        job = RemoteExplorer(self._client, worker, self._places, lambda *found: self._queue.put(found))
        manifests = self._sources.manifests
        try:
            places, missing = asked(
                self._client, worker, self._patience, hosted.prepare, self._run, self._sources.folders,
                manifests, self._shared,
            )  # fmt: skip
            blobs = self._sources.blobs(missing)
            journals = {number: Path(folder).name for number, folder in self._journals.items()}
            asked(
                self._client, worker, self._patience, hosted.begin, self._run, job.name, self._held, places,
                manifests, blobs, journals,
            )  # fmt: skip
        except Exception as error:
            raise OSError(f"{worker}: {error}") from error
        return job

    def answers(self, seconds: float) -> Iterator[tuple[RemoteExplorer, object]]:
        yield from self._lost()
        try:
            found = [self._queue.get(timeout=seconds)]
        except queue.Empty:
            return
        while not self._queue.empty():
            found.append(self._queue.get())
        for job, future in found:
            if future is not job.future:
                continue  # it was stopped
            ended = False
            for answer in job.news():
                ended = answer is None or isinstance(answer, Failure)
                yield job, answer
            if job.task is not None and not ended:
                job.ask()

    def _lost(self) -> Iterator[tuple[RemoteExplorer, object]]:
        """Now and then: whose worker is gone; and explorers for those that have come."""
        if time.monotonic() - self._watched < WATCH_SECONDS:
            return
        workers = self._workers()
        for job in self:
            if job.worker not in workers:
                job.vanished = True
                if job.task is None:
                    self._jobs.remove(job)
                else:
                    yield job, None
        self._grow(workers)
        self._await_any()

    def replace(self, job: RemoteExplorer) -> None:
        job.stop()
        self._jobs.remove(job)
        self._grow(self._workers())
        self._await_any()

    def _await_any(self) -> None:
        """Wait for a worker where there is none.

        Raises:
            OSError: none came.
        """
        began = time.monotonic()
        while not self._jobs:
            if time.monotonic() - began > self._patience:
                raise OSError("no worker of the cluster is left")
            time.sleep(WATCH_SECONDS)
            self._grow(self._workers())
