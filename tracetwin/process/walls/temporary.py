"""Temporary files and folders that a program makes by `tempfile`: what it does in them changes no others."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from tracetwin.process.walls.paths import real, text_of

_lexists = os.path.lexists



class TemporaryFiles:
    """The files and folders that one case has made, all within the scratch folder, as the walls see to."""

    def __init__(self) -> None:
        self._made: set[str] = set()

    def note(self, event: str, args: Sequence[Any]) -> None:
        """Note what is about to be made by `tempfile`; what is there already was not made for this."""
        text = text_of(args[0]) if event.startswith("tempfile.") else None
        if text is not None and not _lexists(text):
            self._made.add(real(text))

    def hold(self, text: str | None) -> bool:
        """Return whether a path is one of them, or is in one."""
        if not self._made or text is None:
            return False
        place = real(text)
        return any(place == one or place.startswith(f"{one}/") for one in self._made)

    def left(self) -> bool:
        """Return whether one of them is still there."""
        return any(map(_lexists, self._made))

    def forget(self) -> None:
        """Begin anew, for another case."""
        self._made.clear()
