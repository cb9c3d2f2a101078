"""Change detection: pictures of what can be reached from it, before and after.

A call that changed nothing brings no object into another state: the shorter sequence without it does the same
(JTestCraft 4.3: paths that did not influence what follows are pruned).
"""

from __future__ import annotations

import enum
from collections import deque
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Final, TypeAlias

from runtime.classes import bases_of
from runtime.containers import CONTAINERS
from runtime.values import TRACED_IDS
from tracetwin.model.recipe import CallResult, PreparedObject, Variable, walk
from tracetwin.model.recipes import Recipe
from tracetwin.process.own_attributes import own_attributes

Picture: TypeAlias = list[tuple[str, Any]]

MOST_CELLS: Final = 300

_EXACT: Final = frozenset(map(id, (int, bool, float, str, bytes, complex, type(None))))
_ROWS: Final = frozenset(map(id, (list, tuple, deque, set, frozenset, dict, *CONTAINERS)))
_FIXED: Final = (enum.Enum, type, FunctionType, BuiltinFunctionType, MethodType, ModuleType)


def picture(value: Any) -> Picture | None:
    """The objects that can be reached from one, or None where not all of it can be looked at."""
    found: Picture = []
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        thing = waiting.pop()
        kind = type(thing)
        if id(kind) in _EXACT:
            found.append(("exact", (kind, thing)))
        elif id(kind) in TRACED_IDS or isinstance(thing, _FIXED) or id(thing) in seen:
            found.append(("same", thing))
        else:
            seen.add(id(thing))
            parts = _parts(thing)
            if parts is None or len(found) + len(parts) > MOST_CELLS:
                return None
            found.append(("same", thing))
            found.append(("exact", (int, len(parts))))
            waiting += parts
    return found


def changed(before: Picture | None, after: Picture | None) -> bool:
    """True if two pictures of one object differ; where there is none they may."""
    if before is None or after is None or len(before) != len(after):
        return True
    return not all(_equal(one, other) for one, other in zip(before, after, strict=True))


def _equal(one: tuple[str, Any], other: tuple[str, Any]) -> bool:
    if one[0] != other[0]:
        return False
    if one[0] == "same":
        return one[1] is other[1]
    return one[1][0] is other[1][0] and repr(one[1][1]) == repr(other[1][1])


def _parts(thing: Any) -> list[Any] | None:
    """The parts of an object, read without running its code; None where they can't be seen."""
    kind = type(thing)
    if id(kind) in _ROWS:
        return _row(thing)
    held = _attributes(thing)
    for base in bases_of(kind)[1:-1]:
        if id(base) in _ROWS:
            return [*_row(thing), *held]
    hidden = any(base.__module__ in ("builtins", "_io", "_collections") for base in bases_of(kind)[:-1])
    known = held or hasattr(kind, "__slots__") or own_attributes(thing) is not None
    return held if known and not hidden else None


def _row(thing: Any) -> list[Any]:
    """The elements of a container or of an object of a class derived from one."""
    native = next(base for base in _ITERATE if isinstance(thing, base))
    if issubclass(native, dict):
        return [part for pair in dict.items(thing) for part in pair]
    return list(_ITERATE[native](thing))


_ITERATE: Final[dict[type, Any]] = {
    kind: kind.__iter__ for kind in (list, tuple, deque, set, frozenset, dict)
}


def _attributes(thing: Any) -> list[Any]:
    """The values of an object's attributes, those in slots included."""
    found: list[Any] = [part for pair in (own_attributes(thing) or {}).items() for part in pair]
    for base in bases_of(type(thing)):
        slots = vars(base).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name.startswith("__") and not name.endswith("__"):
                name = f"_{base.__name__.lstrip('_')}{name}"  # noqa: PLW2901 - as the compiler mangles it
            try:
                found.append(object.__getattribute__(thing, name))
            except AttributeError:
                continue
    return found


def holds_object(recipe: Recipe) -> bool:
    """True if a value that a recipe makes is or holds an object that others may know."""
    return any(isinstance(part, (PreparedObject, CallResult, Variable)) for part in walk(recipe))
