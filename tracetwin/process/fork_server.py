"""The child side of a worker: imports the target once, then forks runners that serve requests.

Two kinds of connection. *Control* (parent and fork server): the start message and its answer, then one-byte
commands to us (`FORK` with a runner's connection attached, `KILL`, `END`, `FORESEE` or `IMPORT` before a
message) and events from us: ``("up",)`` when the import begins, ``("foreseen",)``, ``("imported", sources
without bytecode, the package that this changed)``, ``("forked", pid)``, ``("exited", status, why we killed
it, line)``. *Runner's own* (the parent and a runner): requests and replies, without the fork server in
between; a new one for each runner, so that nothing stale is in it.
"""

from __future__ import annotations

import _socket
import errno
import fnmatch
import gc
import signal
import struct
import sys
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import ModuleType
from typing import Any, Final, NoReturn, Protocol

from tracetwin.process import bytecode, late_imports
from tracetwin.process.channel import (
    END,
    EXIT_CHANNEL,
    FORESEE,
    FORK,
    IMPORT,
    KILL,
    KILLED,
    OVERFULL,
    Channel,
    Closed,
    ProtocolError,
)
from tracetwin.process.disk import LOOK_SECONDS, is_overfull
from tracetwin.process.faults import Faults, ask
from tracetwin.process.importing import AS_IT_IS, ImportFailure, describe, make_room, passes, prepare_path
from tracetwin.process.integrity import Soundness
from tracetwin.process.serving import Handler, report, serve
from tracetwin.process.walls import sandbox
from tracetwin.process.walls.permissions import Permissions
from tracetwin.process.walls.sandbox import PROTOCOL_FD, Limits
from tracetwin.support.own_modules import Hider, OwnModules
from tracetwin.support.stdlib_copies import leave, os, select, time

EXIT_INTERNAL: Final = 84
_GRACE_SECONDS: Final = 0.1
_LIFE_FD: Final = PROTOCOL_FD + 1
_CONTROL_FD: Final = PROTOCOL_FD + 2
_FAULTS_FD: Final = PROTOCOL_FD + 3
_CMSG_SPACE: Final = 32
_LEAST_DESCRIPTORS: Final = 16


def main(own: OwnModules, fd: int) -> NoReturn:
    """The life of a worker: start message, walls, import, then forks until the parent goes."""
    control = out_of_the_way(fd)
    try:
        start = control.receive()
        if os.getppid() != start["parent"]:
            leave(EXIT_INTERNAL)  # the parent died before we could ask to be told
        faults = Faults(start["faults"], _FAULTS_FD)
        faults.watch()
        handler, info, limits = _prepare(own, start, control)
    except ImportFailure as failure:
        _answer(control, ("failed", failure.kind, failure.message, sandbox.take_refusals()))
        leave(0)
    except Closed:
        leave(EXIT_INTERNAL)
    except BaseException as error:  # noqa: BLE001 - the parent is told, whatever it was
        _answer(control, _failure(error, start["file"]))
        leave(EXIT_INTERNAL)
    if not _answer(control, ("ready", info)):
        leave(EXIT_CHANNEL)
    try:
        ForkServer(control, handler, limits, faults, start).loop()
    except Closed:
        leave(0)
    except BaseException:  # noqa: BLE001 - the parent sees the status
        leave(EXIT_INTERNAL)
    leave(0)


def out_of_the_way(fd: int) -> Channel:
    """Move the control connection away from where a target closes or counts descriptors."""
    os.dup2(fd, _CONTROL_FD, inheritable=False)
    os.close(fd)
    return Channel(_CONTROL_FD)


def _failure(error: BaseException, file: str) -> tuple[object, ...]:
    """The message about an exception that escaped: one of the target's code is no error of ours."""
    if passes(error, file):
        return "failed", "import raised", describe(error, file), sandbox.take_refusals()
    return "failed", "internal", report(), ()


def _answer(control: Channel, message: object) -> bool:
    try:
        control.send(message)
    except (Closed, ProtocolError):
        return False
    return True


