"""Keeps what a mutated program may do within one folder, should the tool's own walls have a hole (Linux)."""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path
from typing import Any, Final

_NO_NEW_PRIVILEGES: Final = 38
_SUBREAPER: Final = 36
_CREATE, _ADD, _RESTRICT = 444, 445, 446  # Landlock's system calls
_CHANGES: Final = 1 << 1 | sum(1 << bit for bit in range(4, 15))  # all but reading, executing, controls
_OF_A_FILE: Final = 1 << 1 | 1 << 14  # write, truncate
_TCP: Final = 0b11
_SCOPES: Final = 0b11  # abstract sockets, signals
_VERSION: Final = 6  # the first that knows all of these


def enclose(folder: Path) -> bool:
    """Refuse this process and its children all changes outside a folder, TCP, and signals to others.

    Returns:
        Whether the kernel can do that.
    """
    library: Any = ctypes.CDLL(None, use_errno=True)
    library.prctl(_SUBREAPER, 1, 0, 0, 0)  # orphans become ours
    library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    if library.syscall(_CREATE, None, 0, 1) < _VERSION:
        return False
    attributes = struct.pack("=QQQ", _CHANGES, _TCP, _SCOPES)
    ruleset = library.syscall(_CREATE, attributes, len(attributes), 0)
    for path, access in ((folder, _CHANGES), (Path(os.devnull), _OF_A_FILE), (Path("/dev/full"), _OF_A_FILE)):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        library.syscall(_ADD, ruleset, 1, struct.pack("=Qi", access, descriptor), 0)
        os.close(descriptor)
    refused = library.syscall(_RESTRICT, ruleset, 0)
    os.close(ruleset)
    return bool(refused == 0)
