"""A state machine with guards and listeners."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Protocol


class State(enum.Enum):
    IDLE = "idle"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"


class Listener(Protocol):
    def leaving(self, state: State) -> bool | None: ...

    def entered(self, state: State, data: int) -> None: ...


class Job(Protocol):
    """What the machine runs."""

    progress: int

    def step(self) -> int: ...

    def can_pause(self) -> bool: ...


class TransitionError(Exception):
    pass


class Machine:
    def __init__(
        self,
        job: Job,
        listener: Listener | None = None,
        guard: Callable[[State, State], bool] | None = None,
    ) -> None:
        self.job = job
        self.listener = listener
        self.guard = guard
        self.state = State.IDLE
        self.history: list[State] = []

    def _go(self, target: State, data: int = 0) -> bool:
        if self.guard is not None and not self.guard(self.state, target):
            return False
        if self.listener is not None and self.listener.leaving(self.state) is False:
            raise TransitionError("vetoed")
        self.history.append(self.state)
        self.state = target
        if self.listener is not None:
            self.listener.entered(target, data)
        return True

    def start(self) -> bool:
        if self.state is State.RUNNING:
            raise TransitionError("runs already")
        return self._go(State.RUNNING)

    def pause(self) -> bool:
        if self.state is not State.RUNNING:
            raise TransitionError("does not run")
        if not self.job.can_pause():
            return False
        return self._go(State.PAUSED)

    def tick(self) -> int:
        """Do one step, and see whether that was the last."""
        if self.state is not State.RUNNING:
            return 0
        try:
            done = self.job.step()
        except StopIteration:
            self._go(State.DONE, self.job.progress)
            return -1
        if done > 0 and self.job.progress >= 100:
            self._go(State.DONE, done)
        elif done == 0:
            self._go(State.IDLE)
        return done


def run(job: Job, limit: int = 3) -> str:
    """Run a job on a machine of its own."""
    machine = Machine(job)
    machine.start()
    for _ in range(limit):
        machine.tick()
        if machine.state is State.DONE:
            return "done"
        if machine.state is State.IDLE:
            return "stalled"
    return "unfinished"
