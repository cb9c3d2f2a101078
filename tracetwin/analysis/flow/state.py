"""The state of the analysis: sets of abstract values per variable, attribute, container and result.

A value is a set of atoms:

- ``("i", class)`` an instance, ``("c", class)`` a class of the module, ``("u", class)`` `super()` in it;
- ``("self",)`` the receiver of the current function itself, only ever beside its class;
- ``("f", number)`` a function of the module, ``("x", name)`` something of elsewhere, by its dotted name;
- ``("l", what)`` a container made at one place, ``("k", type)`` a built-in scalar, ``("?",)`` anything;
- ``("p", owner, name)`` what an attribute (or, with owner None, a global) holds: it is the same object;
- ``("d", owner, name)`` something within what an attribute or global holds.

All sets only grow, whatever the order of statements is: a flow-insensitive analysis.
"""

from __future__ import annotations

import ast
import functools
from dataclasses import field
from typing import Any, Final, TypeAlias

from instrumenter.lowering.code import Function, LoweredModule, Reg
from tracetwin.analysis.flow.hierarchy import Hierarchy
from tracetwin.support.data import dataclass

SCALARS: Final = frozenset(
    {"int", "str", "float", "bool", "bytes", "complex", "None", "range", "type", "slice"}
)
COLLECTIONS: Final = frozenset(
    "list dict set tuple frozenset deque defaultdict OrderedDict Counter Sequence MutableSequence Iterable"
    " Iterator Mapping MutableMapping Collection AbstractSet MutableSet Generator List Dict Set Tuple"
    " FrozenSet Deque DefaultDict bytearray Container Reversible AsyncIterator AsyncIterable".split()
)
_WRAPPERS: Final = frozenset(
    "Optional Union Final ClassVar Annotated Required NotRequired ReadOnly InitVar".split()
)


class WrittenType:
    """A type as written.

    Attributes:
        names: classes that the value may be an instance of, as named.
        inside: the shape of elements, for containers; None if it is none.
        unknown: whether it may be something else.
    """

    __slots__ = ("inside", "names", "scalars", "unknown")

    def __init__(self) -> None:
        self.names: list[str] = []
        self.scalars: list[str] = []
        self.inside: WrittenType | None = None
        self.unknown = False


@functools.lru_cache(maxsize=2048)
def shape(text: str) -> WrittenType:
    """The abstract values of an annotation's text; what is not understood is unknown."""
    made = WrittenType()
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        made.unknown = True
        return made
    _into(tree, made)
    return made


def _into(node: ast.AST, made: WrittenType) -> None:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        _into(node.left, made)
        _into(node.right, made)
    elif isinstance(node, ast.Constant):
        _constant(node, made)
    elif isinstance(node, (ast.Name, ast.Attribute)):
        _named(_dotted(node), made)
    elif isinstance(node, ast.Subscript):
        _generic(node, made)
    else:
        made.unknown = True


def _constant(node: ast.Constant, made: WrittenType) -> None:
    if node.value is None:
        made.scalars.append("None")
    elif isinstance(node.value, str):
        inner = shape(node.value)
        made.names += inner.names
        made.scalars += inner.scalars
        made.inside = inner.inside or made.inside
        made.unknown |= inner.unknown
    else:
        made.unknown = True


def _named(name: str, made: WrittenType) -> None:
    last = name.rpartition(".")[2]
    if last in SCALARS:
        made.scalars.append(last)
    elif last in COLLECTIONS:
        made.inside = made.inside or WrittenType()
        made.inside.unknown = True
    else:
        made.names.append(name)


def _generic(node: ast.Subscript, made: WrittenType) -> None:
    last = _dotted(node.value).rpartition(".")[2]
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if last in _WRAPPERS:
        for part in parts:
            _into(part, made)
        if last == "Optional":
            made.scalars.append("None")
    elif last == "Literal":
        values = [type(part.value).__name__ for part in parts if isinstance(part, ast.Constant)]
        made.scalars += values
        made.unknown |= len(values) < len(parts)
    elif last in COLLECTIONS:
        made.inside = made.inside or WrittenType()
        for part in parts:
            if not (isinstance(part, ast.Constant) and part.value is ...):
                _into(part, made.inside)
    elif last in {"type", "Type"}:
        made.unknown = True
    else:
        _into(node.value, made)


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


Atom: TypeAlias = "tuple[Any, ...]"
Value: TypeAlias = "frozenset[Atom]"
Place: TypeAlias = "tuple[str | None, str]"
"""Class ("": some class, None: the module) and attribute."""

NOTHING: Final[Value] = frozenset()
SELF: Final[Atom] = ("self",)
ANY: Final[Atom] = ("?",)
ANYTHING: Final[Value] = frozenset((ANY,))
_MOST_ATOMS: Final = 32
"""Sets larger than this become unknown: it does not pay to follow them."""


@functools.lru_cache(maxsize=4096)
def ordered(value: Value) -> tuple[Atom, ...]:
    """The atoms in an order that is the same in every process: where sets overflow it may matter."""
    return tuple(value) if len(value) < 2 else tuple(sorted(value, key=repr))


def scalar(kind: str) -> Value:
    """A built-in value without contents."""
    return frozenset((("k", kind),))


def places(value: Value) -> list[Place]:
    """The attributes and globals that hold this very object."""
    return sorted(((a[1], a[2]) for a in value if a[0] == "p"), key=_order)


