"""Complex numbers, as two traced floats: arithmetic and comparison by the rules that C code follows.

There is no sort for them. Each part of a result is an expression of its own: of the parts of the operands
where the rule is plain arithmetic, else an operator that stands for the part (`cpow_real`).
"""

from __future__ import annotations

import cmath
from collections.abc import Callable
from typing import Any, Final

from runtime import trace
from runtime.expr import FALSE, TRUE, Node, Sort, apply, conjunction, negate
from runtime.meanings.arithmetic import OPERATORS
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import NATIVE, WITH_COMPLEX, compare
from runtime.values import TRACED, SBool, check, is_true, kind_of, number_node, pin, plain, wrap

keep_builtins(globals())

_REALS: Final = frozenset((int, float, bool)) | {kind for kind in TRACED if issubclass(kind, (int, float))}


class SComplex(complex):
    """A complex number whose parts may be traced.

    Attributes:
        parts: real and imaginary part, each a float, traced or not.
    """

    v: complex
    parts: tuple[Any, Any]

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return complex

    @property
    def real(self) -> Any:
        return self.parts[0]

    @property
    def imag(self) -> Any:
        return self.parts[1]

    def conjugate(self) -> Any:
        return traced_complex(self.parts[0], -self.parts[1])

    def __neg__(self) -> Any:
        return traced_complex(-self.parts[0], -self.parts[1])

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        result = abs(self.v)
        return wrap(result, apply("magnitude", Sort.FLOAT, *map(number_node, self.parts)))

    def __bool__(self) -> bool:
        outcome = _differs(self, 0)
        if type(outcome) is SBool:
            trace.current.record(outcome.e, outcome.v)
        return bool(self.v)

    def __eq__(self, other: object) -> Any:
        return _equals(self, other)

    def __ne__(self, other: object) -> Any:
        return _differs(self, other)

    def __hash__(self) -> int:
        return hash(settled(self))

    def __complex__(self) -> complex:
        return complex(settled(self))

    def __repr__(self) -> str:
        return repr(settled(self))

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(settled(self), plain(spec))

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return complex, (self.v.real, self.v.imag)


def traced_complex(real: Any, imag: Any) -> Any:
    """Return the complex number with these parts, floats that may be traced."""
    value = complex(plain(real), plain(imag))
    if kind_of(real) not in TRACED and kind_of(imag) not in TRACED:
        return value
    made = complex.__new__(SComplex, value)
    made.v = value
    made.parts = (real, imag)
    return made


def settled(value: Any) -> Any:
    """Return the plain value of a complex that leaves our sight, pinned and noted as lost."""
    if type(value) is not SComplex:
        return value
    names = frozenset[str]().union(*(number_node(part).names for part in value.parts))
    trace.current.lose("complex", names)
    for part in value.parts:
        pin(part)
    return value.v


def parts_of(value: Any) -> tuple[Any, Any] | None:
    """Return real and imaginary part of a number as floats; None for anything else."""
    kind = kind_of(value)
    if kind is SComplex:
        return value.parts  # type: ignore[no-any-return]
    if kind is complex:
        return value.real, value.imag
    if kind in _REALS:
        node = apply("to_float", Sort.FLOAT, number_node(value))
        return wrap(float(plain(value)), node), 0.0
    return None


def combine(op: str, left: Any, right: Any) -> Any:
    """Return `left op right` where one is a complex, one is traced; else NotImplemented."""
    one, other = parts_of(left), parts_of(right)
    native = NATIVE[op]
    a, b = (value.v if type(value) is SComplex else plain(value) for value in (left, right))
    if one is None or other is None or op not in _RULES:
        return NotImplemented
    if op == "truediv":
        _check_not_zero(other)
    if op == "pow":
        nodes = [number_node(part) for part in (*one, *other)]
        exact = [plain(part) for part in (*one, *other)]
        check(wrap(OPERATORS["cpow_ok"](*exact), apply("cpow_ok", Sort.BOOL, *nodes)))
    result = native(a, b)
    return _with_parts(result, _RULES[op](*map(number_node, (*one, *other))))


