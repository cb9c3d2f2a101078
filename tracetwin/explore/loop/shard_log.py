"""The journal of what is explored in one process: it is gone through again, then gone on with.

An exploration is decided by its tasks, the replies of its runs, the answers of the solver and the moments at
which its time was up. All of these are written down; where they are read again, the exploration does what it
did, without running and solving anything, up to the point where it broke off.
"""

from __future__ import annotations

import hashlib
import marshal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

from tracetwin.explore.loop.digests import Digests
from tracetwin.explore.loop.past import (
    ANSWERED,
    ASKED,
    DIED,
    DONE,
    HUNG,
    LATE,
    MARK_BYTES,
    QUESTION,
    REPLY,
    RUN,
    RUN_HEAD,
    TASK,
    TIMEOUT,
    Asked,
    Begun,
    Past,
    PastTask,
    plain_answer,
)
from tracetwin.solving.answers import Answer, Problem, Unknown
from tracetwin.support.records import Journal
from tracetwin.support.worker_errors import ReplyNotPlain, RunnerDied, RunnerTimeout

ENDED: Final = "z3 did not stop at its limits, and was ended"
_Message: TypeAlias = tuple[str, dict[str, Any]]
_PLAIN: Final = 2  # the version of marshal in which equal data have equal bytes


class Learning(Protocol):
    """A solver that is told what it has answered at another time."""

    def solve(self, problem: Problem) -> Answer:
        """Its answer."""

    def recall(self, problem: Problem, answer: Answer) -> None:
        """Take note of an answer."""


