"""`repr` and `str` of containers as expressions of the texts of their parts."""

from __future__ import annotations

from typing import Any, Final

from runtime.containers.dicts import SDict
from runtime.containers.lists import SList
from runtime.containers.sets import SSet
from runtime.containers.sized import pin_length
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import binary
from runtime.scalars.text import as_text
from runtime.values import TRACED, SStr, kind_of, lose_all

keep_builtins(globals())

_BRACKETS: Final[dict[type, str]] = {
    list: "[]", SList: "[]", tuple: "()", dict: "{}", SDict: "{}", set: "{}", SSet: "{}",
}  # fmt: skip
_DICTS: Final = frozenset((dict, SDict))
_SETS: Final = frozenset((set, SSet, frozenset))
SHOWN: Final = frozenset((*_BRACKETS, frozenset))
"""Types of containers whose text is made here."""

_NATIVE: Final = {"repr": repr, "ascii": ascii}
_within: Final[list[int]] = []
"""Identities of the containers that are being shown: one that holds itself is not gone into again."""


def shown(value: Any, op: str = "repr") -> Any:
    """Return `repr(value)` or `ascii(value)`, traced where a part of a container is."""
    kind = kind_of(value)
    if kind in TRACED:
        return as_text(op, value)
    if kind not in SHOWN:
        return _NATIVE[op](value)
    if id(value) in _within:
        return "set(...)" if kind in _SETS else "...".join(_BRACKETS[kind])
    _within.append(id(value))
    try:
        return _shown(value, kind, op)
    finally:
        _within.pop()


def as_str(value: Any) -> Any:
    """Return `str(value)`, traced where something in the value is."""
    kind = kind_of(value)
    if kind in TRACED:
        return as_text("str", value)
    return shown(value) if kind in SHOWN else str(value)


def _shown(value: Any, kind: type, op: str) -> Any:
    if kind in _SETS and not _settled_order(value):
        return _NATIVE[op](value)
    if kind in (SList, SDict, SSet):
        pin_length(value)
    raw: Any = dict if kind in _DICTS else set if kind is SSet else list if kind is SList else kind
    if not raw.__len__(value):
        return _NATIVE[op](value)
    parts = [shown(part, op) for part in raw.__iter__(value)]
    if raw is dict:
        values = [shown(part, op) for part in dict.values(value)]
        parts = [_joined((key, ": ", part)) for key, part in zip(parts, values, strict=True)]
    return _enclosed(kind, parts)


def _enclosed(kind: type, parts: list[Any]) -> Any:
    first, last = ("frozenset({", "})") if kind is frozenset else tuple(_BRACKETS[kind])
    pieces = [first, parts[0]]
    for part in parts[1:]:
        pieces += [", ", part]
    if kind is tuple and len(parts) == 1:
        pieces.append(",")
    return _joined((*pieces, last))


def _joined(pieces: tuple[Any, ...]) -> Any:
    """Return the pieces as one text."""
    result = pieces[0]
    for piece in pieces[1:]:
        traced = type(piece) is SStr or type(result) is SStr
        result = binary("add", result, piece) if traced else result + piece
    return result


def _settled_order(elements: Any) -> bool:
    """Return whether a set has at most one element; pin the elements of others: their hashes order them."""
    size = frozenset.__len__(elements) if type(elements) is frozenset else set.__len__(elements)
    if size < 2:
        return True
    lose_all("set.__repr__", *(set if type(elements) is not frozenset else frozenset).__iter__(elements))
    return False
