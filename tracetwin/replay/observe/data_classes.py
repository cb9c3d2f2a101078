"""Data classes: the call that makes an equal instance, where one comparison with that says all of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Final

from tracetwin.process.own_attributes import own_attributes
from tracetwin.replay.observe.step_limit import line_limit

_GENERATED: Final = "<string>"
"""The file of the methods that `dataclasses` writes."""

_FACTORIES: Final = (list, dict, set, tuple, frozenset)


def arguments_of(value: Any) -> dict[str, Any] | None:
    """Return the arguments by keyword that make an equal instance; None where equality says less."""
    kind = type(value)
    if "__dataclass_fields__" not in vars(kind):
        return None
    fields = dataclasses.fields(kind)
    names = {one.name for one in fields}
    made = _generated(kind, "__init__")
    told = made is not None and set(made.co_varnames[1 : made.co_argcount + made.co_kwonlyargcount]) == names
    if not told or _generated(kind, "__eq__") is None:
        return None
    if not all(one.compare and not one.name.startswith("_") for one in fields):
        return None
    if any(not name.startswith("_") and name not in names for name in own_attributes(value) or ()):
        return None
    try:
        with line_limit():  # comparing is for the classes of the fields, which may do anything in it
            given = dict(_needed(value, fields))
            is_made = not hasattr(kind, "__post_init__") or bool(kind(**given) == value)
    except BaseException:  # noqa: BLE001 - the class may refuse, too, what it has made of others
        return None
    return given if is_made else None


def _generated(kind: type, name: str) -> Any:
    """The code of a method of a class; None where somebody else than `dataclasses` wrote it."""
    code = getattr(vars(kind).get(name), "__code__", None)
    return code if code is not None and code.co_filename == _GENERATED else None


def _needed(value: Any, fields: tuple[dataclasses.Field[Any], ...]) -> Iterator[tuple[str, Any]]:
    """The fields that are not as they are by default."""
    for one in fields:
        held = getattr(value, one.name)
        usual: Any = one.default
        for factory in _FACTORIES:
            usual = factory() if one.default_factory is factory else usual
        if type(held) is not type(usual) or held != usual:
            yield one.name, held
