"""Calls in which arguments are left out that need not be given: what parameters are then shows only there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from tracetwin.emit.select.telling.cases import name_of
from tracetwin.emit.select.telling.signatures import Signatures, SpelledParameter
from tracetwin.emit.select.variants import VARIANT
from tracetwin.model.case import Case, Step
from tracetwin.model.recipe import Recipe


def with_less(case: Case, signatures: Signatures) -> Iterator[Case]:
    """Yield a case without the arguments that a step of it need not give: without all, then without each."""
    for place, step in enumerate(case.steps):
        wanted = signatures.called(name_of(step, case.target))
        given = [one.name for one in wanted[: len(step.args)]] + [name for name, _ in step.kwargs]
        optional = [one.name for one in wanted if not one.needed and one.name in given]
        choices = [optional, *([one] for one in optional if len(optional) > 1)] if optional else []
        for names in choices:
            if (shorter := _without(step, wanted, names)) is not None:
                steps = (*case.steps[:place], shorter, *case.steps[place + 1 :])
                made = replace(case, steps=steps, origin=VARIANT, shows=())
                yield replace(made, steps=made.needed_steps)


def _without(step: Step, wanted: Sequence[SpelledParameter], names: Collection[str]) -> Step | None:
    """Return a call without some arguments, None where those behind them are given by their place only."""
    args: list[Recipe] = []
    named: list[tuple[str, Recipe]] = []
    if len(step.args) > len(wanted):
        return None
    for place, (one, value) in enumerate(zip(wanted, step.args, strict=False)):
        if one.name in names:
            continue
        if len(args) == place:
            args.append(value)
        elif one.by_place:
            return None
        else:
            named.append((one.name, value))
    named += [(name, value) for name, value in step.kwargs if name not in names]
    return replace(step, args=tuple(args), kwargs=tuple(named))
