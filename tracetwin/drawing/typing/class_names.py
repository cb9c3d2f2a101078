"""Classes that have the names of parameters: `interval`, `new_interval` and the items of `intervals`.

A name alone says little: a colour is a text as often as a `Color`. Where a class has all the attributes that
are asked of a value, and its name as well, there is little doubt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from tracetwin.analysis.evidence.facts import COMMON, ValueFacts
from tracetwin.analysis.evidence.strength import Strength
from tracetwin.analysis.scopes import qualname_of

Attributes: TypeAlias = Callable[[type], frozenset[str]]

_ENDS_OF_PLURALS: Final = (("ies", "y"), ("es", ""), ("s", ""))


class ClassNames:
    """Finds classes by names of parameters.

    Args:
        classes: those that are meant where several have a name come first.
        attributes: gives those that the instances of a class have.
    """

    def __init__(self, classes: Iterable[type], attributes: Attributes) -> None:
        self._attributes = attributes
        self._known: dict[str, type] = {}
        for cls in classes:
            self._known.setdefault(_plain(qualname_of(cls).rpartition(".")[2]), cls)

    def note(self, name: str, facts: ValueFacts) -> None:
        """Add the class of that name to the facts of a parameter, or of its items, if it has what is used."""
        self._note(_ends_of(name), facts)
        if facts.element is not None:
            self._note((one for end in _ends_of(name) for one in _singulars(end)), facts.element)

    def _note(self, names: Iterable[str], facts: ValueFacts) -> None:
        used = {name for name in (*facts.attributes, *facts.methods) if name not in COMMON}
        cls = next((self._known[name] for name in names if name in self._known), None) if used else None
        if cls is not None and used <= self._attributes(cls):
            facts.name(cls, Strength.PASSED)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _ends_of(name: str) -> Iterator[str]:
    """Give a name without numbers at its end, then without the words before its last ones."""
    words = re.sub(r"[0-9]+$", "", name).strip("_").lower().split("_")
    for place in range(len(words)):
        yield "".join(words[place:])


def _singulars(name: str) -> Iterator[str]:
    for end, new in _ENDS_OF_PLURALS:
        if name.endswith(end):
            yield name.removesuffix(end) + new
