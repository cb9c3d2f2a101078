"""Plans of enums: their members, and what flags make together."""

from __future__ import annotations

import enum
import functools
import itertools
import operator
from typing import Any

from tracetwin.drawing.plans.plans import Plan, members, one_of
from tracetwin.drawing.plans.special_forms import subclasses
from tracetwin.model import recipes
from tracetwin.model.errors import Unbuildable


def enum_plan(cls: type[enum.Enum]) -> Plan:
    """The members of an enum; of flags also all of them, none, and what else they make together.

    An enum without members is there to be extended: it stands for those of the enums derived from it.

    Raises:
        Unbuildable: the enum has no members or can't be imported.
    """
    values: list[Any] = [member for name, member in cls.__members__.items() if member.name == name]
    if not values:
        kinds = [kind for kind in subclasses(cls) if issubclass(kind, enum.Enum) and kind.__members__]
        if not kinds:
            raise Unbuildable(f"the enum {cls.__name__} has no members")
        return one_of([enum_plan(kind) for kind in kinds[:_MOST_KINDS]])
    if issubclass(cls, enum.Flag):
        values = _combinations(cls, values)
    try:
        return members(values, cls.__name__)
    except recipes.NotNameable as error:
        raise Unbuildable(str(error)) from error


_MOST_KINDS = 8
"""Enums derived from one without members that are tried."""

_MOST_FLAGS = 32
"""Combinations of flags that are tried."""


def _combinations(cls: type[enum.Flag], flags: list[Any]) -> list[Any]:
    """The flags themselves, all at once, none, then two and more of them together."""
    together = (
        functools.reduce(operator.or_, some)
        for count in range(2, len(flags))
        for some in itertools.combinations(flags, count)
    )
    found = list(flags)
    for value in itertools.chain((functools.reduce(operator.or_, flags), cls(0)), together):
        if len(found) >= max(_MOST_FLAGS, len(flags) + 2):
            break
        if value not in found:
            found.append(value)
    return found
