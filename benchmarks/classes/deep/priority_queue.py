"""Tasks by priority."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field


@dataclass(order=True)
class Task:
    """Something to do; small numbers come first."""

    priority: int
    name: str = field(compare=False)

    def __post_init__(self) -> None:
        if self.priority < 0:
            raise ValueError("priority must not be negative")


class TaskQueue:
    """Hands out tasks, the most urgent first."""

    def __init__(self) -> None:
        self._heap: list[Task] = []
        self._running: Task | None = None

    def submit(self, task: Task) -> bool:
        """Add a task; returns whether it is more urgent than the running one."""
        heapq.heappush(self._heap, task)
        if self._running is not None and task < self._running:
            return True  # goal
        return False

    def start(self) -> Task:
        """Start the most urgent task."""
        if self._running is not None:
            raise RuntimeError("busy")  # goal
        if not self._heap:
            raise LookupError("nothing to do")
        self._running = heapq.heappop(self._heap)
        return self._running

    def finish(self, task: Task) -> bool:
        """Finish the running task; returns whether everything is done."""
        if task is not self._running:
            raise ValueError("that one is not running")
        self._running = None
        if self._heap:
            return False  # goal
        return True  # goal
