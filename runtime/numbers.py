"""Arithmetic and comparison of traced scalars, with Python's results and Python's exceptions."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Final

from runtime.expr import (
    FALSE,
    Node,
    Sort,
    apply,
    apply2,
    conjunction,
    const,
    const_int,
    disjunction,
    negate,
    sort_of,
)
from runtime.names import keep_builtins
from runtime.ops import MEANINGS
from runtime.values import (
    NUMBERS,
    TRACED,
    SBool,
    SBytes,
    SFloat,
    SInt,
    SStr,
    check,
    kind_of,
    node_of,
    number_node,
    plain,
    settle,
    wrap,
)

keep_builtins(globals())

_TEXT: Final = frozenset((SStr, str))
_OCTETS: Final = frozenset((SBytes, bytes))
_SEQUENCES: Final = _TEXT | _OCTETS
_INTS: Final = frozenset((SInt, int))
_WHOLE: Final = frozenset((SInt, SBool, int, bool))

NATIVE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
    "lshift": operator.lshift,
    "rshift": operator.rshift,
    "and_": operator.and_,
    "or_": operator.or_,
    "xor": operator.xor,
}
_BITS: Final = frozenset(("lshift", "rshift", "and_", "or_", "xor"))
_DIVISIONS: Final = frozenset(("truediv", "floordiv", "mod"))
_LOGIC: Final = {"and_": "and", "or_": "or"}
_TOO_LONG: Final = 1 << 20
_REPEATED: Final = (list, tuple, bytearray)


_PLAIN_INTS: Final = frozenset(("add", "sub", "mul"))
"""Operators that never raise and give an int for two ints."""


def binary(op: str, left: Any, right: Any) -> Any:
    """`left op right` where at least one is traced; NotImplemented unless both are scalars that mix."""
    kinds = (kind_of(left), kind_of(right))
    if op in _PLAIN_INTS and kinds[0] in _INTS and kinds[1] in _INTS:
        a, x = (left.v, left.e) if kinds[0] is SInt else (left, const_int(left))
        b, y = (right.v, right.e) if kinds[1] is SInt else (right, const_int(right))
        result = NATIVE[op](a, b)
        return wrap(result, apply2(op, Sort.INT, x, y))
    if kinds[0] in NUMBERS and kinds[1] in NUMBERS:
        return _arithmetic(op, left, right)
    if op == "add" and (_both(kinds, _TEXT) or _both(kinds, _OCTETS)):
        node = apply("add", sort_of(plain(left)), node_of(left), node_of(right))
        return wrap(plain(left) + plain(right), node)
    if op == "mul" and (kinds[0] in _SEQUENCES and kinds[1] in _WHOLE):
        return _repeat(left, right)
    if op == "mul" and (kinds[1] in _SEQUENCES and kinds[0] in _WHOLE):
        return _repeat(right, left)
    return NotImplemented


def _both(kinds: tuple[type, type], allowed: frozenset[type]) -> bool:
    return kinds[0] in allowed and kinds[1] in allowed


def _repeat(sequence: Any, count: Any) -> Any:
    value = plain(sequence) * plain(count)
    return wrap(value, apply("mul", sort_of(value), node_of(sequence), number_node(count)))


def _arithmetic(op: str, left: Any, right: Any) -> Any:
    a, b = plain(left), plain(right)
    if op in _BITS:
        if type(a) is float or type(b) is float:
            return NotImplemented
        if type(a) is bool and type(b) is bool and op not in ("lshift", "rshift"):
            return _logic(op, left, right)
    _check_domain(op, left, right)
    result = NATIVE[op](a, b)
    if type(result) is complex or (type(result) is int and result.bit_length() > _TOO_LONG):
        return result
    x, y = number_node(left), number_node(right)
    if type(result) is float and x.sort is not y.sort:
        x, y = apply("to_float", Sort.FLOAT, x), apply("to_float", Sort.FLOAT, y)
    return wrap(result, apply2(op, sort_of(result), x, y))


def _logic(op: str, left: Any, right: Any) -> Any:
    """Bit operations of two bools are logic."""
    result = NATIVE[op](plain(left), plain(right))
    if op == "xor":
        return wrap(result, apply("ne", Sort.BOOL, node_of(left), node_of(right)))
    return wrap(result, apply(_LOGIC[op], Sort.BOOL, node_of(left), node_of(right)))


def _check_domain(op: str, left: Any, right: Any) -> None:
    """Record the condition under which the operation raises or changes its kind of result."""
    if op in _DIVISIONS and kind_of(right) in TRACED:
        check(compare("ne", right, 0))
    elif op in ("lshift", "rshift") and kind_of(right) in TRACED:
        check(compare("ge", right, 0))
    elif op == "pow":
        if kind_of(right) in TRACED and type(plain(right)) is int and type(plain(left)) is int:
            check(compare("ge", right, 0))
        if kind_of(left) in TRACED and plain(right) < 0:
            check(compare("ne", left, 0))
        if type(plain(right)) is float and kind_of(left) in TRACED:
            check(compare("ge", left, 0))


_COMPARE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


def compare(op: str, left: Any, right: Any) -> Any:
    """The traced outcome of a comparison; NotImplemented unless the two are scalars that mix."""
    kinds = (kind_of(left), kind_of(right))
    if kinds[0] in _INTS and kinds[1] in _INTS:
        a, x = (left.v, left.e) if kinds[0] is SInt else (left, const_int(left))
        b, y = (right.v, right.e) if kinds[1] is SInt else (right, const_int(right))
        return wrap(_COMPARE[op](a, b), apply2(op, Sort.BOOL, x, y))
    if not (
        (kinds[0] in NUMBERS and kinds[1] in NUMBERS) or _both(kinds, _TEXT) or _both(kinds, _OCTETS)
    ):
        return NotImplemented
    a, b = plain(left), plain(right)
    x, y = node_of(left), node_of(right)
    if x.sort is not y.sort or op not in ("eq", "ne"):
        x, y = number_node(left), number_node(right)
    return wrap(_COMPARE[op](a, b), apply2(op, Sort.BOOL, x, y))


def unary(op: str, value: Any) -> Any:
    """`-x`, `+x`, `~x`, `abs(x)` of a traced number."""
    result = MEANINGS[op](plain(value)) if op != "pos" else +plain(value)
    node = number_node(value)
    return wrap(result, node if op == "pos" else apply(op, sort_of(result), node))


def invert_truth(value: Any) -> Any:
    """`not value` for a traced bool, without deciding it."""
    return wrap(not value.v, negate(value.e))


def equality(left: Any, right: Any) -> Node:
    """The condition "the two are equal" for scalars, and for tuples of scalars element by element."""
    if type(left) is tuple and type(right) is tuple:
        if len(left) != len(right):
            return FALSE
        return conjunction(equality(a, b) for a, b in zip(left, right, strict=True))
    same = compare("eq", left, right)
    return same.e if type(same) is SBool else const(same is True)


def member(value: Any, candidates: list[Any]) -> Node:
    """The condition "value equals one of these"."""
    return disjunction(equality(value, candidate) for candidate in candidates)


def choose(index: Any, cases: list[tuple[Any, Any]]) -> Node:
    """The expression "the value of the first case whose key equals `index`" over scalars of one sort."""
    *front, (_, last) = cases
    result = node_of(last)
    for key, value in reversed(front):
        result = apply("ite", result.sort, equality(index, key), node_of(value), result)
    return result


def _install_operators() -> None:
    """Give the traced classes the operator methods that Python dispatches on."""
    for op in NATIVE:
        name = op.rstrip("_")
        for cls in (SInt, SFloat, SBool, SStr, SBytes):
            setattr(cls, f"__{name}__", _forward(op))
            setattr(cls, f"__r{name}__", _reflected(op))
    for op in _COMPARE:
        for cls in (SInt, SFloat, SBool, SStr, SBytes):
            setattr(cls, f"__{op}__", _comparison(op))
    signs = ("neg", "pos", "abs")
    for cls, names in ((SInt, (*signs, "invert")), (SFloat, signs), (SBool, (*signs, "invert"))):
        for name in names:
            setattr(cls, f"__{name}__", _single(name))
        for name, method in (("divmod", _divmod), ("rdivmod", _rdivmod)):
            setattr(cls, f"__{name}__", method)


def _forward(op: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any, *rest: Any) -> Any:
        if rest and rest[0] is not None:  # three-argument pow
            return pow(plain(self), plain(other), plain(rest[0]))
        if op == "mul" and isinstance(other, _REPEATED):
            settle(self)  # Python goes on to repeat the sequence
            return NotImplemented
        return binary(op, self, other)

    return method


def _reflected(op: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any, *_: Any) -> Any:
        if op == "mod" and isinstance(other, (str, bytes)):
            return NotImplemented
        if op == "mul" and isinstance(other, _REPEATED):
            settle(self)  # as above
            return NotImplemented
        return binary(op, other, self)

    return method


def _comparison(op: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return compare(op, self, other)

    return method


def _single(op: str) -> Callable[[Any], Any]:
    def method(self: Any) -> Any:
        return unary(op, self)

    return method


def _divmod(self: Any, other: Any) -> Any:
    quotient = binary("floordiv", self, other)
    return quotient if quotient is NotImplemented else (quotient, binary("mod", self, other))


def _rdivmod(self: Any, other: Any) -> Any:
    quotient = binary("floordiv", other, self)
    return quotient if quotient is NotImplemented else (quotient, binary("mod", other, self))


_install_operators()
