"""Checked messages of a fork server and its runners: a target can write to their descriptors."""

from __future__ import annotations

import os
from typing import Any, Final, NamedTuple

from tracetwin.process import bytecode, disk
from tracetwin.process.channel import EXIT_CHANNEL, EXIT_MEMORY, OVERFULL, Channel, ProtocolError
from tracetwin.process.deadline import EXIT_STUCK
from tracetwin.process.launch import exit_words, rewriter_version
from tracetwin.process.walls.sandbox import Limits
from tracetwin.support.data import dataclass
from tracetwin.support.worker_errors import BY_KIND, RunnerDied, RunnerTimeout, WorkerError
from tracetwin.target.module import TargetModule

_KINDS: Final = frozenset(("reply", *BY_KIND))
_LENGTHS: Final = {"up": 1, "ready": 2, "failed": 4, "foreseen": 1, "imported": 3, "forked": 2, "exited": 4}


@dataclass(frozen=True)
class Ready:
    """The target is imported.

    Attributes:
        info: what the handler told about it.
        seconds: how long the start took.
    """

    info: dict[str, Any]
    seconds: float


@dataclass(frozen=True)
class Failed:
    """The target can't be imported.

    Attributes:
        kind: ``"import raised"``, ``"exited"``, ``"hung"``, ``"missing"``, ``"spent"`` or, for an error of
            ours, ``"internal"``.
        refused: what the walls refused to it, as (event, detail).
    """

    kind: str
    message: str
    refused: tuple[tuple[str, str], ...] = ()


class End(NamedTuple):
    """The end of a runner: its status, why it had to be killed, and the line of the target it was in."""

    status: int
    killed: str
    line: int


def start_message(module: TargetModule, limits: Limits, cache: str) -> dict[str, Any]:
    """The part of the message that a process gets first which its target and the cache of twins tell."""
    there = module.python
    return {
        "name": module.name,
        "file": module.file,
        "root": module.root,
        "search_path": list(module.search_path),
        "limits": limits.to_plain(),
        "cache": str(cache),
        "code": "" if there else bytecode.default_folder(),
        "written_by": rewriter_version() if there else b"",
        "elsewhere": there is not None,
    }


def event(control: Channel, deadline: float) -> tuple[Any, ...]:
    """The next event of a fork server.

    Raises:
        ProtocolError: it is none.
    """
    told = control.receive(deadline)
    if type(told) is tuple and told and type(told[0]) is str and len(told) == _LENGTHS.get(told[0]):
        return told
    raise ProtocolError("something else than an event arrived")


def reply(channel: Channel, deadline: float, number: int) -> tuple[bool, str, Any, Any]:
    """The reply of a runner: whether it takes no more requests, the kind, the payload, what it imported.

    Raises:
        ProtocolError: it is none.
    """
    told = channel.receive(deadline)
    if type(told) is tuple and len(told) == 5 and told[0] == number:
        _, last, kind, payload, imported = told
        if type(last) is bool and type(kind) is str and kind in _KINDS:
            return last, kind, payload, imported
    raise ProtocolError("something else than a reply arrived")


def death(ended: End | None, error: Exception) -> WorkerError:
    """The error to raise when the connection to a runner broke."""
    if ended is None:
        return RunnerDied("the whole worker is gone")
    code = os.waitstatus_to_exitcode(ended.status)
    if code == EXIT_STUCK:
        return RunnerTimeout("the target went on after it was told to stop", ended.line)
    if ended.killed == OVERFULL:
        return RunnerDied(disk.WORDS, ended.status)
    if isinstance(error, ProtocolError):
        return RunnerDied(f"broke the connection: {error}", ended.status)
    if ended.killed or code == EXIT_CHANNEL:
        return RunnerDied("closed file descriptors that are not its own", ended.status)
    if code == EXIT_MEMORY:
        return RunnerDied("used up its memory", ended.status, ended.line)
    return RunnerDied(exit_words(code), ended.status, ended.line)
