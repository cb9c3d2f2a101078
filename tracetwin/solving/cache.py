"""Remember answers: models that may fit again, and conjunctions known to be unsatisfiable."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Final

from runtime.expr import Node
from tracetwin.solving.answers import Answer, Sat, Unknown, Unsat
from tracetwin.solving.task import Task

_MODELS: Final = 12
_REFUTED: Final = 400


class Cache:
    """The stage that has seen it before. Nodes are keys, so it must be emptied when nodes are forgotten."""

    name = "cache"

    def __init__(self) -> None:
        self._models: deque[dict[str, object]] = deque(maxlen=_MODELS)
        self._refuted: OrderedDict[frozenset[Node], None] = OrderedDict()

    def attempt(self, task: Task) -> Answer:
        """A superset of an unsatisfiable set is unsatisfiable; a known model may happen to fit."""
        if task.key in self._refuted or self._contains_refuted(task):
            return Unsat()
        for model in self._models:
            part = {name: model[name] for name in task.names if name in model}
            if not part or any(type(value) is not type(task.current[name]) for name, value in part.items()):
                continue
            values = task.with_changes(part)
            if task.program.holds(values):
                return Sat(values, self.name)
        return Unknown("not seen before")

    def _contains_refuted(self, task: Task) -> bool:
        goal, key = task.goal, task.key
        return any(goal in core and core <= key for core in self._refuted)

    def learn(self, task: Task, answer: Answer) -> None:
        """Take note of an answer that another stage gave."""
        if isinstance(answer, Sat):
            self._models.appendleft({name: answer.model[name] for name in task.names})
        elif isinstance(answer, Unsat):
            self._refuted[task.key] = None
            if len(self._refuted) > _REFUTED:
                self._refuted.popitem(last=False)

    def forget(self) -> None:
        """Drop everything."""
        self._models.clear()
        self._refuted.clear()
