"""The calls made on mocks, as they were made: what was passed may change afterwards."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

from tracetwin.model.codec import key
from tracetwin.model.observation import MockCall
from tracetwin.model.snapshot import Opaque, Snapshot
from tracetwin.replay.observe.snap import Camera

MOST_CALLS: Final = 50
"""Calls that are noted; of a member that is called more often nothing is said."""

LATER: Final = "changes after the call"

_OWN: Final = frozenset(("tracetwin", "runtime"))


class CallLog:
    """Is told of each call of a mock.

    Args:
        camera: makes what takes pictures of arguments; it must not run code of the target.
        file: what code of the target says it comes from.

    Attributes:
        begun: whether the call that is tested has begun.
    """

    def __init__(self, camera: Callable[[], Camera], file: str | None) -> None:
        self.begun = False
        self._camera = camera
        self._file = file
        self._noted: list[tuple[int, str, list[Any], list[tuple[str, Any]], int | None]] = []
        self._before: list[tuple[list[Snapshot], list[Snapshot]]] = []

    def __call__(self, number: int, member: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Note a call, before it is answered."""
        if len(self._noted) > MOST_CALLS:
            return
        # The target is measured meanwhile; no tracer survives being taken off in the middle of a function.
        line = self._caller()
        if not self.begun:
            line = -(line or 0)
        self._noted.append((number, member, list(args), list(kwargs.items()), line))
        self._before.append(self._pictures(list(args), list(kwargs.items())))

    @property
    def is_whole(self) -> bool:
        """True if all calls were noted."""
        return len(self._noted) <= MOST_CALLS

    def told(self) -> tuple[MockCall, ...]:
        """The calls; of arguments that changed since nothing is known, as a mock keeps the objects only."""
        if not self.is_whole:
            return ()
        found: list[MockCall] = []
        for (number, member, args, kwargs, line), before in zip(self._noted, self._before, strict=True):
            after = self._pictures(args, kwargs)
            plain, named = (_unchanged(*both) for both in zip(before, after, strict=True))
            names = [name for name, _ in kwargs]
            by_name = tuple(zip(names, named, strict=True))
            found.append(MockCall(number, member, tuple(plain), by_name, line))
        return tuple(found)

    def _pictures(
        self, args: list[Any], kwargs: list[tuple[str, Any]]
    ) -> tuple[list[Snapshot], list[Snapshot]]:
        camera = self._camera()
        return [camera.take(part) for part in args], [camera.take(part) for _, part in kwargs]

    def _caller(self) -> int | None:
        """The line of the target that called the mock itself; None where others called it for the target."""
        frame: FrameType | None = inspect.currentframe()
        while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] in _OWN:
            frame = frame.f_back
        return frame.f_lineno if frame is not None and frame.f_code.co_filename == self._file else None


def _unchanged(before: list[Snapshot], after: list[Snapshot]) -> list[Snapshot]:
    pairs = zip(before, after, strict=True)
    return [one if key(one) == key(other) else Opaque("", LATER) for one, other in pairs]
