"""Tells texts that speak of the folder which the target lies in: elsewhere they are others."""

from __future__ import annotations

import marshal
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tracetwin.model.codec import EQUAL, decode_observation, encode
from tracetwin.model.observation import Observation

if TYPE_CHECKING:
    from tracetwin.target.selection import TargetModule

ELSEWHERE: Final = "/elsewhere/project"
_LEAST_PARTS: Final = 3
"""A folder right below the top is too common a name to be told from any other text."""


class Place:
    """Where a target lies, under all names of it."""

    def __init__(self, module: TargetModule) -> None:
        roots = (module.root, *module.search_path)
        folders = [path for path in roots if len(Path(path).parts) >= _LEAST_PARTS]
        names = {way(path) for path in (module.file, *folders) for way in (str, os.path.realpath)}
        absolute = [name for name in names if Path(name).is_absolute()]
        # The longest first: one may be the beginning of another.
        self._names = sorted(absolute, key=lambda name: (-len(name), name))
        self._bytes = [os.fsencode(name) for name in self._names]

    def moved(self, seen: Observation) -> Observation:
        """The observation that would have been made if the target lay in another folder."""
        plain = encode(seen)
        told = marshal.dumps(plain, EQUAL)
        if not any(name in told for name in self._bytes):
            return seen
        return decode_observation(self._moved(plain))

    def _moved(self, part: Any) -> Any:
        if isinstance(part, str):
            for name in self._names:
                part = part.replace(name, ELSEWHERE)
            return part
        if isinstance(part, bytes):
            for encoded in self._bytes:
                part = part.replace(encoded, ELSEWHERE.encode())
            return part
        if isinstance(part, dict):
            return {name: self._moved(inner) for name, inner in part.items()}
        if isinstance(part, (list, tuple)):
            return type(part)(self._moved(inner) for inner in part)
        return part
