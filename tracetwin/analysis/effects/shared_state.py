"""Functions that write or read state that outlives a call: module globals, class variables.

A static check over the text of one module, used to decide what may be called before a target (define-use of
module variables, JTestCraft 4.2). It says "may": a name that is written through an alias is missed, one that
is only mentioned counts as read.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final, TypeAlias

from tracetwin.analysis.sources import FunctionNode, Source, indexed, kept_on, walk
from tracetwin.support.data import dataclass

Key: TypeAlias = str
"""The name of a global, or a class variable as ``.name``: by whatever way its class is reached."""

MUTATORS: Final = frozenset(
    "append extend insert remove pop clear sort reverse add discard update setdefault popitem appendleft"
    " popleft extendleft rotate push put write subtract move_to_end send register".split()
)
"""Methods of containers and the like that change them."""

_MAKERS: Final = ("__new__", "__init__", "__post_init__")


@functools.lru_cache(maxsize=4)  # asked for by every function of a module
def shared_state(tree: ast.Module) -> SharedState:
    """Return what is shared in a module of that text, as far as anything could come to it."""
    return SharedState(indexed(tree), mentions=True)


@dataclass
class ModuleAccess:
    """Reads and writes of one function outside of its own variables, and the names of what it may call."""

    reads: set[Key] = field(default_factory=set)
    writes: set[Key] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)

    def take(self, other: ModuleAccess) -> bool:
        """Add what a callee does; whether that was news."""
        before = len(self.reads), len(self.writes)
        self.reads |= other.reads
        self.writes |= other.writes
        return before != (len(self.reads), len(self.writes))


class SharedState:
    """The state of one module that functions write, and who reads it.

    Attributes:
        mentions: what a function names without a call, such as a property, counts as called.
    """

    def __init__(self, source: Source, *, mentions: bool = False) -> None:
        """Read the whole module once."""
        self.mentions = mentions
        self._globals = _top_names(source.tree.body)
        self._instances = _instances(source)
        self._class_names = {name for name in source.definitions if source.class_(name) is not None}
        bodies = [node.body for name in self._class_names if (node := source.class_(name))]
        self._variables = {name for body in bodies for name in _top_names(body)}
        self._functions: dict[str, list[FunctionNode]] = {}
        for qualname, nodes in source.definitions.items():
            functions = [node for node in nodes if not isinstance(node, ast.ClassDef)]
            if functions:
                self._functions[qualname] = functions
        self._access = {name: self._look(name, nodes) for name, nodes in self._functions.items()}
        self._link()

    def writers(self, target: Iterable[str]) -> list[str]:
        """The functions, by qualified name in the order of the text, that write what the target may read."""
        wanted = set().union(*(self._access[name].reads for name in target if name in self._access))
        return [name for name, access in self._access.items() if access.writes & wanted]

    def shared_by(self, functions: Iterable[str]) -> frozenset[Key]:
        """The state that some functions, by qualified name, may read and any of the module writes."""
        exact = {name.removesuffix(".setter") for name in functions}
        inherited = {name.rpartition(".")[2] for name in exact - self._access.keys()}
        found = [access for name, access in self._access.items()
                 if name in exact or name.rpartition(".")[2] in inherited]  # fmt: skip
        reads = set().union(*(access.reads for access in found))
        return frozenset(reads & set().union(*(access.writes for access in self._access.values())))

    def _link(self) -> None:
        """Counts effects of callees as effects of their callers, until nothing is new."""
        by_name: dict[str, list[str]] = {}
        for qualname in self._functions:
            by_name.setdefault(qualname.rpartition(".")[2], []).append(qualname)
        callees = {
            name: [other for called in sorted(access.calls) for other in self._called(called, by_name)]
            for name, access in self._access.items()
        }
        changed = True
        while changed:
            changed = False
            for name, others in callees.items():
                for other in others:
                    changed |= self._access[name].take(self._access[other])

    def _called(self, name: str, by_name: Mapping[str, list[str]]) -> list[str]:
        """The functions that a call of that name may mean; a class stands for what makes its instances."""
        if name in self._class_names:
            return [f"{name}.{maker}" for maker in _MAKERS if f"{name}.{maker}" in self._functions]
        return by_name.get(name, [])

    def _look(self, qualname: str, nodes: Iterable[FunctionNode]) -> ModuleAccess:
        found = ModuleAccess()
        owner = qualname.rpartition(".")[0]
        for node in nodes:
            _Look(node, owner if owner in self._class_names else "", self, found).run()
        return found

    def is_global(self, name: str) -> bool:
        """True if a name is bound at the top of the module to something that is no class or function."""
        return name in self._globals

    def holds_instance(self, name: str) -> bool:
        """True if a global is bound to an instance of a class of the module: its methods may change it."""
        return name in self._instances

    def is_variable(self, name: str) -> bool:
        """True if some class of the module has a variable of that name in its body."""
        return name in self._variables

    def is_class(self, name: str) -> bool:
        """True if a class of the module has that name."""
        return name in self._class_names


class _Look:
    """One function: its accesses."""

    def __init__(self, node: FunctionNode, owner: str, state: SharedState, found: ModuleAccess) -> None:
        self._node = node
        self._owner = owner
        self._state = state
        self._found = found
        declarations = [part.names for part in walk(node) if isinstance(part, ast.Global)]
        self._declared = {name for names in declarations for name in names}
        self._local = (_stored(node) | _arguments(node)) - self._declared
        names = [*node.args.posonlyargs, *node.args.args]
        self._this = names[0].arg if names else ""
        self._own = kept_on(node, self._this)

    def run(self) -> None:
        for part in walk(self._node):
            if isinstance(part, ast.Name):
                self._name(part)
            elif isinstance(part, ast.Attribute):
                self._attribute(part)
            elif isinstance(part, ast.Subscript) and not isinstance(part.ctx, ast.Load):
                self._written(part.value)
            elif isinstance(part, ast.Call):
                self._call(part)

    def _name(self, part: ast.Name) -> None:
        if part.id in self._local:
            return
        self._found.calls.update([part.id] if self._state.mentions else [])
        if not (self._state.is_global(part.id) or part.id in self._declared):
            return
        if isinstance(part.ctx, ast.Load):
            self._found.reads.add(part.id)
        else:
            self._found.writes.add(part.id)
            self._found.reads.update([part.id] if self._augmented(part) else [])

    def _augmented(self, part: ast.expr) -> bool:
        return any(isinstance(n, ast.AugAssign) and n.target is part for n in walk(self._node))

    def _attribute(self, part: ast.Attribute) -> None:
        if isinstance(part.ctx, ast.Load):
            self._found.calls.update([part.attr] if self._state.mentions else [])
            if self._state.is_variable(part.attr) or self._is_class(part.value):
                self._found.reads.add(f".{part.attr}")
            return
        if self._is_class(part.value):
            self._found.writes.add(f".{part.attr}")
        else:
            self._written(part.value)

    def _call(self, part: ast.Call) -> None:
        function = part.func
        if isinstance(function, ast.Name):
            self._found.calls.add(function.id)
            if function.id in ("next", "setattr", "delattr") and part.args:
                self._written(part.args[0])
            if self._owner and function.id == "cls":
                self._found.calls.add(self._owner)
        elif isinstance(function, ast.Attribute):
            # `super().__new__` is that of some other class, which the text seldom knows.
            self._found.calls.update([] if function.attr in _MAKERS else [function.attr])
            if function.attr in MUTATORS:
                self._written(function.value)
            root = function.value
            name = root.id if isinstance(root, ast.Name) else ""
            if name not in self._local and self._state.holds_instance(name):
                self._found.writes.add(name)

    def _written(self, place: ast.expr) -> None:
        """Something inside of what `place` gives is changed."""
        while True:
            if isinstance(place, ast.Attribute):
                if self._is_class(place.value) or self._is_shared(place):
                    self._found.writes.add(f".{place.attr}")
                    return
                place = place.value
            elif isinstance(place, (ast.Subscript, ast.Starred)):
                place = place.value
            elif isinstance(place, ast.Call):
                place = place.func
            else:
                break
        if isinstance(place, ast.Name) and place.id not in self._local and self._state.is_global(place.id):
            self._found.writes.add(place.id)

    def _is_shared(self, place: ast.Attribute) -> bool:
        """``self.things`` where only the class has things."""
        of_this = isinstance(place.value, ast.Name) and place.value.id == self._this
        return of_this and self._state.is_variable(place.attr) and place.attr not in self._own

    def _is_class(self, place: ast.expr) -> bool:
        """True if an expression is a class: by its name, ``cls``, ``type(self)``, ``self.__class__``."""
        if isinstance(place, ast.Name):
            own = place.id == "cls" and self._owner != ""
            return own or (place.id not in self._local and self._state.is_class(place.id))
        if isinstance(place, ast.Attribute):
            return place.attr == "__class__" or self._state.is_class(ast.unparse(place))
        called = place.func if isinstance(place, ast.Call) else None
        return isinstance(called, ast.Name) and called.id == "type"


def _top_names(body: Iterable[ast.stmt]) -> set[str]:
    """The names that a body binds, but for definitions and imports; parts of `if` and `try` included."""
    plain = [statement for statement in _statements(body) if not isinstance(statement, _DEFINITIONS)]
    return {name for statement in plain for name in _stored(statement)}


_DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef, ast.Import, ast.ImportFrom)


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        inner = [
            part
            for name in ("body", "orelse", "finalbody")
            if not isinstance(statement, _DEFINITIONS)
            for part in getattr(statement, name, [])
        ]
        if inner:
            yield from _statements(inner)
        else:
            yield statement


def _instances(source: Source) -> set[str]:
    """Globals bound to the call of a class of the module."""
    found = set()
    for statement in _statements(source.tree.body):
        value = getattr(statement, "value", None)
        if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or not isinstance(value, ast.Call):
            continue
        if source.class_(ast.unparse(value.func).partition(".")[0]) is not None:
            found |= _stored(statement)
    return found


def _stored(node: ast.AST) -> set[str]:
    return {
        part.id
        for part in walk(node)
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)
    }


def _arguments(node: FunctionNode) -> set[str]:
    return {part.arg for part in walk(node) if isinstance(part, ast.arg)}
