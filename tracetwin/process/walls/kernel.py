"""The C library's side of the walls: no new privileges, no capabilities, death with the parent (Linux).

Everything here answers whether it worked, and is quietly absent elsewhere.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable
from typing import Any, Final

try:  # here and not later: a target may have a module of this name
    import ctypes

    _ctypes: Any = ctypes
except ImportError:
    _ctypes = None

_PR_SET_PDEATHSIG: Final = 1
_PR_CAPBSET_DROP: Final = 24
_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_CAP_AMBIENT: Final = 47
_CLEAR_ALL: Final = 4
_SIGKILL: Final = 9
_CAPABILITY_VERSION: Final = 0x20080522
_READ_EVERYTHING: Final = 1 << 2  # CAP_DAC_READ_SEARCH: root reads a project of somebody else
_MOST_CAPABILITIES: Final = 64


class Kernel:
    """The C library, loaded once, before the audit hook refuses to load anything."""

    def __init__(self) -> None:
        self._library: Any = None
        self._syscall: Callable[..., int] | None = None
        if _ctypes is None or not sys.platform.startswith("linux"):
            return
        try:
            library: Any = _ctypes.CDLL(None, use_errno=True)
            self._prctl_function = library.prctl
            self._syscall = library.syscall
            self._capset = library.capset
            library.syscall.restype = _ctypes.c_long
            self._long = _ctypes.c_long
            self._buffer = _ctypes.create_string_buffer
            self._address = _ctypes.addressof
            self._library = library
        except (OSError, AttributeError):
            self._library = self._syscall = None

    def die_with_parent(self) -> bool:
        """Be killed when the thread that made this process ends. A fork must ask again."""
        return self.prctl(_PR_SET_PDEATHSIG, _SIGKILL)

    def no_new_privileges(self) -> bool:
        """Never gain rights by executing a set-uid file; Landlock and seccomp ask for it."""
        return self.prctl(_PR_SET_NO_NEW_PRIVS, 1)

    def drop_capabilities(self) -> bool:
        """Keep nothing of what root may do, but for reading where Landlock lets it."""
        if self._library is None:
            return False
        self.prctl(_PR_CAP_AMBIENT, _CLEAR_ALL)
        for number in range(_MOST_CAPABILITIES):
            if not self.prctl(_PR_CAPBSET_DROP, number):
                break  # this is not root, or there are no more
        return self._keep(_READ_EVERYTHING) or self._keep(0)

    def _keep(self, mask: int) -> bool:
        header = struct.pack("=Ii", _CAPABILITY_VERSION, 0)
        sets = struct.pack("=IIIIII", mask, mask, 0, 0, 0, 0)  # effective, permitted, inheritable, twice
        return int(self._capset(header, sets)) == 0

    def prctl(self, option: int, first: int, second: int = 0) -> bool:
        """True if this option of the process could be set."""
        if self._library is None:
            return False
        long = self._long
        return int(self._prctl_function(option, long(first), long(second), long(0), long(0))) == 0

    def call(self, number: int, *args: int | bytes) -> int:
        """A system call; -1 where it failed."""
        if self._syscall is None:
            return -1
        long = self._long
        return self._syscall(long(number), *[a if isinstance(a, bytes) else long(a) for a in args])

    def keep(self, content: bytes) -> tuple[Any, int]:
        """A block of memory with this content, and its address."""
        block = self._buffer(content, len(content))
        return block, self._address(block)
