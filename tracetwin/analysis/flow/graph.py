"""The class control-flow graph: a class's methods, joined by the class node (Buy, Orso, Pezze, section 4).

After any method any other may follow, but the constructor comes first and once. A call on the receiver is
not copied into its caller: it is one node with the callee's summary (Harrold and Rothermel).
"""

from __future__ import annotations

from collections.abc import Iterator, Sized
from dataclasses import field
from functools import cached_property
from typing import Final, TypeAlias

from instrumenter.lowering.code import EXIT, RAISED, Function, Get, Set
from tracetwin.analysis.flow.hierarchy import CONSTRUCTORS
from tracetwin.analysis.flow.locations import LocationTable
from tracetwin.analysis.flow.solve import Solved
from tracetwin.analysis.flow.state import Place
from tracetwin.analysis.flow.surroundings import Surroundings, is_receiver, may_raise, owner_of
from tracetwin.analysis.flow.trail import EVERYTHING, AttributePart, Callee, Event, Nearness
from tracetwin.support.data import dataclass

Spot: TypeAlias = "tuple[int, int]"
"""A node of the class's graph: number of the function, number of the node in it."""

_MARKS: Final = ("", "[]")


@dataclass(slots=True)
class Action:
    """The effects of a node on attributes of the receiver.

    Attributes:
        uses: attributes that it reads; ``x[]`` are the elements of what `x` holds.
        defines: attributes that it may define.
        kills: those of them that it certainly defines.
        spoils: attributes of any object that it may change, the receiver's among them; None: all.
        callees: functions called on the receiver; `certain` says that there is just this one.
        sure: whether what is used certainly is the receiver's.
        raises: whether the operation itself may raise an exception.
    """

    uses: tuple[str, ...]
    defines: tuple[str, ...]
    kills: tuple[str, ...]
    spoils: frozenset[str] | None
    callees: tuple[int, ...]
    certain: bool
    sure: bool
    raises: bool


@dataclass(slots=True)
class Summary:
    """The effects of a function as a whole.

    Attributes:
        exposed: uses that what was defined before the call may reach.
        out: definitions that may reach the end of a call that returns.
        clear: attributes that may come through such a call unchanged.
        thrown: definitions left where a statement raises, here or in a callee; None: what came from outside.
        raised: those left by any exception, also one in an operation.
        inner: definitions and uses that meet within the call.
    """

    exposed: set[tuple[str, Spot]] = field(default_factory=set)
    out: set[tuple[str, Spot]] = field(default_factory=set)
    clear: set[str] = field(default_factory=set)
    thrown: set[tuple[str, Spot | None]] = field(default_factory=set)
    raised: set[tuple[str, Spot | None]] = field(default_factory=set)
    inner: set[tuple[str, Spot, Spot]] = field(default_factory=set)
    uses: set[tuple[str, Spot]] = field(default_factory=set)

    def size(self) -> tuple[int, ...]:
        """It only grows: of the same size it is the same."""
        rows: list[Sized] = [self.exposed, self.out, self.clear, self.thrown, self.raised, self.inner]
        rows.append(self.uses)
        return tuple(len(row) for row in rows)


