"""Default values of parameters that a call leaves changed, so that the next call sees it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from tracetwin.emit.select.select import weight, without_repetitions
from tracetwin.emit.select.variants import varied_call
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Leak, Observation
from tracetwin.replay.functions import SourceFunction
from tracetwin.replay.static import Coverable

MOST: Final = 16
"""Cases that are tried for one function, the plainest first."""

MOST_NEXT: Final = 6
"""Other calls that are made after one that changes a default."""


def changed_defaults(
    facts: Coverable, cases: Sequence[Case], attempt: Callable[[Sequence[Case]], list[Observation]]
) -> Iterator[tuple[Case, str]]:
    """Yield for each function whose default a call changes the plainest such case, with the reason in words.

    A change that neither the same call nor another one sees afterwards, as that of a cache, is none.
    """
    for function in facts.functions:
        if not function.changeable:
            continue
        tried = _tries(function, cases)
        seen = attempt([replace(case, asks_leaks=True) for case in tried]) if tried else []
        found = [(case, once) for case, once in zip(tried, seen, strict=True) if _leak(once, function)]
        if not found:
            continue
        case, once = found[0]
        others = [pair for pair in zip(tried, seen, strict=True) if pair[0].target == case.target][:MOST_NEXT]
        varied = varied_call(case)
        nexts = [(case, once), (varied, attempt([varied])[0]), *others]
        after = attempt([replace(one, steps=case.steps + one.steps, asks_leaks=True) for one, _ in nexts])
        leak, again = _leak(once, function), _leak(after[0], function)
        pairs = zip(nexts, after, strict=True)
        is_seen = any(_differ(alone, later) for (_, alone), later in pairs)
        if leak and (is_seen or (again and again.after != leak.after)):
            names = " and ".join(f"`{name}`" for name in leak.defaults)
            owner = "" if function.qualname == case.target else f" of {function.qualname}"
            yield case, f"it changes the default of {names}{owner}, so that the next call sees it"


def _differ(first: Observation, second: Observation) -> bool:
    """Return whether two calls that came to an end of their own ended otherwise."""
    if not (first.outcome.is_answer and second.outcome.is_answer):
        return False
    return _end(first) != _end(second)


def _end(seen: Observation) -> tuple[object, ...]:
    return seen.outcome, seen.value, seen.raised


def _leak(seen: Observation, function: SourceFunction) -> Leak | None:
    """Return the change of a function's defaults, but for those that its author keeps to himself."""
    if not seen.outcome.is_answer:
        return None
    owned = (leak for leak in seen.leaks if leak.place.rpartition(".")[0] == function.qualname)
    return next((leak for leak in owned if set(leak.defaults) & set(function.changeable)), None)


def _tries(function: SourceFunction, cases: Sequence[Case]) -> list[Case]:
    """Return cases that call a function, without what has a changeable default; the plainest first."""
    calling = [
        replace(case, steps=tuple(_without(step, function) for step in case.steps))
        for case in cases
        if any(_calls(step, function) for step in case.steps)
    ]
    return sorted(without_repetitions(calling), key=_weight)[:MOST]


def _weight(case: Case) -> int:
    return sum(12 + sum(map(weight, step.given)) for step in case.steps)


def _calls(step: Step, function: SourceFunction) -> bool:
    owner, _, name = function.qualname.rpartition(".")
    if step.act is Act.METHOD:
        return bool(owner) and step.name == name
    return step.act is Act.CALL and step.name in (function.qualname, owner if name == "__init__" else "")


def _without(step: Step, function: SourceFunction) -> Step:
    if not _calls(step, function):
        return step
    first = min(
        (at for at, name in enumerate(function.parameters) if name in function.changeable),
        default=len(step.args),
    )
    kept = tuple(pair for pair in step.kwargs if pair[0] not in function.changeable)
    return replace(step, args=step.args[:first], kwargs=kept)
