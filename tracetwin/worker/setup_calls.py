"""The words of call sequences: what may be done before a target is called.

A word is ``name`` (call that method of the receiver, or read that property of it), ``name=`` (store that
property or public attribute of it) or ``:name`` (call that function, class method or class of the module,
for the state it leaves there).
"""

from __future__ import annotations

import ast
import collections
import inspect
import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Final, TypeAlias

from tracetwin.analysis.effects.shared_state import MUTATORS, SharedState
from tracetwin.analysis.sources import Source
from tracetwin.drawing.discovery.class_members import class_named
from tracetwin.drawing.discovery.discovery import Discovery
from tracetwin.drawing.discovery.invokables import PlannedInvokable
from tracetwin.drawing.discovery.names_only import NamesOnly
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.discovery.special_methods import CONSTRUCTORS
from tracetwin.drawing.objects.attributes import MAKERS, ClassAttributes
from tracetwin.drawing.plans.parameters import POSITIONAL_ONLY, Parameter
from tracetwin.drawing.plans.special_forms import subclasses
from tracetwin.drawing.rules.shown_objects import is_fluent
from tracetwin.drawing.rules.user_rules import Guide
from tracetwin.model import recipes

CHANGING: Final = frozenset(
    f"__{name}__"
    for name in (
        "setitem delitem enter exit aenter aexit next anext call"
        " iadd isub imul itruediv ifloordiv imod ipow iand ior ixor ilshift irshift imatmul"
    ).split()
)
"""Special methods that are there to change their receiver. Others count where their text stores something."""

_Table: TypeAlias = dict[str, PlannedInvokable]

# How a subclass of a container that does not take its contents in its constructor is filled.
_FILLING: Final[tuple[tuple[type, str, tuple[str, ...]], ...]] = (
    (list, "append", ("item",)),
    (dict, "__setitem__", ("key", "value")),
    (set, "add", ("item",)),
    (collections.deque, "append", ("item",)),
    (collections.UserList, "append", ("item",)),
    (collections.UserDict, "__setitem__", ("key", "value")),
)


