"""Landlock: the kernel refuses what lies outside, to C code and child processes as well (Linux 5.13).

Later kernels refuse more of it, by the version of their interface: renames between folders (2), truncation
(3), TCP (4), device controls (5), signals to outside and abstract sockets (6).
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from typing import Final

from tracetwin.process.walls.kernel import Kernel
from tracetwin.process.walls.readable import DEVICES, Readable
from tracetwin.support.data import dataclass

# The three system calls have the same numbers on every architecture.
_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
_RULE_PATH_BENEATH: Final = 1

# Access rights to files, by bit (linux/landlock.h).
_EXECUTE: Final = 1 << 0
_WRITE_FILE: Final = 1 << 1
_READ_FILE: Final = 1 << 2
_READ_DIR: Final = 1 << 3
_CHANGES: Final = sum(1 << bit for bit in (4, 5, 6, 7, 8, 9, 10, 11, 12))  # remove_*, make_*
_REFER: Final = 1 << 13  # version 2
_TRUNCATE: Final = 1 << 14  # version 3
_CONTROL: Final = 1 << 15  # version 5
_TCP: Final = 0b11  # bind and connect, version 4
_SCOPES: Final = 0b11  # abstract sockets and signals to outside, version 6
_SIGNALS: Final = 0b10

TCP_VERSION: Final = 4
SIGNALS_VERSION: Final = 6


@dataclass(frozen=True)
class OpenedPaths:
    """Acts that stay possible.

    Attributes:
        writable: folders and files that may be changed.
        readable: what may be read besides.
        execute: whether programs may be started.
        net: whether TCP may be used.
    """

    writable: tuple[str, ...]
    readable: Readable
    execute: bool = False
    net: bool = False


def version(kernel: Kernel) -> int:
    """The version of the interface, 0 where there is none."""
    return max(kernel.call(_CREATE_RULESET, 0, 0, 1), 0)


def restrict(kernel: Kernel, opened: OpenedPaths) -> int:
    """Refuse this process and its children everything but what is opened.

    Returns:
        The version of the kernel's interface, 0 where nothing is refused.
    """
    known = version(kernel)
    if known == 0:
        return 0
    changes = _WRITE_FILE | _CHANGES
    changes |= _REFER if known >= 2 else 0
    changes |= _TRUNCATE if known >= 3 else 0
    control = _CONTROL if known >= 5 else 0
    read = _READ_FILE | _READ_DIR
    handled = changes | control | read | (0 if opened.execute else _EXECUTE)
    ruleset = _ruleset(kernel, known, handled, 0 if opened.net else _TCP, _SCOPES)
    if ruleset < 0:
        return 0
    rules = _Rules(kernel, ruleset, (_WRITE_FILE | _READ_FILE | _TRUNCATE | control) & handled)
    try:
        done = rules.allow(opened.writable, changes | control | read)
        rules.allow(opened.readable.folders, read)
        rules.allow(opened.readable.files, _READ_FILE)
        rules.allow(opened.readable.listed, _READ_DIR)
        rules.allow(DEVICES[:1], rules.of_files)
        rules.allow(DEVICES[1:], _READ_FILE | control)
        done = done and kernel.call(_RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)
    return known if done else 0


def restrict_signals(kernel: Kernel) -> bool:
    """From now on signals reach this process and its children only, not those that it came from."""
    known = version(kernel)
    if known < SIGNALS_VERSION:
        return False
    ruleset = _ruleset(kernel, known, 0, 0, _SIGNALS)
    if ruleset < 0:
        return False
    try:
        return kernel.call(_RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _ruleset(kernel: Kernel, known: int, files: int, net: int, scopes: int) -> int:
    size = 8 if known < TCP_VERSION else 16 if known < SIGNALS_VERSION else 24
    attributes = struct.pack("=QQQ", files, net, scopes)[:size]
    return kernel.call(_CREATE_RULESET, attributes, size, 0)


class _Rules:
    """Adds rules to one ruleset."""

    def __init__(self, kernel: Kernel, ruleset: int, of_files: int) -> None:
        self.kernel = kernel
        self.ruleset = ruleset
        self.of_files = of_files

    def allow(self, paths: Iterable[str], access: int) -> bool:
        """True if each of them could be opened; one that is gone stays closed."""
        allowed = [self._allow(path, access) for path in paths]
        return all(allowed)

    def _allow(self, path: str, access: int) -> bool:
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            if not os.path.isdir(path):
                access &= self.of_files
            rule = struct.pack("=Qi", access, fd)
            return self.kernel.call(_ADD_RULE, self.ruleset, _RULE_PATH_BENEATH, rule, 0) == 0
        finally:
            os.close(fd)
