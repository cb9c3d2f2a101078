"""A handler for the worker's own tests: calls a function of the target by name."""

from __future__ import annotations

from typing import Any

from tracetwin.process.importing import import_target
from tracetwin.process.serving import Handler
from tracetwin.process.walls import sandbox
from tracetwin.worker.restore.ambient import Ambient
from tracetwin.worker.restore.state import StateGuard


class Stub(Handler):
    """Answers ``(function, arguments)`` with what the target's function returns."""

    def prepare(self, start: dict[str, Any]) -> dict[str, Any]:
        """Import the target."""
        self.module = import_target(start)
        return {"names": sorted(name for name in vars(self.module) if not name.startswith("_"))}

    def handle(self, message: Any) -> Any:
        """Call the function."""
        name, arguments = message
        if name == "!finish":
            self.finished = True
            return "finished"
        if name == "!memory":
            raise MemoryError
        if name == "!intact":
            guard = sandbox.guard()
            return guard is not None and guard.intact()
        if name == "!refusals":
            return sandbox.refusals()
        try:
            return ("returned", getattr(self.module, name)(*arguments))
        except Exception as error:  # noqa: BLE001 - the answer, whatever it is
            return ("raised", type(error).__name__, str(error))


class Careful(Stub):
    """Puts everything back after a call, or asks to be replaced."""

    def prepare(self, start: dict[str, Any]) -> dict[str, Any]:
        """Import the target and remember its state."""
        info = super().prepare(start)
        self.guard = StateGuard([self.module])
        self.ambient = Ambient(start["limits"]["recursion"], start["seed"])
        return info

    def handle(self, message: Any) -> Any:
        """Call the function, then settle."""
        self.ambient.begin()
        try:
            return super().handle(message)
        finally:
            clean = self.ambient.settle()
            self.finished = not clean or (self.guard.dirty() and not self.guard.restore())