def depths(value: Value) -> list[Place]:
    """The attributes and globals that this object is reachable from."""
    return sorted({(a[1], a[2]) for a in value if a[0] in {"p", "d"}}, key=_order)


def _order(place: Place) -> tuple[bool, str, str]:
    return place[0] is None, place[0] or "", place[1]


def deepened(value: Value) -> Value:
    """The atoms that what is within a value has from it."""
    return frozenset(("d", a[1], a[2]) for a in value if a[0] in {"p", "d"})


def outside(value: Value) -> Value:
    """A value as another function sees it: `self` is only one of its instances there."""
    return value - {SELF} if SELF in value else value


@dataclass(slots=True)
class FlowState:
    """Everything found out; `changed` says that something was since it was last put to False."""

    program: LoweredModule
    hierarchy: Hierarchy
    env: dict[Function, dict[Reg, Value]] = field(default_factory=dict)
    attributes: dict[Place, Value] = field(default_factory=dict)
    owners: dict[str, dict[str, None]] = field(default_factory=dict)
    contents: dict[Atom, Value] = field(default_factory=dict)
    returns: dict[Function, Value] = field(default_factory=dict)
    numbers: dict[Function, int] = field(default_factory=dict)
    changed: bool = False

    def __post_init__(self) -> None:
        for number, function in enumerate(self.program.functions):
            self.numbers[function] = number
            self.env[function] = {}
            self.returns[function] = NOTHING

    def function(self, atom: Atom) -> Function:
        """The function of an atom."""
        return self.program.functions[atom[1]]

    def _grow(self, table: dict[Any, Value], key: Any, old: Value | None, value: Value) -> None:
        joined = _joined(old or NOTHING, value)
        if joined != old:
            table[key] = joined
            self.changed = True

    # Variables

    def variable(self, function: Function, register: Reg) -> Value:
        """The values that a register may hold."""
        return self.env[function].get(register, NOTHING)

    def into(self, function: Function, register: Reg, value: Value) -> None:
        """A register may hold this as well."""
        table = self.env[function]
        old = table.get(register)
        if old is None or not value <= old:
            self._grow(table, register, old, value)

    # Attributes and globals

    def store(self, place: Place, value: Value) -> None:
        """An attribute may hold this as well."""
        old = self.attributes.get(place)
        value = outside(value)
        if old is None:
            self.owners.setdefault(place[1], {})[place[0] or ""] = None
        if old is None or not value <= old:
            self._grow(self.attributes, place, old, value)

    def load(self, owner: str, name: str) -> Value | None:
        """The values that an attribute of an instance of a class may hold; None: nothing is known of it."""
        if not owner:
            found = [
                self.attributes[o, name] for o in self.owners.get(name, ()) if (o, name) in self.attributes
            ]
        else:
            rows = (self.attributes.get((class_, name)) for class_ in (*self.hierarchy.family(owner), ""))
            found = [row for row in rows if row is not None]
        return frozenset().union(*found) if found else None

    # Containers and results

    def fill(self, container: Value, value: Value) -> None:
        """The containers of a value may contain this as well."""
        value = outside(value)
        for atom in container:
            if atom[0] in {"l", "p", "i"}:
                old = self.contents.get(atom)
                if old is None or not value <= old:
                    self._grow(self.contents, atom, old, value)

    def inside(self, container: Value) -> Value:
        """The values that may be elements of a value."""
        found = [self.contents[atom] for atom in container if atom in self.contents]
        if ANY in container or not any(atom[0] in {"l", "k", "i"} for atom in container):
            found.append(ANYTHING)
        return frozenset().union(*found)

    def give(self, function: Function, value: Value) -> None:
        """A function may return this as well."""
        old = self.returns[function]
        value = outside(value)
        if not value <= old:
            self._grow(self.returns, function, old, value)

    # Annotations

    def annotated(self, text: str, within: str, key: Any) -> Value:
        """The value that an annotation promises; `key` names the container that it may be."""
        return self._shaped(shape(text), within, ("l", "annotation", text, key))

    def _shaped(self, made: WrittenType, within: str, key: Atom) -> Value:
        atoms: set[Atom] = {("k", kind) for kind in made.scalars}
        for name in made.names:
            class_ = self._self_class(name, within) or self.hierarchy.named(name, within)
            atoms.add(ANY if class_ is None else ("i", class_))
        if made.unknown:
            atoms.add(ANY)
        if made.inside is not None:
            atoms.add(key)
            self.fill(frozenset((key,)), self._shaped(made.inside, within, (*key, "inside")))
        return frozenset(atoms)

    def _self_class(self, name: str, within: str) -> str | None:
        if name.rpartition(".")[2] != "Self":
            return None
        owner = within
        while owner and owner not in self.hierarchy.classes:
            owner = owner.rpartition(".")[0]
        return owner or None


def _joined(old: Value, value: Value) -> Value:
    """The union; of too large a one only the classes and functions are kept."""
    joined = old | value
    if len(joined) > _MOST_ATOMS or FULL in joined:
        return frozenset(a for a in joined if a[0] in _KEPT) | _OVERFLOW
    return joined


FULL: Final[Atom] = ("full",)
_KEPT: Final = frozenset({"self", "i", "c", "f", "u"})
_OVERFLOW: Final[Value] = frozenset((ANY, FULL))
