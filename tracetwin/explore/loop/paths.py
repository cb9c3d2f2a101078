"""Questions to a path: its decisions, its choices, and its conditions without those of loops."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from runtime.expr import Node, Sort
from runtime.trace import Kind
from tracetwin.explore.loop.run import Assignment, PathStep, Run
from tracetwin.explore.loop.tree import Flip

LAST_CHOICES: Final = 3
"""The latest choices of a run that passed a side first which are taken in every other way, too."""

MOST_CHOSEN: Final = 8
"""Ways of one choice that are tried so."""

ON_THE_WAY: Final = 12
"""Conditions before a side was missed that are taken for its causes, where it has none of its own."""

MOST_ORIGINS: Final = 4
"""Parts of an input that are changed for a condition which they may come to."""

IS_THERE: Final = "?in"
"""Ends the variable that says whether a key is there."""

_WORDS: Final = re.compile(r"[^\W\d]\w*")

Shapes = set[frozenset[tuple[str, object]]]
"""Which combinations of choices were run."""


def prepares(run: Run) -> bool:
    """Return whether calls may prepare an object of the input, or a mock chose its answer (``x.m()!``)."""
    return any("~" in name or ")" in name for name in run.structural)


def choice(step: PathStep) -> tuple[str, int] | None:
    """The variable of a choice and how many ways there are, where a condition says that."""
    if step.kind != Kind.ASSUME or step.site or step.node.op != "lt":
        return None
    chosen, count = step.node.args
    if chosen.op != "var" or not isinstance(count.data, int):
        return None
    return str(chosen.data), count.data


def shape_of(
    run: Run, values: Mapping[str, object], changed: str | None = None
) -> frozenset[tuple[str, object]]:
    """Which way each choice and length of an input is taken, as far as it is not the first.

    `changed` is a choice that the run took otherwise: what was drawn for its way is not drawn any more.
    """
    part = "" if changed is None else changed.rstrip("@?#")
    below = tuple(part + sign for sign in ".~|[") if part else ()
    return frozenset(
        (name, values[name])
        for name in run.structural
        if values.get(name) and (name == changed or not name.startswith(below))
    )


def chosen_otherwise(run: Run, first: int, new: AbstractSet[int], shapes: Shapes) -> Iterator[Assignment]:
    """The inputs of a run with each of its last choices taken in every other way.

    Each shape is tried once, but again where the choice came after a side that no run had passed before:
    there it may lead elsewhere.

    `first` is where the part of its path begins of which conditions are turned round, for the sides `new`.
    """
    reached = min((run.marks[side] for side in new if side in run.marks), default=len(run.path))
    places = [index for index, step in enumerate(run.path) if index >= first and choice(step)]
    for index in places[: -LAST_CHOICES - 1 : -1]:
        name, count = choice(run.path[index]) or ("", 0)
        for value in range(min(count, MOST_CHOSEN)):
            chosen = {**run.values, name: value}
            shape = shape_of(run, chosen, name)
            if shape not in shapes or (index >= reached and value != run.values.get(name)):
                shapes.add(shape)
                yield chosen


class Otherwise:
    """Inputs of runs with their last choices taken in every other way; they take turns with questions."""

    def __init__(self) -> None:
        self._shapes: Shapes = set()
        self._waiting: deque[Assignment] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def note(self, run: Run) -> None:
        """Take in which way a run took its choices."""
        self._shapes.add(shape_of(run, run.values))

    def offer(self, run: Run, first: int, new: AbstractSet[int]) -> None:
        """Take in a run that was the first to pass the sides `new`; see `chosen_otherwise`."""
        self.extend(chosen_otherwise(run, first, new, self._shapes))

    def extend(self, inputs: Iterable[Assignment]) -> None:
        """Take in more inputs, each to be run once."""
        self._waiting.extend(inputs)

    def pop(self) -> Assignment:
        """Return the next input."""
        return self._waiting.popleft()


def without_loops(flip: Flip) -> list[Node] | None:
    """The conditions on the path to a side but those of loops and what only follows from their turns.

    A site that went both ways on the path is in a loop, or ends it; what is asked later of its variables
    alone mostly counts the turns (that a list has as many elements as were put in). None without a loop.
    """
    path = flip.run.path[: flip.index]
    taken = {(step.site, step.outcome) for step in path if step.site and step.kind == Kind.BRANCH}
    loops = {site for site, outcome in taken if (site, 1 - outcome) in taken and site != flip.goal[0]}
    if not loops:
        return None
    turned: set[str] = set()
    kept: list[Node] = []
    for step in path:
        if step.site in loops:
            turned |= step.node.names
        elif step.kind not in (Kind.PIN, Kind.HINT) and (step.site == 0 or not step.node.names <= turned):
            kept.append(step.node)
    return kept


def causes(
    run: Run, wanted: AbstractSet[int], origins: Callable[[int], Mapping[str, int]]
) -> dict[int, int]:
    """Return places in a path that may have decided a condition, with the wanted side that it missed.

    It was about plain values, or the same that was asked before.
    """
    earlier = {place: side ^ 1 for side, place in run.entailed.items() if side ^ 1 in wanted}
    return {**chosen_for(run, wanted, origins), **shortly_before(run, wanted), **earlier}


def shortly_before(run: Run, wanted: AbstractSet[int]) -> dict[int, int]:
    """Return places in a path shortly before a wanted side was missed by a condition on plain values.

    These may have been decided right there: in a comparison of two objects, say.
    """
    missed = [(place, side ^ 1) for side, place in run.marks.items() if side ^ 1 in wanted]
    symbolic = {step.site for step in run.path} if missed else set()
    return {
        index: side
        for place, side in sorted(missed, reverse=True)
        if side >> 1 not in symbolic
        for index in range(max(0, place - ON_THE_WAY), place)
    }


def chosen_for(
    run: Run, wanted: AbstractSet[int], origins: Callable[[int], Mapping[str, int]]
) -> dict[int, int]:
    """Return places in a path at which a choice of the input may have decided a condition on plain values.

    Each has the wanted side that this condition missed: None was chosen for ``x`` before ``if x``. For every
    side it is the few choices from which its condition is reached in the fewest steps, see `Goals.origins`.
    """
    missed = {side ^ 1 for side in run.marks if side ^ 1 in wanted}
    missed -= {side for step in run.path for side in (step.site * 2, step.site * 2 + 1)} if missed else set()
    choices = _choices(run) if missed else {}
    found: dict[int, int] = {}
    for side in sorted(missed):
        steps = origins(side >> 1)
        near = sorted((steps[word], places) for word, places in choices.values() if word in steps)
        for away, places in near[:MOST_ORIGINS]:
            if away <= near[0][0] + 1:
                found.update((index, side) for index in places if index not in found)
    return found


def _choices(run: Run) -> dict[str, tuple[str, list[int]]]:
    """The choices of a run by their variables: the parameter or attribute each was for, and its places."""
    found: dict[str, tuple[str, list[int]]] = {}
    for index, step in enumerate(run.path):
        if step.kind == Kind.INPUT and not step.site:
            for name in step.node.names:
                if words := _WORDS.findall(name.removesuffix(IS_THERE)):
                    found.setdefault(name, (words[-1], []))[1].append(index)
    return found


def is_about_text(flip: Flip) -> bool:
    """Return whether a condition depends on texts or bytes of the input."""
    sorts = (flip.run.variables[name][0] for name in flip.step.node.names if name in flip.run.variables)
    return any(sort in (Sort.STR, Sort.BYTES) for sort in sorts)


def decisions(path: Sequence[PathStep]) -> list[tuple[bool, int]]:
    """Return the decisions of the program, in order; the two bounds of a settled value count as one."""
    found: list[tuple[bool, int]] = []
    for step in path:
        if step.kind not in (Kind.BRANCH, Kind.CHECK):
            continue
        node = step.node
        is_bound = node.op in ("le", "ge") and node.args[1].op == "const"
        decision = (is_bound, node.args[0].ident if is_bound else node.ident)
        if not found or found[-1] != decision:
            found.append(decision)
    return found


def turned_there(flip: Flip, run: Run) -> bool:
    """Return whether a run follows the old path up to the negated condition and goes on otherwise.

    A settled value says so by other bounds: not ``k >= 1`` (after ``k <= 1``) reads ``k <= 0, k >= 0`` in
    the new path.
    """
    before, here = decisions(flip.run.path[: flip.index]), decisions(run.path)
    return here[: len(before)] == before and all(s.node is not flip.step.node for s in run.path)
