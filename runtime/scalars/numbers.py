"""Arithmetic and comparison of traced scalars, with Python's results and Python's exceptions."""

from __future__ import annotations

import enum
import math
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
from runtime.ops import MEANINGS
from runtime.private_builtins import keep_builtins
from runtime.values import (
    NUMBERS,
    TRACED,
    SBool,
    SBytes,
    SFloat,
    SInt,
    SStr,
    check,
    inherited,
    kind_of,
    lose_all,
    make,
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

_ARITHMETIC: Final = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and_", "or_", "xor",
)  # fmt: skip
NATIVE: Final[dict[str, Callable[[Any, Any], Any]]] = {name: getattr(operator, name) for name in _ARITHMETIC}
"""Python's own operators, without the bounds that `runtime.ops` sets to the size of a result."""

_BITS: Final = frozenset(("lshift", "rshift", "and_", "or_", "xor"))
_DIVISIONS: Final = frozenset(("truediv", "floordiv", "mod"))
_LOGIC: Final = {"and_": "and", "or_": "or"}
_COMBINED: Final = frozenset(("and_", "or_", "xor"))
_EXACT: Final = 1 << 53
_LONG: Final = 1 << 12
"""Bits of a result from which on it is worth looking whether an expression may stand for it."""

_REPEATED: Final = (list, tuple, bytearray)


OCTETS: Final[dict[int, Callable[[Any], Any]]] = {}
"""How a traced bytearray gives its content, by the identity of its class; `containers.bytearrays` sets it."""

WITH_COMPLEX: Final[dict[str, Callable[[str, Any, Any], Any]]] = {}
"""How to combine and compare two numbers of which one is a complex; `runtime.scalars.complexes` sets both."""

_PLAIN_INTS: Final = frozenset(("add", "sub", "mul"))
"""Operators that never raise and give an int for two ints."""


def binary(op: str, left: Any, right: Any) -> Any:
    """Return `left op right` where one is traced; NotImplemented unless both are scalars that mix."""
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
    if op in _COMBINED and (isinstance(left, enum.IntFlag) or isinstance(right, enum.IntFlag)):
        return _combined(op, left, right)
    if complex in kinds:
        return WITH_COMPLEX["combine"](op, left, right)
    name = op.rstrip("_")
    return _as_inherited(binary, op, left, right, f"__{name}__", f"__r{name}__")


def _combined(op: str, left: Any, right: Any) -> Any:
    """Return flags combined with an int, a member that Python makes or looks up: which one is decided."""
    if kind_of(left) in _WHOLE or kind_of(right) in _WHOLE:
        a, b = (int.__int__(v) if isinstance(v, enum.IntFlag) else v for v in (left, right))
        settle(binary(op, a, b))
    return NATIVE[op](plain(left), plain(right))


def _as_inherited(
    function: Callable[[str, Any, Any], Any], op: str, left: Any, right: Any, name: str, reflected: str
) -> Any:
    """Return the operation on the scalars that instances of subclasses hold, if they inherit it from them."""
    a, b = inherited(left, name), inherited(right, reflected)
    if type(a) is SBytes and (whole := OCTETS.get(id(type(b)))) is not None:
        b = whole(b)
    if type(a) is bytearray and op not in ("add", "mul", "mod"):
        a = bytes(a)
    if type(b) is bytearray and type(a) is SBytes:
        b = bytes(b)
    if a is left and b is right:
        return NotImplemented
    return function(op, a, b)


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
    if type(result) is complex or (type(result) is int and _is_too_long(op, result, a, b)):
        lose_all(type(result).__name__, left, right)
        return result
    x, y = number_node(left), number_node(right)
    if type(result) is float and x.sort is not y.sort:
        x, y = apply("to_float", Sort.FLOAT, x), apply("to_float", Sort.FLOAT, y)
    return wrap(result, apply2(op, sort_of(result), x, y))


def _is_too_long(op: str, result: int, left: Any, right: Any) -> bool:
    """Return whether no expression stands for a result, since evaluating it would take too long."""
    if result.bit_length() <= _LONG:
        return False
    try:
        MEANINGS[op](left, right)
    except OverflowError:
        return True
    return result.bit_length() > _LONG << 3


def _logic(op: str, left: Any, right: Any) -> Any:
    """Return a bit operation of two bools, as logic."""
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
        _check_power(left, right)


def _check_power(left: Any, right: Any) -> None:
    """Record whether a power of floats is complex, or too large for a float."""
    a, b = plain(left), plain(right)
    if type(a) is not float and type(b) is not float and b >= 0:
        return
    nodes = (number_node(left), number_node(right))
    if a < 0 and type(b) is float and check(make("pow_is_complex", MEANINGS["pow_is_complex"](a, b), *nodes)):
        return
    if kind_of(right) in TRACED or not 0 <= b <= 1:  # such a constant exponent makes nothing too large
        check(make("pow_fits", MEANINGS["pow_fits"](a, b), *nodes))


def check_finite(value: Any) -> None:
    """Check that a number has an int next to it: infinities and NaN raise, each in its way."""
    if type(value) is SFloat and not check(make("math.isfinite", math.isfinite(value.v), value.e)):
        check(make("math.isnan", math.isnan(value.v), value.e))


