"""The members of a shard go to a process once: a class of a hundred methods has as many tasks."""

from __future__ import annotations

from dataclasses import replace

from tracetwin.model.invokable import Invokable
from tracetwin.run.tasks import ExploreTask, Task


class SentMembers:
    """The members of the shards that one process knows; its parent keeps one of these, and it another."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], tuple[Invokable, ...]] = {}

    def shortened(self, task: Task) -> Task:
        """Return a task without the members that the process has been sent already."""
        if not isinstance(task, ExploreTask) or not task.members:
            return task
        key = task.index, task.shard
        if self._known.get(key) == task.members:
            return replace(task, members=())
        self._known[key] = task.members
        return task

    def whole(self, task: Task) -> Task:
        """Return a task with its members; what has states always has some."""
        if not isinstance(task, ExploreTask):
            return task
        key = task.index, task.shard
        if task.members:
            self._known[key] = task.members
        return replace(task, members=self._known.get(key, ()))
