"""The selection of functions to patch: the default, what the user adds, and what the user takes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from tracetwin.model.patch import NEEDS

ALL: Final = "all"
"""In place of a name: everything that is on by default."""

class Selection:
    """The user's selection of functions to patch.

    Args:
        more: dotted names of functions to patch besides those that are by default.
        less: names of functions, modules or groups that are not patched; `ALL` for all that are by default.
        allowed: what the target may really do, of ``net`` and ``subprocess``.
        writable: files and folders that it may really change.
    """

    def __init__(
        self,
        more: Iterable[str] = (),
        less: Iterable[str] = (),
        allowed: Iterable[str] = (),
        writable: Iterable[str] = (),
    ) -> None:
        self.more = tuple(more)
        self.writable = tuple(writable)
        self._less = frozenset(less)
        self._allowed = frozenset(allowed)

    def takes(self, title: str, group: str, needs: str = "") -> bool:
        """True if a function that is known is patched, which can't be called without what it `needs`."""
        parts = title.split(".")
        names = {".".join(parts[:length]) for length in range(1, len(parts) + 1)} | {group}
        if not names.isdisjoint(self.more):
            return True
        return needs not in self._allowed and self._less.isdisjoint({*names, ALL})

    def behind_walls(self) -> Iterator[tuple[str, str]]:
        """Yield the functions and classes to patch that the walls would refuse, with what they need."""
        for title, needs in NEEDS.items():
            if title not in self.more and self.takes(title, needs, needs):
                yield title, needs

    def stands_in_for(self, cls: type) -> bool:
        """Return whether calls of a class are patched: no instance is made."""
        title = f"{cls.__module__}.{cls.__qualname__}"
        return title in self.more or (title in NEEDS and self.takes(title, NEEDS[title], NEEDS[title]))
