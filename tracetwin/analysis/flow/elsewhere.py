"""Calls of what the module did not define: known functions of the library, and unknown code."""

from __future__ import annotations

from tracetwin.analysis.flow.access import FlowAccess
from tracetwin.analysis.flow.hierarchy import CONSTRUCTORS
from tracetwin.analysis.flow.library import CHANGING, CONTAINERS, PASSING, PROTOCOLS, READING, is_known
from tracetwin.analysis.flow.state import (
    ANYTHING,
    NOTHING,
    SELF,
    Atom,
    Value,
    deepened,
    ordered,
    places,
    scalar,
)
from tracetwin.analysis.flow.trail import Callee, Nearness, Trail

Named = dict[str, Value]
Many = tuple[Value, ...]

_SPECIAL = frozenset({"super", "getattr", "setattr", "delattr", "vars"})


class Elsewhere(FlowAccess):
    """The effects of code from elsewhere on the values that it is given."""

    def is_state(self, value: Value) -> bool:
        """True if a global is a variable, and not a function, class or module by its name."""
        return any(a[0] not in {"f", "c", "x"} for a in value)

    def allocated(self, kind: str) -> Value:
        """A container made at the current node."""
        return frozenset((("l", kind, self.state.numbers[self.current], self.node),))

    def special(self, value: Value, names: tuple[str, ...], arguments: Many) -> Value:
        """Special methods that the language calls on a value of a class of ours, if it has them."""
        found: Value = NOTHING
        for atom in sorted(a for a in value if a[0] in {"i", "u"}):
            for name in names:
                for function in self.found(atom, name):
                    found |= self.invoke(function, value, arguments, {}, member=name)
        return found

    def iterated(self, base: Value) -> Value:
        """The values that a loop over a value gets."""
        found: set[Atom] = set()
        made = self.special(base, ("__iter__", "__aiter__"), ())
        found |= self.state.inside(made) if made else NOTHING
        for value in (made, base):
            found |= self.special(value, ("__next__", "__anext__"), ())
        if not made:
            found |= self.special(base, ("__getitem__",), (scalar("int"),))
        if any(a[0] != "i" for a in base):
            found |= self.state.inside(frozenset(a for a in base if a[0] != "i"))
        else:
            found |= self.state.inside(base)
        if all(a[0] == "k" for a in found):
            return frozenset(found)
        return frozenset(found) | deepened(base) | frozenset(a for a in base if a[0] == "p")

    def elsewhere(self, name: str, plain: Many, named: Named, spread: Many) -> Value:
        """The result of calling something by its dotted name."""
        special = getattr(self, f"_{name}", None) if name in _SPECIAL else None
        if special is not None:
            result: Value = special(plain, named, spread)
            return result
        if name.endswith(".__new__") and plain:
            return frozenset(("i", a[1]) for a in plain[0] if a[0] == "c") or ANYTHING
        asked = PROTOCOLS.get(name)
        every = (*plain, *named.values(), *spread)
        results: Value = NOTHING
        if asked is not None:
            for value in every:
                results |= self.special(value, asked, ())
        if is_known(name, READING):
            return self._reading(name, every) | results
        if name in CONTAINERS or name in PASSING:
            return self._holding(name, plain, every) | results
        if name in CHANGING:
            return self._changing(plain, every)
        return self.unknown(plain, named, spread)

    def _reading(self, name: str, every: Many) -> Value:
        for value in every:
            self.touch(value, defines=False)
            self._functions(value)
        if name == "type":
            return frozenset(("c", a[1]) for value in every for a in value if a[0] == "i") or ANYTHING
        if name in {"str", "repr", "format", "bytes", "int", "float", "bool", "len", "hash", "id"}:
            kinds = {"len": "int", "hash": "int", "id": "int", "repr": "str", "format": "str"}
            return scalar(kinds.get(name, name))
        if name in {"any", "all", "isinstance", "issubclass", "callable", "hasattr"}:
            return scalar("bool")
        if name == "sorted":
            return self._holding(name, every, every)
        return ANYTHING

    def _holding(self, name: str, plain: Many, every: Many) -> Value:
        made = self.allocated(name)
        kept: set[Atom] = set()
        for value in every:
            self.touch(value, defines=False)
            if name in PASSING:
                kept |= {a for a in value if a[0] in {"p", "d"}}
            inner = self.iterated(value) if name not in {"copy.copy", "copy.deepcopy"} else value
            self.state.fill(made, inner | (value if name in {"typing.cast", "cast", "zip"} else NOTHING))
            self._functions(value)
        if name in {"typing.cast", "cast"}:
            return plain[-1] if plain else ANYTHING
        if name in {"copy.copy", "copy.deepcopy", "copy"}:
            for value in plain[:1]:
                self.everything(value, defines=False)
            return frozenset(a for value in plain[:1] for a in value if a[0] in {"i", "l", "k", "?"}) | made
        if name in {"next", "min", "max", "functools.reduce", "reduce", "random.choice"}:
            return (
                self.state.inside(made)
                | frozenset(kept)
                | frozenset(a for v in plain for a in v if a[0] == "i")
            )
        return made | frozenset(kept)

    def _changing(self, plain: Many, every: Many) -> Value:
        if not plain:
            return ANYTHING
        self.touch(plain[0], defines=True)
        self.touch(plain[0], defines=False)
        for value in plain[1:]:
            self.state.fill(plain[0], value)
        for value in every:
            self.special(
                self.state.inside(value), ("__lt__", "__gt__", "__eq__"), (self.state.inside(value),)
            )
        return self.state.inside(plain[0]) | deepened(plain[0])

    def unknown(self, plain: Many, named: Named, spread: Many) -> Value:
        """The result of a call of which nothing is known."""
        self.escape(plain, named, spread)
        return ANYTHING

    def escape(self, plain: Many, named: Named, spread: Many) -> None:
        """Unknown code has these values: it may do everything with them."""
        if self.trail is None:
            return  # nothing that it does has a value of its own
        for value in (*plain, *named.values(), *spread):
            self._functions(value)
            if any(a[0] in {"i", "l", "c"} for a in value):
                objects = frozenset(a for a in value if a[0] != "c")
                self.everything(objects, defines=False)
                self.everything(objects, defines=True)
                self._called_back(value, self.trail)
            if places(value) and any(a[0] == "l" for a in value):
                self.touch(value, defines=True)
                self.touch(value, defines=False)

    def _called_back(self, value: Value, trail: Trail) -> None:
        """Unknown code that has an object may call its methods, but for private ones and constructors."""
        near = min(self.nearness(value), Nearness.PERHAPS)
        for atom in sorted(a for a in value if a[0] == "i"):
            for member, function in self.state.hierarchy.members(atom[1]).items():
                hidden = member in CONSTRUCTORS or (member.startswith("_") and not member.endswith("__"))
                if function is not self.current and not hidden:
                    trail.call(self.node, Callee(function, near))

    def _functions(self, value: Value) -> None:
        """Functions among what unknown code gets may be called by it."""
        for atom in sorted(a for a in value if a[0] == "f"):
            self.calls(self.state.function(atom), frozenset((SELF,)) if self.current.owner else NOTHING)

    def _super(self, plain: Many, named: Named, spread: Many) -> Value:
        owner = self.current.owner
        outer = self.current
        while not owner and outer.parent is not None:
            outer = outer.parent
            owner = outer.owner
        if not owner:
            return ANYTHING
        return frozenset((("u", owner), SELF)) if outer is self.current else frozenset((("u", owner),))

    def _getattr(self, plain: Many, named: Named, spread: Many) -> Value:
        if not plain:
            return ANYTHING
        self.everything(plain[0], defines=False)
        found = frozenset().union(*plain[2:]) if len(plain) > 2 else NOTHING
        methods: set[Atom] = set()
        for atom in sorted(a for a in plain[0] if a[0] == "i"):
            for member, function in self.state.hierarchy.members(atom[1]).items():
                if function.role in {"getter", "cached"}:
                    self.calls(function, plain[0], member=member)
                else:  # the program may call what it gets
                    methods.add(("f", self.state.numbers[function]))
        return found | ANYTHING | methods

    def _setattr(self, plain: Many, named: Named, spread: Many) -> Value:
        if plain:
            self.everything(plain[0], defines=True)
            for atom in ordered(plain[0]):
                if atom[0] == "i" and len(plain) > 2:
                    self.state.store((atom[1], "*"), plain[2])
        return scalar("None")

    _delattr = _setattr

    def _vars(self, plain: Many, named: Named, spread: Many) -> Value:
        for value in plain:
            self.everything(value, defines=False)
        owners = sorted({a[1] for value in plain for a in value if a[0] == "i"})
        return ANYTHING | frozenset(("p", owner, "*") for owner in owners)
