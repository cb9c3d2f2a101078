"""What only the kernel can promise: Landlock, no new privileges, death with the parent (Linux, by ctypes).

Everything here answers whether it worked, and is quietly absent elsewhere.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_NO_NEW_PRIVS: Final = 38
_SIGKILL: Final = 9
# The three system calls have the same numbers on every architecture.
_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
_RULE_PATH_BENEATH: Final = 1

# Access rights to files, by bit (linux/landlock.h).
_EXECUTE: Final = 1 << 0
_WRITE_FILE: Final = 1 << 1
_CHANGES: Final = sum(1 << bit for bit in (4, 5, 6, 7, 8, 9, 10, 11, 12))  # remove_*, make_*
_REFER: Final = 1 << 13  # ABI 2
_TRUNCATE: Final = 1 << 14  # ABI 3
_TCP: Final = 0b11  # bind and connect, ABI 4
_SCOPES: Final = 0b11  # abstract sockets and signals to outside, ABI 6


class Kernel:
    """The C library, loaded once, before the audit hook refuses to load anything."""

    def __init__(self) -> None:
        """Load what is there."""
        self._prctl: Callable[..., int] | None = None
        self._syscall: Callable[..., int] | None = None
        if not sys.platform.startswith("linux"):
            return
        try:
            import ctypes

            library: Any = ctypes.CDLL(None, use_errno=True)
            self._prctl = library.prctl
            self._syscall = library.syscall
            library.syscall.restype = ctypes.c_long
            self._long = ctypes.c_long
        except (ImportError, OSError, AttributeError):
            self._prctl = self._syscall = None

    def die_with_parent(self) -> bool:
        """Be killed when the thread that made this process ends. A fork must ask again."""
        return self._prctl is not None and self._prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0) == 0

    def no_new_privileges(self) -> bool:
        """Never gain rights by executing a set-uid file; Landlock asks for it."""
        return self._prctl is not None and self._prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0

    def landlock(self, writable: Sequence[str], *, execute: bool) -> int:
        """Refuse all changes to files outside `writable`, all programs, TCP, and signals to outside.

        Args:
            writable: folders below which anything may be changed.
            execute: whether programs may be started.

        Returns:
            The version of the kernel's interface, 0 where there is none.
        """
        call = self._call
        version = call(_CREATE_RULESET, 0, 0, 1)
        if version <= 0:
            return 0
        files = _WRITE_FILE | _CHANGES
        files |= _REFER if version >= 2 else 0
        files |= _TRUNCATE if version >= 3 else 0
        handled = files | (0 if execute else _EXECUTE)
        attributes = struct.pack(
            "=QQQ", handled, _TCP if version >= 4 else 0, _SCOPES if version >= 6 else 0
        )[: 8 if version < 4 else 16 if version < 6 else 24]
        ruleset = call(_CREATE_RULESET, attributes, len(attributes), 0)
        if ruleset < 0:
            return 0
        try:
            allowed = all(self._allow(ruleset, folder, files) for folder in writable)
            null = _WRITE_FILE | (_TRUNCATE if version >= 3 else 0)
            self._allow(ruleset, os.devnull, null)
            done = allowed and call(_RESTRICT_SELF, ruleset, 0) == 0
        finally:
            os.close(ruleset)
        return version if done else 0

    def _allow(self, ruleset: int, path: str, access: int) -> bool:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            rule = struct.pack("=Qi", access, fd)
            return self._call(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0) == 0
        finally:
            os.close(fd)

    def _call(self, number: int, *args: int | bytes) -> int:
        if self._syscall is None:
            return -1
        long = self._long
        return self._syscall(long(number), *[a if isinstance(a, bytes) else long(a) for a in args])
