"""Locks that a case leaves held: a test that does so would let those after it wait for ever."""

from __future__ import annotations

import _thread
import types
from collections.abc import Iterator
from typing import Any, Final

_LOCKS: Final = (_thread.LockType, _thread.RLock)


def held(module: types.ModuleType) -> set[str]:
    """Names of the locks among a module's globals, and its classes' attributes, that are held now."""
    return {place for place, value in _places(module) if type(value) in _LOCKS and _is_held(value)}


def _places(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Nothing of the target is called to find them."""
    for name, value in list(vars(module).items()):
        yield name, value
        if issubclass(type(value), type):
            inside = type.__getattribute__(value, "__dict__")
            if inside.get("__module__") == module.__name__:
                yield from ((f"{name}.{key}", part) for key, part in list(inside.items()))


def _is_held(lock: Any) -> bool:
    if type(lock) is _thread.LockType:
        return lock.locked()
    return bool(lock._is_owned())  # noqa: SLF001 - there is no other way before Python 3.14