def _prepare(
    own: OwnModules, start: dict[str, Any], control: Channel
) -> tuple[Handler, dict[str, Any], Limits]:
    """Load all of ours, put up the walls, let the handler import the target."""
    limits = Limits.from_plain(start["limits"])
    module, name, file = start["handler"]
    holder = own.load_file(module, file) if file else own.load(module)
    handler: Handler = getattr(holder, name)()
    if start.get("adapters") or start.get("models"):
        handler.extend(start, own.load_file)
    install = _hook(own, start) if start["patterns"] else None
    limits, start["scratch"] = handler.surround(start, limits)
    start["walls"] = enter(own, start, limits, start["scratch"]).to_plain()
    library = install() if install is not None else None
    _answer(control, ("up",))
    # The parent ends a hanging import; this is for the case that the parent is gone.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, limits.import_seconds + 1.0)
    try:
        with bytecode.kept_in(start["code"]):
            info = dict(handler.prepare(start))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        if library is not None and library.refused:  # whatever came of it
            raise ImportFailure(AS_IT_IS, " ".join(sorted(library.refused)))
    _check_descriptors()
    guard = sandbox.guard()
    for folder in filter(None, (start["cache"], start["code"])):
        if guard is not None:
            guard.forget(folder)
    info["without_bytecode"] = bytecode.sources_without() if start["code"] else []
    info["walls"] = start["walls"]
    info["refusals"] = sandbox.take_refusals()
    return handler, info, limits


def enter(own: OwnModules, start: dict[str, Any], limits: Limits, scratch: str) -> sandbox.Walls:
    """Put the target's modules in the place of ours, and the walls around this process."""
    sys.modules["__main__"] = main = ModuleType("__main__")
    main.__file__ = os.path.join(scratch, "main.py")  # as every program has one, and each runner of tests
    sys.argv = [start["name"]]
    prepare_path(start["root"], start["search_path"])
    if not _within(start["file"], own.places):
        sys.meta_path.insert(0, Hider(own.places))
    return sandbox.enter(
        limits,
        scratch,
        allow_fork=start["allow_fork"],
        permissions=Permissions.from_plain((start.get("guide") or {}).get("permissions")),
        readable=[
            start["root"], *start["search_path"], start["cache"], bytecode.place(start["code"]),
            start.get("typeshed", ""),
        ],
    )


def fork(work: Callable[[], object]) -> int:
    """Fork a child that does its work behind closed walls and ends; returns its number."""
    parent = os.getpid()
    with sandbox.forking(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # threads of the target stay behind; so be it
        pid = os.fork()
    if pid:
        return pid
    status = EXIT_INTERNAL
    try:
        sandbox.seal()
        if os.getppid() == parent:
            work()
        status = 0
    except Closed:
        status = 0
    finally:  # nothing may reach the frames above
        leave(status)


def _check_descriptors() -> None:
    """Make sure that the import has left some: each runner needs its own.

    Raises:
        ImportFailure: there are none.
    """
    kept: list[int] = []
    try:
        while len(kept) < _LEAST_DESCRIPTORS:
            kept.append(os.dup(_CONTROL_FD))
    except OSError as error:
        if error.errno == errno.EMFILE:  # where ours are gone, the answer can't be given
            raise ImportFailure("spent", f"no file descriptors are left: {error.strerror}") from None
    finally:
        for fd in kept:
            os.close(fd)


def _hook(own: OwnModules, start: dict[str, Any]) -> Callable[[], _Refusing | None]:
    """Load the instrumenter's side; the answer installs the import hooks, and says what they refused."""
    hook: Any = own.load("instrumenter.hook")
    interface = own.load("runtime.twin")
    make_cache: Any = own.load("instrumenter.cache")
    cache = make_cache.TwinCache(start["cache"], written_by=start["written_by"]) if start["cache"] else None
    names = start.get("library", ())
    fallbacks = own.load("tracetwin.worker.library.fallbacks").FallbackFinder
    make_finder = own.load("tracetwin.worker.library.hook").LibraryFinder if names else None

    def install() -> _Refusing | None:
        patterns = list(start["patterns"])
        make_room(lambda name: any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns))
        handle = hook.install(patterns, interface=interface, cache=cache)
        sys.meta_path.insert(0, fallbacks(handle.finder.patterns))
        if start.get("building") is not None:
            handle.finder.limit(float(start["building"]), start["name"])
        if make_finder is None:
            return None
        finder: _Refusing = make_finder(names, interface, cache)
        make_room(finder.names.__contains__)
        sys.meta_path.insert(0, finder)  # type: ignore[arg-type]
        return finder

    return install


class _Refusing(Protocol):
    """The finder of the library's twins."""

    names: Mapping[str, str]
    refused: set[str]


def _within(file: str, places: dict[str, str]) -> bool:
    """True if the target is a part of ourselves: then nothing of us is hidden from it."""
    real = os.path.realpath(file)
    return any(real.startswith(os.path.realpath(folder) + os.sep) for folder in places.values())