class Words:
    """The words for each invokable of one module."""

    def __init__(
        self, module: ModuleType, planner: Planner, all_of_module: Iterable[PlannedInvokable]
    ) -> None:
        self._module = module
        self._planner = planner
        self._guide: Guide = planner.guide
        self._all = sorted(all_of_module, key=lambda item: (item.first_line, item.qualname))
        self._by_name = {item.qualname: item for item in self._all}
        self._tables: dict[str, _Table] = {}
        self._attributes = ClassAttributes(planner)
        self._shared: SharedState | None = None
        self._kept: dict[str, frozenset[str]] = {}
        self._others: dict[type, tuple[list[PlannedInvokable], Source]] = {}
        self._unplanned: dict[int, type] = {}
        self._planners: dict[tuple[str, type[Planner]], Planner] = {}

    def of(self, invokable: PlannedInvokable) -> list[str]:
        """The words that may stand before it: methods, stores, functions; each in order of the text."""
        table = {} if invokable.receiver is None else self._table(str(invokable.owner))
        return [*table, *self._functions(invokable)]

    def find(self, invokable: PlannedInvokable, word: str) -> PlannedInvokable:
        """The call or store that a word stands for.

        Raises:
            LookupError: it is no word of that invokable.
        """
        if word.startswith(":"):
            return self._by_name[word[1:]]
        table = self._table(str(invokable.owner))
        base = self._unplanned.get(id(table[word]))
        if base is not None:
            table[word] = self._planned(table[word], base)
        return table[word]

    # Methods and attributes

    def _table(self, owner: str) -> _Table:
        known = self._tables.get(owner)
        if known is None:
            cls = class_named(self._module, owner)
            known = self._tables[owner] = dict(self._rows(owner, cls))
        return known

    def _rows(self, owner: str, cls: type) -> Iterator[tuple[str, PlannedInvokable]]:
        members = self._members(cls)
        yield from members.items()
        for name, parameters in self._fillings(cls).items():
            if name not in members:
                dotted = f"{owner}.{name}"
                yield name, PlannedInvokable(dotted, "method", owner, 0, 0, parameters)
        for name, parameter in self._attributes.of(cls).items():
            if f"{name}=" not in members and self._permits(cls, owner, name):
                full = f"{owner}.{name}.setter"
                yield f"{name}=", PlannedInvokable(full, "property", owner, 0, 0, (parameter,), access="set")

    def _permits(self, cls: type, owner: str, name: str) -> bool:
        """True if the user lets it be used, by its name in the class and in those that this inherits from."""
        definers = [base for base in cls.__mro__ if name in vars(base)][:1] or cls.__mro__[1:-1]
        names = [f"{base.__qualname__}.{name}" for base in definers]
        return self._guide.permits(self._module.__name__, f"{owner}.{name}", *names)

    def _members(self, cls: type) -> _Table:
        """Methods first, then stores of properties; the one that an instance has, of several of a name."""
        found: _Table = {}
        for base in _lookup_order(cls):
            for item in self._defined_in(base):
                word = _word_of(item)
                if (
                    word
                    and word not in found
                    and self._permits(cls, cls.__qualname__, item.name)
                    and _means(cls, item)
                ):
                    found[word] = item
        methods = {word: item for word, item in found.items() if not word.endswith("=")}
        # In the order of the text: of the module's own classes by line, then those of other modules.
        places = {id(item): place for place, item in enumerate(self._all)}
        ordered = sorted(methods, key=lambda word: places.get(id(methods[word]), len(places)))
        stores = sorted(set(found) - set(methods), key=lambda word: places.get(id(found[word]), len(places)))
        return {word: found[word] for word in (*ordered, *stores)}

    def _defined_in(self, base: type) -> list[PlannedInvokable]:
        """The callable members that a class of a traced module itself defines."""
        if base.__module__ == self._module.__name__:
            rows, source = self._all, self._planner.source
        elif recipes.is_traced(base.__module__):
            rows, source = self._of_other(base)
        else:
            return []
        wanted = [item for item in rows if item.owner == base.__qualname__ and not item.problem]
        nodes = source.methods(base.__qualname__)
        return [
            item for item in wanted
            if (item.kind == "method" and not _is_operator(item, nodes.get(item.name)))
            or item.access == "set"
            or (item.access == "get" and _changes_when_read(item, source, base))
        ]  # fmt: skip

    def _of_other(self, base: type) -> tuple[list[PlannedInvokable], Source]:
        """The members of a class of another traced module, to be planned once one of them is called."""
        if base not in self._others:
            discovery = self._discovery(base, base.__qualname__, NamesOnly)
            found = discovery.run()
            self._unplanned.update((id(item), base) for item in found)
            self._others[base] = found, discovery.source
        return self._others[base]

    def _planned(self, member: PlannedInvokable, base: type) -> PlannedInvokable:
        """A member of a class of another module with its parameters; without them where there is no plan."""
        found = self._discovery(base, member.definition, Planner).run()
        return next((item for item in found if item.qualname == member.qualname), member)

    def _discovery(self, base: type, name: str, kind: type[Planner]) -> Discovery:
        home = sys.modules[base.__module__]
        key = (home.__name__, kind)
        if key not in self._planners:
            self._planners[key] = kind(home, guide=self._guide)
        return Discovery(home, (name,), self._guide, planner=self._planners[key], makes=False)

    def _fillings(self, cls: type) -> dict[str, tuple[Parameter, ...]]:
        """For a subclass of a container with a constructor of its own: the base's method that fills it."""
        if not any(name in vars(base) for base in _lookup_order(cls) for name in MAKERS if _is_ours(base)):
            return {}
        for kind, name, parameters in _FILLING:
            if issubclass(cls, kind):
                anything = self._planner.resolver.anything(0)
                plans = [(part, anything.hashable() if part == "key" else anything) for part in parameters]
                made = [Parameter(part, plan, POSITIONAL_ONLY, annotated=False) for part, plan in plans]
                return {name: tuple(made)}
        return {}

    # Functions

    def _functions(self, invokable: PlannedInvokable) -> list[str]:
        """The functions of the module that write what the target may read."""
        writers = self._state().writers([*_parts(invokable), *self._of_receiver(invokable)])
        found = [self._called_as(name) for name in writers]
        return [f":{name}" for name in dict.fromkeys(item.qualname for item in found if item is not None)]

    def shared(self, invokable: PlannedInvokable) -> frozenset[str]:
        """The state that the methods of its receiver share with others, as keys of `SharedState`."""
        owner = str(invokable.owner)
        if owner not in self._kept:
            parts = [
                name for cls in self._kinds(invokable) for name in self._planner.source.definitions
                if name.rpartition(".")[0] == cls.__qualname__
            ]  # fmt: skip
            self._kept[owner] = self._state().shared_by(parts)
        return self._kept[owner]

    def _state(self) -> SharedState:
        if self._shared is None:
            self._shared = SharedState(self._planner.source)
        return self._shared

    def _of_receiver(self, invokable: PlannedInvokable) -> list[str]:
        """The functions in the text that make the receiver: what comes first may be there for them."""
        return [f"{cls.__qualname__}.{name}" for cls in self._kinds(invokable) for name in CONSTRUCTORS]

    def _kinds(self, invokable: PlannedInvokable) -> list[type]:
        """The classes of the module that its receiver may be of, and their bases."""
        if invokable.receiver is None:
            return []
        cls = class_named(self._module, str(invokable.owner))
        kinds = dict.fromkeys(base for kind in (cls, *subclasses(cls)) for base in kind.__mro__)
        return [base for base in kinds if base.__module__ == self._module.__name__]

    def _called_as(self, qualname: str) -> PlannedInvokable | None:
        """The invokable without receiver behind a function of the text."""
        owner, _, name = qualname.rpartition(".")
        if name == "__call__" and (made := self._made_by(owner)):
            owner, name = made, CONSTRUCTORS[0]  # a metaclass runs when an instance of its class is made
        item = self._by_name.get(owner if name in CONSTRUCTORS else qualname)
        fit = item is not None and not item.problem and item.kind not in ("method", "property")
        return item if fit else None

    def _made_by(self, metaclass: str) -> str:
        """The first class that a metaclass of the module has made and tests can call, "" without one."""
        try:
            kind = class_named(self._module, metaclass)
        except LookupError:
            return ""
        made = [item.owner for item in self._all if item.kind == "constructor" and not item.problem]
        for owner in made if issubclass(kind, type) else ():
            if issubclass(type(class_named(self._module, str(owner))), kind):
                return str(owner)
        return ""


