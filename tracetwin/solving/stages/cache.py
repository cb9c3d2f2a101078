"""Remember answers: models that may fit again, and conjunctions known to be unsatisfiable."""

from __future__ import annotations

import itertools
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from typing import Final

from runtime.expr import Node
from tracetwin.solving.answers import Answer, Sat, Unknown, Unsat
from tracetwin.solving.task import Stage, Task

_MODELS: Final = 12
_REFUTED: Final = 400
_HANDED_ON: Final = 4


class Cache(Stage):
    """The stage that has seen it before. Nodes are keys, so it must be emptied when nodes are forgotten.

    Attributes:
        shared: models from the explorations of other functions: plain values, which outlive all nodes.
    """

    name = "cache"

    def __init__(self) -> None:
        self._models: deque[dict[str, object]] = deque(maxlen=_MODELS)
        self.shared: Sequence[Mapping[str, object]] = ()
        self._refuted: OrderedDict[Node, list[frozenset[Node]]] = OrderedDict()  # by goal
        self._count = 0

    def attempt(self, task: Task) -> Answer:
        """A superset of an unsatisfiable set is unsatisfiable; a known model may happen to fit."""
        if any(core <= task.key for core in self._refuted.get(task.goal, ())):
            return Unsat()
        for model in itertools.chain(self._models, self.shared):
            part = {name: model[name] for name in task.names if name in model}
            if not part or any(type(value) is not type(task.current[name]) for name, value in part.items()):
                continue
            values = task.with_changes(part)
            if task.program.holds(values):
                return Sat(values, self.name)
        return Unknown("not seen before")

    def learn(self, task: Task, answer: Answer) -> None:
        """Take note of an answer that another stage gave."""
        if isinstance(answer, Sat):
            self._models.appendleft({name: answer.model[name] for name in task.names})
        elif isinstance(answer, Unsat):
            self._refuted.setdefault(task.goal, []).append(task.key)
            self._count += 1
            if self._count > _REFUTED:
                _, oldest = self._refuted.popitem(last=False)
                self._count -= len(oldest)

    def forget(self) -> None:
        self._models.clear()
        self._refuted.clear()
        self._count = 0

    @property
    def latest(self) -> tuple[dict[str, object], ...]:
        """The last models found, for other functions of the module."""
        return tuple(itertools.islice(self._models, _HANDED_ON))
