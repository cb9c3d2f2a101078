"""The walls around code of a target: limits, a scratch folder, an audit hook, and what the kernel adds."""

from __future__ import annotations

import contextlib
import os
import resource  # here and not later: a target may have a module of this name
import signal
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields, replace
from functools import partial
from typing import Any, Final

from tracetwin.process.walls import landlock, seccomp, syscalls
from tracetwin.process.walls import unaudited as silent
from tracetwin.process.walls.audit import AuditGuard
from tracetwin.process.walls.forbidden_events import Refused
from tracetwin.process.walls.kernel import Kernel
from tracetwin.process.walls.permissions import Permissions
from tracetwin.process.walls.readable import Readable, collect
from tracetwin.support.data import dataclass

__all__ = ["Limits", "Refused", "Walls", "enter", "forking", "guard", "refusals", "seal"]

PROTOCOL_FD: Final = 200  # out of the way of a target that closes or counts descriptors


@dataclass(frozen=True)
class Limits:
    """Limits on what one worker uses.

    Attributes:
        cpu_seconds: processor time of one run; None: only the wall counts.
        memory_bytes: growth of the address space over what the worker has when the walls go up.
        recursion: Python's recursion limit during a run.
        open_files: number of descriptors.
        file_bytes: size of one written file.
        import_seconds: time of the target's import.
    """

    wall_seconds: float = 2.0
    cpu_seconds: float | None = None
    memory_bytes: int = 1 << 30
    recursion: int = 1000
    open_files: int = 256
    file_bytes: int = 16 << 20
    import_seconds: float = 20.0

    def to_plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Limits:
        """From plain data; unknown names are ignored."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in plain.items() if name in known})


@dataclass(frozen=True)
class Walls:
    """Which layers stand.

    Attributes:
        landlock: the version of Landlock's interface, 0 where there is none.
        seccomp: whether system calls are filtered.
        dies_with_parent: whether the parent's death kills.
        absent: what the user opened for writing and is not there: it stays closed.
    """

    landlock: int
    seccomp: bool
    dies_with_parent: bool
    absent: tuple[str, ...] = ()

    @property
    def missing(self) -> list[str]:
        """Sentences for the user on layers that are not there."""
        more = "C code and child processes are not kept from"
        about = "; see docs/security.md"
        said = [f"write:{path}: nothing is there, so nothing may be written there" for path in self.absent]
        if not sys.platform.startswith("linux"):
            return [*said, f"The kernel's walls are there on Linux only: {more} anything{about}"]
        if self.landlock == 0:
            said.append(f"Landlock is not there (Linux 5.13 or later has it): {more} files{about}")
        elif self.landlock < 3:
            said.append(f"Landlock is an old one (before Linux 6.2): {more} cutting files short{about}")
        if not self.seccomp:
            said.append(
                f"There is no system call filter: {more} the network, and changing modes of files{about}"
            )
        return said

    def to_plain(self) -> dict[str, Any]:
        return {**asdict(self), "absent": list(self.absent), "missing": self.missing}


_guard: AuditGuard | None = None
_kernel: Kernel | None = None
_forks = False


def kernel() -> Kernel:
    """The C library; loaded at the first call."""
    global _kernel  # noqa: PLW0603 - one per process
    if _kernel is None:
        _kernel = Kernel()
    return _kernel


def guard() -> AuditGuard | None:
    """The audit hook of this process, None outside a sandbox."""
    return _guard


def refusals() -> list[tuple[str, str]]:
    """All refused acts so far: (event, detail)."""
    return [] if _guard is None else list(_guard.refusals)


def count_refusals() -> int:
    """The number of acts refused since they were last taken, as far as they are remembered."""
    return 0 if _guard is None else len(_guard.refusals)


def take_refusals() -> list[tuple[str, str]]:
    """The acts refused since this was last asked: (event, detail)."""
    taken = refusals()
    if _guard is not None:
        _guard.refusals.clear()
    return taken


@contextlib.contextmanager
def _set(name: str) -> Iterator[None]:
    if _guard is None:
        yield
        return
    setattr(_guard, name, True)
    try:
        yield
    finally:
        setattr(_guard, name, False)


forking: Final = partial(_set, "forking")
"""Within this block our own code may fork and end its children."""
looking: Final = partial(_set, "looking")
"""Within this block our own code may look for objects by what refers to them."""


def enter(
    limits: Limits,
    scratch: str,
    *,
    allow_fork: bool = False,
    permissions: Permissions | None = None,
    readable: Iterable[str] = (),
) -> Walls:
    """Put up the walls around this process. There is no way back.

    Args:
        limits: see `Limits`.
        scratch: an existing folder, the only place where files may be changed; becomes the current one.
        allow_fork: whether the target may fork.
        permissions: what the user lets it do besides; None for nothing.
        readable: what it may read besides Python, libraries and what is on `sys.path`: its import root first.
    """
    roots = [root for root in readable if root]
    with _imports_without(roots):
        return _enter(limits, os.path.realpath(scratch), allow_fork, permissions or Permissions(), roots)


@contextlib.contextmanager
def _imports_without(roots: Iterable[str]) -> Iterator[None]:
    """Within this block nothing is imported from the target's folders."""
    kept = list(sys.path)
    sys.path[:] = [entry for entry in kept if entry not in roots]
    try:
        yield
    finally:
        sys.path[:] = kept


