"""Builtin functions and classes: `len`, `int`, `isinstance`, `min`, `sorted`, ..."""

from __future__ import annotations

import builtins
import collections
import functools
import itertools
import operator
from collections.abc import Callable
from typing import Any, Final

from runtime import trace
from runtime.containers import CONTAINERS, SDict, SList, SSet, traced_list
from runtime.containers import length as container_length
from runtime.expr import Sort, apply, const, sort_of
from runtime.lookup import find_key, has_traced_key, is_traced_key, settle_key, value_of_key
from runtime.models.ranges import TracedRange
from runtime.models.registry import SHALLOW, models, models_method, transparent
from runtime.models.standin import call_for
from runtime.names import keep_builtins
from runtime.numbers import binary, compare, unary
from runtime.ops import MEANINGS
from runtime.text import as_text, call, formatted, length
from runtime.values import (
    NUMBERS,
    TRACED,
    SBool,
    SBytes,
    SFloat,
    SInt,
    SStr,
    check,
    is_true,
    kind_of,
    node_of,
    number_node,
    pin,
    plain,
    quietly,
    wrap,
)

keep_builtins(globals())

UNSIZED: Final[frozenset[type]] = frozenset((TracedRange, SList, SDict, SSet, SStr, SBytes))
"""Iterables whose iteration records branches itself."""

transparent(
    isinstance,
    any, all, sum, iter, next, zip, enumerate, reversed, callable, id, getattr, hasattr, setattr, delattr,
    issubclass, property, staticmethod, classmethod, object, slice, type(iter([])), set, frozenset, tuple,
    dict, aiter, anext, print, itertools.chain, itertools.repeat, itertools.cycle, itertools.zip_longest,
    itertools.islice, itertools.product, itertools.combinations, itertools.permutations, itertools.accumulate,
    itertools.tee, itertools.count, collections.deque, collections.defaultdict, collections.OrderedDict,
    operator.itemgetter, operator.attrgetter, operator.add, operator.mul, operator.sub,
    operator.eq, operator.lt, operator.gt, functools.partial, Exception, BaseException,
)  # fmt: skip
_CLASSES: Final = [value for value in vars(builtins).values() if isinstance(value, type)]
transparent(*(cls for cls in _CLASSES if issubclass(cls, BaseException)))

_PLAIN_CLASS: Final[dict[type, type]] = {
    SInt: int, SFloat: float, SBool: bool, SStr: str, SBytes: bytes, SList: list, SDict: dict, SSet: set,
}  # fmt: skip


def container_truth(container: Any, site: int) -> bool:
    """Truth of a traced container, recorded at an explicit site."""
    size = container_length(container)
    if type(size) is not SInt:
        return bool(size)
    result = size.v > 0
    trace.current.record(apply("gt", Sort.BOOL, size.e, const(0)), result, site)
    return result


@models(len)
def traced_len(value: Any, /) -> Any:
    """`len(value)`."""
    if kind_of(value) in (SStr, SBytes):
        return length(value)
    return container_length(value) if kind_of(value) in CONTAINERS else len(value)


@models(type)
def traced_type(*args: Any, **kwargs: Any) -> Any:
    """`type(value)`: a traced value has the class that it stands for."""
    if len(args) == 1 and not kwargs:
        kind = type(args[0])
        return _PLAIN_CLASS.get(kind, range if kind is TracedRange else kind) if type(kind) is type else kind
    # A new class takes its module from the globals of whoever makes it.
    return call_for(trace.target_frame(), type, args, kwargs)


@models(bool)
def traced_bool(*args: Any) -> Any:
    """`bool(value)`, undecided while the value is traced."""
    if len(args) == 1 and kind_of(args[0]) in TRACED:
        node = is_true(args[0])
        if node is not None:
            return wrap(bool(args[0].v), node)
    if len(args) == 1 and kind_of(args[0]) in CONTAINERS:
        size = container_length(args[0])
        return compare("gt", size, 0)
    return bool(*args)


@models(int)
def traced_int(*args: Any, **kwargs: Any) -> Any:
    """`int(value)` and `int(text, base)`; a conversion that fails is a check."""
    values = (*args, *kwargs.values())
    if not any(kind_of(v) in TRACED for v in values):
        return int(*args, **kwargs)
    first: Any = args[0] if args else 0
    if kind_of(first) in (SStr, str, SBytes, bytes):
        return _int_of_text(first, values[1:])
    if len(values) == 1 and kind_of(first) in (SInt, SBool):
        return wrap(int(first.v), number_node(first))
    if len(values) == 1 and type(first) is SFloat:
        check(wrap(_is_finite(first.v), apply("math.isfinite", Sort.BOOL, first.e)))
        return wrap(int(first.v), apply("to_int", Sort.INT, first.e))
    return int(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})


