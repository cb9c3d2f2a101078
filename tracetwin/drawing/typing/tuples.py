"""Plans of tuples: of fixed shape, of any length, and with a part of any length inside (PEP 646)."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from tracetwin.drawing.plans.containers import TuplePlan, tuple_of
from tracetwin.drawing.plans.plans import UNTOLD, IntPlan, Plan, StrPlan, one_of
from tracetwin.drawing.plans.special_forms import unpacked
from tracetwin.drawing.typing.generics import Bindings, is_variadic

MOST_INSIDE: Final = 3
"""Elements in the part of any length."""


def tuple_plan(args: Sequence[Any], bindings: Bindings, plan_of: Callable[[Any], Plan], start: int) -> Plan:
    """The plan of ``tuple[args]``.

    Raises:
        Unbuildable: an element can't be built.
    """
    if not args:
        return tuple_of(UNTOLD, start)
    if len(args) == 2 and args[1] is Ellipsis:
        return tuple_of(plan_of(args[0]), start)
    pieces = list(_pieces([arg for arg in args if arg != ()], bindings))
    place = next((n for n, (_, is_many) in enumerate(pieces) if is_many), None)
    if place is None:
        return TuplePlan(tuple(plan_of(item) for item, _ in pieces))
    many = _ELEMENT if pieces[place][0] is _ANY else plan_of(pieces[place][0])
    before = [plan_of(item) for item, _ in pieces[:place]]
    after = [plan_of(item) for item, is_many in pieces[place + 1 :] if not is_many]
    if not before and not after:
        return tuple_of(many, start)
    lengths = [start, *(n for n in range(MOST_INSIDE + 1) if n != start)]
    return one_of([TuplePlan((*before, *[many] * count, *after)) for count in lengths])


_ANY: Final = object()
_ELEMENT: Final = one_of([IntPlan(), StrPlan()])
"""The element of a `TypeVarTuple` that stands for nothing yet."""


def _pieces(args: Sequence[Any], bindings: Bindings) -> Iterator[tuple[Any, bool]]:
    """Each element, and whether there may be any number of it."""
    for arg in args:
        inner = unpacked(arg)
        if inner is None:
            yield arg, False
            continue
        if is_variadic(inner):
            given = bindings.get(inner)
            yield from _pieces(given, bindings) if isinstance(given, tuple) else [(_ANY, True)]
            continue
        parts = typing.get_args(inner)
        if len(parts) == 2 and parts[1] is Ellipsis:
            yield parts[0], True
        else:
            yield from _pieces(parts, bindings)
