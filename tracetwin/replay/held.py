"""Locks that a case leaves held: a test that does so would let those after it wait for ever."""

from __future__ import annotations

import _thread
import types
from typing import Any, Final

from tracetwin.replay.leaks import places

_LOCKS: Final = (_thread.LockType, _thread.RLock)


def held(module: types.ModuleType) -> set[str]:
    """Names of the locks among a module's globals, and its classes' attributes, that are held now."""
    return {place for place, value in places(module) if type(value) in _LOCKS and _is_held(value)}


def _is_held(lock: Any) -> bool:
    if type(lock) is _thread.LockType:
        return lock.locked()
    return bool(lock._is_owned())  # noqa: SLF001 - there is no other way before Python 3.14
