"""The audit hook: refuses what a target must not do to the world, and remembers that it tried.

It is a seat belt, not a wall: C code that does not report to Python's audit events passes it. Landlock
(`kernel.py`) stands beneath it where the system has it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NoReturn

_MOST_REMEMBERED: Final = 1000
_WRITE_FLAGS: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_realpath = os.path.realpath
_dirname = os.path.dirname
_basename = os.path.basename
_join = os.path.join
_fsdecode = os.fsdecode
_readlink = os.readlink
_getpid = os.getpid


class Refused(PermissionError):
    """The target tried something that a worker does not allow."""


# Refused whatever the arguments: processes, programs, names, loading of C code, the machine's settings.
_ALWAYS: Final = (
    *("os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "os.startfile/2", "os.system"),
    *("os.forkpty", "pty.spawn", "subprocess.Popen", "_winapi.CreateProcess", "_winapi.OpenProcess"),
    *("_winapi.TerminateProcess", "_winapi.CreateNamedPipe", "os.killpg", "signal.pthread_kill"),
    *("socket.bind", "socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"),
    *("socket.gethostbyaddr", "socket.getnameinfo", "socket.sethostname", "webbrowser.open"),
    *("ctypes.dlopen", "ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.call_function"),
    *("ctypes.PyObj_FromPtr", "ctypes.string_at", "ctypes.wstring_at", "ctypes.cdata"),
    *("resource.setrlimit", "resource.prlimit", "syslog.openlog", "syslog.syslog", "syslog.setlogmask"),
    *("winreg.CreateKey", "winreg.DeleteKey", "winreg.DeleteValue", "winreg.SaveKey", "winreg.SetValue"),
    *("winreg.LoadKey", "winreg.ConnectRegistry", "cpython.remote_debugger_script"),
)
# Events about files: the positions of (path, its folder's descriptor or None, follow a last link).
_FILES: Final[dict[str, tuple[tuple[int, int | None, bool], ...]]] = {
    "os.chmod": ((0, 2, True),),
    "os.chown": ((0, 3, True),),
    "os.chflags": ((0, None, True),),
    "os.lockf": ((0, None, True),),
    "os.link": ((0, 2, True), (1, 3, False)),
    "os.symlink": ((1, 2, False),),
    "os.mkdir": ((0, 2, False),),
    "os.remove": ((0, 1, False),),
    "os.rename": ((0, 2, False), (1, 3, False)),
    "os.rmdir": ((0, 1, False),),
    "os.truncate": ((0, None, True),),
    "os.utime": ((0, 3, True),),
    "os.setxattr": ((0, None, True),),
    "os.removexattr": ((0, None, True),),
}
# Functions that report to no audit event, replaced by ones that refuse.
_SILENT: Final = (
    ("_posixsubprocess", "fork_exec"),
    *(("os", name) for name in ("chroot", "mknod", "mkfifo", "setns", "unshare", "pidfd_open")),
    ("signal", "pidfd_send_signal"),
    ("time", "clock_settime"),
    ("time", "clock_settime_ns"),
)


class Guard:
    """The hook and what it has seen.

    Attributes:
        refusals: (event, detail) of what was refused, the first `_MOST_REMEMBERED`.
        refused: how often something was refused.
        touched: how often something inside the scratch folder was changed, or the folder left.
        forking: True while our own code forks.
    """

    def __init__(self, writable: Iterable[str], *, allow_fork: bool) -> None:
        """Allow changes below the folders in `writable` only."""
        roots = [_realpath(folder) for folder in writable]
        self._roots = tuple(roots)
        self._below = tuple(root.rstrip("/") + "/" for root in roots)
        self.allow_fork = allow_fork
        self.refusals: list[tuple[str, str]] = []
        self.refused = 0
        self.touched = 0
        self.forking = False
        self._checks: dict[str, Callable[[str, Sequence[Any]], None]] = {
            "open": self._open,
            "os.fork": self._fork,
            "os.kill": self._kill,
            "os.chdir": self._touch,
            "socket.sendmsg": self._send_message,
            "sqlite3.connect": self._sqlite,
            **dict.fromkeys(_FILES, self._file),
            **dict.fromkeys(_ALWAYS, self._never),
        }

    def install(self) -> None:
        """Begin; there is no way back."""
        for module_name, name in _SILENT:
            self._replace(module_name, name)
        find = self._checks.get

        def hook(event: str, args: tuple[Any, ...]) -> None:
            check = find(event)
            if check is not None:
                check(event, args)

        sys.addaudithook(hook)

    def _replace(self, module_name: str, name: str) -> None:
        try:
            module = __import__(module_name)
        except ImportError:
            return

        def refuse(*args: object, **_options: object) -> NoReturn:
            self._refuse(f"{module_name.lstrip('_')}.{name}", args[0] if args else "")

        for holder in (module, sys.modules.get("posix") if module_name == "os" else None):
            if holder is not None and hasattr(holder, name):
                setattr(holder, name, refuse)
        users = {"fork_exec": ("subprocess", "_fork_exec")}.get(name)
        if users is not None and users[0] in sys.modules and hasattr(sys.modules[users[0]], users[1]):
            setattr(sys.modules[users[0]], users[1], refuse)

    def _refuse(self, event: str, detail: object) -> NoReturn:
        # Never the repr of an object of the target: that would run its code.
        text = detail if type(detail) in (str, int) else "" if detail is None else type(detail).__name__
        self.refused += 1
        if len(self.refusals) < _MOST_REMEMBERED:
            self.refusals.append((event, str(text)[:300]))
        raise Refused(f"{event}({text!r}) is refused while exploring")

    def _never(self, event: str, args: Sequence[Any]) -> None:
        first = args[0] if args else ""
        self._refuse(event, _fsdecode(first) if type(first) is bytes else first)

    def _touch(self, _event: str, _args: Sequence[Any]) -> None:
        self.touched += 1

    def _fork(self, event: str, _args: Sequence[Any]) -> None:
        if not (self.forking or self.allow_fork):
            self._refuse(event, "")

    def _kill(self, event: str, args: Sequence[Any]) -> None:
        if args[0] != _getpid() and not self.forking:
            self._refuse(event, args[0])

    def _send_message(self, event: str, args: Sequence[Any]) -> None:
        if len(args) > 1 and args[1] is not None:
            self._refuse(event, "")

    def _sqlite(self, event: str, args: Sequence[Any]) -> None:
        name = _fsdecode(args[0]) if isinstance(args[0], (str, bytes, os.PathLike)) else ""
        if name in ("", ":memory:"):
            return
        if name.startswith("file:") or not self._inside(name, None, follow=True):
            self._refuse(event, name)
        self.touched += 1

    def forget(self, prefix: str) -> None:
        """Strike what was refused to our own side while it worked inside the walls."""
        self.refusals[:] = [refusal for refusal in self.refusals if not refusal[1].startswith(prefix)]
        self.refused = len(self.refusals)

    def _open(self, event: str, args: Sequence[Any]) -> None:
        path, mode, flags = args
        if type(path) is str and path.startswith("/proc/") and path[6:7].isdigit():
            self._refuse(event, path)  # another process: its environment and memory are its own
        if not (flags & _WRITE_FLAGS if type(flags) is int else False) and not (
            type(mode) is str and any(letter in mode for letter in "wax+")
        ):
            return
        if type(path) is int:
            return  # a descriptor that is open already
        if not self._inside(path, None, follow=True):
            self._refuse(event, _show(path))
        self.touched += 1

    def _file(self, event: str, args: Sequence[Any]) -> None:
        if event == "os.truncate" and type(args[0]) is int:
            return  # needs a descriptor that is open for writing
        for position, folder_position, follow in _FILES[event]:
            folder = args[folder_position] if folder_position is not None else None
            if not self._inside(args[position], folder, follow=follow):
                self._refuse(event, _show(args[position]))
        self.touched += 1

    def _inside(self, path: object, folder_fd: object, *, follow: bool) -> bool:
        """Whether a change of `path` stays below the allowed folders."""
        if type(path) is int:
            return self._known(path)
        if not isinstance(path, (str, bytes, os.PathLike)):
            return False
        text = _fsdecode(path)
        if text == os.devnull:
            return True
        if type(folder_fd) is int and folder_fd >= 0 and not text.startswith("/"):
            folder = _path_of(folder_fd)
            if folder is None:
                return False
            text = _join(folder, text)
        if not follow:
            last = _basename(text.rstrip("/"))
            if last in ("", ".", ".."):
                return False
            text = _join(_realpath(_dirname(text.rstrip("/")) or "."), last)
        else:
            text = _realpath(text)
            if text in self._roots:  # an unnamed temporary file is opened by its folder
                return True
        return self._allowed(text)

    def _allowed(self, real: str) -> bool:
        return real.startswith(self._below)

    def _known(self, fd: int) -> bool:
        path = _path_of(fd)
        return path is not None and self._allowed(path)


def _path_of(fd: int) -> str | None:
    """The file behind a descriptor, where the system tells."""
    try:
        return _readlink(f"/proc/self/fd/{fd}")
    except OSError:
        return None


def _show(path: object) -> str:
    return _fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else str(type(path).__name__)
