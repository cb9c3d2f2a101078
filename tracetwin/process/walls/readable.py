"""Folders that a target may read: Python, libraries, its import path and its project.

What is found here is told to the audit hook and to Landlock alike. Of a folder on the import path everything
is readable but what is hidden in it (`.env`, `.git`, `.ssh`); where that folder is somebody's home, or one
that everybody uses, only what can be imported from it.
"""

from __future__ import annotations

import functools
import os
import pwd  # here and not later: a target may have a module of this name
import sys
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import Final

from tracetwin.process.walls.paths import parent, real
from tracetwin.support.data import dataclass

MOST_ENTRIES: Final = 2000
"""Of a larger folder, too, only what can be imported."""

_OURS: Final = ("tracetwin", "runtime", "instrumenter")
_MARKS: Final = ("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", ".git")
_CODE: Final = (".py", ".pyi", ".pyc", ".so", ".pyd", ".zip", ".whl", ".egg", ".pth", ".egg-link")
_OF_PREFIX: Final = ("lib", "lib64", "lib32", "Lib", "DLLs", "include", "share", "pyvenv.cfg")
_SYSTEM: Final = (
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/local/lib"),
    *("/usr/share/zoneinfo", "/usr/share/locale", "/usr/share/i18n", "/usr/share/terminfo"),
    *("/usr/share/mime", "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/etc/timezone"),
    *("/etc/mime.types", "/etc/services", "/etc/protocols"),
    *("/etc/locale.alias", "/etc/terminfo", "/etc/ssl/openssl.cnf", "/usr/local/etc/mime.types"),
    *("/nix/store", "/gnu/store", "/System/Library", "/Library/Frameworks", "/opt/homebrew/lib"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm/overcommit_memory", "/proc/filesystems"),
    *("/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage"),
)
DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_PROGRAMS: Final = (
    *("/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/usr/share", "/etc"),
    *("/opt", "/usr/libexec"),
)
_NET: Final = (
    *("/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf"),
    *("/etc/networks", "/etc/ssl", "/etc/pki/tls", "/etc/ca-certificates"),
    *("/usr/share/ca-certificates", "/usr/local/share/ca-certificates", "/run/systemd/resolve"),
)
_SHARED: Final = (
    *("/", "/tmp", "/var", "/var/tmp"),  # noqa: S108 - nothing is written there
    *("/etc", "/usr", "/home", "/root", "/opt", "/srv", "/Users"),
)
_LIBRARY_LISTS: Final = ("/etc/ld.so.conf", "/etc/ld.so.conf.d")
_PACKAGES: Final = ("site-packages", "dist-packages")
_lstat = os.lstat  # `os.path.lexists` is Python: a target could spoil it


@dataclass
class Readable:
    """Real paths.

    Attributes:
        folders: readable with everything beneath.
        listed: folders of which only the names may be read.
    """

    folders: dict[str, None] = field(default_factory=dict)
    files: dict[str, None] = field(default_factory=dict)
    listed: dict[str, None] = field(default_factory=dict)

    def add(self, path: str) -> None:
        """Everything at `path`, if there is something."""
        found = real(path)
        if os.path.isdir(found):
            self.folders[found] = None
        elif os.path.exists(found):
            self.files[found] = None

    def add_root(self, path: str) -> None:
        """A folder of the import path: what is not hidden in it."""
        root = real(path)
        if not os.path.isdir(root):
            self.add(root)
            return
        if self._knows(root):
            return
        self.listed[root] = None
        entries = [entry for entry in os.scandir(root) if not entry.name.startswith(".")]
        narrow = is_shared(root) or len(entries) > MOST_ENTRIES
        for entry in sorted(entries, key=lambda entry: entry.name):
            place = f"{root.rstrip('/')}/{entry.name}"
            if not narrow and not entry.is_symlink():
                (self.folders if entry.is_dir() else self.files)[place] = None
            # A link that leads out of the folder may be a package that lies elsewhere, but not just anything.
            elif _leads_to_code(place):
                self.add(place)

    def lacks(self, path: str) -> bool:
        """True if nothing is at a real path, and it would lie in a folder whose names may be read.

        Or beneath a readable file, which is taken for a folder, as a wheel is by its modules. Python itself
        looks at such places for source and byte code.
        """
        while path not in self.listed and path not in self.files:
            if not path or _is_there(path):
                return False
            path = parent(path)[:-1]
        return True

    def _knows(self, path: str) -> bool:
        return path in self.folders or path.startswith(tuple(f"{folder}/" for folder in self.folders))


def collect(given: Iterable[str], *, net: bool, programs: bool, more: Iterable[str] = ()) -> Readable:
    """Everything that a target may read."""
    found = Readable()
    for path in (*_SYSTEM, *DEVICES, *_python(), *_libraries(), *more):
        found.add(path)
    for path in (*(_NET if net or programs else ()), *(_programs() if programs else ())):
        found.add(path)
    roots = [root for root in given if root]
    for root in (*roots, *_import_path(), *filter(None, map(project_of, roots))):
        if os.path.basename(root) in _PACKAGES:
            found.add(root)
        else:
            found.add_root(root)
    return found


def project_of(root: str) -> str | None:
    """The nearest folder, from an import root upwards, that is a project; None where there is none."""
    folder = real(root)
    while not is_shared(folder):
        if any(os.path.exists(f"{folder}/{mark}") for mark in _MARKS):
            return folder
        folder = os.path.dirname(folder)
    return None


def is_shared(folder: str) -> bool:
    """True if more lies there than a program: a home, what is above one, or where everybody writes."""
    home = _home()
    return folder in _SHARED or folder in _temporary() or f"{home}/".startswith(f"{folder.rstrip('/')}/")


@functools.cache
def _home() -> str:
    """The user's home, which the variable HOME is not here."""
    try:
        with open("/etc/passwd", encoding="utf-8", errors="surrogateescape") as file:
            entries = [line.rstrip().split(":") for line in file]
        return real(next(entry[5] for entry in entries if entry[2:3] == [str(os.getuid())]))
    except (OSError, StopIteration, IndexError):
        return _told_home()


def _told_home() -> str:
    """As the system's directories of users tell, which takes longer."""
    try:
        return real(pwd.getpwuid(os.getuid()).pw_dir)
    except KeyError:
        return real(os.path.expanduser("~"))


@functools.cache
def _temporary() -> tuple[str, ...]:
    return tuple(real(os.environ[name]) for name in ("TMPDIR", "TEMP", "TMP") if os.environ.get(name))


def _is_there(path: str) -> bool:
    try:
        _lstat(path)
    except (OSError, ValueError):
        return False
    return True


def _leads_to_code(place: str) -> bool:
    try:
        return _is_code(real(place))
    except OSError:  # it leads to itself, or nowhere
        return False


def _is_code(path: str) -> bool:
    return path.endswith(_CODE) or (os.path.isdir(path) and os.path.isfile(f"{path}/__init__.py"))


def _python() -> Iterator[str]:
    for prefix in {sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix}:
        yield from (os.path.join(prefix, name) for name in _OF_PREFIX)
    yield from filter(None, (sys.executable, getattr(sys, "_base_executable", "")))
    yield os.path.dirname(os.__file__)
    home = os.path.abspath(__file__)
    for _ in range(4):
        home = os.path.dirname(home)
    yield from (os.path.join(home, name) for name in _OURS)


def _import_path() -> Iterator[str]:
    """The folders on `sys.path`, and those that the finders of editable installations know."""
    yield from (entry for entry in sys.path if os.path.isabs(entry) and os.path.exists(entry))
    for name, module in list(sys.modules.items()):
        if name.startswith("__editable__"):
            places = dict(getattr(module, "MAPPING", {}) or {}).values()
            spaces = dict(getattr(module, "NAMESPACES", {}) or {}).values()
            for place in (*places, *(place for group in spaces for place in group)):
                yield from (path for path in (str(place), f"{place}.py") if os.path.exists(path))


def _libraries() -> Iterator[str]:
    """The folders in which the system's loader looks for shared libraries."""
    yield from (entry for entry in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if entry)
    for place in _LIBRARY_LISTS:
        lists = [entry.path for entry in os.scandir(place)] if os.path.isdir(place) else [place]
        for file in lists:
            try:
                with open(file, encoding="utf-8", errors="surrogateescape") as lines:
                    yield from (line.strip() for line in lines if line.startswith("/"))
            except OSError:
                continue  # then the loader does not know it either


def _programs() -> Iterator[str]:
    yield from _PROGRAMS
    yield from (entry for entry in os.environ.get("PATH", "").split(os.pathsep) if os.path.isabs(entry))