class ShardLog:
    """Writes down what becomes of the tasks of a shard, and answers from there what was asked before.

    Attributes:
        regained: seconds that the task at hand has spent on going through its past.
        interrupted: the task at hand is broken off, and not to be taken for ended.
    """

    def __init__(self, path: Path, *, lost: bool = False, live: Callable[[], None] = lambda: None) -> None:
        self.regained = 0.0
        self.interrupted = False
        self._journal = Journal(path)
        self._past = Past(self._journal, lost=lost)
        self._waiting = list(self._past.tasks)
        self._segment = self._past.segment
        self._on_live = live
        self._task: PastTask | None = None
        self._since = 0.0
        self._checks = 0
        self._count = len(self._past.tasks)
        self._index = 0
        self._epoch: object = None
        self._question = b""
        self._digests = Digests()

    @property
    def failure(self) -> str:
        """Why nothing more is written down, "" where all is."""
        return self._journal.failure

    @property
    def hung(self) -> bool:
        """Return whether questions were left without an answer for good."""
        return bool(self._past.hung)

    def close(self) -> None:
        self._journal.close()

    # -- tasks

    def before(self, key: tuple[str, int]) -> list[Begun]:
        """The tasks of the past that came before one and were not gone through yet."""
        keys = [task.begun.key for task in self._waiting]
        count = keys.index(key) if key in keys else len(keys)
        return [task.begun for task in self._waiting[:count]]

    def begin(self, begun: Begun) -> Begun:
        """From now on, this is what is done: again, where it is the next one of the past.

        Returns:
            The task as it was given then, else as it is given now.
        """
        self._checks = 0
        self.regained = 0.0
        self.interrupted = False
        self._segment += 1
        self._epoch = None  # until now the worker may have told of expressions to others
        if self._waiting and self._waiting[0].begun.key == begun.key:
            self._task = self._waiting.pop(0)
            self._index = self._task.index
            self._since = time.monotonic()
            begun = self._task.begun
            self._go_on()
        else:
            self._task = None
            self._index = self._count
            self._count += 1
            self._add(TASK + marshal.dumps(tuple(begun)))
            self._on_live()
        return begun

    def end(self) -> None:
        """The task came to its end."""
        done_before = self._task is not None and (self._task.done or not self._task.last)
        self._leave_past()
        if not done_before:
            self._add(DONE + marshal.dumps(self._index))

    @property
    def is_past(self) -> bool:
        """Return whether what is done now was done before, so that nothing new is found."""
        return self._task is not None

    def regained_by(self, now: float) -> float:
        """Seconds that the task at hand has spent on its past up to a `time.monotonic` value."""
        return self.regained if self._task is None else self.regained + now - self._since

    def _go_on(self) -> None:
        """After something was taken out of the past: live on where that was the last of it."""
        task = self._task
        if task is not None and not task.left and task.last and not task.done:
            self._leave_past()
            self._on_live()

    def _miss(self) -> None:
        """Something is done that was not done before."""
        if self._task is not None:
            self._leave_past()
            self._on_live()

    def _leave_past(self) -> None:
        if self._task is not None:
            self.regained += time.monotonic() - self._since
            self._task = None

    def late(self, deadline: float) -> bool:
        """Return whether time is up: when it was, or, without a past, by the clock."""
        self._checks += 1
        task = self._task
        if task is not None and deadline > 0:
            over = not (task.left or task.done or task.last)
            return over or self._checks in task.late
        if time.monotonic() - self.regained < deadline:
            return False
        self._add(LATE + marshal.dumps((self._index, self._checks)))
        return True

    # -- runs

    def worker(self, worker: Asked) -> Asked:
        """A worker whose replies are written down."""
        return _Worker(self, worker)

    def request(self, message: _Message, worker: Asked) -> Any:
        """The reply of the past, else the worker's."""
        mark = hashlib.blake2b(marshal.dumps(message, _PLAIN), digest_size=MARK_BYTES).digest()
        known = self._past.run(mark)
        if known is None:
            self._miss()
            return self._really(mark, message, worker)
        kind, reply = known
        self._go_on()
        if kind != REPLY:
            raise _error(kind, *reply)
        return reply

    def _really(self, mark: bytes, message: _Message, worker: Asked) -> Any:
        fresh = self._epoch is None
        try:
            reply = worker.request((message[0], {**message[1], "fresh": True}) if fresh else message)
        except RunnerTimeout as error:
            self._add_run(mark, TIMEOUT, (str(error), error.line))
            raise
        except RunnerDied as error:
            self._add_run(mark, DIED, (str(error), error.line))
            raise
        except ReplyNotPlain as error:
            self._add_run(mark, DIED, (str(error), 0))
            raise
        if reply["epoch"] != self._epoch:
            self._epoch = reply["epoch"]
            self._segment += 1
        self._add_run(mark, REPLY, reply)
        return reply

    def _add_run(self, mark: bytes, kind: bytes, reply: Any) -> None:
        self._add(RUN_HEAD.pack(RUN, mark, self._segment, kind) + marshal.dumps(reply))

    # -- questions

    def solver(self, solver: Learning) -> LoggedSolver:
        """A solver whose answers are written down."""
        return LoggedSolver(self, solver)

    def solve(self, problem: Problem, solver: Learning) -> Answer:
        """The answer of the past, else the solver's."""
        mark = QUESTION.pack(self._digests.of_problem(problem), problem.effort)
        known = self._remembered(mark)
        if known is not None:
            solver.recall(problem, known)
            self._go_on()
            return known
        if self._past.hangs(mark):
            return Unknown(ENDED)
        self._miss()
        self._question = mark
        self._add(ASKED + mark)
        answer = solver.solve(problem)
        self._add(ANSWERED + mark + marshal.dumps(plain_answer(answer)))
        self._question = b""
        return answer

    def _remembered(self, mark: bytes) -> Answer | None:
        """The next answer of the past, as long as the questions are the same ones."""
        task = self._task
        if task is None or not task.answers or task.answers[0][0] != mark:
            return None
        task.left -= 1
        return task.answers.popleft()[1]

    def give_up(self) -> None:
        """No answer will come to the question under way, now or at another time."""
        if self._question:
            self._add(HUNG + self._question)

    def _add(self, payload: bytes) -> None:
        if not self.interrupted:  # what is done then, is done in haste
            self._journal.add(payload)


def _error(kind: bytes, reason: str, line: int) -> RunnerTimeout | RunnerDied:
    """Return the error that is raised where a run gave no reply."""
    return RunnerTimeout(reason, line) if kind == TIMEOUT else RunnerDied(reason, line=line)


class _Worker:
    def __init__(self, log: ShardLog, worker: Asked) -> None:
        self._log, self._worker = log, worker

    def request(self, message: Any) -> Any:
        return self._log.request(message, self._worker)

    def replace_runner(self) -> None:
        self._worker.replace_runner()


class LoggedSolver:
    """A solver behind a journal."""

    def __init__(self, log: ShardLog, solver: Learning) -> None:
        self._log, self._solver = log, solver

    def solve(self, problem: Problem) -> Answer:
        """See `ShardLog.solve`."""
        return self._log.solve(problem, self._solver)
