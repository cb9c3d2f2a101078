"""Locations with interned numbers: sets of them are integers, and whether two sets meet is one `&`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from tracetwin.analysis.flow.state import Place
from tracetwin.analysis.flow.trail import EVERYTHING, AttributePart
from tracetwin.support.data import dataclass


@dataclass(frozen=True, slots=True)
class Location:
    """A location that can be defined and used.

    Attributes:
        owner: the class (of related classes that share the attribute, the first), "" for attributes of
            objects of unknown class, None for globals of the module.
        attribute: its name; "" stands for the object itself, where it is a container.
        part: the attribute itself, the elements of what it holds, or anything within that.
    """

    owner: str | None
    attribute: str
    part: AttributePart = AttributePart.WHOLE

    def __str__(self) -> str:
        name = self.attribute if not self.owner else f"{self.owner}.{self.attribute}"
        return name + ("", "[]", ".*")[self.part]


@dataclass
class LocationTable:
    """All locations of a module, by number.

    Attributes:
        orders: per class its classes in order of lookup, itself first.
        groups: per attribute the class that stands for each class which mentions it.
    """

    orders: dict[str, tuple[str, ...]]
    groups: dict[str, dict[str, str]] = field(default_factory=dict)
    rows: list[Location] = field(default_factory=list)
    numbers: dict[Location, int] = field(default_factory=dict)
    _masks: dict[tuple[Place, AttributePart], int] = field(default_factory=dict)

    def mention(self, places: Iterable[Place]) -> None:
        """Take note of what is mentioned; related classes share an attribute."""
        self._masks.clear()
        for owner, name in places:
            if owner:
                self.groups.setdefault(name, {}).setdefault(owner, owner)
        for group in self.groups.values():
            self._unite(group)

    def _unite(self, group: dict[str, str]) -> None:
        order = list(self.orders)
        for class_ in order:
            mentioned = [name for name in self.orders[class_] if name in group]
            standing = {group[name] for name in mentioned}
            if len(standing) > 1:
                first = min(standing, key=order.index)
                for name, stands in group.items():
                    if stands in standing:
                        group[name] = first

    def number(self, location: Location) -> int:
        """The number of a location, a new one for a new one."""
        known = self.numbers.get(location)
        if known is None:
            known = self.numbers[location] = len(self.rows)
            self.rows.append(location)
        return known

    def owners(self, owner: str, name: str) -> list[str]:
        """The classes whose attribute an access may mean."""
        group = self.groups.get(name, {})
        if not owner or owner not in self.orders:
            return list(dict.fromkeys(group.values())) or [""]
        found = [group[class_] for class_ in self.orders[owner] if class_ in group]
        if not found:
            below = [class_ for class_, order in self.orders.items() if owner in order]
            found = [group[class_] for class_ in below if class_ in group]
        return list(dict.fromkeys(found)) or [owner]

    def mask(self, place: Place, part: AttributePart) -> int:
        """The set of locations that an access may mean."""
        known = self._masks.get((place, part))
        if known is None:
            known = self._masks[place, part] = self._mask(place, part)
        return known

    def _mask(self, place: Place, part: AttributePart) -> int:
        owner, name = place
        if owner is None:
            return 1 << self.number(Location(None, name, part))
        mask = sum(1 << self.number(Location(o, name, part)) for o in self.owners(owner, name))
        return mask | self.of_class(owner) if name == EVERYTHING else mask

    def of_class(self, owner: str) -> int:
        """All attributes of a class, in all their parts."""
        mask = 0
        for name in self.attributes(owner):
            for part in AttributePart:
                mask |= self.mask((owner, name), part)
        return mask

    def attributes(self, owner: str) -> list[str]:
        """The names of the attributes that instances of a class have, as far as they are mentioned."""
        order = self.orders.get(owner, (owner,))
        return [
            name
            for name, group in self.groups.items()
            if name != EVERYTHING and any(class_ in group for class_ in order)
        ]

    def members(self, mask: int) -> Iterator[Location]:
        """The locations in a set, by number."""
        while mask:
            lowest = mask & -mask
            yield self.rows[lowest.bit_length() - 1]
            mask ^= lowest
