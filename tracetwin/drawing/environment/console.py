"""Console input: the lines that a user types."""

from __future__ import annotations

from typing import Any

from runtime.values import plain
from tracetwin.drawing.environment.sources import EnvironmentRead, reads
from tracetwin.model.recipes import Recipe, lit


@reads("input", "builtins:input", "getpass:getpass")
def typed(reading: EnvironmentRead, _prompt: Any = "", **_others: Any) -> tuple[Any, Recipe]:
    """A line of text."""
    reading.may_raise(EOFError, KeyboardInterrupt)
    value = reading.inputs.text(reading.name)
    return value, lit(plain(value))
