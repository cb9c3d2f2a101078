"""Cases that keep what earlier calls returned: a later call may change that, and its test can say so."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import count
from typing import Final

from tracetwin.emit.exhibit import Chosen
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.snapshot import Attributes, Built, Snapshot, is_container
from tracetwin.model.status import Outcome

KEPT: Final = "kept_"
"""Begins the names of such results in a case; what a test calls them is found out when it is written."""


def givers(chosen: Iterable[Chosen]) -> frozenset[str]:
    """Return the methods that hand out something that may change, by what was seen of some cases.

    Args:
        chosen: the cases; what they were given themselves, or called, is known by its name already.
    """
    return frozenset(
        case.target
        for case, seen in chosen
        if seen.outcome is Outcome.RETURNED and seen.same is None and _may_change(seen.value, case)
    )


def keeping(case: Case, known: Collection[str]) -> Case:
    """Return a case in which what those methods return before its own call has names."""
    if not known:
        return case
    owner = case.target.rpartition(".")[0]
    used = {step.bind for step in case.steps}
    free = (name for number in count() if (name := f"{KEPT}{number}") not in used)
    steps = [
        replace(step, bind=next(free))
        if step.act is Act.METHOD and step.bind is None and f"{owner}.{step.name}" in known
        else step
        for step in case.setup
    ]
    return replace(case, steps=(*steps, case.last))


def with_fewer_kept(case: Case) -> Iterator[Case]:
    """Give a case without each result that it keeps, or without the call that nothing else speaks of."""
    for place, step in enumerate(case.setup):
        if not is_kept(step):
            continue
        before, after = case.steps[:place], case.steps[place + 1 :]
        if not any(later.mentions(step.bind) for later in after):
            yield replace(case, steps=(*before, *after))
            yield replace(case, steps=(*before, replace(step, bind=None), *after))


def is_kept(step: Step) -> bool:
    """Return whether a step has a name for its result only because a later call may change that."""
    return step.act is Act.METHOD and step.bind is not None and step.bind.startswith(KEPT)


def _may_change(value: Snapshot, case: Case) -> bool:
    """Return whether a value is an object of the target's own package, or a container."""
    if isinstance(value, (Attributes, Built)):
        return value.module.partition(".")[0] == case.module.partition(".")[0]
    return is_container(value)
