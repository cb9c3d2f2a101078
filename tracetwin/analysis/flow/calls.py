"""Calls: of functions and classes of the module, of methods of containers, and of what is not known."""

from __future__ import annotations

from instrumenter.lowering.code import Function
from tracetwin.analysis.flow.elsewhere import Elsewhere, Many, Named
from tracetwin.analysis.flow.hierarchy import CONSTRUCTORS
from tracetwin.analysis.flow.library import FILLING, MUTATORS, READERS, SPREADING, TAKING
from tracetwin.analysis.flow.state import ANY, ANYTHING, NOTHING, SELF, Atom, Value, deepened, ordered, scalar
from tracetwin.analysis.flow.trail import AttributePart

_NOT_USING = frozenset(
    "append add appendleft extend update clear push put put_nowait write __setitem__".split()
)
"""Mutators that do what they do whatever is in the container."""


class CallResolution(Elsewhere):
    """Calls at the node `node` of the function `current`."""

    # Calling a value

    def called(self, callee: Value, plain: Many, named: Named, spread: Many) -> Value:
        """The result of calling a value."""
        found: Value = NOTHING
        for atom in ordered(callee):
            match atom[0]:
                case "f":
                    found |= self._of_function(atom, plain, named, spread)
                case "c":
                    found |= self.construct(atom[1], plain, named, spread)
                case "x":
                    found |= self.elsewhere(atom[1], plain, named, spread)
                case "i":
                    one = frozenset((atom,)) | (callee & {SELF})
                    for function in self.found(atom, "__call__"):
                        found |= self.invoke(function, one, plain, named, member="__call__", spread=spread)
                case "?" | "d":
                    found |= self.unknown(plain, named, spread)
                case _:
                    pass
        if not callee or all(a[0] in {"p", "l"} for a in callee):
            found |= self.unknown(plain, named, spread)
        return found

    def _of_function(self, atom: Atom, plain: Many, named: Named, spread: Many) -> Value:
        """A function taken from somewhere: of a method, the receiver may be the first argument."""
        function = self.state.function(atom)
        # `Base.method(self, x)` hands over the receiver, `f = self.method; f(x)` has it already.
        if function.receiver is not None and plain and any(a[0] == "i" for a in plain[0]):
            member = function.name.removeprefix(f"{function.owner}.")
            found = self.invoke(function, plain[0], plain[1:], named, member=f"={member}", spread=spread)
            return found | self.invoke(function, NOTHING, plain, named, spread=spread)
        return self.invoke(function, NOTHING, plain, named, spread=spread)

    def construct(self, name: str, plain: Many, named: Named, spread: Many) -> Value:
        """A new instance of a class of the module."""
        instance = frozenset((("i", name),))
        hierarchy = self.state.hierarchy
        found: Value = NOTHING
        initialisers = False
        for member in CONSTRUCTORS:
            function = hierarchy.find(name, member)
            if function is not None:
                initialisers = True
                given = plain if member != "__post_init__" else ()
                found |= self.invoke(
                    function, NOTHING, given, named if given or named else {}, member=member, spread=spread
                )
        if hierarchy.foreign(name):
            for value in plain:
                self.touch(value, defines=False)
                self.state.fill(instance, self.state.inside(value))
            if not initialisers:
                self.escape(plain, named, spread)
        return instance | frozenset(a for a in found if a[0] in {"i", "p"})

    # Methods

    def method(self, base: Value, name: str, plain: Many, named: Named, spread: Many) -> Value:
        """The result of calling a method of a value."""
        found: Value = NOTHING
        theirs: set[Atom] = set()
        for atom in ordered(base):
            if atom[0] in {"i", "c", "u"}:
                found |= self._of_ours(atom, base, name, plain, named, spread)
            elif atom[0] == "x":
                found |= self.elsewhere(f"{atom[1]}.{name}", plain, named, spread)
            elif atom != SELF:
                theirs.add(atom)
        if theirs and not all(a[0] in {"p", "d"} and base & _ours(base) for a in theirs):
            found |= self._of_theirs(frozenset(theirs), name, plain, named, spread)
        return found

    def _of_ours(self, atom: Atom, base: Value, name: str, plain: Many, named: Named, spread: Many) -> Value:
        functions = self.found(atom, name)
        if functions:
            found: Value = NOTHING
            for function in functions:
                found |= self._member(function, atom, base, name, plain, named, spread)
            return found
        if atom[0] == "c" and name == "__new__":
            return frozenset((("i", atom[1]),))
        if atom[0] == "u" and name == "__new__":
            return frozenset((("i", self._class_of(plain, atom[1])),))
        if atom[0] == "u" and name in {"__setattr__", "__delattr__"}:
            self.everything(base, defines=True)
            return NOTHING
        if atom[0] == "u" and name in {"__getattribute__", "__getattr__"}:
            self.everything(base, defines=False)
            return ANYTHING
        foreign = bool(self.state.hierarchy.foreign(atom[1]))
        if foreign and self.state.load(atom[1], name) is None:
            return self._inherited(atom, base, name, plain, named, spread)
        if name.startswith("__") and name.endswith("__"):
            return ANYTHING  # of `object`
        # Something callable is kept in an attribute.
        return self.called(self.attribute(frozenset((atom,)) | (base & {SELF}), name), plain, named, spread)

    def _class_of(self, plain: Many, otherwise: str) -> str:
        given = sorted(a[1] for value in plain[:1] for a in value if a[0] == "c")
        return str(given[0]) if given else otherwise

    def _member(
        self, function: Function, atom: Atom, base: Value, name: str, plain: Many, named: Named, spread: Many
    ) -> Value:
        after = self.current.owner if atom[0] == "u" else ""
        if function.role in {"getter", "cached"}:
            return self.called(self.attribute(base, name), plain, named, spread)
        if atom[0] == "c" and function.role == "method" and plain:
            return self._of_function(("f", self.state.numbers[function]), plain, named, spread)
        one = frozenset(a for a in base if a[0] in {"self", "p", "d"} or a == atom)
        return self.invoke(function, one, plain, named, member=name, after=after, spread=spread)

    def _inherited(
        self, atom: Atom, base: Value, name: str, plain: Many, named: Named, spread: Many
    ) -> Value:
        """A method of a base from elsewhere: of a container, or of one that may call everything back."""
        instance = frozenset((("i", atom[1]),))
        if name in MUTATORS or name in READERS or name in TAKING:
            self.touch(base, defines=name in MUTATORS)
            self._fill(instance, name, plain)
            return self.state.inside(instance) | ANYTHING if name in TAKING else scalar("None")
        if name.startswith("__") and name.endswith("__"):
            for value in plain:
                self.state.fill(instance, self.state.inside(value))
            if name == "__init__":
                self.everything(base, defines=True)  # it may call what the class overrides
            if name != "__init_subclass__":
                self.touch(base, defines=name in {"__init__", "__new__"})
            self.escape(plain, named, spread)
            return ANYTHING
        self.everything(base, defines=False)
        self.everything(base, defines=True)
        for function in self.state.hierarchy.members(atom[1]).values():
            if function is not self.current and not function.name.endswith(CONSTRUCTORS):
                self.calls(function, base)
        self.escape(plain, named, spread)
        return ANYTHING

    def _of_theirs(self, base: Value, name: str, plain: Many, named: Named, spread: Many) -> Value:
        """A method of a container, or of an object of which nothing is known."""
        found: Value = NOTHING
        container = any(a[0] == "l" for a in base)
        if name in MUTATORS or name in READERS or name in TAKING:
            self._container(base, name, plain, spread, certain=container)
            if name in TAKING:
                found |= self.state.inside(base) | deepened(base) | frozenset(a for a in base if a[0] == "p")
                for value in plain[1:]:
                    found |= value
                if name in {"items", "values", "keys", "copy"}:
                    made = self.allocated(name)
                    self.state.fill(made, self.state.inside(base) | deepened(base))
                    found = made | frozenset(a for a in base if a[0] == "p")
        elif not container and ANY in base and name != "__exit__":  # what a lock held is not held any more
            self.within(base, defines=False)
            self.within(base, defines=True)
            self.escape(plain, named, spread)
        if ANY in base:
            found |= ANYTHING
            for function in self.state.hierarchy.by_member.get(name, ()):
                if function.role not in {"getter", "setter", "deleter", "cached"}:
                    found |= self.invoke(function, base, plain, named, member=name, spread=spread)
        if not container and ANY not in base and any(a[0] == "k" for a in base):
            found |= ANYTHING if name in {"split", "join", "format"} else scalar("str")
        return found

    def _container(self, base: Value, name: str, plain: Many, spread: Many, *, certain: bool) -> None:
        part = AttributePart.ELEMENTS if certain else AttributePart.WITHIN
        if name in MUTATORS:
            if certain or not any(a[0] == "k" for a in base):
                self.touch(base, defines=True)
            self._fill(base, name, plain)
        if name not in _NOT_USING:
            self.touch(base, defines=False)
        if name in {"sort", "index", "count", "remove", "insert", "__contains__"}:
            self.special(self.state.inside(base), ("__eq__", "__lt__"), plain)
        for value in (*plain, *spread):
            if part is AttributePart.ELEMENTS and (name in SPREADING or name == "sort"):
                self.touch(value, defines=False)

    def _fill(self, base: Value, name: str, plain: Many) -> None:
        if name in FILLING:
            for value in plain:
                self.state.fill(base, self.state.inside(value) if name in SPREADING else value)


def _ours(base: Value) -> Value:
    return frozenset(a for a in base if a[0] in {"i", "c", "u"})
