"""The modules that an explorer process has ready, each with its worker: those that it used last."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from runtime import expr
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.process.worker import Worker
    from tracetwin.run.explorer.session import Exploring

OPEN_MODULES: Final = 4
"""Modules that a process has ready where functions of all modules take turns."""

MOST_NODES: Final = 2_000_000
"""Expressions of all of them together; then only one is kept, so that what nobody needs can go."""


@dataclass(frozen=True)
class OpenModule:
    """A module, imported as a twin in a worker."""

    worker: Worker
    exploring: Exploring

    def close(self) -> None:
        """End its processes. What was explored is in the journals, from which it can be gone on with."""
        self.exploring.close()
        self.worker.close()


class OpenModules:
    """The modules that were used last, by their numbers."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: dict[int, OpenModule] = {}

    def known(self, index: int) -> OpenModule | None:
        """Return a module that is ready."""
        return self._known.get(index)

    def get(self, index: int, make: Callable[[], OpenModule]) -> OpenModule:
        """Return a module; the one that was used longest ago goes for a new one."""
        found = self._known.pop(index, None)
        if found is None:
            most = self._most if expr.table_size() < MOST_NODES else 1
            for old in list(self._known)[: len(self._known) - most + 1]:
                self.drop(old)
            found = make()
        self._known[index] = found
        return found

    def drop(self, index: int) -> None:
        """End the processes of a module."""
        found = self._known.pop(index, None)
        if found is not None:
            found.close()

    def close(self) -> None:
        """End the processes of all modules."""
        for index in list(self._known):
            self.drop(index)

    def interrupt(self) -> None:
        """Explorations end at their next run."""
        for found in self._known.values():
            found.exploring.interrupt()

    def is_alone(self, index: int) -> bool:
        """Return whether no other module is ready."""
        return not self._known.keys() - {index}
