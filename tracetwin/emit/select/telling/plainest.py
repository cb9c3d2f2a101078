"""Cases without what they do not need to show what they show."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from tracetwin.emit.select.kept_results import with_fewer_kept
from tracetwin.emit.select.telling.tidy import tidier
from tracetwin.emit.select.variants import with_parts
from tracetwin.emit.select.years import in_our_time
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.recipe import Call, Dictionary, Recipe, Scalar, Series, walk

MOST_PLAINER: Final = 32
"""Trials of making a case plainer."""

PLAIN: Final = "a"
"""A text that says nothing."""


def plainest(case: Case, shows: Callable[[Case], bool]) -> Case:
    """Return a case without what it does not need to show what it shows."""
    tried: list[Case] = []
    candidates = _plainer(case)
    while len(tried) < MOST_PLAINER and (fewer := next(candidates, None)) is not None:
        one = replace(fewer, steps=fewer.needed_steps)  # nor what only a call was for that is gone
        if one not in tried:
            tried.append(one)
            if shows(one):
                case, candidates = one, _plainer(one)
    return case


def _plainer(case: Case) -> Iterator[Case]:
    """The case in our time, without a call before its own, an argument, an item, or with a plain text."""
    if (dated := in_our_time(case)) is not None:
        yield dated
    for place, step in enumerate(case.setup):
        if step.act is Act.METHOD and step.bind is None:
            yield replace(case, steps=(*case.steps[:place], *case.steps[place + 1 :]))
    yield from with_fewer_kept(case)
    parts = [part for step in case.steps for recipe in step.given for part in walk(recipe)]
    for place, part in enumerate(parts):
        yield from (replace(case, steps=with_parts(case, {place: other})) for other in _plainer_parts(part))
    for place, step in enumerate(case.steps):
        for other in _plainer_steps(step):
            yield replace(case, steps=(*case.steps[:place], other, *case.steps[place + 1 :]))


def _plainer_parts(part: Recipe) -> Iterator[Recipe]:
    """An object without what need not be given, a list or dict without one of its items, a tidier value."""
    match part:
        case Scalar(value):
            yield from map(Scalar, tidier(value))
        case Call(_, _, _, kwargs) if kwargs:
            fewer = [(*kwargs[:at], *kwargs[at + 1 :]) for at in range(len(kwargs))]
            yield from (replace(part, kwargs=some) for some in ((), *fewer))
        case Series(_, items) if len(items) > 1:
            yield from (replace(part, items=(*items[:at], *items[at + 1 :])) for at in range(len(items)))
        case Dictionary(pairs):
            yield from (Dictionary((*pairs[:at], *pairs[at + 1 :])) for at in range(len(pairs)))
        case _:
            pass


def _plainer_steps(step: Step) -> Iterator[Step]:
    for number in range(len(step.kwargs)):
        yield replace(step, kwargs=(*step.kwargs[:number], *step.kwargs[number + 1 :]))
    if step.act is Act.CALL and step.args and not step.binds_mock:
        yield replace(step, args=step.args[:-1])
    for number, part in enumerate(step.args):
        if isinstance(part, Scalar) and isinstance(part.value, str) and part.value not in ("", PLAIN):
            yield replace(step, args=(*step.args[:number], Scalar(PLAIN), *step.args[number + 1 :]))
