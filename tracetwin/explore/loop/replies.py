"""Checks of a worker's replies. A target can write to our descriptors, and so speak in our place.

Only the outline is looked at: whoever reads the parts of a reply is prepared for anything in them.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, TypeGuard

from tracetwin.explore.loop.past import Asked
from tracetwin.model.invokable import Invokable
from tracetwin.process.messages import Failed, Ready
from tracetwin.support.worker_errors import RunnerDied

_PARTS: Final[dict[str, type]] = {
    "epoch": tuple, "status": str, "detail": str, "said": str, "is_stated": bool, "line": int,
}  # fmt: skip
_SAID: Final = "spoke in our place"
_KNOWN: Final = {part.name for part in fields(Invokable)}
_TEXTS: Final = ("qualname", "kind", "owner", "problem")
_NUMBERS: Final = ("first_line", "last_line")


class OutlinedWorker:
    """A worker whose replies have the outline of replies; a runner that sends others is ended."""

    def __init__(self, worker: Asked) -> None:
        self._worker = worker

    def request(self, message: object) -> Any:
        """Its reply.

        Raises:
            RunnerDied: what came is none; the next request gets a new runner.
        """
        reply = self._worker.request(message)
        if not _is_reply(reply):
            self._worker.replace_runner()
            raise RunnerDied(f"broke the connection: it {_SAID}")
        return reply

    def replace_runner(self) -> None:
        """The next request gets a new runner."""
        self._worker.replace_runner()


def outlined(started: Ready | Failed) -> Ready | Failed:
    """How a start went; it failed where what came tells nothing of a module."""
    if isinstance(started, Failed) or _tells_of_module(started.info):
        return started
    return Failed("exited", f"the import {_SAID}")


def _is_reply(reply: object) -> bool:
    if type(reply) is not dict or any(type(reply.get(name)) is not kind for name, kind in _PARTS.items()):
        return False
    return len(reply["epoch"]) == 2 and all(type(part) is int for part in reply["epoch"])


def _tells_of_module(info: object) -> bool:
    if type(info) is not dict:
        return False
    invokables, walls = info.get("invokables"), info.get("walls")
    return (
        type(invokables) is list
        and all(map(_is_invokable, invokables))
        and type(walls) is dict
        and _are_texts(walls.get("missing", []))
        and _are_texts(info.get("notes", []))
        and _are_texts(info.get("undefined", []))
        and _are_numbers(info.get("entered", []))
        and _are_pairs(info.get("refusals"))
        and _are_bodies(info.get("private_lines", []))
    )


def _is_invokable(plain: object) -> bool:
    if type(plain) is not dict or not plain.keys() <= _KNOWN:
        return False
    return all(type(plain.get(name)) is str for name in _TEXTS) and all(
        type(plain.get(name)) is int for name in _NUMBERS
    )


def _are_texts(things: object) -> bool:
    return isinstance(things, (list, tuple)) and all(type(thing) is str for thing in things)


def _are_numbers(things: object) -> bool:
    return isinstance(things, (list, tuple)) and all(type(thing) is int for thing in things)


def _are_bodies(things: object) -> TypeGuard[list[list[object]]]:
    return isinstance(things, (list, tuple)) and all(isinstance(thing, (list, tuple)) for thing in things)


def _are_pairs(things: object) -> bool:
    return _are_bodies(things) and all(_are_texts(thing) and len(thing) == 2 for thing in things)