def _is_finite(value: float) -> bool:
    return value - value == 0


def _int_of_text(text: Any, rest: tuple[Any, ...]) -> Any:
    nodes = [node_of(text), *[number_node(r) for r in rest]]
    if not all(kind_of(r) in NUMBERS for r in rest):
        return int(plain(text), *map(plain, rest))
    exact = (plain(text), *map(plain, rest))
    check(wrap(MEANINGS["int_ok"](*exact), apply("int_ok", Sort.BOOL, *nodes)))
    return wrap(int(*exact), apply("int", Sort.INT, *nodes))


@models(float)
def traced_float(*args: Any) -> Any:
    """`float(value)`."""
    if len(args) != 1 or kind_of(args[0]) not in TRACED:
        return float(*args)
    value = args[0]
    if type(value) is SStr or type(value) is SBytes:
        check(wrap(MEANINGS["float_ok"](value.v), apply("float_ok", Sort.BOOL, value.e)))
        return wrap(float(value.v), apply("float", Sort.FLOAT, value.e))
    return wrap(float(value.v), apply("to_float", Sort.FLOAT, number_node(value)))


@models(str)
def traced_str(*args: Any, **kwargs: Any) -> Any:
    """`str(value)`, and decoding."""
    if len(args) == 1 and not kwargs and kind_of(args[0]) in TRACED:
        return as_text("str", args[0])
    if args and type(args[0]) is SBytes:
        return call("decode", args[0], args[1:], kwargs)
    return str(*map(plain, args), **kwargs)


@models(bytes)
def traced_bytes(*args: Any, **kwargs: Any) -> Any:
    """`bytes(value)`; text is encoded."""
    if len(args) == 1 and type(args[0]) is SBytes:
        return args[0]
    if len(args) >= 2 and type(args[0]) is SStr:
        return call("encode", args[0], args[1:], kwargs)
    if args and kind_of(args[0]) in TRACED:
        pin(args[0])
    return bytes(*map(plain, args), **kwargs)


def _as_text(op: str, native: Callable[[Any], str]) -> Callable[[Any], Any]:
    def model(value: Any, /) -> Any:
        return as_text(op, value) if kind_of(value) in TRACED else native(value)

    return model


models(repr)(_as_text("repr", repr))
models(ascii)(_as_text("ascii", ascii))


