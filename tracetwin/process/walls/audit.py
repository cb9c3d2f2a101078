"""The audit hook: refuses forbidden acts of a target, and remembers that it tried.

It is a seat belt, not a wall: C code that does not report to Python's audit events passes it, and so may
Python code that works its way into our objects. Beneath it stand Landlock and seccomp (`landlock.py`,
`seccomp.py`), where the system has them. The hook makes a refusal an observable: Python code meets it first.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter, length_hint
from typing import Any, Final, NoReturn

from tracetwin.process.walls import forbidden_events
from tracetwin.process.walls.paths import (
    below,
    getpid,
    of_descriptor,
    parent,
    path_of_address,
    real,
    text_of,
    told,
)
from tracetwin.process.walls.permissions import Permissions
from tracetwin.process.walls.readable import Readable
from tracetwin.process.walls.temporary import TemporaryFiles

_MOST_REMEMBERED: Final = 1000
_PROBE: Final = "/tracetwin tries whether this is refused"
_FOR_EVER: Final = 1 << 62
_NOWHERE: Final = "/a folder that is not known"

_join = os.path.join
_basename = os.path.basename
_lexists = os.path.lexists
_isdir = os.path.isdir
_getsid = getattr(os, "getsid", None)
_strerror = os.strerror
_audit = sys.audit
_code_of: Final = attrgetter("__code__")


class AuditGuard:
    """The hook and what it has seen.

    Attributes:
        refusals: (event, detail) of what was refused, the first `_MOST_REMEMBERED`.
        refused: how often something was refused.
        touched: how often something inside the scratch folder was changed, or the folder left.
        temporary: what was made by `tempfile`: changes of it are no such changes.
        listed: how often the names in the current folder, or in one below it, were asked for.
        forking: True while our own code forks.
        looking: True while our own code looks for objects.
    """

    def __init__(
        self,
        writable: Iterable[str],
        *,
        allow_fork: bool,
        permissions: Permissions | None = None,
        readable: Readable | None = None,
        attributes: bool = True,
    ) -> None:
        """Build the walls; they stand once `install` is called.

        Args:
            writable: the folders below which files may be changed, besides those that are permitted.
            allow_fork: whether the target may fork.
            permissions: what the user lets it do.
            readable: what it may read besides; None for everything.
            attributes: whether permissions, owners and times of its own files may be changed.
        """
        self._given = permissions or Permissions()
        roots = [real(folder) for folder in (*writable, *self._given.write)]
        self._roots = tuple(roots)
        self._below = tuple(root.rstrip("/") + "/" for root in roots)
        self._readable = readable
        self._readable_below = tuple(f"{folder}/" for folder in readable.folders) if readable else ()
        self._attributes = attributes
        self.allow_fork = allow_fork or self._given.subprocess
        self.refusals: list[tuple[str, str]] = []
        self.refused = 0
        self.touched = 0
        self.temporary = TemporaryFiles()
        self.listed = 0
        self.forking = self.looking = False
        self._checks = self._table()
        self._witness = iter(range(_FOR_EVER))
        self._struck = self._ends = 0
        self._imported: Callable[[str], object] = str
        self._methods: list[object] = []
        self._kept: dict[str, Callable[[str, Sequence[Any]], None]] = {}
        self._build: tuple[object, ...] = ()

    def _table(self) -> dict[str, Callable[[str, Sequence[Any]], None]]:
        never = (
            *forbidden_events.NEVER,
            *(() if self._given.subprocess else forbidden_events.RUNS),
            *(() if self._given.net else forbidden_events.NETS),
        )
        reads = {} if self._readable is None else dict.fromkeys(forbidden_events.READS, self._read)
        return {
            "open": self._open,
            "os.fork": self._fork,
            "os.kill": self._kill,
            "os.chdir": self._touch,
            "socket.__new__": self._socket,
            "sqlite3.connect": self._sqlite,
            "fcntl.ioctl": self._control,
            "fcntl.fcntl": self._own,
            "import": self._import,
            "gc.get_objects": self._look,
            "gc.get_referrers": self._look,
            **reads,
            **dict.fromkeys(forbidden_events.FILES, self._file),
            **dict.fromkeys(never, self._never),
            "ctypes.cdata": self._memory,
        }

    def install(self, imported: Callable[[str], object] = str) -> None:
        """Begin; there is no way back."""
        self._imported = imported
        self._methods = [part for part in vars(AuditGuard).values() if hasattr(part, "__code__")]
        self._kept = self._checks.copy()
        self._build = self._parts()
        find = self._checks.get

        def hook(event: str, args: tuple[Any, ...]) -> None:
            check = find(event)
            if check is not None:
                check(event, args)

        sys.addaudithook(hook)

    def intact(self) -> bool:
        """True if the hook is as it was built, and still refuses.

        A target that reaches for our objects can deceive us; one that leaves them broken can not.
        """
        if self.forking or self.looking or self._checks != self._kept or self._parts() != self._build:
            return False
        if self._seen() != self.refused + self._struck:
            return False
        try:
            _audit("os.remove", _PROBE, -1)
        except forbidden_events.Refused:
            found = self.refusals[-1:] == [("os.remove", _PROBE)]
            found = found or len(self.refusals) >= _MOST_REMEMBERED
            del self.refusals[-1:]
            self.refused -= 1
            self._struck += 1
            return found
        return False

    def _parts(self) -> tuple[object, ...]:
        """The parts that decide about an act and never change."""
        own = (*vars(AuditGuard).values(), *map(_code_of, self._methods))
        acts = self._roots, self._below, self._readable_below, self._given, self.allow_fork, self._attributes
        return *acts, *own, real, real.__code__, text_of, text_of.__code__

    def _seen(self) -> int:
        """The number of refusals, by a counter that only goes up."""
        return _FOR_EVER - length_hint(self._witness)

    def refuse(self, event: str, detail: object = "") -> NoReturn:
        """Remember what was tried, and raise.

        Raises:
            Refused: always.
        """
        self._note(event, detail)
        raise forbidden_events.Refused(f"{event}({told(detail)!r}) is refused while exploring")

    def _note(self, event: str, detail: object) -> None:
        self.refused += 1
        next(self._witness)
        if len(self.refusals) < _MOST_REMEMBERED:
            self.refusals.append((event, str(told(detail))[:300]))

    def forget(self, prefix: str) -> None:
        """Strike what was refused to our own side while it worked inside the walls."""
        self.refusals[:] = [refusal for refusal in self.refusals if not refusal[1].startswith(prefix)]
        self._struck += self.refused - len(self.refusals)
        self.refused = len(self.refusals)

    # -- processes, the network, other things

    def _never(self, event: str, args: Sequence[Any]) -> None:
        self.refuse(event, args[0] if args else "")

    def _touch(self, _event: str, _args: Sequence[Any]) -> None:
        self.touched += 1

    def _fork(self, event: str, _args: Sequence[Any]) -> None:
        if not (self.forking or self.allow_fork):
            self.refuse(event)

    def _kill(self, event: str, args: Sequence[Any]) -> None:
        number = args[0]
        if number == getpid() or self.forking:
            return
        # Its own children are of its session, whatever they do.
        if self._given.subprocess and _getsid is not None and number > 0:
            leader = _getsid(0)
            if number != leader and _getsid(number) == leader:
                return
        self.refuse(event, number)

    def _socket(self, event: str, args: Sequence[Any]) -> None:
        family, kind = args[1], args[2]
        if family == forbidden_events.UNIX and self._ends:
            self._ends -= 1
            return
        if sys.platform.startswith("linux") and kind > 0:
            kind &= forbidden_events.TYPE_BITS  # without SOCK_NONBLOCK and SOCK_CLOEXEC
        known_kind = kind in (forbidden_events.STREAM, forbidden_events.DATAGRAM, -1)
        known = known_kind and family in (*forbidden_events.FAMILIES, -1)
        if family != forbidden_events.UNIX and (self._given.net or known):
            return
        self.refuse(event, f"family {int(family)}, type {int(kind)}")

    def _control(self, event: str, args: Sequence[Any]) -> None:
        if args[1] & 0xFFFFFFFF in forbidden_events.CONTROLS:
            self.refuse(event, args[1])

    def _own(self, event: str, args: Sequence[Any]) -> None:
        if args[1] in forbidden_events.OWNERS:
            self.refuse(event, args[1])

    def _look(self, event: str, _args: Sequence[Any]) -> None:
        """All objects of the process: ours are among them."""
        if not self.looking:
            self.refuse(event)

    def _memory(self, event: str, args: Sequence[Any]) -> None:
        """A part of the memory as an object; our own code looks at it in this way, too."""
        if not self.looking:
            self._never(event, args)

    def _import(self, event: str, args: Sequence[Any]) -> None:
        """Code of the machine comes from the import path, not from what the target has written."""
        name, file = text_of(args[0]) or "", text_of(args[1])
        if name in forbidden_events.TESTING:
            self.refuse(event, name)
        if file is None:
            self._imported(name)
            return
        if not file.endswith(forbidden_events.EXTENSIONS):
            return
        if self._allowed(real(file)) or not self._may_read(file):
            self.refuse(event, file)

    def _sqlite(self, event: str, args: Sequence[Any]) -> None:
        name = text_of(args[0])
        if name in ("", ":memory:"):
            return
        # Whether the name is an address decides an argument that is not told here.
        address = path_of_address(name) if name is not None and name.startswith("file:") else name
        if not all(self._inside(place, None, follow=True) for place in (name, address)):
            self.refuse(event, name)
        self.touched += 1

    # -- files

    def _open(self, event: str, args: Sequence[Any]) -> None:
        path, mode, flags = args
        text = text_of(path)
        if text is None:
            if type(path) is int and path <= forbidden_events.STANDARD:
                self.refuse(event, path)  # what it is, and what it gives, is another thing for each user
            return  # a descriptor that is open already; anything else fails by itself
        writes = type(mode) is str and any(letter in mode for letter in "wax+")
        self._open_path(event, text, writes=writes or bool(flags & forbidden_events.WRITE_FLAGS))

    def path(self, event: str, path: object, *, writes: bool) -> None:
        """Refuse what C code is about to open, which reports to no event.

        Raises:
            Refused: it lies outside.
        """
        text = text_of(path)
        if text is not None:
            self._open_path(event, text, writes=writes)

    def attached(self, name: str | None) -> bool:
        """True if a database of this name may be opened by a statement; remembered where it may not."""
        try:
            self._sqlite("sqlite3.connect", (name,))
        except forbidden_events.Refused:
            return False
        return True

    def pair(self) -> None:
        """Two sockets are made that are connected to each other, and to nobody else."""
        self._ends += 2

    def open_at(self, path: object, flags: int, folder: int) -> None:
        """Refuse what is opened below an open folder: the event does not tell of the folder.

        Raises:
            Refused: it lies outside.
        """
        text, place = text_of(path), of_descriptor(folder)
        if text is not None and not text.startswith("/"):
            writes = bool(flags & forbidden_events.WRITE_FLAGS)
            self._open_path("open", _join(place, text) if place else _NOWHERE, writes=writes)

    def _open_path(self, event: str, text: str, *, writes: bool) -> None:
        if not writes:
            if not self._may_read(text):
                self.refuse("open.read", text)
            return
        if not self._inside(text, None, follow=True):
            self.refuse(event, text)
        self.touched += not (self.temporary.hold(text) or _isdir(text))  # what is opened there has no name

    def _read(self, event: str, args: Sequence[Any]) -> None:
        text = text_of(args[0]) if args and args[0] is not None else "."
        if text is not None and not self._may_read(text):
            self.refuse(event, text)
        if text is not None and event in forbidden_events.LISTING and not text.startswith("/"):
            self.listed += 1

    def _may_read(self, text: str) -> bool:
        known = self._readable
        if known is None:
            return not (text.startswith("/proc/") and text[6:7].isdigit())
        try:
            found = real(text)
        except OSError:
            return True  # nobody can open it
        return (
            found.startswith(self._readable_below)
            or any(found in some for some in (known.files, known.listed, known.folders, self._roots))
            or self._allowed(found)
            or known.lacks(found)
        )

    def _file(self, event: str, args: Sequence[Any]) -> None:
        if event == "os.truncate" and type(args[0]) is int:
            if args[0] <= forbidden_events.STANDARD:
                self.refuse(event, args[0])  # outside it may be a log
            return  # others need a descriptor that is open for writing
        if event == "os.mkdir" and args[2] == -1 and _lexists(text_of(args[0]) or ""):
            raise FileExistsError(errno.EEXIST, _strerror(errno.EEXIST), args[0])  # it would change nothing
        self.temporary.note(event, args)
        touches = False
        for position, folder_position, follow in forbidden_events.FILES[event]:
            there = folder_position is not None and folder_position < len(args)
            folder, path = args[folder_position or 0] if there else None, args[position]
            if event.startswith("shutil.") and text_of(path) is None:
                continue  # the functions that it calls say which path this is
            if not self._inside(path, folder, follow=follow):
                self.refuse(event, path)
            touches = touches or not self.temporary.hold(below(folder, path))
        if event in forbidden_events.ATTRIBUTES and not self._attributes:
            self._attribute(event, args)
        self.touched += touches

    def _attribute(self, event: str, args: Sequence[Any]) -> None:
        """The kernel can't tell its own files from others here, so that it lets nobody."""
        text = text_of(args[0])
        position = forbidden_events.FILES[event][0][1]
        folder = -1 if position is None else args[position]
        if text is not None and folder == -1 and not _lexists(text):
            raise FileNotFoundError(errno.ENOENT, _strerror(errno.ENOENT), args[0])
        self.refuse(event, args[0])

    def _inside(self, path: object, folder_fd: object, *, follow: bool) -> bool:
        """True if a change of `path` stays below the allowed folders."""
        if type(path) is int:
            return self._known(path)
        text = below(folder_fd, path)
        try:
            return text is not None and (text == os.devnull or self._is_inside(text, follow=follow))
        except OSError:
            return False

    def _is_inside(self, text: str, *, follow: bool) -> bool:
        if follow:
            text = real(text)
            # An unnamed temporary file is opened by its folder.
            return text in self._roots or self._allowed(text)
        last = _basename(text.rstrip("/"))
        if last in ("", ".", ".."):
            return False
        text = _join(real(parent(text.rstrip("/"))), last)
        return text in self._given.write or self._allowed(text)

    def _allowed(self, found: str) -> bool:
        return found.startswith(self._below)

    def _known(self, fd: int) -> bool:
        path = of_descriptor(fd)
        return path is not None and self._allowed(path)
