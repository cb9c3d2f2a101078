"""`math.gcd`, `math.lcm` and `math.isqrt`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final

from runtime.library_model import Model, Unsupported, register
from runtime.nodes import Node, Sort, const_int
from runtime.private_builtins import keep_builtins

keep_builtins(globals())

_MOST_RULES: Final = 8
_MOST_DIVISORS: Final = 64
_LARGEST_RULED: Final = 1000
_LARGEST_FACTOR: Final = 5000


def constant(node: Node) -> int | None:
    """The value of a constant int or bool node."""
    return int(node.data) if node.op == "const" and isinstance(node.data, int) else None


def _divided(apply: Callable[..., Node], args: tuple[Node, ...]) -> Node | None:
    """With a small constant: which of its divisors it is."""
    for one, other in (args, args[::-1]) if len(args) == 2 else ():
        number = abs(constant(other) or 0)
        if one.sort is not Sort.INT or not 0 < number <= _LARGEST_RULED:
            continue
        divisors = [d for d in range(2, number + 1) if number % d == 0]
        if len(divisors) <= _MOST_RULES:
            result = const_int(1)
            for divisor in divisors:
                rest = apply("mod", Sort.INT, one, const_int(divisor))
                divides = apply("eq", Sort.BOOL, rest, const_int(0))
                result = apply("ite", Sort.INT, divides, const_int(divisor), result)
            return result
    return None


def _divisors(number: int) -> list[int]:
    """All divisors of a number, or none where they are too many or too hard to find."""
    found = [1]
    rest, factor = number, 2
    while factor * factor <= rest and factor < _LARGEST_FACTOR:
        power = 1
        powers = []
        while rest % factor == 0:
            rest //= factor
            power *= factor
            powers.append(power)
        found += [d * p for d in found for p in powers]
        factor += 1
    if rest > 1:
        if factor * factor <= rest:
            return []
        found += [d * rest for d in found]
    return sorted(found) if len(found) <= _MOST_DIVISORS else []


def _magnitude(t: Any, a: Any) -> Any:
    return t.ite(t.lt(a, t.int(0)), t.neg(a), a)


def _gcd(tr: Any, node: Node, args: list[Any]) -> Any:
    """The greatest divisor of a constant that divides the other; for two variables, some common divisor."""
    t = tr.terms
    if len(args) != 2:
        raise Unsupported("a common divisor of more")
    a, b = tr.ints(node, args)
    number = constant(node.args[1])
    if number is None:
        number, a, b = constant(node.args[0]), b, a
    zero = t.int(0)
    if number is None:
        return _some_divisor(tr, node, a, b)
    if number == 0:
        return _magnitude(t, a)
    divisors = _divisors(abs(number))
    if not divisors:
        raise Unsupported("a number of many divisors")
    result = t.int(1)
    for divisor in divisors[1:]:
        result = t.ite(t.eq(t.mod(a, t.int(divisor)), zero), t.int(divisor), result)
    return result


def _some_divisor(tr: Any, node: Node, a: Any, b: Any) -> Any:
    t = tr.terms
    zero = t.int(0)
    result = tr.abstract(node)
    first, second = tr.auxiliary(t.int_sort), tr.auxiliary(t.int_sort)
    tr.side(t.le(zero, result))
    tr.side(t.and_(t.eq(a, t.mul(result, first)), t.eq(b, t.mul(result, second))))
    tr.side(t.or_(t.lt(zero, result), t.and_(t.eq(a, zero), t.eq(b, zero))))
    return result


def _lcm(tr: Any, node: Node, args: list[Any]) -> Any:
    """Some common multiple that is not above the product."""
    t = tr.terms
    if len(args) != 2:
        raise Unsupported("a common multiple of more")
    a, b = tr.ints(node, args)
    result = tr.abstract(node)
    first, second = tr.auxiliary(t.int_sort), tr.auxiliary(t.int_sort)
    tr.side(t.and_(t.eq(result, t.mul(a, first)), t.eq(result, t.mul(b, second))))
    tr.side(t.and_(t.le(t.int(0), result), t.le(result, _magnitude(t, t.mul(a, b)))))
    return result


def _isqrt(tr: Any, node: Node, args: list[Any]) -> Any:
    t = tr.terms
    (a,) = tr.ints(node, args)
    root = tr.auxiliary(t.int_sort)
    more = t.add(root, t.int(1))
    defined = t.and_(t.le(t.int(0), root), t.le(t.mul(root, root), a), t.lt(a, t.mul(more, more)))
    tr.side(t.or_(t.lt(a, t.int(0)), defined))
    return root


def _shared(node: Node, value: Any, view: Any) -> Iterator[tuple[Node, Any]]:
    """The wished divisor itself, and the multiple of it below the operand."""
    for operand in node.args:
        held = view.value(operand)
        yield operand, value
        yield operand, held - held % value if value else 0


def _squared(node: Node, value: Any, _view: Any) -> Iterator[tuple[Node, Any]]:
    yield node.args[0], value * value


register(
    Model(
        math.gcd,
        "math.gcd",
        takes="int int",
        operands="int int int?",
        simplify=_divided,
        bounds=(0, None),
        solve={"int": _gcd},
        invert=_shared,
        arguments=(int, int),
    ),
    Model(
        math.lcm,
        "math.lcm",
        takes="int int",
        operands="int int int?",
        bounds=(0, None),
        solve={"int": _lcm},
        arguments=(int, int),
    ),
    Model(
        math.isqrt,
        "math.isqrt",
        takes="int",
        domain=lambda shadow, number: shadow.refuse("lt", number, 0),
        bounds=(0, None),
        solve={"int": _isqrt},
        invert=_squared,
        arguments=(int,),
    ),
)
