"""Classes of one module: their bases, what they inherit, and who overrides it."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from instrumenter.lowering.code import Function, LoweredModule

HARMLESS: Final = frozenset(
    f"{module}{name}"
    for name in ("object", "ABC", "Generic", "Protocol", "Hashable", "Sized", "Callable", "NamedTuple")
    for module in ("", "abc.", "typing.", "typing_extensions.", "collections.abc.")
)
"""Bases from elsewhere whose methods neither keep state nor call back."""

CONSTRUCTORS: Final = ("__new__", "__init__", "__post_init__")


class Hierarchy:
    """The inheritance relation within a module; bases from elsewhere are only known by name."""

    def __init__(self, program: LoweredModule) -> None:
        self.classes = program.classes
        self._orders: dict[str, tuple[str, ...]] = {}
        self._lookups: dict[tuple[str, str], tuple[Function, ...]] = {}
        self._families: dict[str, tuple[str, ...]] = {}
        for class_ in self.classes.values():
            class_.bases = [self.named(base, class_.name) or base for base in class_.bases]

    def named(self, name: str, within: str = "") -> str | None:
        """The class meant by a name that stands within a class or function."""
        scope = within
        while scope:
            scope = scope.rpartition(".")[0]
            found = f"{scope}.{name}" if scope else name
            if found in self.classes and found != within:
                return found
        return name if name in self.classes else None

    def order(self, name: str) -> tuple[str, ...]:
        """The classes of this module in which an attribute of an instance is looked up, in order."""
        known = self._orders.get(name)
        if known is None:
            self._orders[name] = (name,)  # in a circle, which CPython refuses
            bases = [base for base in self.classes[name].bases if base in self.classes and base != name]
            known = self._orders[name] = (name, *_merged([*map(self.order, bases), tuple(bases)]))
        return known

    def foreign(self, name: str) -> tuple[str, ...]:
        """The bases from elsewhere, inherited ones included, of which nothing is known."""
        return tuple(
            base
            for class_ in self.order(name)
            for base in self.classes[class_].bases
            if base not in self.classes and base not in HARMLESS
        )

    @cached_property
    def _children(self) -> dict[str, list[str]]:
        below: dict[str, list[str]] = {name: [] for name in self.classes}
        for name in self.classes:
            for base in self.order(name)[1:]:
                below[base].append(name)
        return below

    def below(self, name: str) -> list[str]:
        """The classes derived from this one, in source order."""
        return self._children[name]

    def family(self, name: str) -> tuple[str, ...]:
        """The class, what it is derived from, and what is derived from it."""
        known = self._families.get(name)
        if known is None:
            known = self._families[name] = tuple(dict.fromkeys((*self.order(name), *self.below(name))))
        return known

    def find(self, name: str, member: str) -> Function | None:
        """The function that an exact instance has under a name."""
        for class_ in self.order(name):
            function = self.classes[class_].members.get(member)
            if function is not None:
                return function
        return None

    def after(self, exact: str, owner: str, member: str) -> Function | None:
        """The method that `super()` finds from a method of `owner` on an instance of `exact`."""
        order = self.order(exact)
        rest = order[order.index(owner) + 1 :] if owner in order else self.order(owner)[1:]
        for class_ in rest:
            function = self.classes[class_].members.get(member)
            if function is not None:
                return function
        return None

    def all_of(self, name: str, member: str) -> tuple[Function, ...]:
        """The functions that an instance of a class or of one derived from it may have under a name."""
        known = self._lookups.get((name, member))
        if known is None:
            found = [self.find(name, member)]
            found += [self.classes[class_].members.get(member) for class_ in self.below(name)]
            known = tuple(dict.fromkeys(function for function in found if function is not None))
            self._lookups[name, member] = known
        return known

    def members(self, name: str) -> dict[str, Function]:
        """Everything an exact instance has, inherited functions included, nearest first."""
        found: dict[str, Function] = {}
        for class_ in self.order(name):
            for member, function in self.classes[class_].members.items():
                found.setdefault(member, function)
        return found

    @cached_property
    def by_member(self) -> dict[str, list[Function]]:
        """The functions of any class, by the name of the member."""
        found: dict[str, list[Function]] = {}
        for class_ in self.classes.values():
            for member, function in class_.members.items():
                found.setdefault(member, []).append(function)
        return found


def _merged(rows: list[tuple[str, ...]]) -> list[str]:
    """Python's linearisation (C3); where there is none, the rows one after the other."""
    rows = [row for row in rows if row]
    merged: list[str] = []
    while rows:
        head = next((row[0] for row in rows if not any(row[0] in other[1:] for other in rows)), None)
        if head is None:
            return list(dict.fromkeys((*merged, *(name for row in rows for name in row))))
        merged.append(head)
        rows = [rest for rest in (tuple(n for n in row if n != head) for row in rows) if rest]
    return merged