def _parts(invokable: PlannedInvokable) -> list[str]:
    """The functions in the text that make up an invokable."""
    if invokable.kind == "constructor":
        return [f"{invokable.owner}.{name}" for name in CONSTRUCTORS]
    return [invokable.definition]


def _lookup_order(cls: type) -> list[type]:
    """The classes in which attributes of an instance are looked for; an abstract one has those of an heir."""
    order = list(cls.__mro__)
    if inspect.isabstract(cls):
        made = [item for item in subclasses(cls) if not inspect.isabstract(item)]
        order += [base for item in made[:1] for base in item.__mro__ if base not in order]
    return order


def _is_ours(base: type) -> bool:
    return base.__module__ not in sys.stdlib_module_names


def _means(cls: type, item: PlannedInvokable) -> bool:
    """True if every class that an instance may be of has a member of that name."""
    kinds = [cls]
    if inspect.isabstract(cls):
        kinds = [found for found in subclasses(cls) if not inspect.isabstract(found)]
    return all(inspect.getattr_static(kind, item.name, None) is not None for kind in kinds)


def _word_of(item: PlannedInvokable) -> str:
    return f"{item.name}=" if item.access == "set" else item.name


def _changes_when_read(item: PlannedInvokable, source: Source, owner: type) -> bool:
    """True if reading a property stores something or gives its object: `every(2).hours` sets the unit."""
    node = source.function(item.qualname, item.first_line)
    if not isinstance(vars(owner).get(item.name), property) or node is None:
        return False
    return _stores_something(node) or is_fluent(owner, item.name, source)


def _is_operator(item: PlannedInvokable, node: ast.AST | None) -> bool:
    """Special methods that do not change the receiver are no preparation."""
    name = item.name
    if not name.startswith("__") or not name.endswith("__"):
        return False
    if name in CHANGING:
        return False
    return name in CONSTRUCTORS or name == "__getattr__" or node is None or not _stores_something(node)


def _stores_something(node: ast.AST) -> bool:
    """True if a function stores attributes or elements, or calls what changes containers."""
    for part in ast.walk(node):
        if isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load):
            return True
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in MUTATORS:
            return True
    return False
