"""The parent's handle on a worker: start it, ask it, replace what died, leave nothing behind."""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tracetwin.process import bounded, bytecode, disk, late_imports
from tracetwin.process.channel import (
    END,
    EXIT_CHANNEL,
    FORESEE,
    FORK,
    IMPORT,
    KILL,
    Channel,
    Closed,
    NotPlain,
    ProtocolError,
    TooSlow,
    encode,
    tick,
)
from tracetwin.process.faults import ask, read
from tracetwin.process.importing import AS_IT_IS
from tracetwin.process.launch import Live, exit_words
from tracetwin.process.launch import start as launch
from tracetwin.process.messages import End, Failed, Ready, death, event, reply, start_message
from tracetwin.process.walls.sandbox import Limits
from tracetwin.support.worker_errors import (
    BY_KIND,
    HandlerError,
    ReplyNotPlain,
    RunnerDied,
    RunnerTimeout,
    WorkerError,
    WorkerFailed,
)
from tracetwin.target.module import TargetModule

__all__ = [
    "Failed", "HandlerError", "Ready", "ReplyNotPlain", "RunnerDied", "RunnerTimeout", "Worker",
    "WorkerError", "WorkerFailed",
]  # fmt: skip

_HARD_KILL_SECONDS: Final = 1.0
_CONTROL_SECONDS: Final = 10.0
_NUMBER_BITS: Final = 62
_CLOSED: Final = "the import closed file descriptors that are not its own"
_START_SECONDS: Final = 60.0
"""Time for the start of our own side, on a machine that has much else to do."""


