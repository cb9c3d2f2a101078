"""The user's rules in the replaying process: what it asks objects beyond a case's own steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracetwin.drawing.rules.call_patterns import Permits
from tracetwin.replay.observe.preconditions import Preconditions


class Rules:
    """The user's rules: what may be called, and what must hold then."""

    def __init__(self, plain: Mapping[str, Any]) -> None:
        self._permits = Permits(plain)
        self._preconditions = Preconditions(plain.get("assume", ()), annotated=True)

    def may_ask(self, receiver: object, name: str, *args: object) -> bool:
        """True if a method may be called on an object with some arguments, to see what it says."""
        function = getattr(type(receiver), name, None)
        if function is None or not self._permits.permits_on(receiver, name):
            return False
        return self._preconditions.hold("", name, function, receiver, (receiver, *args), {})


current = Rules({})
"""Those of the process. Read it as ``rules.current``: `install` rebinds it."""


def install(plain: Mapping[str, Any]) -> None:
    """Let the process keep to a module's rules."""
    global current  # noqa: PLW0603 - one per process
    current = Rules(plain)
