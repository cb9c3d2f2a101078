"""Properties that alter their object when they are read, as those of a fluent interface do.

Who looks at an object must not read them: what they set would look like the work of the call before.
"""

from __future__ import annotations

import dis
import types
from typing import Final

_SETTING: Final = ("STORE_ATTR", "DELETE_ATTR")
_KNOWN: Final[dict[tuple[int, str], tuple[type, bool]]] = {}
"""By the class's identity, as a metaclass may define `__eq__`; it is kept, so that no other gets that one."""


def alters(kind: type, name: str) -> bool:
    """Return True if reading an attribute sets a public one, itself or by other members of its class.

    A private one may be set: that is how results are kept.
    """
    key = (id(kind), name)
    if key not in _KNOWN:
        _KNOWN[key] = (kind, _alters(kind, name))
    return _KNOWN[key][1]


def _alters(kind: type, name: str) -> bool:
    seen: set[str] = set()
    left = [name]
    while left:
        part = _code(kind, left.pop())
        if part is None:
            continue
        if _sets_public(part):
            return True
        new = set(part.co_names) - seen
        seen |= new
        left += new
    return False


def _sets_public(code: types.CodeType) -> bool:
    instructions = dis.get_instructions(code)
    return any(one.opname in _SETTING and not str(one.argval).startswith("_") for one in instructions)


def _code(kind: type, name: str) -> types.CodeType | None:
    """Return the code that runs when an attribute is read, or called."""
    for base in kind.__mro__:
        part = vars(base).get(name)
        if part is not None:
            function = part.fget if isinstance(part, property) else part
            return function.__code__ if isinstance(function, types.FunctionType) else None
    return None
