"""Finds what classes inherit that is called through them: from private bases, or because it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from types import ModuleType
from typing import Any

from tracetwin.analysis.scopes import is_defined_in


def from_private_bases(
    cls: type, module: ModuleType, own: Collection[str]
) -> Iterator[tuple[type, str, Any]]:
    """Yield base, name and member of what a class has from private bases in its module.

    Args:
        cls: the class.
        module: where it is defined.
        own: the names in its own body.
    """
    bases = [base for base in cls.__mro__[1:] if is_defined_in(base, module)]
    public = [base for base in bases if not _is_hidden(base)]
    known = set(own)
    for base in bases:
        # What a public base has from it is called through that one.
        if not _is_hidden(base) or any(issubclass(other, base) for other in public):
            continue
        members = [(name, member) for name, member in list(vars(base).items()) if name not in known]
        known.update(name for name, _ in members)
        yield from ((base, name, member) for name, member in members)


def selected_from_bases(
    cls: type, qualname: str, module: ModuleType, selection: Collection[str]
) -> Iterator[tuple[type, str, Any]]:
    """Yield base, name and member of what a class inherits under some names from bases in its module.

    Args:
        cls: the class.
        qualname: its name.
        module: where it is defined.
        selection: the qualified names that the user selected.
    """
    for name in (one[len(qualname) + 1 :] for one in selection if one.startswith(f"{qualname}.")):
        home = home_of(cls, name)
        if home is not None and home is not cls and is_defined_in(home, module):
            yield home, name, vars(home)[name]


def home_of(cls: type, name: str) -> type | None:
    """Return the class in whose body a member of a class stands; None where there is none of the name."""
    return next((base for base in cls.__mro__ if name in vars(base)), None)


def _is_hidden(cls: type) -> bool:
    """True if a class, or one that it is in, has a private name."""
    return any(part.startswith("_") for part in cls.__qualname__.split("."))
