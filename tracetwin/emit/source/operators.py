"""Methods behind operators, written as readers write them: `a | b` for `a.__or__(b)`.

Only where both mean exactly the same. An operator goes on to the other operand after `NotImplemented`, asks
an operand of a subclass first, and converts what some methods return; where any of that could show, the
method is called by its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tracetwin.emit.source.identifiers import is_name
from tracetwin.emit.source.layout import Atom, Group, LaidOut, Quoted, call
from tracetwin.emit.source.standard import is_standard
from tracetwin.model.recipe import Call, Dictionary, Recipe, Reference, Scalar, Series
from tracetwin.model.snapshot import Itself, Snapshot
from tracetwin.support.data import dataclass

_BINARY = {
    "__add__": "+",
    "__sub__": "-",
    "__mul__": "*",
    "__truediv__": "/",
    "__floordiv__": "//",
    "__mod__": "%",
    "__pow__": "**",
    "__matmul__": "@",
    "__lshift__": "<<",
    "__rshift__": ">>",
    "__and__": "&",
    "__or__": "|",
    "__xor__": "^",
}
_IN_PLACE = {f"__i{name[2:]}": f"{sign}=" for name, sign in _BINARY.items()}
_COMPARING = {"__eq__": "==", "__ne__": "!=", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
_UNARY = {"__neg__": "-", "__pos__": "+", "__invert__": "~"}

# Functions that return what the method returns, and those that insist on a type.
_PLAIN = {"__abs__": "abs", "__next__": "next", "__reversed__": "reversed"}
_TYPED: dict[str, tuple[str, type]] = {
    "__len__": ("len", int),
    "__hash__": ("hash", int),
    "__bool__": ("bool", bool),
    "__str__": ("str", str),
    "__repr__": ("repr", str),
    "__bytes__": ("bytes", bytes),
    "__int__": ("int", int),
    "__float__": ("float", float),
}
_HASHES = range(-(2**31), 2**31)

_SIMPLE = re.compile(r"-?\w+(\.\w+)*")


@dataclass(frozen=True)
class Operation(LaidOut):
    """An operator with its operands; nothing may stand directly behind it.

    Attributes:
        compares: whether a comparison next to it would be taken for a part of a chain.
    """

    text: str
    compares: bool = False

    def flat(self) -> str:
        return self.text

    def spread(self, prefix: str, suffix: str, indent: int) -> list[str]:
        """In brackets, which is how formatters break what is broken at an operator."""
        return [f"{' ' * indent}{prefix}{self.text}{suffix}"]


@dataclass(frozen=True)
class Ending:
    """How a call ended: what it returned, None where it raised, and whether its items are taken."""

    value: Snapshot | None
    is_iterated: bool = False


@dataclass(frozen=True)
class OperatorStatement:
    """`a[i] = value`, `del a[i]` or `a += b`."""

    prefix: str
    node: LaidOut


def operation(
    receiver: str,
    method: str,
    operands: Sequence[LaidOut],
    recipes: Sequence[Recipe],
    ending: Ending,
    maker: tuple[str, str] | None = None,
) -> LaidOut | None:
    """The expression that calls that method in the place of `receiver.method(operands)`, if there is one."""
    value = ending.value
    if value == Reference("builtins", "NotImplemented"):
        return None
    if method == "__call__":
        return call(receiver, operands)
    if method == "__getitem__" and len(operands) == 1:
        parts = _key(operands[0])
        return Group(f"{receiver}[", parts, "]") if parts else None
    if not operands:
        return _without_operands(receiver, method, ending)
    if len(operands) > 1:
        return None
    operand, recipe = operands[0], recipes[0]
    if method == "__contains__":
        exact = value is None or (isinstance(value, Scalar) and type(value.value) is bool)
        return (
            Operation(f"{operand.flat()} in {receiver}", compares=True) if exact and _binds(operand) else None
        )
    if not _binds(operand) or not _leaves_the_receiver_first(recipe, maker):
        return None
    if method in _BINARY:
        return Operation(f"{receiver} {_BINARY[method]} {operand.flat()}")
    single = isinstance(recipe, Scalar) and (recipe.value is None or isinstance(recipe.value, bool))
    if method in _COMPARING and not single:
        return Operation(f"{receiver} {_COMPARING[method]} {operand.flat()}", compares=True)
    return None


def _without_operands(receiver: str, method: str, ending: Ending) -> LaidOut | None:
    value = ending.value
    if method in _UNARY:
        return Operation(f"{_UNARY[method]}{receiver}")
    if method in _PLAIN:
        return call(_PLAIN[method], [Atom(receiver)])
    if method == "__iter__" and (ending.is_iterated or value is None):
        return call("iter", [Atom(receiver)])
    if method in _TYPED:
        name, kind = _TYPED[method]
        if value is None or (
            isinstance(value, Scalar) and type(value.value) is kind and _stays(name, value.value)
        ):
            return call(name, [Atom(receiver)])
    return None


def statement(
    receiver: str, method: str, operands: Sequence[LaidOut], result: Snapshot
) -> OperatorStatement | None:
    """The statement that calls that method and throws its result away, if there is one."""
    if method in _IN_PLACE and len(operands) == 1 and isinstance(result, Itself):
        return OperatorStatement(f"{receiver} {_IN_PLACE[method]} ", operands[0])
    if method == "__setitem__" and len(operands) == 2 and _key(operands[0]):
        return OperatorStatement(f"{_subscript(receiver, operands[0])} = ", operands[1])
    if method in ("__setattr__", "__delattr__") and operands and isinstance(operands[0], Quoted):
        return _attribute_statement(
            receiver, str(operands[0].value), operands[1:], deletes=method == "__delattr__"
        )
    if method == "__delitem__" and len(operands) == 1 and _key(operands[0]):
        return OperatorStatement("del ", Atom(_subscript(receiver, operands[0])))
    return None


def _attribute_statement(
    receiver: str, name: str, operands: Sequence[LaidOut], *, deletes: bool
) -> OperatorStatement | None:
    if not is_name(name) or name.startswith("__"):
        return None
    if deletes:
        return OperatorStatement("del ", Atom(f"{receiver}.{name}")) if not operands else None
    return OperatorStatement(f"{receiver}.{name} = ", operands[0]) if len(operands) == 1 else None


def _stays(name: str, value: Any) -> bool:
    """Return whether the function hands on what the method returned."""
    if name == "len":
        return bool(value >= 0)
    return name != "hash" or (value in _HASHES and value != -1)


def _binds(operand: LaidOut) -> bool:
    """Return whether an operand needs no brackets."""
    if isinstance(operand, Atom):
        return _SIMPLE.fullmatch(operand.text) is not None
    return isinstance(operand, (Quoted, Group))


def _key(operand: LaidOut) -> tuple[LaidOut, ...]:
    """Return what stands between the square brackets, () for what formatters would change there."""
    if isinstance(operand, Group) and operand.opening == "(":
        return operand.items if len(operand.items) > 1 else ()  # a pair needs no brackets of its own
    return (operand,) if isinstance(operand, (Atom, Quoted, Group)) else ()


def _subscript(receiver: str, operand: LaidOut) -> str:
    return f"{receiver}[{', '.join(part.flat() for part in _key(operand))}]"


def _leaves_the_receiver_first(recipe: Recipe, maker: tuple[str, str] | None) -> bool:
    """Return whether the operand is surely no instance of a subclass of the receiver's class.

    Then the receiver's method is asked first.
    """
    if isinstance(recipe, Call):
        return (recipe.module, recipe.qualname) == maker or is_standard(recipe.module)
    return isinstance(recipe, (Scalar, Series, Dictionary))
