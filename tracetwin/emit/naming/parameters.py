"""Which parameter an argument of a step is for."""

from __future__ import annotations

from tracetwin.model.case import Act, Case, Step
from tracetwin.model.recipe import Recipe
from tracetwin.replay.static import Coverable, Function


def arguments(step: Step, coverable: Coverable, case: Case) -> list[tuple[str, Recipe]]:
    """The arguments of a step with the names of their parameters."""
    name = step.name
    parameters: tuple[str, ...] = ()
    if step.act is Act.CALL:
        found = coverable.function(name)
        parameters = found.parameters if found else coverable.classes.get(name, ())
    elif step.act is Act.METHOD:
        owner = case.target.rpartition(".")[0]
        found = coverable.function(f"{owner}.{name}") or _only(coverable, name)
        parameters = found.parameters if found else ()
    elif step.act is Act.SET:
        parameters = (name,)
    named = []
    for position, part in enumerate(step.args):
        known = parameters[position] if position < len(parameters) else f"argument_{position + 1}"
        named.append((known, part))
    return [*named, *step.kwargs]


def _only(coverable: Coverable, method: str) -> Function | None:
    found = [function for function in coverable.functions if function.qualname.endswith(f".{method}")]
    return found[0] if len(found) == 1 else None
