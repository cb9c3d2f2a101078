"""Types that a call gives back, as they are written: ``Optional[int]``, ``dict[str, int]``."""

from __future__ import annotations

import sys
import types
import typing
from typing import Any

from tracetwin.model import recipes


def way_to_write(value: Any) -> tuple[str, str, tuple[Any, ...]] | None:
    """The module and name of what is subscripted for a type, and with what; None for anything else."""
    if type(value).__module__ not in ("typing", "types") or not typing.get_args(value):
        return None
    origin = typing.get_origin(value)
    args = tuple(None if part is type(None) else part for part in typing.get_args(value))
    inside: tuple[Any, ...] = args if len(args) == 1 else (args,)
    if origin is typing.Union or origin is types.UnionType:
        way: tuple[str, str, tuple[Any, ...]] = ("typing", "Union.__getitem__", (args,))
    elif isinstance(value, types.GenericAlias) and isinstance(origin, type):
        way = (origin.__module__, f"{origin.__qualname__}.__class_getitem__", inside)
    else:
        way = ("typing", f"{getattr(value, '_name', None) or _name_of(origin)}.__getitem__", inside)
    try:
        same = way[0] in sys.modules and recipes.lookup(*way[:2])(*way[2]) == value
    except (AttributeError, TypeError):
        return None  # it takes more than a subscript
    return way if same is True else None


def _name_of(origin: Any) -> str:
    return str(getattr(origin, "_name", None) or getattr(origin, "__name__", ""))
