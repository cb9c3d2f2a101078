"""The walls around a worker: limits, a scratch folder, an audit hook, and what the kernel adds."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from tracetwin.worker.audit import Guard, Refused
from tracetwin.worker.kernel import Kernel

__all__ = ["Limits", "Refused", "Walls", "enter", "forking", "guard", "refusals"]

PROTOCOL_FD: Final = 200  # out of the way of a target that closes or counts descriptors


@dataclass(frozen=True)
class Limits:
    """What one worker may use.

    Attributes:
        wall_seconds: time of one run.
        cpu_seconds: processor time of one run; None: only the wall counts.
        memory_bytes: growth of the address space over what the worker has when the walls go up.
        recursion: Python's recursion limit during a run.
        output_bytes: how much printed text is remembered.
        open_files: number of descriptors.
        file_bytes: size of one written file.
        import_seconds: time of the target's import.
    """

    wall_seconds: float = 2.0
    cpu_seconds: float | None = None
    memory_bytes: int = 1 << 30
    recursion: int = 1000
    output_bytes: int = 1 << 20
    open_files: int = 256
    file_bytes: int = 16 << 20
    import_seconds: float = 20.0

    def to_plain(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Limits:
        """From plain data; unknown names are ignored."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in plain.items() if name in known})


@dataclass(frozen=True)
class Walls:
    """Which layers stand: the version of Landlock (0: none), and whether the parent's death kills."""

    landlock: int
    dies_with_parent: bool

    def to_plain(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


_guard: Guard | None = None
_kernel: Kernel | None = None


def kernel() -> Kernel:
    """The C library; loaded at the first call."""
    global _kernel  # noqa: PLW0603 - one per process
    if _kernel is None:
        _kernel = Kernel()
    return _kernel


def guard() -> Guard | None:
    """The audit hook of this process, None outside a sandbox."""
    return _guard


def refusals() -> list[tuple[str, str]]:
    """What was refused so far: (event, detail)."""
    return [] if _guard is None else list(_guard.refusals)


@contextlib.contextmanager
def forking() -> Iterator[None]:
    """Within this block our own code may fork and end its children."""
    if _guard is None:
        yield
        return
    _guard.forking = True
    try:
        yield
    finally:
        _guard.forking = False


def enter(limits: Limits, scratch: str, *, allow_fork: bool = False) -> Walls:
    """Put up the walls around this process. There is no way back.

    Args:
        limits: see `Limits`.
        scratch: an existing folder, the only place where files may be changed; becomes the current one.
        allow_fork: whether the target may fork.
    """
    global _guard  # noqa: PLW0603 - a process can't have two
    scratch = os.path.realpath(scratch)
    system = kernel()
    with contextlib.suppress(PermissionError):  # already the leader of its session
        os.setsid()
    dies = system.die_with_parent()
    system.no_new_privileges()
    _settle_in(scratch)
    _limit(limits)
    sys.dont_write_bytecode = True
    landlock = system.landlock([scratch], execute=False)
    _guard = Guard([scratch], allow_fork=allow_fork)
    _guard.install()
    return Walls(landlock, dies)


def _settle_in(scratch: str) -> None:
    """Current folder, home, temporary files: all scratch. Standard streams: nothing."""
    os.chdir(scratch)
    os.umask(0o022)
    for name in ("HOME", "TMPDIR", "TMP", "TEMP", "PWD"):
        os.environ[name] = scratch
    tempfile.tempdir = None
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    if null > 2:
        os.close(null)
    for name in ("SIGINT", "SIGTERM"):
        # From a terminal they reach the parent, which ends us; a KeyboardInterrupt here would look
        # like the target's own.
        signal.signal(getattr(signal, name), signal.SIG_DFL)


def _limit(limits: Limits) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    address_space = _address_space() + limits.memory_bytes
    for name, value in (
        ("RLIMIT_CORE", 0),
        ("RLIMIT_FSIZE", limits.file_bytes),
        ("RLIMIT_NOFILE", max(limits.open_files, PROTOCOL_FD + 16)),
        ("RLIMIT_AS", address_space if address_space > limits.memory_bytes else None),
    ):
        kind = getattr(resource, name, None)
        if kind is None or value is None:
            continue
        with contextlib.suppress(ValueError, OSError):  # macOS knows some of them by name only
            resource.setrlimit(kind, (value, value))


def _address_space() -> int:
    """The present size of the address space, 0 where it is not known."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
