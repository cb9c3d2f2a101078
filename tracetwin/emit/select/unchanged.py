"""What a call leaves alone, where that is worth an assertion.

An attribute that the target changes in some case is asserted to be as before in the cases where it stays:
after an exception that is the promise a reader cares about. And a container handed in that resembles the one
handed out, with items of the same kind, is asserted to be unchanged: a function that works on its argument
in place looks the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracetwin.replay.stability import type_of

Case = dict[str, Any]
Observation = dict[str, Any]
Path = tuple[Any, ...]

_CONTAINERS = ("list", "dict", "set")


def mark_held(cases: Sequence[Case], observations: Sequence[Observation]) -> None:
    """Set ``held`` of each observation: (path, snapshot) pairs of what the test asserts to be unchanged.

    And ``effective``: whether some case's call of the same method changes its receiver, if only in private;
    then it is worth a look where it does not.
    """
    effective = {
        tuple(case["target"]) for case, seen in zip(cases, observations, strict=True) if _acts(case, seen)
    }
    changing: set[tuple[object, Path]] = set()
    for case, seen in zip(cases, observations, strict=True):
        for path, _ in seen["changed"]:
            changing.update((tuple(case["target"]), place) for place in _places(path, case))
    resembling = {
        tuple(case["target"])
        for case, seen in zip(cases, observations, strict=True)
        if any(_kinds(snap) & _kinds(seen["value"]) for path, snap in seen["kept"])
    }
    for case, seen in zip(cases, observations, strict=True):
        target = tuple(case["target"])
        seen["effective"] = target in effective
        seen["held"] = [
            (tuple(path), snap)
            for path, snap in seen["kept"]
            if any((target, place) in changing for place in _places(path, case))
            or (target in resembling and _resembles_result(path, snap, seen))
        ]


def _acts(case: Case, seen: Observation) -> bool:
    return ("var", case["steps"][-1]["do"][1]) in {tuple(path) for path in seen["touched"]}


def _places(path: Sequence[Any], case: Case) -> list[Path]:
    """What a path speaks of, whatever the test calls it: an object bound before may be an argument."""
    kind, name, *rest = path
    if kind != "var":
        return [tuple(path)]
    last = case["steps"][-1]
    places: list[Path] = [("arg", i, *rest) for i, part in enumerate(last["args"]) if part == ("var", name)]
    places += [("kwarg", key, *rest) for key, part in last["kwargs"] if part == ("var", name)]
    return places or [("var", *rest)]


def _kinds(snap: Any) -> set[Any]:
    """Of what a container consists."""
    if snap[0] not in _CONTAINERS:
        return set()
    parts = [key for key, _ in snap[1]] if snap[0] == "dict" else snap[1]
    return {(snap[0], type_of(part) or part[0]) for part in parts}


def _resembles_result(path: Sequence[Any], snap: Any, seen: Observation) -> bool:
    """Whether an argument left alone is a container of the kind that is returned."""
    return len(path) == 2 and snap[0] in _CONTAINERS and snap[0] == seen["value"][0] and bool(snap[1])