def _with_parts(result: complex, nodes: tuple[Node, Node]) -> Any:
    real, imag = (wrap(value, node) for value, node in zip((result.real, result.imag), nodes, strict=True))
    return traced_complex(real, imag)


def _check_not_zero(parts: tuple[Any, Any]) -> None:
    outcome = _differs_from_zero(parts)
    if type(outcome) is SBool:
        check(outcome)


def _differs_from_zero(parts: tuple[Any, Any]) -> Any:
    value = any(plain(part) != 0 for part in parts)
    nodes = [is_true(part) if kind_of(part) in TRACED else (TRUE if part else FALSE) for part in parts]
    both = conjunction(negate(node) for node in nodes if node is not None)
    return wrap(value, negate(both))


def _float(op: str, left: Node, right: Node) -> Node:
    return apply(op, Sort.FLOAT, left, right)


def _product(a: Node, b: Node, c: Node, d: Node) -> tuple[Node, Node]:
    return (
        _float("sub", _float("mul", a, c), _float("mul", b, d)),
        _float("add", _float("mul", a, d), _float("mul", b, c)),
    )


def _by_parts(op: str) -> Callable[..., tuple[Node, Node]]:
    return lambda a, b, c, d: (_float(op, a, c), _float(op, b, d))


def _as_operators(name: str) -> Callable[..., tuple[Node, Node]]:
    return lambda *nodes: (
        apply(f"{name}_real", Sort.FLOAT, *nodes),
        apply(f"{name}_imag", Sort.FLOAT, *nodes),
    )


_RULES: Final[dict[str, Callable[..., tuple[Node, Node]]]] = {
    "add": _by_parts("add"),
    "sub": _by_parts("sub"),
    "mul": _product,
    "truediv": _as_operators("cdiv"),
    "pow": _as_operators("cpow"),
}


def applied(name: str, value: Any) -> Any:
    """Return `cmath.NAME(value)` of a traced number, for the functions that give a complex."""
    parts = parts_of(value)
    assert parts is not None
    nodes = [number_node(part) for part in parts]
    exact = [plain(part) for part in parts]
    check(wrap(OPERATORS[f"cmath.{name}_ok"](*exact), apply(f"cmath.{name}_ok", Sort.BOOL, *nodes)))
    result = getattr(cmath, name)(complex(*exact))
    return _with_parts(result, _as_operators(f"cmath.{name}")(*nodes))


def compared(op: str, left: Any, right: Any) -> Any:
    """Return `==` or `!=` of a complex and another number; NotImplemented for all else."""
    if kind_of(left) in _REALS:
        left, right = right, left
    return _equals(left, right) if op == "eq" else _differs(left, right)


def _equals(left: Any, right: Any) -> Any:
    """Return `left == right` for a complex on the left; an int is compared with its real part exactly."""
    mine, other = parts_of(left), parts_of(right)
    if mine is None or other is None:
        return NotImplemented
    real = right if kind_of(right) in _REALS else other[0]
    same = (compare("eq", mine[0], real), compare("eq", mine[1], other[1]))
    nodes = [outcome.e if type(outcome) is SBool else (TRUE if outcome else FALSE) for outcome in same]
    return wrap(all(plain(outcome) for outcome in same), conjunction(nodes))


def _differs(left: Any, right: Any) -> Any:
    same = _equals(left, right)
    if same is NotImplemented:
        return same
    return wrap(not same.v, negate(same.e)) if type(same) is SBool else not same


def _forward(op: str) -> Callable[[Any, Any], Any]:
    return lambda self, other, *rest: combine(op, self, other)


def _reflected(op: str) -> Callable[[Any, Any], Any]:
    return lambda self, other, *rest: combine(op, other, self)


for _op in _RULES:
    setattr(SComplex, f"__{_op}__", _forward(_op))
    setattr(SComplex, f"__r{_op}__", _reflected(_op))
WITH_COMPLEX.update(combine=combine, compare=compared)
