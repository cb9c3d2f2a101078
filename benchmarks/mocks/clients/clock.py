"""Stop watches and deadlines on a clock that need not be the real one."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float: ...

    def sleep(self, seconds: float) -> None: ...


class SystemClock:
    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class ClockWentBack(RuntimeError):
    pass


class Stopwatch:
    """Laps are told apart by the clock's successive answers."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._started: float | None = None
        self.laps: list[float] = []

    def start(self) -> None:
        if self._started is not None:
            raise RuntimeError("runs already")
        self._started = self._clock.now()

    def lap(self) -> float:
        if self._started is None:
            raise RuntimeError("not started")
        now = self._clock.now()
        if now < self._started:
            raise ClockWentBack(now)
        duration = now - self._started
        self.laps.append(duration)
        self._started = now
        return duration

    def best(self) -> float | None:
        if not self.laps:
            return None
        best = self.laps[0]
        for lap in self.laps[1:]:
            if lap < best:
                best = lap
        return best


def wait_until(condition: Callable[[], bool], clock: Clock, timeout: float = 5.0) -> bool:
    """Poll a condition with growing pauses, until it holds or the time is up."""
    deadline = clock.now() + timeout
    pause = 0.5
    while not condition():
        now = clock.now()
        if now >= deadline:
            return False
        if pause > deadline - now:
            pause = deadline - now
        clock.sleep(pause)
        pause = pause * 2
    return True


def measure(function: Callable[[], object], clock: Clock) -> str:
    """Say how long a call takes, in words."""
    before = clock.now()
    try:
        function()
    except ValueError:
        return "failed"
    seconds = clock.now() - before
    if seconds < 0:
        return "before it began"
    if seconds < 1:
        return "fast"
    return "slow"
