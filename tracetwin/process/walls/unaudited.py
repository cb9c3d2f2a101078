"""Functions that change the world without an audit event, replaced by ones that ask the guard."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from tracetwin.process.walls import forbidden_events
from tracetwin.process.walls.audit import AuditGuard
from tracetwin.process.walls.told import own_entry, without_programs

_STREAMS: Final = (1, 5)  # SOCK_STREAM, SOCK_SEQPACKET: what can send to nobody else
_TYPE_BITS: Final = 0xF
_ADDRESSING: Final = ("bind", "connect", "connect_ex", "sendto")
_ATTACH: Final = 24  # SQLITE_ATTACH
_PUBLIC: Final = {"posix": "os", "nt": "os"}
_INTERPRETERS: Final = ("_xxsubinterpreters", "_interpreters")
"""Another interpreter of the process has audit hooks of its own: none."""


Maker = Callable[[Any, str], Any]


class Replacements:
    """Replaced functions by the name of their module; a module that is imported later is met then.

    One that a target has thrown out of `sys.modules` and imports again is met again.
    """

    def __init__(self, guard: AuditGuard, *, programs: bool, net: bool, attributes: bool) -> None:
        self._makers: dict[str, dict[str, Maker]] = {}
        self._busy: set[str] = set()
        self._made: list[Any] = []

        def refuser(_original: Any, event: str) -> Any:
            return _refuser(guard, event)

        for module, name in (*forbidden_events.SILENT, *(() if programs else forbidden_events.SILENT_RUNS)):
            self._add(module, name, refuser)
        self._add("pwd", "getpwuid", lambda _original, event: own_entry(guard, event))
        if not programs:
            self._add("platform", "_Processor", lambda original, _event: without_programs(original))
        for module in _INTERPRETERS:
            self._add(module, "create", refuser)
        if not attributes:
            for name in ("chmod", "fchmod"):
                self._add("os", name, lambda original, _event: _modest_chmod(original))
        for module, name, position, writes in forbidden_events.OPENING:
            self._add(module, name, _opener(guard, position, writes=writes))
        self._add("_sqlite3", "connect", lambda original, _event: _connect(guard, original))
        self._add("ssl", "SSLContext", lambda original, event: _watch_context(guard, original, event))
        self._add("os", "open", lambda original, _event: _open_at(guard, original))
        if not net:
            self._add("socket", "socket", lambda original, event: _deaf(guard, original, event))
        if sys.platform.startswith("linux"):
            self._add("_socket", "socketpair", lambda original, event: _stream_pair(guard, original, event))
        self._add("_multiprocessing", "SemLock", lambda original, event: _no_class(guard, original, event))

    def _add(self, module: str, name: str, maker: Maker) -> None:
        self._makers.setdefault(module, {})[name] = maker
        if module == "os":  # which has taken them from there
            self._makers.setdefault("posix", {})[name] = maker

    def begin(self) -> None:
        """Replace what is imported already."""
        for name in list(self._makers):
            module = sys.modules.get(name)
            if module is not None:
                self._replace(name, module)

    def imported(self, name: str) -> None:
        """A module is about to be imported: it is there, and changed, when this returns."""
        if name in self._busy or name not in self._makers:
            return
        self._busy.add(name)
        try:
            __import__(name)
            self._replace(name, sys.modules[name])
        except ImportError:
            return  # whoever wants it will be told
        finally:
            self._busy.discard(name)

    def _replace(self, module: str, holder: ModuleType) -> None:
        for name, make in self._makers[module].items():
            original = getattr(holder, name, None)
            if original is None or any(original is made for made in self._made):
                continue
            other = make(original, f"{_PUBLIC.get(module, module.lstrip('_'))}.{name}")
            setattr(holder, name, other)
            self._made.append(other)
            _tell(module, name, original, other)


def _tell(module: str, name: str, original: Any, other: Any) -> None:
    """Those who hold the function elsewhere, or know what it can do."""
    if module == "os":
        for known in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
            if original in known:
                known.add(other)
    if name == "fork_exec" and "subprocess" in sys.modules:
        setattr(sys.modules["subprocess"], "_fork_exec", other)  # noqa: B010 - mypy does not know it


def _refuser(guard: AuditGuard, event: str) -> Callable[..., Any]:
    def refuse(*args: object, **_options: object) -> Any:
        guard.refuse(event, args[0] if args else "")

    return refuse


def _modest_chmod(original: Callable[..., None]) -> Callable[..., None]:
    """Setting the mode that a file has already is nothing."""

    def chmod(path: Any, mode: int, **options: Any) -> None:
        follow = bool(options.get("follow_symlinks", True))
        try:
            known = os.stat(path, dir_fd=options.get("dir_fd"), follow_symlinks=follow)
        except (OSError, TypeError, ValueError):
            original(path, mode, **options)
            return
        if stat.S_IMODE(known.st_mode) != mode:
            original(path, mode, **options)

    return chmod


def _open_at(guard: AuditGuard, original: Callable[..., int]) -> Callable[..., int]:
    def open(path: Any, flags: int, mode: int = 0o777, *, dir_fd: Any = None) -> int:  # noqa: A001 - its name
        if type(dir_fd) is int:
            path = os.fspath(path)
            guard.open_at(path, flags, dir_fd)
        return original(path, flags, mode, dir_fd=dir_fd)

    return open


def _opener(guard: AuditGuard, position: int, *, writes: bool) -> Maker:
    def make(original: Callable[..., Any], event: str) -> Callable[..., Any]:
        def opened(*args: Any, **options: Any) -> Any:
            if len(args) > position:
                path = os.fspath(args[position])
                guard.path(event, path, writes=writes)
                args = (*args[:position], path, *args[position + 1 :])
            return original(*args, **options)

        return opened

    return make


def _connect(guard: AuditGuard, original: Callable[..., Any]) -> Callable[..., Any]:
    """Statements open databases, too."""
    kind = sys.modules["_sqlite3"].Connection

    def authorize(action: int, name: Any, *_rest: object) -> int:
        return int(action == _ATTACH and not guard.attached(name))

    def connect(*args: Any, **options: Any) -> Any:
        made = original(*args, **options)
        kind.set_authorizer(made, authorize)
        return made

    return connect


def _watch_context(guard: AuditGuard, original: Any, event: str) -> Any:
    """The class as it is, but for the files that it opens itself."""

    def write_keys(self: Any, path: Any) -> None:
        guard.path(f"{event}.keylog_filename", None if path is None else os.fspath(path), writes=True)
        inner.__set__(self, path)

    inner = original.keylog_filename
    original.keylog_filename = property(inner.__get__, write_keys)
    return original


def _deaf(guard: AuditGuard, original: Any, event: str) -> Any:
    """The class as it is, but for listening, which a socket that was bound to nothing does as well.

    Other methods have events, but look up the name of a machine before: that no name is known here is no
    error that a program would meet elsewhere.
    """
    original.listen = _refuser(guard, f"{event}.listen")
    for name in _ADDRESSING:
        setattr(original, name, _addressing(guard, f"socket.{name.removesuffix('_ex')}"))
    return original


def _addressing(guard: AuditGuard, event: str) -> Callable[..., Any]:
    def refuse(_self: Any, *args: Any) -> Any:
        guard.refuse(event, args[-1] if args else "")

    return refuse


def _stream_pair(guard: AuditGuard, original: Callable[..., Any], event: str) -> Callable[..., Any]:
    def socketpair(family: int = 1, type: int = 1, proto: int = 0) -> Any:  # noqa: A002 - as it is called
        if int(type) & _TYPE_BITS not in _STREAMS:
            guard.refuse(event, f"type {int(type)}")
        made = original(family, type, proto)
        guard.pair()
        return made

    return socketpair


def _no_class(guard: AuditGuard, original: Any, event: str) -> Any:
    """A class that nobody can make an object of; what else it tells stays."""

    def refuse(*_args: object, **_options: object) -> Any:
        guard.refuse(event)

    constants = {name: value for name, value in vars(original).items() if isinstance(value, int)}
    return type(original.__name__, (), {**constants, "__new__": refuse, "_rebuild": classmethod(refuse)})
