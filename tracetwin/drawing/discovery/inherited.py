"""Finds what public classes inherit from private ones, which nothing calls by themselves."""

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


def _is_hidden(cls: type) -> bool:
    """True if a class, or one that it is in, has a private name."""
    return any(part.startswith("_") for part in cls.__qualname__.split("."))