class ForkServer:
    """Forks one runner after the other, each at the parent's command."""

    def __init__(
        self,
        control: Channel,
        handler: Handler,
        limits: Limits,
        faults: Faults,
        start: Mapping[str, Any],
    ) -> None:
        self.control = control
        self.handler = handler
        self.limits = limits
        self.faults = faults
        self.target: str = start["name"]
        self.file: str = start["file"]
        self.scratch: str = start["scratch"]
        self._code: str = start["code"]
        self._socket = _socket.socket(fileno=control.fd)
        self._settle()

    def _settle(self) -> None:
        """Take things as they are for those that the imports left."""
        self._present = set(os.listdir(self.scratch))
        self.sound = Soundness()
        gc.collect()
        gc.freeze()  # the collector of a runner leaves our pages, shared with the server, alone

    def loop(self) -> None:
        """Obey until the parent goes."""
        while True:
            command, fd = self._command()
            if command == FORK and fd is not None:
                self._run(fd)
            elif command == FORESEE:
                self.handler.foresee(self.control.receive())
                self.control.send(("foreseen",))
            elif command == IMPORT:
                self._import(self.control.receive())

    def _import(self, names: list[str]) -> None:
        """Import what earlier runners had to; who does not get over it is started anew by the parent."""
        signal.setitimer(signal.ITIMER_REAL, self.limits.import_seconds + 1.0)
        lacking = late_imports.load(names, self._code)
        refused = late_imports.package_changed(self.target, names, self.handler.stays)
        self.handler.imported()
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        sandbox.take_refusals()
        self._settle()
        self.control.send(("imported", lacking, refused))

    def _command(self) -> tuple[bytes, int | None]:
        data, ancillary, _flags, _address = self._socket.recvmsg(1, _CMSG_SPACE)
        if not data:
            raise Closed("the parent has gone")
        for _level, _kind, content in ancillary:
            return data, int(struct.unpack("i", content[:4])[0])
        return data, None

    def _run(self, fd: int) -> None:
        """One runner from its fork to its end."""
        self._sweep()
        self.faults.clear()
        life_read, life_write = os.pipe()  # closes when the runner ends, however it ends
        pid = fork(lambda: self._serve(fd, life_read, life_write))
        os.close(fd)
        os.close(life_write)
        try:
            self.control.send(("forked", pid))
            status, killed = self._watch(pid, life_read)
        except Closed:
            _kill(pid)
            raise
        finally:
            os.close(life_read)
        self.control.send(("exited", status, killed, self.faults.line(self.file)))

    def _watch(self, pid: int, life: int) -> tuple[int, str]:
        """Wait for the end of a runner, or bring it about."""
        poll = select.poll()
        poll.register(life, select.POLLIN)
        poll.register(self.control.fd, select.POLLIN)
        while True:
            events = poll.poll(LOOK_SECONDS * 1000)
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return status, ""
            if not events and is_overfull(self.scratch):
                return _end(pid, 0.0)[0], OVERFULL
            for fd, _event in events:
                if fd == life:
                    return _end(pid, _GRACE_SECONDS)
                command, _none = self._command()
                if command == KILL:
                    _ask(pid)
                    return _end(pid, 0.0)
                if command == END:
                    return _end(pid, _GRACE_SECONDS)

    def _sweep(self) -> None:
        """Each runner finds the scratch folder as the import left it."""
        guard = sandbox.guard()
        touched = 0 if guard is None else guard.touched
        for name in os.listdir(self.scratch):
            if name not in self._present:
                _remove(os.path.join(self.scratch, name))
        if guard is not None:
            guard.touched = touched  # that was not the target, which the next runners would else be taken for

    def _serve(self, fd: int, life_read: int, life_write: int) -> None:
        """The whole life of a runner."""
        os.dup2(fd, PROTOCOL_FD)
        os.dup2(life_write, _LIFE_FD)
        for used in (fd, life_read, life_write, self.control.fd):
            os.close(used)
        imports = late_imports.LateImports()
        serve(self.handler, Channel(PROTOCOL_FD), self.limits, self.sound, imports)


def _kill(pid: int) -> None:
    with sandbox.forking(), suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _ask(pid: int) -> None:
    with sandbox.forking(), suppress(ProcessLookupError):
        ask(pid)


def _end(pid: int, grace: float) -> tuple[int, str]:
    """Wait `grace` seconds for a child's own end, then kill it: (status, `KILLED` where we had to)."""
    until = time.monotonic() + grace
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status, ""
        time.sleep(0.0001)
    done, status = os.waitpid(pid, os.WNOHANG)
    if done:
        return status, ""
    _kill(pid)
    return os.waitpid(pid, 0)[1], KILLED


def _remove(path: str) -> None:
    """Remove a file or a folder with all it holds; what resists stays."""
    with suppress(OSError):
        if os.path.islink(path) or not os.path.isdir(path):
            os.unlink(path)
            return
        for name in os.listdir(path):
            _remove(os.path.join(path, name))
        os.rmdir(path)