class ClassGraph:
    """The graph of one class, inherited methods included.

    Attributes:
        members: the functions of an instance, by name.
        attributes: what is defined or used in it.
    """

    def __init__(self, solved: Solved, table: LocationTable, name: str) -> None:
        self.solved = solved
        self.table = table
        self.name = name
        self.members = solved.hierarchy.members(name)
        self.order = frozenset(solved.hierarchy.order(name))
        self.actions: dict[int, dict[int, Action]] = {}
        self.flow = Surroundings(solved, self.order)
        self.summaries: dict[int, Summary] = {}
        self._collect()
        self.attributes = sorted(
            {a for rows in self.actions.values() for row in rows.values() for a in (*row.uses, *row.defines)}
        )
        self.numbering = Entries(self.attributes)
        self._summarise()

    # Actions

    def _collect(self) -> None:
        waiting = [self.solved.state.numbers[f] for f in self.members.values()]
        waiting += sorted(self.loose)
        while waiting:
            number = waiting.pop()
            if number not in self.actions:
                self.actions[number] = self._function(self.solved.program.functions[number])
                waiting += [c for action in self.actions[number].values() for c in action.callees]

    def _function(self, function: Function) -> dict[int, Action]:
        trail = self.solved.trails[function]
        found: dict[int, Action] = {}
        for node in sorted({*trail.events, *trail.callees}):
            events, callees = trail.events.get(node, {}), trail.callees.get(node, {})
            found[node] = self._action(function, node, [*events], [*callees])
        return found

    def _action(self, function: Function, node: int, events: list[Event], callees: list[Callee]) -> Action:
        near = [e for e in events if e.nearness and e.part != AttributePart.WITHIN and self._own(e.place)]
        defines = sorted({_label(e) for e in near if e.defines})
        op = function.nodes[node].op
        own = is_receiver(function, getattr(op, "base", None))
        certain = (
            isinstance(op, Set) and own and all(e.nearness == Nearness.RECEIVER for e in near if e.defines)
        )
        kills = [*defines, *(f"{name}[]" for name in defines)] if certain and len(defines) == 1 else []
        called = [(self._resolved(c), c.nearness) for c in callees if c.nearness]
        numbers = tuple(sorted({n for n, _ in called if n is not None}))
        everywhere = any(e.defines and e.place[1] == EVERYTHING for e in events)
        return Action(
            tuple(sorted({_label(e) for e in near if not e.defines})),
            tuple(defines),
            tuple(kills),
            None
            if everywhere
            else frozenset(e.place[1] for e in events if e.defines and e.place[0] is not None),
            numbers,
            own
            and len(numbers) == 1
            and len({id(c.function) for c in callees if self._mine(c)}) == 1
            and all(near == Nearness.RECEIVER for _, near in called)
            and len(callees) == len(called),
            own and all(e.nearness == Nearness.RECEIVER for e in near if not e.defines),
            may_raise(op) and not kills and not (own and self._is_plain_read(op, near, callees)),
        )

    def _is_plain_read(self, op: object, near: list[Event], callees: list[Callee]) -> bool:
        """True if an attribute is read that a constructor gives every object."""
        own = bool(near) and all(e.nearness == Nearness.RECEIVER and not e.defines for e in near)
        return isinstance(op, Get) and own and not callees and op.name in self._given

    @cached_property
    def _given(self) -> frozenset[str]:
        """The attributes that constructors store."""
        functions = [f for name, f in self.members.items() if name in CONSTRUCTORS]
        stored = {
            n.op.name for f in functions for n in f.nodes if isinstance(n.op, Set) and n.op.source is not None
        }
        deleted = {
            n.op.name
            for f in self.solved.program.functions
            for n in f.nodes
            if isinstance(n.op, Set) and n.op.source is None
        }
        return frozenset(stored - deleted)

    @cached_property
    def loose(self) -> frozenset[int]:
        """The functions that may run at any time, in the middle of others: see `Surroundings.loose`."""
        members = [self.solved.state.numbers[f] for f in self.members.values()]
        return self.flow.loose(members)

    def _mine(self, callee: Callee) -> bool:
        """True if an instance of exactly this class may run the function here."""
        return self._resolved(callee) is not None

    def _own(self, place: Place) -> bool:
        owner, name = place
        if not owner or name in {EVERYTHING, ""}:
            return False
        group = self.table.groups.get(name, {})
        return any(class_ in self.order for class_ in group) and bool(
            {group[c] for c in group if c in self.order} & set(self.table.owners(owner, name))
        )

    def _resolved(self, callee: Callee) -> int | None:
        """The function that a call means on an instance of exactly this class, if it is the one noted."""
        function: Function | None = callee.function
        if callee.member and not callee.member.startswith("="):
            hierarchy = self.solved.hierarchy
            if callee.after:
                function = hierarchy.after(self.name, callee.after, callee.member)
            else:
                function = hierarchy.find(self.name, callee.member)
        if function is not callee.function or owner_of(function) not in self.order:
            return None
        return self.solved.state.numbers[callee.function]

    # Methods that can be called

    @cached_property
    def called(self) -> frozenset[int]:
        """The functions that others of the class call on the receiver."""
        return frozenset(
            c for rows in self.actions.values() for action in rows.values() for c in action.callees
        )

    @cached_property
    def constructors(self) -> list[int]:
        """The functions that run first and once; what they call is called by them."""
        found = [self.solved.state.numbers[self.members[m]] for m in CONSTRUCTORS if m in self.members]
        return [number for number in found if number not in self.called or len(found) == 1]

    @cached_property
    def entries(self) -> list[int]:
        """The functions that somebody else can call: public ones, and those that nobody here calls."""
        found = []
        for member, function in self.members.items():
            number = self.solved.state.numbers[function]
            private = member.startswith("_") and not member.partition(".")[0].endswith("__")
            if member not in CONSTRUCTORS and not (private and number in self.called):
                found.append(number)
        return sorted(found)

    # Reaching definitions

    def _summarise(self) -> None:
        for number in self.actions:
            self.summaries[number] = Summary()
        grown = True
        while grown:
            grown = False
            for number in sorted(self.actions, reverse=True):
                before = self.summaries[number].size()
                Reaching(self, number).run()
                grown |= self.summaries[number].size() != before


