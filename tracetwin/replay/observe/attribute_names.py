"""Names of the attributes of an object, and which of them a property computes."""

from __future__ import annotations

import sys
from typing import Final

from tracetwin.process.own_attributes import own_attributes
from tracetwin.replay.observe.altering import alters

MOST_NAMES: Final = 200


def attribute_names(value: object, *, properties: bool, private: bool) -> dict[str, bool]:
    """Return the names of data attributes, then of properties, in order of definition; True for the latter.

    Args:
        value: an object of any class.
        properties: whether properties are wanted: of classes of the library they never are.
        private: whether names with a leading underscore are.
    """
    kind = type(value)
    names: dict[str, bool] = {"args": False} if issubclass(kind, BaseException) else {}
    names.update(dict.fromkeys(map(str, own_attributes(value) or ()), False))
    for base in reversed(kind.__mro__):
        slots = vars(base).get("__slots__", ())
        names.update(dict.fromkeys([slots] if isinstance(slots, str) else list(slots), False))
        if properties and base.__module__.partition(".")[0] not in sys.stdlib_module_names:
            read = [name for name, part in vars(base).items() if isinstance(part, property)]
            names.update((name, True) for name in read if not alters(kind, name))
    # Any text can be the name of an attribute; one that is no name could be taken for a call of ours.
    wanted = [name for name in names if name.isidentifier() and not _is_special(name)]
    kept = [name for name in wanted if private or not name.startswith("_")][:MOST_NAMES]
    return {name: names[name] for name in kept}


def _is_special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")
