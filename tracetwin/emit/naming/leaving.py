"""A call of `__exit__` as what readers know it by: the end of a `with`, or an exception raised within one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tracetwin.emit.naming.values import snake

_QUIET = [("lit", None)] * 3


@dataclass(frozen=True)
class Leaving:
    """How a context is left.

    Attributes:
        position: the step that entered it.
        raised: the recipe of the exception that is raised within, None for nothing.
        through: whether that exception comes out again.
    """

    position: int
    raised: Any
    through: bool


def leaving(case: dict[str, Any], seen: dict[str, Any]) -> Leaving | None:
    """How the call leaves a context, None where it is no such call or can't be written so."""
    *setup, last = case["steps"]
    kind, place, name = last["do"]
    silent = seen["stdout"] == seen["stderr"] == "" and not seen["stdin"] and seen["how"] == "call"
    if kind != "method" or name != "__exit__" or last["kwargs"] or len(last["args"]) != 3 or not silent:
        return None
    position = _entered(setup, place)
    if position is None:
        return None
    if last["args"] == _QUIET:
        return Leaving(position, None, through=False)
    cause, error, trace = last["args"]
    if cause[0] != "ref" or error[0] != "call" or cause[1:3] != error[1:3] or trace != ("lit", None):
        return None
    value = seen["value"]
    if seen["outcome"] == "returned" and (value[0] != "lit" or not isinstance(value[1], (bool, type(None)))):
        return None
    return Leaving(position, error, through=seen["outcome"] == "returned" and not value[1])


def _entered(setup: list[dict[str, Any]], place: str) -> int | None:
    """The step that entered the context, where that is the only one still open."""
    opened: list[tuple[str, int]] = []
    for i, step in enumerate(setup):
        kind, where, name = step["do"]
        if kind == "with":
            return None
        if kind == "method" and name == "__enter__" and not step["args"] and not step["kwargs"]:
            opened.append((where, i))
        elif kind == "method" and name == "__exit__" and not (opened and opened.pop()[0] == where):
            return None
    return opened[0][1] if len(opened) == 1 and opened[0][0] == place else None


def ending_words(case: dict[str, Any], seen: dict[str, Any]) -> str:
    """What happens to the context, for a test's name; "" where the call is no end of one."""
    how = leaving(case, seen)
    if how is None or seen["outcome"] != "returned":
        return ""
    if how.raised is None:
        return "is_left"
    error = snake(how.raised[2].rpartition(".")[2]) or "error"
    return f"lets_{error}_through" if how.through else f"swallows_{error}"
