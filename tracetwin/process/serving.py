"""The life of a runner: it answers requests until it is told, or finds, that it has done enough."""

from __future__ import annotations

import sys
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable
from types import ModuleType
from typing import Any

from tracetwin.process.channel import EXIT_CHANNEL, EXIT_MEMORY, Channel, Closed, NotPlain
from tracetwin.process.deadline import Deadline, RunTimeout
from tracetwin.process.integrity import Soundness
from tracetwin.process.late_imports import LateImports
from tracetwin.process.walls.sandbox import Limits
from tracetwin.support.stdlib_copies import leave


class Handler(ABC):
    """Answers the requests that a worker gets.

    Attributes:
        finished: read after each reply; when it is true this runner is replaced.
        limits_itself: the handler limits the time of a run on its own; else each call of `handle` gets a
            `Deadline`.
    """

    finished: bool = False
    limits_itself: bool = False

    def extend(  # noqa: B027 - most know of none
        self, start: dict[str, Any], load: Callable[[str, str], ModuleType]
    ) -> None:
        """Take over adapters and library models of other packages, before the walls are up."""

    def surround(self, start: dict[str, Any], limits: Limits) -> tuple[Limits, str]:
        """In the fork server, before there are walls: returns the limits and the scratch folder for them."""
        return limits, start["scratch"]

    @abstractmethod
    def prepare(self, start: dict[str, Any]) -> dict[str, Any]:
        """In the fork server, inside the walls: import the target and tell about it."""

    def foresee(self, message: Any) -> None:  # noqa: B027 - most have nothing to do
        """In the fork server, between runners: do once what the requests to come need."""

    def stays(self) -> bool:
        """In the fork server: return whether the target is as its import left it, but for new names."""
        return True

    def imported(self) -> None:  # noqa: B027 - as above
        """In the fork server, between runners: modules were imported that earlier runners had to."""

    @abstractmethod
    def handle(self, message: Any) -> Any:
        """In a runner: answer one request with plain data."""


def serve(
    handler: Handler, channel: Channel, limits: Limits, sound: Soundness, imports: LateImports
) -> None:
    """Answer requests until the handler has finished or the parent goes.

    A request is ``(number, message)``, a reply ``(number, last, kind, payload, imported)``: `last` tells the
    parent that this runner takes no more, `imported` what the request had to import; kind is ``reply``,
    ``timeout`` (the limit struck outside the handler's own care), ``error`` (something escaped from the
    handler: an error of ours), ``spoilt`` (the same in an interpreter that the target has damaged) or ``not
    plain`` (its answer can't be sent).
    """
    deadline = Deadline(limits.wall_seconds, limits.cpu_seconds)
    while True:
        number, message = channel.receive()
        try:
            if handler.limits_itself:
                payload = handler.handle(message)
            else:
                with deadline:
                    payload = handler.handle(message)
            kind, last = "reply", bool(handler.finished)
        except RunTimeout as limit:
            kind, last, payload = "timeout", True, str(limit)
        except MemoryError:  # what the target made has left none to answer with: it costs this input
            leave(EXIT_MEMORY)
        except BaseException:  # noqa: BLE001 - what escapes from a handler is an error of ours
            sound.hush()
            damage = sound.damage() or sound.interrupter()
            kind, last, payload = ("spoilt", True, damage) if damage else ("error", True, report())
        try:
            channel.send((number, last, kind, payload, imports.new()))
        except NotPlain as error:
            last = True
            channel.send((number, last, "not plain", f"the reply is {error}", []))
        except Closed:
            leave(EXIT_CHANNEL)
        if last:
            return


def report() -> str:
    """The traceback of what was raised."""
    try:
        return traceback.format_exc()
    except BaseException:  # noqa: BLE001 - the target has spoilt the standard library
        kind = sys.exc_info()[0]
        return "no traceback" if kind is None else kind.__name__
