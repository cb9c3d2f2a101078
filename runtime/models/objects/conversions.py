"""Conversions between scalars: `int`, `float`, `str`, `repr`, `format`, `ord`, ..."""

from __future__ import annotations

from collections.abc import Callable
from types import GeneratorType
from typing import Any, Final

from runtime import trace
from runtime.containers import CONTAINERS, SList
from runtime.containers import length as container_length
from runtime.containers.bytearrays import SBytearray, bytearray_of, bytes_of, whole
from runtime.containers.texts import SHOWN, shown
from runtime.expr import Sort, apply
from runtime.models.registry import SHALLOW, UNGUARDED, models
from runtime.ops import MEANINGS
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import check_finite, compare
from runtime.scalars.results import NOTHING, stand_in, undecided_result
from runtime.scalars.text import as_text, call, formatted, length, raw_text
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
    make,
    node_of,
    number_node,
    pin,
    plain,
    wrap,
)

keep_builtins(globals())


@models(bool, takes="scalar?; list[int]; dict[str,int]; set[int]")
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


@models(int, takes="number?; digits small?; digits base=small; bytes small?; str; digits|str 0")
def traced_int(*args: Any, **kwargs: Any) -> Any:
    """`int(value)` and `int(text, base)`; a conversion that fails is a check."""
    values = (*args, *kwargs.values())
    if not any(kind_of(v) in TRACED for v in values):
        found = undecided_result(args[0], "__int__") if len(args) == 1 and not kwargs else NOTHING
        if found is NOTHING:
            return int(*args, **kwargs)
        return found if kind_of(found) is SInt else int(stand_in(args[0], plain(found)))
    first: Any = args[0] if args else 0
    if kind_of(first) in (SStr, str, SBytes, bytes):
        return _int_of_text(first, values[1:])
    if len(values) == 1 and kind_of(first) in (SInt, SBool):
        return wrap(int(first.v), number_node(first))
    if len(values) == 1 and type(first) is SFloat:
        check_finite(first)
        return wrap(int(first.v), apply("to_int", Sort.INT, first.e))
    return int(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})


def _int_of_text(text: Any, rest: tuple[Any, ...]) -> Any:
    nodes = [node_of(text), *[number_node(r) for r in rest]]
    if not all(kind_of(r) in NUMBERS for r in rest):
        return int(plain(text), *map(plain, rest))
    exact = (plain(text), *map(plain, rest))
    check(wrap(MEANINGS["int_ok"](*exact), apply("int_ok", Sort.BOOL, *nodes)))
    return wrap(int(*exact), apply("int", Sort.INT, *nodes))


@models(float, takes="scalar?; digits")
def traced_float(*args: Any) -> Any:
    """`float(value)`."""
    if len(args) != 1 or kind_of(args[0]) not in TRACED:
        found = undecided_result(args[0], "__float__") if len(args) == 1 else NOTHING
        if found is NOTHING:
            return float(*args)
        return found if kind_of(found) is SFloat else float(stand_in(args[0], plain(found)))
    value = args[0]
    if type(value) is SStr or type(value) is SBytes:
        check(wrap(MEANINGS["float_ok"](value.v), apply("float_ok", Sort.BOOL, value.e)))
        return wrap(float(value.v), apply("float", Sort.FLOAT, value.e))
    node = number_node(value)
    if type(value) is SInt:
        check(make("to_float_ok", MEANINGS["to_float_ok"](value.v), node))
    return wrap(float(value.v), apply("to_float", Sort.FLOAT, node))


@models(str, takes="scalar?; list[int]; bytes name? 'strict'|'replace'|'ignore'?; list[str]")
def traced_str(*args: Any, **kwargs: Any) -> Any:
    """`str(value)`, and decoding."""
    if len(args) == 1 and not kwargs and kind_of(args[0]) in TRACED:
        return as_text("str", args[0])
    if args and type(args[0]) is SBytes:
        return call("decode", args[0], args[1:], kwargs)
    if len(args) == 1 and not kwargs and kind_of(args[0]) in SHOWN:
        return shown(args[0])
    if len(args) == 1 and not kwargs and (message := _message(args[0])) is not None:
        return as_text("str", message)
    return str(*map(plain, args), **kwargs)