class Worker:
    """A sandboxed process that has the target imported and executes requests on it.

    The worker dies with the *thread* that started it (that is how Linux ties them), so start it from
    a thread that lives long enough. Used by one thread at a time.

    Attributes:
        forks: how many runners there were.
        starts: how many times the interpreter was started.
        runner_pid: the process that will execute the next request, None before a fork.
    """

    def __init__(
        self,
        module: TargetModule,
        limits: Limits | None = None,
        *,
        mode: str = "twin",
        handler: tuple[str, str, str] = ("tracetwin.worker.runner", "Runner", ""),
        patterns: Sequence[str] = (),
        cache: str = "",
        seed: int = 0,
        allow_fork: bool = False,
        library: Sequence[str] = (),
        options: Mapping[str, Any] | None = None,
        variables: Mapping[str, str] | None = None,
        fixed_addresses: bool = False,
    ) -> None:
        """Describe a worker; nothing is started yet.

        The handler is a (module, class, file or "") that answers in the runner, by mode, seed and options.
        """
        there = module.python
        self._launch: dict[str, Any] = {"fixed_addresses": fixed_addresses, "python": there}
        if variables is not None:
            self._launch["variables"] = variables
        self.limits = limits or Limits()
        self.forks = self.starts = 0
        self.runner_pid: int | None = None
        self.handshake: Ready | Failed | None = None
        offered = bool(cache) or not there  # another interpreter can't build twins: they are in the cache
        self._start: dict[str, Any] = {
            **(options or {}),
            **start_message(module, self.limits, cache),
            "mode": mode,
            "handler": list(handler),
            "patterns": list(patterns) if offered else [],
            "seed": seed,
            "allow_fork": allow_fork,
            "library": list(library) if offered else [],
        }
        self._live: Live | None = None
        self._finalizer: weakref.finalize[..., Any] | None = None
        self._control: Channel | None = None
        self._channel: Channel | None = None
        self._answered = 0  # by the present runner
        self._late: set[str] = set()

    def __enter__(self) -> Worker:  # noqa: PYI034 - `Self` is of Python 3.11
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The process group of the worker, None when it is not running."""
        live = self._live
        return live.process.pid if live is not None and live.process is not None else None

    @property
    def is_started(self) -> bool:
        """Return whether the target was imported, or failed to be."""
        return self.handshake is not None and not (self._live is None and isinstance(self.handshake, Ready))

    def start(self) -> Ready | Failed:
        """Start the interpreter and let it import the target, unless that is done already."""
        if self.handshake is not None and self.is_started:
            return self.handshake
        began = time.monotonic()
        self._spawn()
        self.handshake = self._shake_hands(began)
        if isinstance(self.handshake, Failed):
            self._drop()
            if self.handshake.kind == AS_IT_IS:
                return self._start_without(self.handshake.message.split())
        return self.handshake

    def _start_without(self, names: Sequence[str]) -> Ready | Failed:
        """Start anew, with some modules of the library as they are: extensions can't be imported twice."""
        self._start["library"] = [name for name in self._start["library"] if name not in names]
        self.handshake = None
        return self.start()

    def request(self, message: object, timeout: float | None = None) -> Any:
        """Let a runner execute `message` and return its reply.

        Args:
            message: plain data for the handler.
            timeout: seconds until the runner is killed; None: the wall limit and a second.

        Raises:
            RunnerDied: the runner ended instead of answering; the next request gets a new one.
            RunnerTimeout: it did not answer in time, and was ended.
            HandlerError: our own code in the runner failed.
            ReplyNotPlain: it answered with something that can't be sent.
            WorkerFailed: the target could not be imported.
        """
        # A target that answers in our runner's place does not know the number.
        number = secrets.randbits(_NUMBER_BITS)
        try:
            encoded = encode((number, message))
        except NotPlain as error:
            raise HandlerError(f"the request is {error}") from None
        limit = self.limits.wall_seconds + _HARD_KILL_SECONDS if timeout is None else timeout
        try:
            last, kind, payload, imported = self._exchange(encoded, limit, number)
        except RunnerDied:
            if self._answered == 0:
                raise
            # Something that an earlier input left behind may have struck: this one is tried on its own.
            last, kind, payload, imported = self._exchange(encoded, limit, number)
        late_imports.remember(self._start["file"], imported)
        self._answered += 1
        if last:
            self._let_go()
        if kind in BY_KIND:
            raise BY_KIND[kind](payload)
        return payload

    def foresee(self, message: object) -> None:
        """Let the handler prepare for requests to come, once for all runners.

        Args:
            message: plain data for `Handler.foresee`.

        Raises:
            RunnerDied: it did not get ready.
            WorkerFailed: the target could not be imported.
        """
        self.replace_runner()
        self._ready()
        self._told(FORESEE, message, "foreseen")

    def _told(self, command: bytes, message: object, answer: str) -> tuple[Any, ...]:
        """Give the fork server a message behind a command; returns the event that answers it."""
        assert self._control is not None
        deadline = time.monotonic() + max(_CONTROL_SECONDS, self.limits.import_seconds)
        try:
            self._command(command)
            self._control.send(message, deadline)
            return self._event(answer, deadline)
        except (Closed, TooSlow, ProtocolError, OSError) as error:
            self._drop()
            raise RunnerDied(f"the worker does not get ready: {error}") from None

    def _exchange(self, encoded: bytes, limit: float, number: int) -> tuple[bool, str, Any, Any]:
        """One request and its reply, as `reply` gives it."""
        if self._channel is None:
            self._fork()
        channel = self._channel
        assert channel is not None
        deadline = time.monotonic() + limit
        try:
            channel.send_encoded(encoded, deadline)
            return reply(channel, deadline, number)
        except TooSlow:
            ended = self._end(KILL)
            raise RunnerTimeout(f"no answer after {limit:g} s", ended.line if ended else 0) from None
        except (Closed, ProtocolError, ValueError, TypeError) as error:
            raise death(self._end(END), error) from None
        except BaseException:  # interrupted: what is on the way would be taken for the next answer
            self._end(KILL)
            raise

    def replace_runner(self) -> None:
        """The next request gets a new runner."""
        if self._channel is not None:
            self._end(END)

    def close(self) -> None:
        """End everything; the worker can be started again."""
        self._drop()
        self.handshake = None

    def _spawn(self) -> None:
        live = launch(**self._launch)
        self._live = live
        self._late = set()
        self._finalizer = weakref.finalize(self, live.clean)
        self.starts += 1
        self._control = live.channel()
        faults = os.path.join(live.base, "faults")
        self._start |= {"scratch": live.scratch, "faults": faults, "parent": os.getpid()}

    def _shake_hands(self, began: float) -> Ready | Failed:
        control, limit = self._control, self.limits.import_seconds
        assert control is not None
        try:
            control.send(self._start, began + _START_SECONDS)
            answer = event(control, began + _START_SECONDS)
            if answer[0] == "up":  # from here on it is the target's own time
                until = time.monotonic() + limit
                if not control.holds_more and not disk.wait(control.fd, until, self._start["scratch"]):
                    return Failed("exited", f"the import {disk.WORDS}")
                answer = event(control, until)
        except TooSlow:
            return Failed("hung", f"the import did not end within {limit:g} s{self._where(asking=True)}")
        except (Closed, ProtocolError):
            return self._broken_start()
        if answer[0] == "ready":
            if isinstance(answer[1], dict):
                bytecode.keep(self._start["code"], answer[1].pop("without_bytecode", None))
            return Ready(answer[1], time.monotonic() - began)
        return Failed(str(answer[1]), str(answer[2]), tuple(answer[3]))

    def _broken_start(self) -> Failed:
        live = self._live
        assert live is not None
        assert live.process is not None
        try:
            code = live.process.wait(_CONTROL_SECONDS / 10)
        except subprocess.TimeoutExpired:
            return Failed("exited", _CLOSED)
        if code == EXIT_CHANNEL:
            return Failed("exited", _CLOSED)
        if errors := Path(live.base, "stderr").read_text("utf-8", "replace").strip():
            return Failed("internal", errors)
        return Failed("exited", f"the import {exit_words(code)}{self._where()}")

    def _where(self, *, asking: bool = False) -> str:
        """The line that the import was in, as the end of a sentence."""
        if asking and self.pid is not None:
            ask(self.pid)
        line = read(self._start["faults"], self._start["file"])
        return f" (line {line})" if line else ""

    def _drop(self) -> None:
        self._channel = self._control = self.runner_pid = None
        if self._finalizer is not None:
            self._finalizer()
        self._live = self._finalizer = None

    def _fork(self) -> None:
        """A new runner for the next request; the interpreter is started again where it is gone."""
        self._ready()
        self._import_late()
        try:
            self._fork_once()
        except (Closed, TooSlow, ProtocolError, OSError):
            # The fork server is gone, or does not listen: once more, from the start.
            self._drop()
            self._ready()
            try:
                self._fork_once()
            except (Closed, TooSlow, ProtocolError, OSError) as error:
                self._drop()
                raise RunnerDied(f"the worker does not fork: {error}") from None

    def lacking(self) -> list[str]:
        """Return the modules that runs of the target imported and the next runner would have to."""
        return [name for name in late_imports.remembered(self._start["file"]) if name not in self._late]

    def _import_late(self) -> None:
        """Let what runs of the target imported be imported before the next one."""
        if not (names := self.lacking()):
            return
        self._late.update(names)
        try:
            _, lacking, refused = self._told(IMPORT, names, "imported")
            bytecode.keep(self._start["code"], lacking)
        except RunnerDied:
            refused = ""
        if refused is not None:
            late_imports.refuse(self._start["file"], str(refused))
            self._drop()
            self._ready()
            self._import_late()

    def _ready(self) -> None:
        """Start the interpreter where there is none."""
        if isinstance(state := self.start(), Failed):
            raise WorkerFailed(f"{state.kind}: {state.message}") from None

    def _event(self, name: str, deadline: float) -> tuple[Any, ...]:
        """The next event of that name; what is told of the end of earlier runners is passed over."""
        control = self._control
        assert control is not None
        told = event(control, deadline)
        while told[0] != name:
            told = event(control, deadline)
        return told

    def _fork_once(self) -> None:
        live, (ours, theirs) = self._live, socket.socketpair()
        assert live is not None
        assert live.control is not None
        with theirs:
            live.runner = ours
            tick(ours)
            socket.send_fds(live.control, [FORK], [theirs.fileno()])
        self.runner_pid = int(self._event("forked", time.monotonic() + _CONTROL_SECONDS)[1])
        self.forks += 1
        self._answered = 0
        self._channel = Channel(ours.fileno(), bounded.loads)

    def _let_go(self) -> None:
        """The runner ends by itself; do not wait for it."""
        self._channel = self.runner_pid = None
        live = self._live
        if live is not None and live.runner is not None:
            live.runner.close()
            live.runner = None
            self._command(END)

    def _end(self, command: bytes) -> End | None:
        """End the runner; returns None where the fork server is gone too."""
        self._channel = self.runner_pid = None
        live = self._live
        if live is None or self._control is None:
            return None
        if live.runner is not None:
            live.runner.close()
            live.runner = None
        try:
            self._command(command)
            told = self._event("exited", time.monotonic() + _CONTROL_SECONDS)
            return End(int(told[1]), str(told[2]), int(told[3]))
        except (Closed, TooSlow, ProtocolError, OSError):
            self._drop()
            return None

    def _command(self, command: bytes) -> None:
        live = self._live
        assert live is not None
        assert live.control is not None
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # the next fork will notice
            live.control.send(command)
