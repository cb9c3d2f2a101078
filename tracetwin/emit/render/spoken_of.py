"""Tests in which every object that they speak of has a name: it is made in a line of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from tracetwin.emit.exhibit import Chosen, Exhibit
from tracetwin.emit.source.identifiers import Unwritable
from tracetwin.model.case import Step
from tracetwin.model.given import is_inner, with_inner_bound
from tracetwin.model.observation import Observation, Root
from tracetwin.model.recipe import Variable
from tracetwin.model.snapshot import Opaque, Snapshot, within

if TYPE_CHECKING:
    from tracetwin.emit.render.body import CaseWriter


def names_in(seen: Observation) -> set[str]:
    """Return the names of the objects of the case that its result and what it changed speak of."""
    shown = (seen.value, *(snap for _, snap in (*seen.changed, *seen.state)))
    return {part.name for snap in shown for part in within(snap) if isinstance(part, Variable)}


def told_names(seen: Exhibit) -> set[str]:
    """Return the names of variables of a case that its result, or an assertion, speaks of."""
    paths = [path for path in seen.spoken_of if (path.value,) not in seen.needless]
    paths += [] if seen.same is None else [seen.same]
    return names_in(seen) | {str(path.key) for path in paths if path.root is Root.VAR}


def with_names(chosen: Chosen, write: Callable[[Chosen], CaseWriter]) -> Chosen:
    """Return a case in which objects inside of arguments that its test speaks of get steps of their own.

    Args:
        chosen: the case.
        write: writes a test, to see of what it speaks; may raise `Unwritable`.
    """
    named = _named(chosen, set())
    if named is chosen:
        return chosen
    try:
        test = write(named)
    except Unwritable:
        return named
    text = "\n".join(test.lines)
    inner = ((name, local) for name, local in test.scribe.locals.items() if is_inner(name))
    once = {name for name, local in inner if len(re.findall(rf"\b{local}\b", text)) == len(("made", "used"))}
    once -= set() if chosen[1].same is None else {str(chosen[1].same.key)}
    return _named(chosen, once) if once else named


def _named(chosen: Chosen, needless: set[str]) -> Chosen:
    case, seen = chosen
    wanted = names_in(seen)
    wanted |= set() if seen.same is None else {str(seen.same.key)}
    wanted -= needless
    if not any(map(is_inner, wanted)):
        return chosen
    numbers = count()
    steps, briefs, awaited = list[Step](), list[Snapshot](), list[int]()
    for position, step in enumerate(case.steps):
        parts = list(with_inner_bound(step, numbers, wanted))
        steps += parts
        briefs += [Opaque(f"{one.place}:{one.name}") for one in parts[:-1]]
        briefs += seen.setup[position : position + 1]
        awaited += [len(steps) - 1] if position in seen.awaited else []
    named = replace(seen, setup=tuple(briefs), awaited=tuple(awaited))
    return replace(case, steps=tuple(steps)), named
