"""Traced octets in a bytearray of the program's, which itself can hold plain ones only.

What was put into a buffer is remembered beside it, for as long as the buffer holds just that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from runtime import trace
from runtime.containers.bytearrays import SBytearray, bytes_of
from runtime.private_builtins import keep_builtins
from runtime.values import plain

keep_builtins(globals())

_HELD: Final[dict[int, tuple[bytearray, list[Any]]]] = {}
"""The octets by the identity of the buffer, which is held so that no other gets its number."""


def fill_buffer(buffer: bytearray, octets: Sequence[Any]) -> None:
    """Put traced octets into a buffer, whose own length they have."""
    if type(buffer) is SBytearray:
        buffer[:] = bytes_of(octets)
        return
    buffer[:] = bytes(map(plain, octets))
    _HELD[id(buffer)] = (buffer, list(octets))
    trace.traced_keys = True  # from now on, items are looked up with care


def octets_of(buffer: bytearray) -> list[Any] | None:
    """Return the octets of a buffer; None where they are not known, or where others were written."""
    known = _HELD.get(id(buffer))
    if known is None or known[0] is not buffer or buffer != bytes(map(plain, known[1])):
        return None
    return known[1]


def slice_of(octets: list[Any], key: slice) -> bytearray:
    """Return a slice of a buffer, which is another one."""
    made = bytearray(len(octets[key]))
    fill_buffer(made, octets[key])
    return made


def forget() -> None:
    """Let go of all buffers: the run that filled them is over."""
    _HELD.clear()
