"""Attributes of abstract values: what is read, what is stored, and the events that this makes."""

from __future__ import annotations

from typing import Final

from instrumenter.lowering.code import Function
from tracetwin.analysis.flow.state import (
    ANY,
    ANYTHING,
    NOTHING,
    SELF,
    Atom,
    FlowState,
    Place,
    Value,
    deepened,
    depths,
    ordered,
    outside,
    places,
)
from tracetwin.analysis.flow.trail import EVERYTHING, AttributePart, Callee, Event, Nearness, Trail

_ACCESSORS = {"getter", "cached"}

MOST_CALLS: Final = 500_000
"""Calls that are followed in one module: some seconds. Where all may call all there are millions."""


class TooManyCalls(Exception):
    """A module can't be followed to an end in a time that is worth it."""


class FlowAccess:
    """Reads and stores of attributes by the node `node` of the function `current`.

    Attributes:
        trail: where events and callees are noted, None while the values still grow.
        left: how many calls are followed from now on.
    """

    def __init__(self, state: FlowState) -> None:
        self.state = state
        self.current: Function = state.program.functions[-1]
        self.node = 0
        self.trail: Trail | None = None
        self.left = MOST_CALLS

    # What is noted

    def event(
        self,
        *,
        defines: bool,
        place: Place,
        part: AttributePart = AttributePart.WHOLE,
        nearness: Nearness = Nearness.OTHER,
    ) -> None:
        """Note a definition or use at the current node."""
        if self.trail is not None:
            self.trail.note(self.node, Event(defines, place, part, nearness))

    def calls(
        self,
        function: Function,
        base: Value = NOTHING,
        *,
        member: str = "",
        after: str = "",
    ) -> None:
        """Note a call at the current node.

        Raises:
            TooManyCalls: there were as many as are followed.
        """
        self.left -= 1
        if self.left < 0:
            raise TooManyCalls
        if self.trail is not None:
            near = self.nearness(base) if base else Nearness.OTHER
            self.trail.call(self.node, Callee(function, near, member, after, tuple(depths(base))))

    def nearness(self, base: Value) -> Nearness:
        """True if a value is the receiver itself."""
        if SELF in base:
            certain = all(a == SELF or a[0] in {"i", "c", "u"} for a in base)
            return Nearness.RECEIVER if certain else Nearness.PERHAPS
        owner = self.current.owner
        if self.current.name.endswith(".__new__") and base and all(a[0] == "i" for a in base):
            return Nearness.RECEIVER  # the object that is being made
        if owner and any(a[0] == "c" and a[1] in self.state.hierarchy.family(owner) for a in base):
            return Nearness.PERHAPS
        return Nearness.OTHER

    def touch(self, base: Value, *, defines: bool) -> None:
        """The elements of a container are changed or looked at."""
        if self.trail is None:
            return
        for place in places(base):
            near = self._near(place)
            self.event(defines=defines, place=place, part=AttributePart.ELEMENTS, nearness=near)
        if defines:
            self.within(frozenset(a for a in base if a[0] == "d"), defines=True)
        for atom in base:
            if atom[0] in {"i", "u"} and self.state.hierarchy.foreign(atom[1]):
                self.event(
                    defines=defines,
                    place=(atom[1], ""),
                    part=AttributePart.ELEMENTS,
                    nearness=self.nearness(base),
                )

    def _near(self, place: Place) -> Nearness:
        """An alias of an attribute of an object of the receiver's class is taken for the receiver's."""
        owner = self.current.owner
        if owner and place[0] and place[0] in self.state.hierarchy.family(owner):
            return Nearness.PERHAPS
        return Nearness.OTHER

    def within(self, base: Value, *, defines: bool) -> None:
        """Something within what some places hold is changed or looked at."""
        if self.trail is None:
            return
        for place in depths(base):
            self.event(defines=defines, place=place, part=AttributePart.WITHIN, nearness=self._near(place))

    def everything(self, base: Value, *, defines: bool) -> None:
        """Any attribute of an object may be changed or looked at."""
        if self.trail is None:
            return
        near = min(self.nearness(base), Nearness.PERHAPS)
        for atom in sorted(a for a in base if a[0] in {"i", "c", "u"}):
            self.event(defines=defines, place=(atom[1], EVERYTHING), nearness=near)
        self.within(base, defines=defines)

    # Reading

    def attribute(self, base: Value, name: str) -> Value:
        """The value of an attribute, properties called."""
        found: set[Atom] = set()
        near = self.nearness(base)
        for atom in ordered(base):
            match atom[0]:
                case "i" | "c" | "u":
                    found |= self._of_class(atom, name, base, near)
                case "x":
                    found.add(("x", f"{atom[1]}.{name}"))
                case "?":
                    found |= self._of_anything(name, base)
                case _:
                    pass
        if not any(a[0] in {"i", "c", "u", "x", "?", "l", "k", "f", "self"} for a in base) and base:
            found |= self._of_anything(name, base)
        if base:
            self.within(base, defines=False)
        if all(a[0] == "k" for a in found):
            return frozenset(found)
        return frozenset(found) | deepened(base)

    def _of_class(self, atom: Atom, name: str, base: Value, near: Nearness) -> set[Atom]:
        kind, owner = atom[0], atom[1]
        hierarchy = self.state.hierarchy
        if name in {"__dict__", "__slots__"}:
            self.everything(base, defines=False)
            return {ANY, ("p", owner, EVERYTHING)}
        if name == "__class__":
            return {("c", owner)}
        functions = self.found(atom, name)
        found: set[Atom] = set()
        for function in functions:
            if kind != "c" and function.role in _ACCESSORS:
                found |= self.invoke(function, base, (), {}, member=name, after=owner if kind == "u" else "")
                if function.role == "cached":
                    self.event(defines=False, place=(owner, name), nearness=near)
                    self.event(defines=True, place=(owner, name), nearness=near)
            else:
                found.add(("f", self.state.numbers[function]))
        if functions:
            return found
        self.event(defines=False, place=(owner, name), nearness=near)
        getter = [f for f in hierarchy.all_of(owner, "__getattr__") if self.state.load(owner, name) is None]
        for function in getter:
            found |= self.invoke(function, base, (), {}, member="__getattr__")
        found |= self._through_descriptor(owner, name, "__get__", (outside(base), frozenset((("c", owner),))))
        return found | self.held((owner, name))

    def _through_descriptor(self, owner: str, name: str, hook: str, arguments: tuple[Value, ...]) -> Value:
        """An attribute that the class keeps an instance of a descriptor class of ours for."""
        found: Value = NOTHING
        if hook not in self.state.hierarchy.by_member:
            return found
        for atom in sorted(a for a in self.state.load(owner, name) or NOTHING if a[0] == "i"):
            for function in self.state.hierarchy.all_of(atom[1], hook):
                found |= self.invoke(function, frozenset((atom,)), arguments, {}, member=hook)
        return found

    def held(self, place: Place) -> set[Atom]:
        """The content of a place, and the place itself unless it only holds numbers and the like."""
        value = self.state.load(place[0] or "", place[1])
        if value is None:
            value = ANYTHING
        if all(a[0] in {"k", "f", "c", "x"} for a in value):
            return set(value)
        return {*value, ("p", *place)}

    def found(self, atom: Atom, name: str) -> tuple[Function, ...]:
        """The functions that an attribute of an instance, class or `super()` may be."""
        hierarchy = self.state.hierarchy
        if atom[0] == "u":
            following = [hierarchy.after(c, atom[1], name) for c in (atom[1], *hierarchy.below(atom[1]))]
            return tuple(dict.fromkeys(f for f in following if f is not None))
        return hierarchy.all_of(atom[1], name)

    def _of_anything(self, name: str, base: Value) -> set[Atom]:
        self.event(defines=False, place=("", name))
        found: set[Atom] = set(self.held(("", name))) | {ANY}
        for function in self.state.hierarchy.by_member.get(name, ()):
            if function.role in _ACCESSORS:
                found |= self.invoke(function, base, (), {}, member=name)
            else:
                found.add(("f", self.state.numbers[function]))
        return found

    # Storing

    def set_attribute(self, base: Value, name: str, value: Value, *, deleted: bool = False) -> None:
        """An attribute gets a value; setters and `__setattr__` are called."""
        near = self.nearness(base)
        known = sorted(a for a in base if a[0] in {"i", "c"})
        for atom in known:
            self._set_of_class(atom, name, base, value, near, deleted=deleted)
        if ANY in base or (not known and not any(a[0] in {"k", "f", "x"} for a in base)):
            self.event(defines=True, place=("", name))
            self.state.store(("", name), value)
            for function in self.state.hierarchy.by_member.get(f"{name}.setter", ()):
                self.invoke(function, base, (value,), {}, member=f"{name}.setter")
        self.within(frozenset(a for a in base if a[0] in {"p", "d"}), defines=True)

    def _set_of_class(
        self, atom: Atom, name: str, base: Value, value: Value, near: Nearness, *, deleted: bool
    ) -> None:
        owner = atom[1]
        hierarchy = self.state.hierarchy
        accessor = f"{name}.deleter" if deleted else f"{name}.setter"
        hooks = hierarchy.all_of(owner, "__delattr__" if deleted else "__setattr__")
        for function in hooks:
            if function is not self.current:
                self.invoke(function, base, (frozenset((("k", "str"),)), value), {}, member=function.name)
        setters = hierarchy.all_of(owner, accessor)
        for function in setters:
            self.invoke(function, base, () if deleted else (value,), {}, member=accessor)
        if setters and atom[0] == "i":
            return
        hook = "__delete__" if deleted else "__set__"
        self._through_descriptor(owner, name, hook, (outside(base),) if deleted else (outside(base), value))
        self.event(defines=True, place=(owner, name), nearness=near)
        if not deleted:
            self.state.store((owner, name), value)

    def invoke(
        self,
        function: Function,
        base: Value,
        arguments: tuple[Value, ...],
        named: dict[str, Value],
        *,
        member: str = "",
        after: str = "",
        spread: tuple[Value, ...] = (),
    ) -> Value:
        """A function of the module is called: its parameters get values, its result is given back."""
        self.calls(function, base, member=member, after=after)
        self._bind(function, arguments, named, spread)
        result = self.state.returns[function]
        return result | ANYTHING if function.decorators else result

    def _bind(
        self,
        function: Function,
        arguments: tuple[Value, ...],
        named: dict[str, Value],
        spread: tuple[Value, ...],
    ) -> None:
        parameters = function.parameters
        plain = [p for p in parameters if p.kind in {"", "keyword"}]
        receiver = function.receiver
        if receiver is not None and plain and plain[0].name == receiver:
            plain = plain[1:]
        for parameter, value in zip(plain, arguments, strict=False):
            self.state.into(function, parameter.name, outside(value))
        rest = [*arguments[len(plain) :], *(self.state.inside(s) for s in spread)]
        for parameter in parameters:
            if parameter.name in named:
                self.state.into(function, parameter.name, outside(named[parameter.name]))
            elif parameter.kind in {"*", "**"}:
                extra = rest if parameter.kind == "*" else list(named.values())
                for value in extra:
                    self.state.fill(self.state.variable(function, parameter.name), value)
            elif spread:
                for value in spread:
                    self.state.into(function, parameter.name, outside(self.state.inside(value)))
