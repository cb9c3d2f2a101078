"""Fields that compiled code made plain: they become what was drawn for them again.

Validators of pydantic are compiled, and so are converters such as `int`: what they return has no expression.
A field that equals the argument it was made of is therefore given that argument again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from tracetwin.drawing.adapters.registry import ADAPTERS
from tracetwin.drawing.plans.draw import Draw
from tracetwin.model import recipes


def keep_drawn(cls: type) -> Callable[[Draw, Any, Mapping[str, Any]], None] | None:
    """Returns what restores fields of a new instance from its arguments; None without such fields."""
    adapter = ADAPTERS.of(cls)
    keys = {} if adapter is None else adapter.restored(cls)
    if not keys:
        return None

    def keep(draw: Draw, instance: Any, given: Mapping[str, Any]) -> None:
        lost: list[Any] = []
        for name, key in keys.items():
            if key not in given:
                continue
            held = getattr(instance, name, None)
            if _is_same(draw, given[key], held):
                object.__setattr__(instance, name, given[key])
            elif held is not given[key]:
                lost += _scalars(given[key])
        draw.lost(cls.__name__, lost)

    return keep


def _is_same(draw: Draw, drawn: Any, kept: Any) -> bool:
    """True if a value is what the drawn one is without its expression: the same type and parts."""
    for kind, parts in _PARTS.items():
        if isinstance(drawn, kind):
            if type(kept) is not kind or len(kept) != len(mine := parts(drawn)):
                return False
            return all(_is_same(draw, one, other) for one, other in zip(mine, parts(kept), strict=True))
    exact = draw.concrete(drawn)
    return exact is kept or (type(exact) is type(kept) and type(exact) in recipes.SCALARS and exact == kept)


_PARTS: Final[dict[Any, Callable[[Any], list[Any]]]] = {
    list: lambda value: list(list.__iter__(value)),
    tuple: lambda value: list(tuple.__iter__(value)),
    dict: lambda value: [part for pair in dict.items(value) for part in pair],
}
"""The parts of a container, of a traced one without a decision on its length."""


def _scalars(value: Any) -> Iterator[Any]:
    """The scalars that a value consists of."""
    for kind, parts in _PARTS.items():
        if isinstance(value, kind):
            for part in parts(value):
                yield from _scalars(part)
            return
    yield value
