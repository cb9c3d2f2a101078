"""Data between machines on which the same folder lies at different places.

It is pickled between processes of ours. A name of a file in such a folder goes as the number of the folder
and the rest, so that whoever reads it gets the name that it has there.
"""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, TypeAlias

Places: TypeAlias = Mapping[int, str]
"""Folders by their numbers, the same numbers on both sides."""


def dumped(data: object, places: Places) -> bytes:
    """Return data as bytes that `loaded` reads elsewhere."""
    target = io.BytesIO()
    _Writer(target, places).dump(data)
    return target.getvalue()


def loaded(data: bytes, places: Places) -> Any:
    """Return the data, with the names that files have here."""
    return _Reader(io.BytesIO(data), places).load()


class _Writer(pickle.Pickler):
    def __init__(self, target: io.BytesIO, places: Places) -> None:
        super().__init__(target, protocol=5)
        self._places = sorted(places.items(), key=lambda item: -len(item[1]))

    def persistent_id(self, obj: Any) -> Any:
        kind: type = type(obj)
        if kind is not str and not issubclass(kind, PurePath):
            return None
        text = str(obj)
        for number, place in self._places:
            if text == place or text.startswith(place + os.sep):
                return kind is str, number, text[len(place) :]
        parts = _parts(text, self._places) if kind is str else []
        return parts if len(parts) > 1 else None


def _parts(text: str, places: list[tuple[int, str]]) -> list[int | str]:
    """A text, such as a message, with the folders that it names as their numbers."""
    parts: list[int | str] = [text]
    for number, place in places:
        split: list[int | str] = []
        for part in parts:
            pieces = part.split(place + os.sep) if isinstance(part, str) else [part]
            for piece in pieces:
                split += [piece, number]
            split.pop()
        parts = split
    return parts


class _Reader(pickle.Unpickler):
    def __init__(self, source: io.BytesIO, places: Places) -> None:
        super().__init__(source)
        self._places = places

    def persistent_load(self, pid: Any) -> Any:
        from pathlib import Path

        if isinstance(pid, list):
            return "".join(part if isinstance(part, str) else self._places[part] + os.sep for part in pid)
        is_text, number, rest = pid
        name = self._places[number] + rest
        return name if is_text else Path(name)
