"""The small language that functions are lowered to: one operation per node of a control-flow graph.

Registers are numbers for intermediate values and names for variables of the function itself. A variable
of an enclosing function or of the module is read by `Load` and written by `Store`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

Reg: TypeAlias = "int | str"

ENTRY: Final = 0
EXIT: Final = 1
RAISED: Final = 2
"""The first three nodes of every graph: its entry, its normal exit, its exit by an exception."""

UNKNOWN: Final = object()
"""Stands for a literal whose value is of no interest."""


@dataclass(slots=True, eq=False)
class Skip:
    """Nothing: a place where paths meet or part."""


@dataclass(slots=True, eq=False)
class Const:
    """A literal; `kind` is the name of its type."""

    into: Reg
    value: Any
    kind: str


@dataclass(slots=True, eq=False)
class Load:
    """The value of a name; `place` is the function it belongs to, None for a global or builtin."""

    into: Reg
    name: str
    place: Function | None = None


@dataclass(slots=True, eq=False)
class Store:
    """A name gets a value (None: it is deleted)."""

    name: str
    source: Reg | None
    place: Function | None = None


@dataclass(slots=True, eq=False)
class Get:
    """An attribute is read."""

    into: Reg
    base: Reg
    name: str


@dataclass(slots=True, eq=False)
class Set:
    """An attribute gets a value (None: it is deleted)."""

    base: Reg
    name: str
    source: Reg | None


@dataclass(slots=True, eq=False)
class Item:
    """An element is read."""

    into: Reg
    base: Reg
    key: Reg


@dataclass(slots=True, eq=False)
class SetItem:
    """An element gets a value (None: it is deleted)."""

    base: Reg
    key: Reg
    source: Reg | None


@dataclass(slots=True, eq=False)
class Each:
    """One step of a loop: the next element, or none is left (the second edge)."""

    into: Reg
    base: Reg


@dataclass(slots=True, eq=False)
class Make:
    """A container display, or a result of several parts."""

    into: Reg
    kind: str
    parts: tuple[Reg, ...]


@dataclass(slots=True, eq=False)
class Invoke:
    """A call: of the value in `callee`, or of method `method` of the value in `base`.

    `spread` holds what is passed by `*` and `**`.
    """

    into: Reg
    callee: Reg | None
    base: Reg | None
    method: str
    arguments: tuple[Reg, ...]
    named: tuple[tuple[str, Reg], ...]
    spread: tuple[Reg, ...] = ()


@dataclass(slots=True, eq=False)
class Operate:
    """An operator, by the name of its function in `operator` (``iadd`` for ``+=``)."""

    into: Reg
    name: str
    parts: tuple[Reg, ...]


@dataclass(slots=True, eq=False)
class MakeFunction:
    """A function object is made, by `def` or `lambda`."""

    into: Reg
    function: Function


@dataclass(slots=True, eq=False)
class Give:
    """A value leaves the function: by `return`, or by `yield`."""

    source: Reg
    element: bool = False


@dataclass(slots=True, eq=False)
class Decision:
    """A decision: the first edge is taken if the value is true, else the second."""

    source: Reg


@dataclass(slots=True, eq=False)
class Enter:
    """A context manager is entered."""

    into: Reg
    base: Reg


@dataclass(slots=True, eq=False)
class Narrow:
    """A value known to be an instance of the classes in `kinds`."""

    into: Reg
    source: Reg
    kinds: tuple[Reg, ...]


@dataclass(slots=True, eq=False)
class Imported:
    """A name of another module."""

    into: Reg
    name: str


Op: TypeAlias = (
    "Skip | Const | Load | Store | Get | Set | Item | SetItem | Each | Make | Invoke | Operate | MakeFunction"
    " | Give | Decision | Enter | Narrow | Imported"
)


@dataclass(slots=True, eq=False)
class Instruction:
    """One operation.

    Attributes:
        after: the nodes that may follow; for `Test` and `Each` exactly two.
        fails: where an exception in it goes inside of the function, -1 if it leaves it.
        origin: the syntax it comes from, until positions are known.
    """

    op: Op
    after: list[int] = field(default_factory=list)
    fails: int = -1
    line: int = 0
    column: int = 0
    origin: Any = None


@dataclass(slots=True, eq=False)
class LoweredParameter:
    """A parameter; `annotation` is its text, "" without one; `kind` is "", "*", "**" or "keyword"."""

    name: str
    annotation: str
    kind: str = ""


@dataclass(slots=True, eq=False)
class Function:
    """A function, method, lambda or body of a class or module.

    Attributes:
        name: qualified, as `__qualname__` says; a property's setter ends with ``.setter``.
        role: ``function``, ``method``, ``classmethod``, ``staticmethod``, ``getter``, ``setter``,
            ``deleter``, ``cached``, ``lambda``, ``class body`` or ``module``.
        owner: qualified name of the class it is a member of, "" if none.
        variables: the names that are its own.
        parent: the function around it, whose variables it sees.
        generator: whether calling it makes a generator.
        decorators: names of the decorators that are not known to leave a function as it is.
        made: whether it is made from a dataclass's fields, and not written.
    """

    name: str
    role: str
    owner: str
    parameters: list[LoweredParameter] = field(default_factory=list)
    returns: str = ""
    nodes: list[Instruction] = field(default_factory=list)
    variables: set[str] = field(default_factory=set)
    parent: Function | None = None
    first_line: int = 0
    generator: bool = False
    coroutine: bool = False
    decorators: list[str] = field(default_factory=list)
    made: bool = False

    @property
    def receiver(self) -> str | None:
        """The name of the parameter that holds the object or class, if there is one."""
        if self.role in ("function", "staticmethod", "lambda", "class body", "module"):
            return None
        first = next((p for p in self.parameters if p.kind == ""), None)
        return None if first is None else first.name

    def ops(self) -> Iterator[tuple[Instruction, Op]]:
        """Every node with its operation."""
        return ((node, node.op) for node in self.nodes)


@dataclass(slots=True, eq=False)
class Class:
    """A class.

    Attributes:
        bases: qualified names of bases in this module, dotted names of the others.
        fields: names and annotations of the class body, in order; a dataclass's are its parameters.
        places: nodes of the class body that stand where the fields do.
        dataclass: whether `__init__` is made from the fields.
        members: the functions in it, by name; a property's are ``x``, ``x.setter`` and ``x.deleter``.
    """

    name: str
    bases: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    dataclass: bool = False
    members: dict[str, Function] = field(default_factory=dict)
    first_line: int = 0


@dataclass(slots=True, eq=False)
class LoweredModule:
    """A lowered module."""

    name: str
    functions: list[Function] = field(default_factory=list)
    classes: dict[str, Class] = field(default_factory=dict)
    globals: set[str] = field(default_factory=set)


class Unreadable(Exception):
    """libcst can't parse a source, or it is nested too deeply."""
