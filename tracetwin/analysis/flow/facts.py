"""Facts for the search: who may influence whom, and which attributes matter (thesis, chapter 4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import cached_property

from tracetwin.analysis.flow.bodies import Flow, FlowBody
from tracetwin.analysis.flow.hierarchy import CONSTRUCTORS
from tracetwin.analysis.flow.locations import Location, LocationTable
from tracetwin.analysis.flow.pairs import DefUsePair
from tracetwin.analysis.flow.trail import EVERYTHING, AttributePart
from tracetwin.support.data import dataclass
from tracetwin.support.reaching import reached

Observed = Mapping[str, "tuple[Iterable[tuple[str, str]], Iterable[tuple[str, str]]]"]
"""Per invokable what it read and what it wrote: class (None or "" for globals) and attribute."""


@dataclass(frozen=True)
class InvokableFacts:
    """The effects of calling an invokable, its callees and overriding methods included.

    Attributes:
        qualname: as tracetwin names it; a constructor has the name of its class.
        line: the line of its `def`.
        uses: the set of locations that it may use, as a bit mask over `ModuleFacts.locations`.
        defines: likewise what it may define.
        own_defines: what its own body may define, without callees.
        functions: numbers of the functions that are run.
    """

    qualname: str
    line: int
    uses: int
    defines: int
    own_defines: int
    functions: tuple[int, ...]


@dataclass(frozen=True)
class ClassFacts:
    """A class: its classes in order of lookup, and the invokables of an instance by the word that calls them.

    Words are ``name`` for a call, ``name=`` for a property that is set. An inherited invokable has the name
    of the class that it is inherited from.
    """

    name: str
    order: tuple[str, ...]
    words: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ModuleFacts:
    """The facts of a module. Nothing in it is changed after it was made.

    Attributes:
        invokables: by qualified name, in source order.
        classes: by qualified name, in source order.
        pairs: the definition-use pairs of each class (Buy, Orso, Pezze, section 4), found when asked for.
        problem: why there are no facts, or "": then everything may influence everything.
    """

    module: str
    invokables: Mapping[str, InvokableFacts]
    classes: Mapping[str, ClassFacts]
    pairs: Mapping[str, tuple[DefUsePair, ...]] = field(repr=False)
    problem: str = ""
    table: LocationTable = field(default_factory=lambda: LocationTable({}), repr=False)
    bodies: tuple[FlowBody, ...] = field(default=(), repr=False)
    numbers: Mapping[str, int] = field(default_factory=dict, repr=False)

    def names(self, mask: int) -> tuple[str, ...]:
        """The locations of a mask, to be read by people."""
        return tuple(str(location) for location in self.table.members(mask))

    def relevant_attributes(self, class_name: str, targets: Iterable[str]) -> frozenset[str]:
        """The attributes of a class, inherited ones included, whose values can matter for some methods.

        Args:
            class_name: the class; of an unknown one no attributes are known.
            targets: qualified names of invokables.

        These are what the targets use, and, to a fixpoint, what is used where a relevant attribute is
        defined and the use can flow into that definition, by its value or by what it decides. An attribute
        that is only ever counted up or appended to, and that nothing looks at, is not relevant. Where
        attributes matter whose names are not known (`vars(self)`, `getattr` with a computed name), all
        that are known are relevant, and ``*`` stands for the others.
        """
        key = (class_name, tuple(targets))
        known = self._answers.get(key)
        if known is None:
            known = self._answers[key] = self._relevant(*key)
        return known

    def _relevant(self, class_name: str, targets: tuple[str, ...]) -> frozenset[str]:
        masks = self._masks(class_name)
        wanted = [self.invokables[name] for name in targets if name in self.invokables]
        if len(wanted) < len(targets):
            return frozenset(masks)
        running = self._reached(number for found in wanted for number in found.functions)
        relevant = 0
        while True:
            grown = relevant | self._used_by(running, self._whole(relevant))
            whole = self._whole(grown)
            definers = [number for number, body in enumerate(self.bodies) if body.defines & whole]
            callers = running | self._callers(definers)
            if grown == relevant and callers == running:
                break
            relevant, running = grown, callers
        return frozenset(name for name, mask in masks.items() if mask & relevant)

    def definers(self, class_name: str, attributes: Iterable[str]) -> tuple[str, ...]:
        """The invokables of a class, inherited ones included, that may define one of the attributes.

        In source order; an attribute counts as defined also if its elements or something within it are.
        """
        masks = self._masks(class_name)
        mask = 0
        for name in attributes:
            mask |= masks.get(name, 0)
        return tuple(name for name in self._of(class_name) if self.invokables[name].defines & mask)

    def changing(self) -> dict[str, list[str]]:
        """The methods of each class, inherited ones included, that may change something, by their names.

        To make an object and fill it changes nothing that was there before.
        """
        lasting = self._lasting()
        changers = {
            name
            for name, found in self.invokables.items()
            if any(lasting[number] for number in found.functions)
        }
        return {
            name: [word for word, called in found.words if called in changers and not word.endswith("=")]
            for name, found in self.classes.items()
        }

    def _lasting(self) -> list[int]:
        """What each function may define with its callees, but for attributes of what constructors make."""
        rows = list(self.bodies)
        for name, number in self.numbers.items():
            owner, _, last = name.rpartition(".")
            if last in CONSTRUCTORS:
                order = (owner, *self.table.orders.get(owner, ()))
                own = sum(1 << place for place, row in enumerate(self.table.rows) if row.owner in order)
                rows[number] = replace(rows[number], defines=rows[number].defines & ~own)
        return [defines for _, defines in close(rows)]

    def confirmed(self, observed: Observed) -> ModuleFacts:
        """These facts with what runs really read and wrote (see `tracetwin.worker.dataflow.flow`) added."""
        table = LocationTable(dict(self.table.orders), {n: dict(g) for n, g in self.table.groups.items()})
        for location in self.table.rows:
            table.number(location)
        places = [
            (owner or None, name)
            for reads, writes in observed.values()
            for rows in (reads, writes)
            for owner, name in rows
        ]
        table.mention((owner, name.removesuffix("[]")) for owner, name in places)
        changed = list(self.bodies)
        for qualname, (reads, writes) in observed.items():
            number = self.numbers.get(qualname)
            if number is not None:
                body = changed[number]
                uses, defines = _observed(table, reads), _observed(table, writes)
                flows = (*body.flows, Flow(uses, defines, decides=True)) if uses & ~body.uses else body.flows
                changed[number] = replace(
                    body, uses=body.uses | uses, defines=body.defines | defines, flows=flows
                )
        closed = close(changed)
        invokables = {name: _closed(found, changed, closed) for name, found in self.invokables.items()}
        return replace(self, invokables=invokables, table=table, bodies=tuple(changed))

    @cached_property
    def _answers(self) -> dict[tuple[str, tuple[str, ...]], frozenset[str]]:
        return {}

    @cached_property
    def _members(self) -> dict[str, dict[str, int]]:
        return {}

    def _masks(self, class_name: str) -> dict[str, int]:
        """Per attribute of a class its locations in all parts; ``*`` is what has no name here."""
        found = self._members.get(class_name)
        if found is None:
            found = self._members[class_name] = {
                name: self._bits(class_name, name)
                for name in (*self.table.attributes(class_name), EVERYTHING)
            }
        return found

    def _bits(self, class_name: str, name: str) -> int:
        rows = (
            Location(o, name, part) for o in self.table.owners(class_name, name) for part in AttributePart
        )
        known = (self.table.numbers.get(row) for row in rows)
        return sum(1 << number for number in known if number is not None)

    @cached_property
    def _parts(self) -> list[int]:
        """Per location the set of it and the other parts of the same attribute."""
        together: dict[tuple[str | None, str], int] = {}
        for number, row in enumerate(self.table.rows):
            place = (row.owner, row.attribute)
            together[place] = together.get(place, 0) | 1 << number
        return [together[row.owner, row.attribute] for row in self.table.rows]

    def _whole(self, mask: int) -> int:
        """All parts of the attributes in a set: to change its elements is to change what it is worth."""
        parts, whole = self._parts, 0
        mask &= (1 << len(parts)) - 1
        while mask:
            whole |= parts[(mask & -mask).bit_length() - 1]
            mask &= ~whole
        return whole

    def _of(self, class_name: str) -> list[str]:
        found = self.classes.get(class_name)
        names = dict.fromkeys(name for _, name in found.words) if found is not None else {}
        return sorted((n for n in names if n in self.invokables), key=lambda n: (self.invokables[n].line, n))

    @cached_property
    def _calling(self) -> dict[int, set[int]]:
        callers: dict[int, set[int]] = {}
        for number, body in enumerate(self.bodies):
            for callee, _ in body.callees:
                callers.setdefault(callee, set()).add(number)
        return callers

    def _reached(self, numbers: Iterable[int]) -> frozenset[int]:
        """The functions and all their callees."""
        return frozenset(reached(numbers, lambda one: [callee for callee, _ in self.bodies[one].callees]))

    def _callers(self, numbers: Iterable[int]) -> frozenset[int]:
        """The functions, all that call them, and all that those call: it may decide on the call."""
        return self._reached(reached(numbers, lambda number: self._calling.get(number, ())))

    def _used_by(self, running: frozenset[int], wanted: int) -> int:
        found = 0
        for number in running:
            for flow in self.bodies[number].flows:
                if flow.decides or flow.defines & wanted:
                    found |= flow.uses
        return found


def _observed(table: LocationTable, rows: Iterable[tuple[str, str]]) -> int:
    mask = 0
    for owner, name in rows:
        part = AttributePart.ELEMENTS if name.endswith("[]") else AttributePart.WHOLE
        mask |= table.mask((owner or None, name.removesuffix("[]")), part)
    return mask


def close(rows: list[FlowBody]) -> list[tuple[int, int]]:
    """Uses and definitions of every function, those of its callees included."""
    closed = [(body.uses, body.defines) for body in rows]
    changed = True
    while changed:
        changed = False
        for number in range(len(rows) - 1, -1, -1):
            uses, defines = closed[number]
            for callee, held in rows[number].callees:
                further_uses, further_defines = closed[callee]
                uses |= further_uses | (held if further_uses else 0)
                defines |= further_defines | (held if further_defines else 0)
            if (uses, defines) != closed[number]:
                closed[number] = (uses, defines)
                changed = True
    return closed


def _closed(found: InvokableFacts, rows: list[FlowBody], closed: list[tuple[int, int]]) -> InvokableFacts:
    uses, defines, own_defines = masks(found.functions, rows, closed)
    return replace(found, uses=uses, defines=defines, own_defines=own_defines)


def masks(
    functions: tuple[int, ...], rows: list[FlowBody], closed: list[tuple[int, int]]
) -> tuple[int, int, int]:
    """Uses and definitions of what runs some functions, with callees, and definitions without."""
    uses = defines = own_defines = 0
    for number in functions:
        uses, defines = uses | closed[number][0], defines | closed[number][1]
        own_defines |= rows[number].defines
    return uses, defines, own_defines