def _message(error: Any) -> Any:
    """Return the traced value that is all an exception was made of and shows; None for anything else."""
    kind = type(error)
    if not issubclass(kind, BaseException) or kind.__str__ is not BaseException.__str__:
        return None
    args = error.args
    return args[0] if len(args) == 1 and kind_of(args[0]) in TRACED else None


@models(bytes, takes="small; bytes; str name? 'strict'|'ignore'?; list[small]; list[int]")
def traced_bytes(*args: Any, **kwargs: Any) -> Any:
    """`bytes(value)`; text is encoded."""
    if len(args) == 1 and type(args[0]) in (SBytes, SBytearray):
        return raw_text(args[0])
    if args and type(args[0]) is SStr and (len(args) > 1 or kwargs):
        return call("encode", args[0], args[1:], kwargs)
    if args and kind_of(args[0]) in TRACED:
        pin(args[0])
    if len(args) == 1 and not kwargs and kind_of(args[0]) in _CODES:
        return bytes_of(args[0])
    return bytes(*map(plain, args), **kwargs)


_MADE: Final[tuple[Any, ...]] = ([], (), b"", {}.values(), set())
_ITERATORS: Final = (filter, reversed, *(type(iter(made)) for made in _MADE))
_CODES: Final = frozenset((list, tuple, SList, GeneratorType, map, type(reversed([])), *_ITERATORS))


@models(bytearray, takes="bytes; small; list[small]; str name?")
def traced_bytearray(*args: Any, **kwargs: Any) -> Any:
    """`bytearray(value)`; one with a plain content may get a traced one later."""
    if len(args) == 1 and not kwargs and type(args[0]) is SBytearray:
        return bytearray_of(whole(args[0]))
    if args and type(args[0]) is not SInt and (kind_of(args[0]) in TRACED or kind_of(args[0]) in _CODES):
        return bytearray_of(traced_bytes(*args, **kwargs))
    for value in (*args, *kwargs.values()):
        if kind_of(value) in TRACED:
            pin(value)
    made = bytearray(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})
    return bytearray_of(bytes(made)) if trace.current.is_of_run else made  # what modules hold stays Python's


UNGUARDED.add(bytearray)


@models(repr, takes="scalar; list[scalar]; dict[str,float]; tuple[str]; set[int]")
def traced_repr(value: Any, /) -> Any:
    """`repr(value)`."""
    return shown(value)


@models(ascii, takes="scalar; list[str]")
def traced_ascii(value: Any, /) -> Any:
    """`ascii(value)`."""
    return shown(value, "ascii")


def _of_int(op: str, native: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def model(value: Any, /) -> Any:
        if kind_of(value) in (SInt, SBool):
            return wrap(native(value.v), apply(op, Sort.STR, number_node(value)))
        return native(plain(value))

    return model


for _name, _native in (("bin", bin), ("oct", oct), ("hex", hex)):
    models(_native, takes="int; bool; float")(_of_int(_name, _native))


@models(format, takes="scalar spec?; scalar scalar")
def traced_format(value: Any, spec: Any = "", /) -> Any:
    """`format(value, spec)`."""
    if kind_of(value) in TRACED or kind_of(spec) in TRACED:
        return formatted(value, spec)
    return shown(value) if kind_of(value) in SHOWN and type(spec) is str and not spec else format(value, spec)


@models(ord, takes="char; str; bytes; int")
def traced_ord(character: Any, /) -> Any:
    """`ord(c)`; its check is that there is one character."""
    if kind_of(character) not in (SStr, SBytes):
        return ord(character)
    check(compare("eq", length(character), 1))
    return wrap(ord(character.v), apply("ord", Sort.INT, character.e))


@models(chr, takes="int; small; bool; float")
def traced_chr(code: Any, /) -> Any:
    """`chr(i)`; its check is the range of code points."""
    if type(code) is not SInt:
        return chr(plain(code))
    check(compare("ge", code, 0))
    check(compare("le", code, 0x10FFFF))
    return wrap(chr(code.v), apply("chr", Sort.STR, code.e))


SHALLOW.update((bool, bin, oct, hex, ord, chr))
