"""Bases of a mock besides its own interface, as the solver decided (Dsc+Mock, sections 4.2 and 5.2).

The variable ``bus<:module:Class`` of an input says that the mock called ``bus`` derives from a class. It is
drawn when the program first asks for it (`runtime.class_choices`), and decides the class that is made here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from runtime.classes import can_derive, minimal
from tracetwin.model import recipes


def wanted_bases(names: Iterable[str]) -> tuple[type, ...]:
    """The classes that names as ``module:qualname`` stand for, without those that there are not."""
    found = []
    for name in names:
        module, _, qualname = name.partition(":")
        try:
            cls = recipes.lookup(module, qualname)
        except (ImportError, AttributeError):
            continue
        if isinstance(cls, type):
            found.append(cls)
    return tuple(found)


def consistent_bases(declared: Sequence[type], wanted: Iterable[type]) -> tuple[type, ...]:
    """The bases of a class that derives from all that are declared, and from those wanted that fit to them.

    Args:
        declared: what it derives from in any case.
        wanted: the others, the most important first.
    """
    bases = tuple(declared)
    for cls in wanted:
        both = ((*bases, cls), (cls, *bases))
        bases = next((parts for parts in both if can_derive(parts)), bases)
    return minimal(bases) if len(bases) > len(declared) else tuple(declared)