def _enter(limits: Limits, scratch: str, allow_fork: bool, given: Permissions, roots: list[str]) -> Walls:
    global _guard, _forks  # noqa: PLW0603 - a process can't have two
    absent = tuple(path for path in given.write if not os.path.exists(path))
    given = replace(given, write=tuple(path for path in given.write if path not in absent))
    _forks = allow_fork or given.subprocess
    system = kernel()
    with contextlib.suppress(PermissionError):  # already the leader of its session
        os.setsid()
    may_read = _readable(roots, given)
    dies = system.die_with_parent()
    _settle_in(scratch)
    _limit(limits)
    sys.dont_write_bytecode = True
    known, filtered = _ask_the_kernel(system, scratch, may_read, given)
    _guard = AuditGuard(
        [scratch], allow_fork=allow_fork, permissions=given, readable=may_read, attributes=not filtered
    )
    replacements = silent.Replacements(
        _guard, programs=given.subprocess, net=given.net, attributes=not filtered
    )
    replacements.begin()
    _guard.install(replacements.imported)
    return Walls(known, filtered, dies, absent)


def seal() -> None:
    """For a process inside the walls that forks no more: it dies with its parent, and reaches nobody.

    Where the target may fork or start programs, it may go on with that.
    """
    system = kernel()
    system.die_with_parent()
    landlock.restrict_signals(system)
    machine = syscalls.architecture()
    if machine is not None and not _forks:
        seccomp.load(system, seccomp.last_part(machine[1], machine[0]))


def _readable(given: Iterable[str], permissions: Permissions) -> Readable:
    allowed = (*permissions.read, *permissions.write)
    return collect(given, net=permissions.net, programs=permissions.subprocess, more=allowed)


def _ask_the_kernel(
    system: Kernel, scratch: str, may_read: Readable, given: Permissions
) -> tuple[int, bool]:
    """The version of Landlock, and whether system calls are filtered."""
    system.no_new_privileges()
    opened = landlock.OpenedPaths((scratch, *given.write), may_read, execute=given.subprocess, net=given.net)
    known = landlock.restrict(system, opened)
    system.drop_capabilities()
    machine = syscalls.architecture()
    if machine is None:
        return known, False
    seccomp.prepare()
    program = seccomp.whole_life(machine[1], machine[0], net=given.net, programs=given.subprocess)
    return known, seccomp.load(system, program)


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
    most = address_space() + limits.memory_bytes
    for name, value in (
        ("RLIMIT_CORE", 0),
        ("RLIMIT_FSIZE", limits.file_bytes),
        ("RLIMIT_NOFILE", max(limits.open_files, PROTOCOL_FD + 16)),
        ("RLIMIT_AS", most if most > limits.memory_bytes else None),
    ):
        kind = getattr(resource, name, None)
        if kind is None or value is None:
            continue
        with contextlib.suppress(ValueError, OSError):  # macOS knows some of them by name only
            resource.setrlimit(kind, (value, value))


def address_space() -> int:
    """The present size of the address space, 0 where it is not known."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError):
        return 0
