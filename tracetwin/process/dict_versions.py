"""Notices changed dictionaries, without touching what is in them.

Whoever looks at an object counts a reference to it, which writes to its page of memory: in a forked process
that copies the page, and looking through the library copies most of them. CPython up to 3.12 numbers the
states of each dictionary (PEP 509); where there is no such number, all of them may have changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any, Final

from tracetwin.process.walls import sandbox

try:
    import ctypes

    _ctypes: Any = ctypes
except ImportError:
    _ctypes = None

_OFFSET: Final = 24
"""Of the number in a dictionary: after its references, its type and its length."""


def _number(of: dict[Any, Any]) -> Any:
    return _ctypes.c_uint64.from_address(id(of) + _OFFSET)


def _is_numbered() -> bool:
    known = sys.implementation.name == "cpython" and sys.version_info < (3, 13) and sys.maxsize > 1 << 32
    if not known or _ctypes is None:
        return False
    one = {"a": 1}
    numbers = [_number(one).value, _number(one).value]
    for value in (2, 3):
        one["a"] = value
        numbers.append(_number(one).value)
    return bool(numbers[0] == numbers[1] < numbers[2] < numbers[3])


_NUMBERED: Final = _is_numbered()


class Versions:
    """Remembers the states of dictionaries."""

    def __init__(self, dictionaries: Iterable[dict[Any, Any]]) -> None:
        """Take the present states."""
        self._dictionaries = list(dictionaries)  # they stay where they are as long as they live
        with sandbox.looking():
            self._numbers = [_number(one) for one in self._dictionaries] if _NUMBERED else []
        self._before = [number.value for number in self._numbers]

    def changed(self) -> list[int]:
        """The positions of those that may have changed since."""
        if not _NUMBERED:
            return list(range(len(self._dictionaries)))
        return [
            position
            for position, (number, before) in enumerate(zip(self._numbers, self._before, strict=True))
            if number.value != before
        ]
