"""Which parameter an argument of a step is for."""

from __future__ import annotations

from typing import Any

from tracetwin.replay.static import Coverable, Function


def arguments(step: dict[str, Any], coverable: Coverable, case: dict[str, Any]) -> list[tuple[str, Any]]:
    """The arguments of a step with the names of their parameters."""
    kind, _, name = step["do"]
    parameters: tuple[str, ...] = ()
    if kind == "call":
        found = coverable.function(name)
        parameters = found.parameters if found else coverable.classes.get(name, ())
    elif kind == "method":
        owner = str(case["target"][1]).rpartition(".")[0]
        found = coverable.function(f"{owner}.{name}") or _only(coverable, name)
        parameters = found.parameters if found else ()
    elif kind == "set":
        parameters = (name,)
    named = []
    for position, part in enumerate(step["args"]):
        known = parameters[position] if position < len(parameters) else f"argument_{position + 1}"
        named.append((known, part))
    return [*named, *((str(key), part) for key, part in step["kwargs"])]


def _only(coverable: Coverable, method: str) -> Function | None:
    found = [function for function in coverable.functions if function.qualname.endswith(f".{method}")]
    return found[0] if len(found) == 1 else None