def _of_int(op: str, native: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def model(value: Any, /) -> Any:
        if kind_of(value) in (SInt, SBool):
            return wrap(native(value.v), apply(op, Sort.STR, number_node(value)))
        return native(plain(value))

    return model


for _name, _native in (("bin", bin), ("oct", oct), ("hex", hex)):
    models(_native)(_of_int(_name, _native))


@models(format)
def traced_format(value: Any, spec: Any = "", /) -> Any:
    """`format(value, spec)`."""
    if kind_of(value) in TRACED or kind_of(spec) in TRACED:
        return formatted(value, spec)
    return format(value, spec)


@models(ord)
def traced_ord(character: Any, /) -> Any:
    """`ord(c)`; its check is that there is one character."""
    if kind_of(character) not in (SStr, SBytes):
        return ord(character)
    check(compare("eq", length(character), 1))
    return wrap(ord(character.v), apply("ord", Sort.INT, character.e))


@models(chr)
def traced_chr(code: Any, /) -> Any:
    """`chr(i)`; its check is the range of code points."""
    if type(code) is not SInt:
        return chr(plain(code))
    check(compare("ge", code, 0))
    check(compare("le", code, 0x10FFFF))
    return wrap(chr(code.v), apply("chr", Sort.STR, code.e))


@models(abs)
def traced_abs(value: Any, /) -> Any:
    """`abs(x)`."""
    return unary("abs", value) if kind_of(value) in (SInt, SFloat, SBool) else abs(value)


@models(round)
def traced_round(number: Any, ndigits: Any = None) -> Any:
    """`round(x, n)`."""
    if kind_of(number) not in TRACED and kind_of(ndigits) not in TRACED:
        return round(number, ndigits)
    if kind_of(number) in (SStr, SBytes) or kind_of(number) not in NUMBERS:
        return round(number, plain(ndigits))
    if ndigits is None:
        if type(number) is SFloat:
            check(wrap(_is_finite(number.v), apply("math.isfinite", Sort.BOOL, number.e)))
        return wrap(round(plain(number)), apply("round", Sort.INT, number_node(number)))
    result = round(plain(number), plain(ndigits))
    return wrap(result, apply("round", sort_of(result), number_node(number), number_node(ndigits)))


@models(divmod)
def traced_divmod(left: Any, right: Any, /) -> Any:
    """`divmod(a, b)`."""
    if kind_of(left) in TRACED or kind_of(right) in TRACED:
        quotient = binary("floordiv", left, right)
        if quotient is not NotImplemented:
            return (quotient, binary("mod", left, right))
    return divmod(left, right)


@models(pow)
def traced_pow(base: Any, exp: Any, mod: Any = None) -> Any:
    """`pow(base, exp)`; with a modulus the values are pinned."""
    if mod is None and (kind_of(base) in TRACED or kind_of(exp) in TRACED):
        result = binary("pow", base, exp)
        if result is not NotImplemented:
            return result
    return pow(pin(base), pin(exp), pin(mod))


@models(list)
def traced_list_of(*args: Any) -> Any:
    """`list(x)`; a copy of a traced list keeps its length."""
    if len(args) == 1:
        if type(args[0]) is SList:
            return args[0].copy()
        if kind_of(args[0]) in (SDict, SSet):
            kind = dict if type(args[0]) is SDict else set
            return traced_list(list(kind.__iter__(args[0])), args[0].n)
        if kind_of(args[0]) in (SStr, SBytes):
            return list(iter(args[0]))
    return list(*args)


@models(hash)
def traced_hash(value: Any, /) -> int:
    """`hash(x)`: the value is pinned, a hash says all of it."""
    return hash(pin(value))


@models_method(dict, "get")
def dict_get(self: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    """`d.get(k)`."""
    if not _symbolic(self, key):
        return self.get(key, default)
    keys = list(self)
    position = find_key(keys, key)
    return default if position < 0 else value_of_key(keys, list(self.values()), key, position)


def _symbolic(mapping: Any, key: Any) -> bool:
    return is_traced_key(key) or has_traced_key(mapping)


@models_method(dict, "setdefault")
def dict_setdefault(self: dict[Any, Any], key: Any, default: Any = None, /) -> Any:
    """`d.setdefault(k, v)`."""
    _settle(self, key)
    return quietly(self.setdefault, key, default)


def _settle(mapping: Any, key: Any) -> None:
    """Decide which key of a native dict or set it is, if any."""
    if not _symbolic(mapping, key):
        return
    keys = list(mapping)
    position = find_key(keys, key)
    if position >= 0:
        settle_key(keys, key, position)


@models_method(dict, "pop")
def dict_pop(self: dict[Any, Any], key: Any, /, *default: Any) -> Any:
    """`d.pop(k)`."""
    _settle(self, key)
    return quietly(self.pop, key, *default)


def _settled_set_method(name: str) -> None:
    @models_method(set, name)
    def model(self: set[Any], value: Any, /) -> Any:
        _settle(self, value)
        return quietly(getattr(self, name), value)


for _name in ("add", "discard", "remove"):
    _settled_set_method(_name)


_UNTRACED: Final = frozenset((str, bytes, range))
_STORED: Final = frozenset((list, tuple, set, frozenset, dict))


def _collected(kind: type) -> Callable[..., Any]:
    """`set(x)`, `frozenset(x)`: which elements are equal is decided one after the other."""

    def model(*args: Any, **kwargs: Any) -> Any:
        if len(args) != 1 or kwargs:
            return kind(*args, **kwargs)
        source = args[0]
        if type(source) is SSet:
            return source.copy() if kind is set else kind(source)
        # Only Python itself brings equal elements into the same order every time.
        given = kind_of(source)
        if given in _UNTRACED or (given in _STORED and not any(map(is_traced_key, source))):
            return kind(source)
        return _decided(kind, iter(source))

    return model


def _decided(kind: type, source: Any) -> Any:
    traced: list[Any] = []

    def is_plain(element: Any) -> bool:
        if is_traced_key(element):
            traced.append(element)
        return not traced

    before = kind(itertools.takewhile(is_plain, source))
    if not traced:
        return before
    elements = set(before)
    for element in itertools.chain(traced, source):
        if is_traced_key(element):
            _settle(elements, element)
            quietly(elements.add, element)
        else:
            elements.add(element)
    return elements if kind is set else kind(elements)


models(set)(_collected(set))
models(frozenset)(_collected(frozenset))


def _bit_length(self: Any) -> Any:
    """`n.bit_length()`."""
    return wrap(self.v.bit_length(), apply("bit_length", Sort.INT, self.e))


def _is_integer(self: Any) -> Any:
    """`x.is_integer()`."""
    return wrap(self.v.is_integer(), apply("is_integer", Sort.BOOL, self.e))

# A call without arguments is Python's own: these must be methods of the traced classes.
for _cls, _method in ((SInt, _bit_length), (SFloat, _is_integer)):
    setattr(_cls, _method.__name__.lstrip("_"), _method)

SHALLOW.update((len, bool, int, float, str, bytes, repr, ascii, bin, oct, hex, format, ord, chr, abs, round))
SHALLOW.update((divmod, pow, hash, list))
