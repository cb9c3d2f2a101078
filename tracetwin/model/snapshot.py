"""Snapshots: what was seen of a value, one class per kind; those of plain values are as in recipes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tracetwin.model.recipe import Dictionary, MockNumber, Reference, Scalar, Series, SeriesKind, Variable
from tracetwin.support.data import dataclass


@dataclass(frozen=True, slots=True)
class Opaque:
    """A value of which only the type is known, as ``module:qualname`` or "", and why."""

    type_name: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Iterated:
    """Items that an iterator or a view of a dict gave.

    Attributes:
        type_name: ``module:qualname`` of its type.
    """

    type_name: str
    items: tuple[Snapshot, ...]
    exhausted: bool


@dataclass(frozen=True, slots=True)
class Attributes:
    """An instance, by its attributes; the module of a class that no import can name is "".

    The attribute "" is the value as one of its builtin base, and a name with ``()`` at its end a call:
    ``int()`` of the value, ``.item()`` on it.
    """

    module: str
    qualname: str
    attributes: tuple[tuple[str, Snapshot], ...]


@dataclass(frozen=True, slots=True)
class Built:
    """A value that equals what a call of a standard class or a named tuple returns."""

    module: str
    qualname: str
    args: tuple[Snapshot, ...] = ()
    kwargs: tuple[tuple[str, Snapshot], ...] = ()


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A list or tuple whose members come in another order in another run."""

    kind: SeriesKind
    items: tuple[Snapshot, ...]


@dataclass(frozen=True, slots=True)
class Itself:
    """The receiver of the call."""


Snapshot: TypeAlias = (
    "Scalar | Series[Snapshot] | Dictionary[Snapshot] | Reference | MockNumber"
    " | Variable | Opaque | Iterated | Attributes | Built | Shuffled | Itself"
)
"""A variable is a value of the case itself, by the name that it has there, see `tracetwin.model.given`."""


def parts(snapshot: Snapshot) -> tuple[Snapshot, ...]:
    """The snapshots directly inside one."""
    match snapshot:
        case Scalar() | Reference() | MockNumber() | Variable() | Opaque() | Itself():
            return ()
        case Series() | Iterated() | Shuffled():
            return snapshot.items
        case Dictionary():
            return tuple(part for pair in snapshot.pairs for part in pair)
        case Attributes():
            return tuple(part for _, part in snapshot.attributes)
        case Built():
            return (*snapshot.args, *(part for _, part in snapshot.kwargs))


def within(snapshot: Snapshot) -> Iterator[Snapshot]:
    """The snapshot and all that is inside, from left to right."""
    yield snapshot
    for part in parts(snapshot):
        yield from within(part)


def is_container(snapshot: Snapshot) -> bool:
    """True if it is of a list, dict or set, which may change."""
    is_series = isinstance(snapshot, Series) and snapshot.kind.is_mutable
    return is_series or isinstance(snapshot, Dictionary)


def is_opaque(snapshot: Snapshot) -> bool:
    """True if nothing but the type is known."""
    return isinstance(snapshot, Opaque)
