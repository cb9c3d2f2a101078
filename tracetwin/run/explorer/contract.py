"""The contract of explorers with the scheduler, wherever their processes are."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from tracetwin.run.explorer.session import GRACE_SECONDS
from tracetwin.run.tasks import ExploreTask, SuiteTask, Task

if TYPE_CHECKING:
    from typing_extensions import Self

OTHER_SECONDS: Final = 120.0
"""Time for the tasks that have none of their own: they end by limits within."""

SUITE_SECONDS: Final = 400.0
"""Time for replaying, writing and running tests, which have limits of their own within."""


SUITE_GRACE: Final = 60.0
"""How much longer than it should a suite may take before its process is ended, which loses all its tests."""


class ExplorerHandle(ABC):
    """The scheduler's side of one explorer process.

    Attributes:
        task: what it works on, None when idle.
        began: when it was given it.
        deadline: when it must have ended the task; after that it hangs.
        vanished: it ended with its machine, which is not the fault of the task.
    """

    def __init__(self) -> None:
        self.task: Task | None = None
        self.began = self.deadline = 0.0
        self.vanished = False

    def give(self, task: Task) -> None:
        """Hand over a task.

        Raises:
            ConnectionError: the process has ended.
        """
        self.task = task
        seconds = task.seconds if isinstance(task, ExploreTask) else OTHER_SECONDS
        if isinstance(task, SuiteTask):
            seconds = min(SUITE_SECONDS, task.within + SUITE_GRACE)
        self.began = time.monotonic()
        self.deadline = self.began + seconds + GRACE_SECONDS
        self._send(task)

    @abstractmethod
    def _send(self, task: Task) -> None:
        """Let the process have a task."""

    @property
    @abstractmethod
    def ending(self) -> str:
        """How the process ended, after `stop`, for the end of a sentence."""

    @abstractmethod
    def interrupt(self) -> None:
        """Tell it to end its exploration now and to answer with what it has."""

    @abstractmethod
    def stop(self) -> None:
        """End the process and everything below it."""


E = TypeVar("E", bound=ExplorerHandle)


class Explorers(ABC, Generic[E]):
    """Explorers; use it in a `with` block, at whose end they are stopped."""

    def __init__(self) -> None:
        self._jobs: list[E] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for job in self._jobs:
            job.stop()

    def __len__(self) -> int:
        return len(self._jobs)

    def __iter__(self) -> Iterator[E]:
        """The explorers; while one goes through them, they may be replaced."""
        return iter(list(self._jobs))

    def hurry(self) -> None:
        """From now on, wait for no explorer that is not there: there was an interrupt."""

    @abstractmethod
    def answers(self, seconds: float) -> Iterator[tuple[E, object]]:
        """Give the answers that come from the processes within some seconds.

        The end of a process is None, an answer that can't be read a `Failure`: it is as good as ended then.
        """

    def late(self) -> list[E]:
        """Those that should have ended their task by now: they hang, most likely in the solver."""
        now = time.monotonic()
        return [job for job in self._jobs if job.task is not None and now > job.deadline]

    @abstractmethod
    def replace(self, job: E) -> None:
        """Stop a process, and start another in its place; where there can't be one, the others do it.

        Raises:
            OSError: there are no others.
        """
