"""What other distributions add by entry points: a broken one costs a sentence, not the run."""

from __future__ import annotations

import functools
from importlib.metadata import EntryPoint

from tracetwin.support.data import dataclass
from tracetwin.support.plugin_files import points_of

THEORIES = "tracetwin.theories"
"""Entry points that name a theory for z3 (a subclass of `tracetwin.solving.smt.theory.Theory`)."""

MODELS = "tracetwin.models"
"""Entry points that name a module which registers models of library functions."""


@dataclass(frozen=True)
class Plugins:
    """The entry points of one group.

    Attributes:
        found: what they name, in the order of their names.
        broken: a sentence about each that can't be loaded.
    """

    found: tuple[object, ...]
    broken: tuple[str, ...]


_broken: list[str] = []


@functools.cache
def plugins(group: str) -> Plugins:
    """Load the entry points of a group, once."""
    found, unusable = [], []
    for point in sorted(points_of(group), key=lambda point: (point.name, point.value)):
        try:
            found.append(point.load())
        except Exception as error:  # noqa: BLE001 - code of others, which may raise anything; it is told
            unusable.append(sentence(group, point, error))
    _broken.extend(unusable)
    return Plugins(tuple(found), tuple(unusable))


def broken() -> tuple[str, ...]:
    """A sentence about each entry point that could not be loaded so far."""
    return tuple(_broken)


def sentence(group: str, point: EntryPoint, error: Exception) -> str:
    """What the user is told of an entry point that can't be used."""
    source = f" of {point.dist.name}" if point.dist is not None else ""
    text = " ".join(str(error).split())
    why = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return f"the entry point {point.name!r}{source} in {group} was left out: {why}"