class Entries:
    """Numbers for definitions, so that sets of them are integers; None is what came in from outside."""

    def __init__(self, attributes: list[str]) -> None:
        self.rows: list[tuple[str, Spot | None]] = []
        self.numbers: dict[tuple[str, Spot | None], int] = {}
        self.of_attribute: dict[str, int] = dict.fromkeys(attributes, 0)
        self.outside = 0
        for attribute in attributes:
            self.outside |= self.bit(attribute, None)

    def bit(self, attribute: str, spot: Spot | None) -> int:
        """The set of just this definition."""
        number = self.numbers.get((attribute, spot))
        if number is None:
            number = self.numbers[attribute, spot] = len(self.rows)
            self.rows.append((attribute, spot))
            self.of_attribute[attribute] |= 1 << number
        return 1 << number

    def members(self, mask: int) -> Iterator[tuple[str, Spot | None]]:
        """The definitions in a set."""
        while mask:
            lowest = mask & -mask
            yield self.rows[lowest.bit_length() - 1]
            mask ^= lowest


class Reaching:
    """Reaching definitions in one function."""

    def __init__(self, graph: ClassGraph, number: int) -> None:
        self.graph = graph
        self.number = number
        self.nodes = graph.solved.program.functions[number].nodes
        self.actions = graph.actions[number]
        self.summary = graph.summaries[number]
        self.entries = graph.numbering

    def run(self) -> None:
        """Find what reaches what, and note it in the function's summary."""
        states: dict[int, int] = {0: self.entries.outside}
        left = thrown = 0
        waiting = [0]
        while waiting:
            node = waiting.pop()
            before = states[node]
            after = self._after(node, before)
            # If it is None, the callee does not return, as far as is known by now.
            followers = [] if after is None else [(target, after) for target in self.nodes[node].after]
            failed = before | (after or 0) | self._failed(node, before, "raised")
            if self.nodes[node].fails >= 0:
                followers.append((self.nodes[node].fails, failed))
            elif self._raises(node):
                left |= failed
                thrown |= self._failed(node, before, "thrown")
            for target, state in followers:
                known = states.get(target)
                if known is None or state & ~known:
                    states[target] = state if known is None else known | state
                    waiting.append(target)
        for node, state in states.items():
            self._uses(node, state)
        for attribute, spot in self.entries.members(states.get(EXIT, 0)):
            if spot is None:
                self.summary.clear.add(attribute)
            else:
                self.summary.out.add((attribute, spot))
        thrown |= states.get(RAISED, 0)
        self.summary.thrown |= set(self.entries.members(thrown))
        self.summary.raised |= set(self.entries.members(left | thrown))

    def _raises(self, node: int) -> bool:
        action = self.actions.get(node)
        return may_raise(self.nodes[node].op) if action is None else action.raises

    def _failed(self, node: int, before: int, how: str) -> int:
        """The facts that hold after an exception in the callees of a node."""
        state = 0
        action = self.actions.get(node)
        for callee in action.callees if action is not None else ():
            for attribute, spot in getattr(self.graph.summaries[callee], how):
                here = before & self.entries.of_attribute[attribute]
                state |= here if spot is None else self.entries.bit(attribute, spot)
        return state

    def _after(self, node: int, before: int) -> int | None:
        action = self.actions.get(node)
        if action is None:
            return before
        state = before
        if action.callees:
            following = self._called(action, before)
            if following is None:
                return None
            state = following
        for attribute in action.kills:
            state &= ~self.entries.of_attribute.get(attribute, 0)
        for attribute in action.defines:
            state |= self.entries.bit(attribute, (self.number, node))
        return state

    def _uses(self, node: int, before: int) -> None:
        """Note what the uses in a node are reached by."""
        action = self.actions.get(node)
        if action is None:
            return
        for attribute in action.uses:
            self._use(attribute, (self.number, node), before)
        for callee in action.callees:
            summary = self.graph.summaries[callee]
            for attribute, spot in summary.exposed:
                self._use(attribute, spot, before)
            self.summary.uses |= summary.uses
            self.summary.inner |= summary.inner

    def _use(self, attribute: str, spot: Spot, before: int) -> None:
        self.summary.uses.add((attribute, spot))
        for _, definition in self.entries.members(before & self.entries.of_attribute[attribute]):
            if definition is None:
                self.summary.exposed.add((attribute, spot))
            else:
                self.summary.inner.add((attribute, definition, spot))

    def _called(self, action: Action, before: int) -> int | None:
        state = 0
        returned = not self.graph.attributes
        for callee in action.callees:
            summary = self.graph.summaries[callee]
            returned |= bool(summary.clear or summary.out)
            for attribute, spot in summary.out:
                state |= self.entries.bit(attribute, spot)
            for attribute in summary.clear:
                state |= before & self.entries.of_attribute[attribute]
        if not returned:
            return None
        return state if action.certain else state | before


def _label(event: Event) -> str:
    return event.place[1] + _MARKS[event.part]
