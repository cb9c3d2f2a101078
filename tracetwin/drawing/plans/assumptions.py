"""Assumptions about an input: a condition that fails is a choice to be taken otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime import trace
from runtime.inputs import ASSUMED_SITE, INPUT_SITE, OF_AN_ARGUMENT, UnfitInput
from runtime.values import SBool


def assume(holds: Callable[..., Any], values: Sequence[Any]) -> None:
    """Go on only where a condition on drawn values holds.

    Args:
        holds: the condition, which may be an expression over the input's variables.
        values: what it is called with.

    Raises:
        UnfitInput: it does not hold, or can't be evaluated for these values.
    """
    current = trace.current
    start = len(current.path)
    with _unseen(current):
        try:
            result = holds(*values)
            truth = result.v if type(result) is SBool else bool(result)
        except Exception as error:  # noqa: BLE001 - a condition is code of the user's, and speaks of any value
            result, truth = error, False
    _as_choices(current, start)
    if type(result) is SBool:
        if truth:
            current.record(result.e, True, ASSUMED_SITE, trace.Kind.ASSUME)
            # The program may ask the same: that its other side is kept out is to be seen, and by what.
            current.known.discard(result.e.ident)
        else:
            current.record(result.e, False, INPUT_SITE, trace.Kind.INPUT)
    if not truth:
        raise UnfitInput


def _as_choices(current: trace.Trace, start: int) -> None:
    """Let what was decided within a condition be decisions about the input: they lead to no branch."""
    kept = []
    for node, _, outcome, kind in current.path[start:]:
        if kind in (trace.Kind.BRANCH, trace.Kind.CHECK):
            kind = int(trace.Kind.INPUT)  # noqa: PLW2901 - its other fields stay
        if kind != trace.Kind.HINT:
            kept.append((node, INPUT_SITE, outcome, kind))
    current.path[start:] = kept


@contextmanager
def _unseen(current: trace.Trace) -> Iterator[None]:
    """Let code of the target that a condition calls count for nothing: no test would run it."""
    held, failed, entailed = set(current.held), set(current.failed), set(current.entailed)
    marks, losses = dict(current.marks), dict(current.losses)
    try:
        yield
    finally:
        for live, before in ((current.held, held), (current.failed, failed), (current.entailed, entailed)):
            live.clear()
            live.update(before)
        current.marks.clear()
        current.marks.update(marks)
        lost = [(key, names) for key, names in current.losses.items() if key not in losses]
        current.losses.clear()
        current.losses.update(losses)
        for (name, _), names in lost:
            key = (name, OF_AN_ARGUMENT)
            current.losses[key] = current.losses.get(key, frozenset()) | names
