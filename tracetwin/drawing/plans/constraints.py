"""Constraints in the metadata of `Annotated`, as `annotated-types` and its users write them.

Looked at by attributes, so that nothing needs to be installed: ``gt``, ``ge``, ``lt``, ``le``,
``multiple_of``, ``min_length``, ``max_length`` and ``pattern``, the function of a `Predicate`, and groups of
such (`Interval`, `Len`, the `Field` of pydantic). All of them work on plain and on traced values.
"""

from __future__ import annotations

import datetime as dt
import decimal
import fractions
import operator
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from runtime.models import callee1, callee2
from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class Constraint:
    """One demand.

    Attributes:
        kind: the attribute that it stems from, ``predicate`` for a function.
        bound: the value of that attribute.
    """

    kind: str
    bound: Any

    def holds(self, value: Any) -> Any:
        """True if a value keeps it: true or false, or an expression that is; one of another sort does."""
        try:
            return _TESTS[self.kind](value, self.bound)
        except TypeError:
            if self.kind == "predicate":
                raise
            return True  # a bound on numbers says nothing of None


_TESTS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
    "multiple_of": lambda value, bound: value % bound == 0,
    "min_length": lambda value, bound: callee1(len)(value) >= bound,
    "max_length": lambda value, bound: callee1(len)(value) <= bound,
    "pattern": lambda value, bound: callee2(re.search)(bound, value) is not None,
    "predicate": lambda value, bound: callee1(bound)(value),
}

_BOUNDS: Final[dict[str, tuple[type, ...]]] = {
    **dict.fromkeys(
        ("gt", "ge", "lt", "le"),
        (int, float, str, bytes, decimal.Decimal, fractions.Fraction, dt.date, dt.timedelta),
    ),
    "multiple_of": (int, float, decimal.Decimal),
    "min_length": (int,),
    "max_length": (int,),
    "pattern": (str, re.Pattern),
}
"""The types of bounds by attribute: an object that has every attribute says nothing."""


def constraints_of(metadata: Iterable[Any]) -> tuple[Constraint, ...]:
    """Everything that the metadata of one `Annotated` demands."""
    found: list[Constraint] = []
    for item in metadata:
        found += [constraint for constraint in _of(item) if constraint not in found]
    return tuple(found)


def _of(item: Any) -> Iterator[Constraint]:
    kind = type(item)
    if isinstance(item, type) or kind in (str, int, bytes, bool, type(None)):
        return
    if _is_predicate(kind):
        yield Constraint("predicate", item.func)
        return
    for name, allowed in _BOUNDS.items():
        bound = _attribute(item, name)
        if isinstance(bound, allowed) and type(bound) is not bool:
            yield Constraint(name, bound)
    inner = _attribute(item, "metadata")
    if isinstance(inner, list):
        yield from constraints_of(inner)


def _is_predicate(kind: type) -> bool:
    """True if it is the `Predicate` of `annotated-types`, which the target has loaded then."""
    known = getattr(sys.modules.get("annotated_types"), "Predicate", None)
    return isinstance(known, type) and known in kind.__mro__


def _attribute(item: Any, name: str) -> Any:
    try:
        return getattr(item, name, None)
    except Exception:  # noqa: BLE001 - metadata may be anything
        return None


def all_hold(constraints: Iterable[Constraint], value: Any) -> bool:
    """True if a plain value keeps all of them."""
    try:
        return all(bool(constraint.holds(value)) for constraint in constraints)
    except Exception:  # noqa: BLE001 - a predicate is code of the user's
        return False