def power(base: Any, exponent: Any, modulus: Any) -> Any:
    """Return `pow(base, exponent, modulus)` of which one is traced; NotImplemented unless all are ints."""
    if not all(kind_of(value) in _WHOLE for value in (base, exponent, modulus)):
        return NotImplemented
    if kind_of(modulus) in TRACED:
        check(compare("ne", modulus, 0))
    if kind_of(exponent) in TRACED:
        check(compare("ge", exponent, 0))
    a, b, m = plain(base), plain(exponent), plain(modulus)
    nodes = (number_node(base), number_node(exponent), number_node(modulus))
    if b < 0 and m != 0:  # the inverse must exist
        common = wrap(math.gcd(a, m), apply("math.gcd", Sort.INT, nodes[0], nodes[2]))
        check(compare("eq", common, 1))
    return wrap(pow(a, b, m), apply("pow", Sort.INT, *nodes))


_MIRRORED: Final = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def compare(op: str, left: Any, right: Any) -> Any:
    """Return the traced outcome of a comparison; NotImplemented unless the two are scalars that mix."""
    kinds = (kind_of(left), kind_of(right))
    if kinds[0] in _INTS and kinds[1] in _INTS:
        a, x = (left.v, left.e) if kinds[0] is SInt else (left, const_int(left))
        b, y = (right.v, right.e) if kinds[1] is SInt else (right, const_int(right))
        return wrap(MEANINGS[op](a, b), apply2(op, Sort.BOOL, x, y))
    if not (
        (kinds[0] in NUMBERS and kinds[1] in NUMBERS) or _both(kinds, _TEXT) or _both(kinds, _OCTETS)
    ):
        if complex in kinds and op in ("eq", "ne"):
            return WITH_COMPLEX["compare"](op, left, right)
        return _as_inherited(compare, op, left, right, f"__{op}__", f"__{_MIRRORED[op]}__")
    a, b = plain(left), plain(right)
    x, y = node_of(left), node_of(right)
    if x.sort is not y.sort or op not in ("eq", "ne"):
        x, y = _as_float(number_node(left), right), _as_float(number_node(right), left)
    return wrap(MEANINGS[op](a, b), apply2(op, Sort.BOOL, x, y))


def _as_float(node: Node, other: Any) -> Node:
    """Return a small constant int as the float that it equals, if it is compared with a float."""
    if node.op == "const" and type(other) is SFloat and type(node.data) is int and abs(node.data) <= _EXACT:
        return const(float(node.data))
    return node


def unary(op: str, value: Any) -> Any:
    """Return `-x`, `+x`, `~x` or `abs(x)` of a traced number."""
    result = MEANINGS[op](plain(value)) if op != "pos" else +plain(value)
    node = number_node(value)
    return wrap(result, node if op == "pos" else apply(op, sort_of(result), node))


def invert_truth(value: Any) -> Any:
    """Return `not value` for a traced bool, without deciding it."""
    return wrap(not value.v, negate(value.e))


def equality(left: Any, right: Any) -> Node:
    """Return the condition "the two are equal" for scalars, and for tuples of scalars element by element."""
    if type(left) is tuple and type(right) is tuple:
        if len(left) != len(right):
            return FALSE
        return conjunction(equality(a, b) for a, b in zip(left, right, strict=True))
    same = compare("eq", left, right)
    return same.e if type(same) is SBool else const(same is True)


def member(value: Any, candidates: list[Any]) -> Node:
    """Return the condition "value equals one of these"."""
    return disjunction(equality(value, candidate) for candidate in candidates)


def choose(index: Any, cases: list[tuple[Any, Any]]) -> Node:
    """Return the value of the first case whose key equals `index`, scalars of one sort, as an expression."""
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
    for op in _MIRRORED:
        for cls in (SInt, SFloat, SBool, SStr, SBytes):
            setattr(cls, f"__{op}__", _comparison(op))
    for cls, name in ((SInt, "__imul__"), (SBool, "__imul__")):
        setattr(cls, name, _in_place_product)
    signs = ("neg", "pos", "abs")
    for cls, names in ((SInt, (*signs, "invert")), (SFloat, signs), (SBool, (*signs, "invert"))):
        for name in names:
            setattr(cls, f"__{name}__", _single(name))
        for name, method in (("divmod", _divmod), ("rdivmod", _rdivmod)):
            setattr(cls, f"__{name}__", method)


def _in_place_product(self: Any, other: Any) -> Any:
    """Return `n *= x`: of a class of its own Python does not ask whether `x` is a sequence."""
    if isinstance(other, _REPEATED):
        settle(self)
        return plain(self) * other
    return binary("mul", self, other)


def _forward(op: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any, *rest: Any) -> Any:
        if rest and rest[0] is not None:  # three-argument pow
            return power(self, other, rest[0])
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
    return quotient_and_rest(self, other)


def _rdivmod(self: Any, other: Any) -> Any:
    return quotient_and_rest(other, self)


def quotient_and_rest(left: Any, right: Any) -> Any:
    """Return `divmod` of two numbers, one of them traced; NotImplemented for anything else."""
    try:
        quotient = binary("floordiv", left, right)
        return quotient if quotient is NotImplemented else (quotient, binary("mod", left, right))
    except ZeroDivisionError:
        pass  # it has other words for this
    return divmod(plain(left), plain(right))


_install_operators()
