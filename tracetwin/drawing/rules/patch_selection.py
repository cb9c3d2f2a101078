"""The selection of functions to patch: the default, what the user adds, and what the user takes out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

ALL: Final = "all"
"""In place of a name: everything that is on by default."""


class Selection:
    """The user's selection of functions to patch.

    Args:
        more: dotted names of functions to patch besides those that are by default.
        less: names of functions, modules or groups that are not patched; `ALL` for all that are by default.
    """

    def __init__(self, more: Iterable[str] = (), less: Iterable[str] = ()) -> None:
        self.more = tuple(more)
        self._less = frozenset(less)

    def takes(self, title: str, group: str, *, usual: bool = True) -> bool:
        """True if a function that is known is patched."""
        parts = title.split(".")
        names = {".".join(parts[:length]) for length in range(1, len(parts) + 1)} | {group}
        if not names.isdisjoint(self.more):
            return True
        return usual and self._less.isdisjoint({*names, ALL})
