"""The functions that rewritten code calls: the whole interface between a twin and the runtime.

Each does exactly what the operation it stands for does when no operand is traced, and hands over to
the shadow semantics otherwise. Nothing else of the runtime is ever named in a twin.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from enum import EnumMeta
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, Final

from runtime import models, trace
from runtime.containers import CONTAINERS, SDict, SList, SSet
from runtime.containers import contains as container_contains
from runtime.expr import seal
from runtime.lookup import (
    at_index,
    decide,
    find_key,
    has_traced,
    is_traced_key,
    membership,
    settle_key,
    value_of_key,
)
from runtime.numbers import binary, compare, invert_truth
from runtime.text import as_text, contains, element, formatted, percent, sliced
from runtime.values import TRACED, SBool, SBytes, SInt, SStr, is_true, plain, quietly, settle, wrap

_SCAN: Final = 64
_RANGES: Final = frozenset((range,))
_TEXTS: Final = frozenset((str, bytes, SStr, SBytes))


def _operator(name: str, native: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def operation(left: Any, right: Any) -> Any:
        if type(left) in TRACED or type(right) in TRACED:
            result = binary(name, left, right)
            if result is not NotImplemented:
                return result
        return native(left, right)

    operation.__name__ = name
    return operation


add = _operator("add", operator.add)
sub = _operator("sub", operator.sub)
truediv = _operator("truediv", operator.truediv)
floordiv = _operator("floordiv", operator.floordiv)
pow = _operator("pow", operator.pow)  # noqa: A001 - the interface's names are Python's
lshift = _operator("lshift", operator.lshift)
rshift = _operator("rshift", operator.rshift)
and_ = _operator("and_", operator.and_)
or_ = _operator("or_", operator.or_)
xor = _operator("xor", operator.xor)
matmul = operator.matmul

iadd = _operator("add", operator.iadd)
isub = _operator("sub", operator.isub)
itruediv = _operator("truediv", operator.itruediv)
ifloordiv = _operator("floordiv", operator.ifloordiv)
ipow = _operator("pow", operator.ipow)
ilshift = _operator("lshift", operator.ilshift)
irshift = _operator("rshift", operator.irshift)
iand = _operator("and_", operator.iand)
ior = _operator("or_", operator.ior)
ixor = _operator("xor", operator.ixor)
imatmul = operator.imatmul

neg = operator.neg
pos = operator.pos
invert = operator.invert


def mul(left: Any, right: Any) -> Any:
    """`left * right`; a list repeated a traced number of times decides that number."""
    if type(left) in TRACED or type(right) in TRACED:
        result = binary("mul", left, right)
        if result is not NotImplemented:
            return result
        return _repeated(left, right, operator.mul)
    return left * right


def imul(left: Any, right: Any) -> Any:
    """`left *= right`."""
    if type(left) in TRACED or type(right) in TRACED:
        result = binary("mul", left, right)
        if result is not NotImplemented:
            return result
        return _repeated(left, right, operator.imul)
    left *= right
    return left


def _repeated(left: Any, right: Any, native: Callable[[Any, Any], Any]) -> Any:
    sequences = (list, tuple, bytearray)
    if isinstance(left, sequences) and type(right) in TRACED:
        settle(right)
    elif isinstance(right, sequences) and type(left) in TRACED:
        settle(left)
    return native(left, right)


def mod(left: Any, right: Any) -> Any:
    """`left % right`: remainder, or text formatting."""
    if type(left) in _TEXTS:
        return _percent(left, right, operator.mod)
    if type(left) in TRACED or type(right) in TRACED:
        result = binary("mod", left, right)
        if result is not NotImplemented:
            return result
    return left % right


def imod(left: Any, right: Any) -> Any:
    """`left %= right`."""
    if type(left) in _TEXTS:
        return _percent(left, right, operator.imod)
    if type(left) in TRACED or type(right) in TRACED:
        result = binary("mod", left, right)
        if result is not NotImplemented:
            return result
    left %= right
    return left


def _percent(left: Any, right: Any, native: Callable[[Any, Any], Any]) -> Any:
    if type(left) in TRACED or type(right) in TRACED or (type(right) is tuple and has_traced(right)):
        return percent(left, right)
    return native(left, right)


def _comparison(name: str, native: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def comparison(left: Any, right: Any) -> Any:
        if type(left) in TRACED or type(right) in TRACED:
            result = compare(name, left, right)
            if result is not NotImplemented:
                return result
        return native(left, right)

    comparison.__name__ = name
    return comparison


lt = _comparison("lt", operator.lt)
le = _comparison("le", operator.le)
eq = _comparison("eq", operator.eq)
ne = _comparison("ne", operator.ne)
gt = _comparison("gt", operator.gt)
ge = _comparison("ge", operator.ge)


def is_(left: Any, right: Any) -> Any:
    """`left is right`; a traced bool is identical to the bool it equals."""
    if type(left) is SBool or type(right) is SBool:
        if type(plain(left)) is bool and type(plain(right)) is bool:
            return compare("eq", left, right)
        return False
    return left is right


def is_not(left: Any, right: Any) -> Any:
    """`left is not right`."""
    same = is_(left, right)
    return invert_truth(same) if type(same) is SBool else not same


def not_(value: Any) -> Any:
    """`not value`, undecided while the value is a traced scalar."""
    if type(value) in TRACED:
        node = is_true(value)
        if node is not None:
            return invert_truth(wrap(bool(value.v), node)) if node.op != "const" else not value.v
    return not value


def in_(item: Any, container: Any) -> Any:
    """`item in container`."""
    kind = type(container)
    if kind in (SList, SSet):
        return container_contains(container, item)
    if kind is SDict:
        return item in container
    if is_traced_key(item) or kind in TRACED:
        answer = _traced_in(item, container, kind)
        if answer is not NotImplemented:
            return answer
    elif kind in (dict, set, frozenset) and len(container) <= _SCAN and has_traced(container):
        answer = membership(item, container)
        if answer is not NotImplemented:
            return answer
    return item in container


def _traced_in(item: Any, container: Any, kind: type) -> Any:
    if kind in _TEXTS:
        return contains(container, item)
    if kind in (list, tuple, set, frozenset, dict):
        return membership(item, container) if len(container) <= _LARGEST else NotImplemented
    if kind in _RANGES and type(item) is SInt:
        return models.ranges.contains(container, item)
    if isinstance(container, (type({}.keys()),)):
        return membership(item, container)
    return NotImplemented


_LARGEST: Final = 300


def not_in(item: Any, container: Any) -> Any:
    """`item not in container`."""
    answer = in_(item, container)
    return invert_truth(answer) if type(answer) is SBool else not answer


def getitem(container: Any, key: Any) -> Any:
    """`container[key]`."""
    kind = type(container)
    if kind is dict:
        if _is_symbolic(container, key):
            return _dict_item(container, key)
    elif type(key) in TRACED:
        if kind in (list, tuple) and type(key) in (SInt, SBool):
            return at_index(container, key, len(container))
        if kind in (str, bytes) and type(key) in (SInt, SBool):
            return element(container, key)
        if isinstance(container, dict) and kind is not SDict:
            return _dict_item(container, key)
        if issubclass(kind, EnumMeta):
            return models.enums.by_name(container, key)
    elif type(key) is slice:
        return _slice_item(container, key, kind)
    return container[key]


def _slice_item(container: Any, key: slice, kind: type) -> Any:
    if type(key.start) in TRACED or type(key.stop) in TRACED or type(key.step) in TRACED:
        if kind in (str, bytes):
            return sliced(container, key)
        if kind in (list, tuple):
            return container[_decided_slice(key, len(container))]
    return container[key]


def _decided_slice(key: slice, size: int) -> slice:
    """The slice with its traced bounds decided as far as they matter for `size` elements."""

    def decided(bound: Any) -> Any:
        if type(bound) is not SInt:
            return plain(bound)
        value = bound.v
        if value >= size:
            decide(compare("ge", bound, size))
        elif value <= -size:
            decide(compare("le", bound, -size))
        else:
            settle(bound)
        return value

    return slice(decided(key.start), decided(key.stop), decided(key.step))


def _dict_item(container: dict[Any, Any], key: Any) -> Any:
    keys = list(container)
    position = find_key(keys, key)
    if position < 0:
        return container[plain(key)]
    return value_of_key(keys, list(container.values()), key, position)


def setitem(value: Any, container: Any, key: Any) -> None:
    """`container[key] = value`."""
    if type(container) is list and type(key) in TRACED:
        container[_decided_place(container, key)] = value
    elif type(container) is dict and _is_symbolic(container, key):
        quietly(container.__setitem__, _decided_key(container, key), value)
    else:
        container[key] = value


def delitem(container: Any, key: Any) -> None:
    """`del container[key]`."""
    if type(container) is list and type(key) in TRACED:
        del container[_decided_place(container, key)]
    elif type(container) is dict and _is_symbolic(container, key):
        quietly(container.__delitem__, _decided_key(container, key))
    else:
        del container[key]


def _decided_place(container: list[Any], key: Any) -> Any:
    at_index(container, key, len(container))
    return settle(key)


def _decided_key(container: dict[Any, Any], key: Any) -> Any:
    """The key of the dict that it is, or the key itself when it is none of them."""
    keys = list(container)
    position = find_key(keys, key)
    if position < 0:
        return key
    settle_key(keys, key, position)
    return keys[position]


def _is_symbolic(container: Any, key: Any) -> bool:
    """Whether looking up the key compares traced values."""
    return is_traced_key(key) or (0 < len(container) <= _SCAN and has_traced(container))


def slice_(start: Any, stop: Any, step: Any) -> slice:
    """The slice object of `[start:stop:step]`."""
    return slice(start, stop, step)


_callees: Final[dict[Any, Any]] = models.CALLEES
_DIRECT: Final = frozenset((MethodType,))


def callee(function: Any) -> Any:
    """The callable to call for `function`: itself, its model, or itself behind a boundary."""
    kind = type(function)
    if kind is FunctionType:
        return _callees.get(function, function)
    if kind is MethodType:
        return function
    if kind is BuiltinFunctionType or kind is type or kind in models.BOUND_KINDS:
        return models.callee_of(function)
    if issubclass(kind, EnumMeta):
        return models.enums.callee_of(function)
    return function


def truth(value: Any, site: int) -> bool:
    """The outcome of a condition of the program: where branches are recorded and sites counted."""
    current = trace.current
    current.steps += 1
    if current.steps > trace.MAX_STEPS:
        raise trace.StepLimit
    kind = type(value)
    if kind is bool:
        result = value
    elif kind in TRACED:
        result = bool(value.v)
        node = is_true(value)
        if node is not None:
            current.record(node, result, site)
    elif kind in CONTAINERS:
        result = models.container_truth(value, site)
    else:
        result = True if value else False  # noqa: SIM210 - the truth test of the program, once
    current.outcomes.add(site * 2 + result)
    return result  # type: ignore[no-any-return]


def iterate(iterable: Any, site: int) -> Iterable[Any]:
    """What a `for` iterates; counts whether the loop is entered or left at once where that is known."""
    current = trace.current
    current.steps += 1
    if current.steps > trace.MAX_STEPS:
        raise trace.StepLimit
    kind = type(iterable)
    if kind in models.UNSIZED:
        return _counted(iterable, site)
    # Of an iterator nobody knows whether it will give anything: it counts as entered.
    entered = kind not in _SIZED or len(iterable) > 0
    current.outcomes.add(site * 2 + entered)
    return iterable  # type: ignore[no-any-return]


_VIEWS: Final[tuple[type, ...]] = (type({}.keys()), type({}.values()), type({}.items()))
_SIZED: Final = frozenset((list, tuple, dict, str, bytes, set, frozenset, range, *_VIEWS))


def _counted(iterable: Any, site: int) -> Iterable[Any]:
    outcomes = trace.current.outcomes
    for value in iterable:
        outcomes.add(site * 2 + 1)
        yield value
    outcomes.add(site * 2)


def subject(value: Any) -> Any:
    """The subject of a `match`: a traced bool is decided, since patterns compare by identity."""
    return bool(value) if type(value) is SBool else value


def field(value: Any, conversion: str, spec: Any) -> Any:
    """One replacement field of an f-string."""
    if conversion:
        value = _CONVERSIONS[conversion](value)
    if type(value) in TRACED or type(spec) in TRACED:
        return formatted(value, spec)
    return format(value, spec)


def _converted(op: str, native: Callable[[Any], str]) -> Callable[[Any], Any]:
    return lambda value: as_text(op, value) if type(value) in TRACED else native(value)


_CONVERSIONS: Final = {
    "s": _converted("str", str),
    "r": _converted("repr", repr),
    "a": _converted("ascii", ascii),
}


def fstring(*parts: Any) -> Any:
    """The text of an f-string from its parts."""
    for part in parts:
        if type(part) is SStr:
            result: Any = ""
            for piece in parts:
                result = add(result, piece)
            return result
    return "".join(parts)


seal()
