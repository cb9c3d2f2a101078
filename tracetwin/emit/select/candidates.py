"""What may take the place of a case: the same with fewer steps before the call, or with plainer arguments."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tracetwin.emit.select.select import weight
from tracetwin.emit.select.simpler_mocks import with_simpler_mocks
from tracetwin.model.recipe_tree import given, rebuilt, speaks_of, walk
from tracetwin.replay.observe.snap import key

MOST_PAIRED = 10
"""Steps of which every two are dropped together: what one does another may undo."""

HEAVY = 30
"""Weight of an argument that is tried without, or with less inside."""

LONG_NUMBER = 3
LONG_TEXT = 4
LONG_LIST = 2

Case = dict[str, Any]
Step = dict[str, Any]


@dataclass(frozen=True)
class Candidate:
    """A case that might do as well.

    Attributes:
        case: the case.
        fewer: whether steps were dropped; else only arguments differ.
        alike: whether it must be seen to end exactly as the longer one.
    """

    case: Case
    fewer: bool
    alike: bool = False


def candidates(case: Case, fixed: Container[str] = ()) -> list[Candidate]:
    """In the order of how much they save, each once, and none like the case itself.

    Args:
        case: what something is to take the place of.
        fixed: texts that are as plain as they can be.
    """
    *setup, last = case["steps"]
    seen = {key(case["steps"])}
    found: list[Candidate] = []
    for kept in _shorter(setup, last):
        steps = [*(setup[i] for i in kept), last]
        if (mark := key(steps)) not in seen:
            seen.add(mark)
            found.append(Candidate({**case, "steps": steps}, fewer=True))
    found.sort(key=lambda candidate: len(candidate.case["steps"]))
    for steps in _lighter(case["steps"]):
        if (mark := key(steps)) not in seen:
            seen.add(mark)
            found.append(Candidate({**case, "steps": steps}, fewer=False))
    for steps in with_simpler_mocks(case["steps"]):
        if (mark := key(steps)) not in seen:
            seen.add(mark)
            found.append(Candidate({**case, "steps": steps}, fewer=False))
    within = (([*steps, last], True) for steps in _within_contexts(setup, last))
    others = [*_plainer(case["steps"], fixed), *within]
    for steps, alike in others:
        if (mark := key(steps)) not in seen:
            seen.add(mark)
            found.append(Candidate({**case, "steps": steps}, fewer=False, alike=alike))
    return found


# ---- fewer steps


def _shorter(setup: Sequence[Step], last: Step) -> Iterator[list[int]]:
    """The positions of the steps that are kept."""
    everything = range(len(setup))
    users = _users([*setup, last])
    # The call itself speaks of the others.
    free = [i for i in everything if len(setup) not in _with_users([i], users)]
    parts = [[free[i] for i in part] for part in [*_chunks(len(free)), *_pairs(len(free))]]
    for dropped in [*_of_runs(setup), *parts]:
        closed = _with_users(dropped, users)
        if len(setup) not in closed:
            yield [i for i in everything if i not in closed]


def _of_runs(setup: Sequence[Step]) -> Iterator[range]:
    """Parts of runs of equal steps: a run of 60 is bisected, not worn down call by call."""
    start = 0
    while start < len(setup):
        end = start + 1
        while end < len(setup) and key(setup[end]) == key(setup[start]):
            end += 1
        for left in _fewer(end - start):
            yield range(start + left, end)
        start = end


def _fewer(count: int) -> list[int]:
    """How many of a run may be left: few, half, and all but few."""
    left = {0, 1, 2, 3, count // 4, count // 2, 3 * count // 4}
    step = 1
    while step < count:
        left |= {count - step, step}
        step *= 2
    return sorted(number for number in left if 0 <= number < count) if count > 1 else []


def _chunks(count: int) -> Iterator[range]:
    size = count
    while size:
        yield from (range(start, min(start + size, count)) for start in range(0, count, size))
        size //= 2


def _pairs(count: int) -> Iterator[tuple[int, ...]]:
    return combinations(range(count), 2) if count <= MOST_PAIRED else iter(())


def _users(steps: Sequence[Step]) -> list[set[int]]:
    """For each step the later ones that speak of what it binds."""
    return [
        {later for later in range(i + 1, len(steps)) if speaks_of(steps[later], step["bind"])}
        for i, step in enumerate(steps)
    ]


def _with_users(dropped: Sequence[int], users: Sequence[set[int]]) -> set[int]:
    closed: set[int] = set()
    left = list(dropped)
    while left:
        position = left.pop()
        if position not in closed:
            closed.add(position)
            left += sorted(users[position])
    return closed


# ---- other words for the same


def _within_contexts(setup: Sequence[Step], last: Step) -> Iterator[list[Step]]:
    """The steps with a context that is left at the end of the test in the place of one that stays open."""
    for i, step in enumerate(setup):
        kind, place, name = step["do"]
        if kind != "method" or name != "__enter__" or step["args"] or step["kwargs"]:
            continue
        if not any(tuple(later["do"]) == ("method", place, "__exit__") for later in [*setup[i:], last]):
            yield [*setup[:i], {**step, "do": ("with", place, "")}, *setup[i + 1 :]]


def _lighter(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """The steps with None, or with an object inside it, in the place of a large object."""
    for i, step in enumerate(steps):
        for a, part in enumerate(step["args"]):
            for lighter in _lighter_recipes(part):
                args = [*step["args"][:a], lighter, *step["args"][a + 1 :]]
                yield [*steps[:i], {**step, "args": args}, *steps[i + 1 :]]


def _lighter_recipes(recipe: Any) -> list[Any]:
    if weight(recipe) < HEAVY:
        return []
    large = [part for part in walk(recipe) if part[0] == "call" and weight(part) >= HEAVY // 2]
    found: list[Any] = [("lit", None)] if recipe[0] == "call" else []
    found += [part for part in large[1:] if recipe[0] == "call" and part[:3] == recipe[:3]]
    return found + [_without_part(recipe, part) for part in large[1:]]


def _without_part(recipe: Any, part: Any) -> Any:
    """The recipe with None in the place of an argument inside, but of no item and of no answer."""
    mark = key(part)

    def given(one: Any) -> Any:
        return ("lit", None) if key(one) == mark else one

    def change(one: Any) -> Any:
        if one[0] != "call":
            return one
        args, kwargs = [given(arg) for arg in one[3]], [(name, given(arg)) for name, arg in one[4]]
        return one if (args, kwargs) == (one[3], one[4]) else (*one[:3], args, kwargs)

    return rebuilt(recipe, change)


# ---- plainer arguments


def _plainer(steps: Sequence[Step], fixed: Container[str]) -> Iterator[tuple[list[Step], bool]]:
    """The steps with one literal plainer wherever it stands, or with an argument less before the call."""
    *setup, last = steps
    for old in _literals(setup):
        if isinstance(old, str) and old in fixed:
            continue
        for new in _plainer_values(old):
            pair = ("lit", old), ("lit", new)
            plainer = [_replaced(step, *pair) for step in setup]
            yield [*plainer, _replaced(last, *pair)], False
            yield [*plainer, last], False
    for i, step in enumerate(setup):
        for fewer in _less_given(step):
            yield [*setup[:i], fewer, *setup[i + 1 :], last], True


def _literals(setup: Sequence[Step]) -> list[Any]:
    found: dict[bytes, Any] = {}
    for step in setup:
        for recipe in given(step):
            for part in walk(recipe):
                if part[0] == "lit":
                    found.setdefault(key(part), part[1])
    return list(found.values())


def _plainer_values(value: Any) -> list[Any]:
    """In the place of a literal that is long; short ones stay, however small others are."""
    if type(value) is int and len(str(abs(value))) >= LONG_NUMBER and value.bit_length() < 1000:
        sign = 1 if value > 0 else -1
        return [sign, 2 * sign, 10 * sign]
    if type(value) is float and len(repr(value)) > LONG_TEXT and math.isfinite(value):
        return [1.5, -1.5] if abs(value) < 1e15 else [1e9]
    if isinstance(value, str) and len(value) > LONG_TEXT:
        return ["a", "b", value[:1], value[:2]]
    if isinstance(value, bytes) and len(value) > LONG_TEXT:
        return [b"a", value[:1], value[:2]]
    return []


def _replaced(step: Step, old: Any, new: Any) -> Step:
    mark = key(old)

    def change(leaf: Any) -> Any:
        return new if leaf[0] == "lit" and key(leaf) == mark else leaf

    kwargs = [(name, rebuilt(part, change)) for name, part in step["kwargs"]]
    return {**step, "args": [rebuilt(part, change) for part in step["args"]], "kwargs": kwargs}


def _less_given(step: Step) -> Iterator[Step]:
    """A step without its last argument, and with shorter lists."""
    if step["kwargs"]:
        yield {**step, "kwargs": step["kwargs"][:-1]}
    elif step["args"] and step["do"][0] != "set" and not step["do"][2].endswith("__"):
        yield {**step, "args": step["args"][:-1]}
    for i, part in enumerate(step["args"]):
        if part[0] in ("list", "tuple", "set", "dict") and len(part[1]) > LONG_LIST:
            for shorter in (part[1][: len(part[1]) // 2], part[1][:-1], part[1][1:]):
                yield {**step, "args": [*step["args"][:i], (part[0], shorter), *step["args"][i + 1 :]]}
