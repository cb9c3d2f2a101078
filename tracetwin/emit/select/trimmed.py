"""Mocks without the answers that nobody asked for: a case may come from another one that went further."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracetwin.emit.mocks.mocked import number_of
from tracetwin.model.mock_bodies import BY_ARGUMENT, SUCCESSIVE, body_of
from tracetwin.model.recipe_tree import rebuilt

Case = dict[str, Any]
Call = dict[str, Any]


def trimmed(case: Case, seen: dict[str, Any]) -> Case:
    """The case with mocks that answer what they were asked when it was replayed; it runs as before.

    Args:
        case: the case.
        seen: what it did.
    """
    if seen["outcome"] not in ("returned", "raised") or seen.get("reads") is None:
        return case
    made: dict[tuple[int, str], list[Any]] = {}
    for call in seen["calls"]:
        made.setdefault((call[0], call[1]), []).append(call)
    reads = {tuple(one) for one in seen["reads"]}

    def change(part: Any) -> Any:
        if part[0] != "mock" or isinstance(part[1], int):
            return part
        number = number_of(part)
        members = {}
        for name, member in part[2].items():
            if member["calls"]:
                calls = _asked(member, made.get((number, name), []))
                members.update({name: {**member, "calls": calls}} if calls else {})
            elif member["value"] is None or (number, name) in reads:
                members[name] = member
        # A new one only where something went: inside of what stays there may be others.
        return part if members == part[2] else _inner((*part[:2], members))

    def _inner(part: Any) -> Any:
        return rebuilt(part, lambda one: one if one is part else change(one))

    steps = [
        {
            **step,
            "args": [rebuilt(part, change) for part in step["args"]],
            "kwargs": [(name, rebuilt(part, change)) for name, part in step["kwargs"]],
        }
        for step in case["steps"]
    ]
    return case if steps == case["steps"] else {**case, "steps": steps}


def _asked(member: dict[str, Any], made: Sequence[Any]) -> list[Call]:
    """The calls of a member that are enough to answer those that were made."""
    calls: list[Call] = member["calls"]
    if not made:
        return []
    body = body_of(member)
    if body.form == SUCCESSIVE:
        return calls[: len(made)]
    if body.form != BY_ARGUMENT:
        return calls
    found = [[i for i, call in enumerate(calls) if _is_like(call, one)] for one in made]
    if not all(found):
        return calls  # what no call tells of was answered by default
    kept = sorted({i for like in found for i in like})
    return [calls[i] for i in kept]


def _is_like(call: Call, made: Any) -> bool:
    """Whether a call of the recipe has the arguments of one that was made."""
    names, others = [name for name, _ in call["kwargs"]], [name for name, _ in made[3]]
    if len(call["args"]) != len(made[2]) or names != others:
        return False
    recipes = [*call["args"], *(part for _, part in call["kwargs"])]
    snaps = [*made[2], *(snap for _, snap in made[3])]
    pairs = zip(recipes, snaps, strict=True)
    return all(part is None or _looks_like(part, snap) for part, snap in pairs)


def _looks_like(recipe: Any, snap: Any) -> bool:
    if recipe[0] == snap[0] == "lit":
        return bool(recipe[1] == snap[1]) and type(recipe[1]) is type(snap[1])
    return bool(recipe[0] != "lit" and snap[0] != "lit")
