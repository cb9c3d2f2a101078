"""Runs one case, and refuses those of which no test may be made: for locks, walls, answers that ran out."""

from __future__ import annotations

import types
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from tracetwin.drawing.environment.apply import Applied
from tracetwin.model.case import Case
from tracetwin.model.observation import Observation, ended
from tracetwin.model.status import Outcome
from tracetwin.replay.case import CaseRun, Measured, message_of
from tracetwin.replay.observe.held_locks import held
from tracetwin.replay.observe.instruction_paths import Ways
from tracetwin.replay.observe.leaks import Leaks
from tracetwin.replay.observe.preconditions import Preconditions

if TYPE_CHECKING:
    from tracetwin.process.integrity import Soundness
    from tracetwin.process.walls.audit import Guard


def run_case(
    case: Case,
    module: types.ModuleType,
    guard: Guard | None,
    file: str | None = None,
    measure: Callable[[], Measured] = lambda: ((), ()),
    preconditions: Preconditions | None = None,
    sound: Soundness | None = None,
    leaks: Leaks | None = None,
    *,
    whole: bool = True,
) -> Observation:
    """The observation of a case; whatever goes wrong in looking at it is said there.

    Args:
        case: what to call.
        module: the target.
        guard: told of what the sandbox refused.
        file: what tracebacks call the module's file; None for the module's own word.
        measure: lines and arcs since it was last called; the observation has those that ran before the
            case's own call.
        preconditions: the user's, which every call has to keep.
        sound: knows what the interpreter was like before.
        leaks: knows what the module's state was before.
        whole: whether the receiver is asked for its state afterwards, which takes longer than all the rest.
    """
    before = (0, 0, 0) if guard is None else (guard.refused, guard.touched, guard.listed)
    try:
        locked = held(module)
        made = CaseRun(case, module, file, preconditions, whole=whole)
        made.measure = measure
        ways = Ways(str(made.file)) if case.asks_paths else None
        made.watch = ways.watched if ways is not None else nullcontext
        with Applied(case.patches, made.evaluate) as patched:
            seen = made.run()
        if sound is not None and (harm := sound.harm()):
            return ended(Outcome.REFUSED, harm)
        if locks := sorted(held(module) - locked):
            return ended(Outcome.REFUSED, f"it leaves the lock {locks[0]} held")
        if spent := [*patched.spent, *made.bound.spent]:
            return ended(Outcome.UNSTABLE, f"{spent[0]} is asked more often than while exploring")
        lines, arcs = made.earlier
        seen = replace(
            seen,
            effects=patched.told(),
            paths=() if ways is None else tuple(sorted(ways.taken)),
            leaks=leaks.found() if case.asks_leaks and leaks is not None else (),
            lines=tuple(lines),
            arcs=tuple(arcs),
        )
    except Exception as error:  # noqa: BLE001 - the child reports instead of dying
        return ended(
            Outcome.DIED, f"looking at the outcome raised {type(error).__name__}: {message_of(error)}"
        )
    refusal = "" if guard is None else _refusal(guard, before)
    return replace(seen, outcome=Outcome.REFUSED, why=refusal) if refusal else seen


def _refusal(guard: Guard, before: tuple[int, int, int]) -> str:
    """The reason why the walls refuse a case, "" for none."""
    if guard.refused > before[0]:
        # Even where the target caught the refusal: outside the sandbox it would have gone on differently.
        event, detail = guard.refusals[-1]
        return f"{event}({detail}) is refused"
    if guard.touched > before[1]:
        return "it changes files"
    if guard.listed > before[2]:
        # Here there is nothing. Elsewhere there may be what it then changes.
        return "it depends on which files there are"
    return "" if guard.intact() else "it reaches into the walls"
