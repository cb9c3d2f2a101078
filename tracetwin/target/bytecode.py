"""Modules that come as bytecode only: whether this interpreter can load them. Nothing in them is read."""

from __future__ import annotations

import importlib.util
import platform
from typing import Final

from tracetwin.support.errors import TargetError

HEADER_BYTES: Final = 16

# The last magic number of each version, as CPython's `importlib` lists them; within a version they only grow.
_LAST_NUMBERS: Final = (
    (3131, "3.0"), (3151, "3.1"), (3180, "3.2"), (3230, "3.3"), (3310, "3.4"), (3351, "3.5"), (3379, "3.6"),
    (3394, "3.7"), (3413, "3.8"), (3425, "3.9"), (3439, "3.10"), (3495, "3.11"), (3531, "3.12"),
    (3599, "3.13"), (3649, "3.14"),
)  # fmt: skip


def check(target: str, name: str, data: bytes) -> None:
    """Refuse bytecode that this interpreter would not load.

    Args:
        target: what to call it in an error.
        name: the module.
        data: the file, or its beginning.

    Raises:
        TargetError: another Python made it, or it is no bytecode at all.
    """
    magic = data[:4]
    if magic == importlib.util.MAGIC_NUMBER and len(data) >= HEADER_BYTES:
        return
    if magic[2:] != b"\r\n" or len(data) < HEADER_BYTES:
        raise TargetError(target, f"module '{name}' is no bytecode of CPython, and there is no source of it")
    made_by = _version(int.from_bytes(magic[:2], "little"))
    reason = f"module '{name}' is bytecode of {made_by}, and this is Python {platform.python_version()}"
    raise TargetError(target, f"{reason}; run tracetwin with the Python that it was compiled by")


def _version(number: int) -> str:
    if 3000 <= number <= _LAST_NUMBERS[-1][0]:
        return "Python " + next(version for last, version in _LAST_NUMBERS if number <= last)
    return "Python 2" if number > 50_000 else f"another Python (magic number {number})"
