"""Where test files go: one name per module of a run, none taken twice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from typing import Final

LONGEST: Final = 200
"""Bytes of a file's name; most file systems allow 255, of which `.new` needs some as well."""


def test_files(modules: Iterable[str], folder: Path) -> list[Path]:
    """`test_<module>.py` for each module, in their order.

    The dots of a module's name become underscores, so that modules of one package do not collide; where two
    names still do, also to a file system that is blind to case, the later ones get a number.

    Args:
        modules: dotted names.
        folder: where the files lie.
    """
    taken: set[str] = set()
    found = []
    for module in modules:
        stem = _short(f"test_{module.replace('.', '_')}")
        stems = (f"{stem}_{number}" if number > 1 else stem for number in count(1))
        free = next(name for name in stems if name.casefold() not in taken)
        taken.add(free.casefold())
        found.append(folder / f"{free}.py")
    return found


def places_of(place: Path) -> tuple[Path, Path]:
    """Return the file of a module's tests, and that of those that pin what looks like a fault."""
    return place, place.with_name(f"{place.stem}_suspicious.py")


def _short(stem: str) -> str:
    """A stem that is no longer than a file's name can be, still another one for each module."""
    data = stem.encode("utf-8", "surrogatepass")
    if len(data) <= LONGEST:
        return stem
    begin = data[: LONGEST - 20].decode("utf-8", "ignore")
    return f"{begin}_{hashlib.sha256(data).hexdigest()[:16]}"
