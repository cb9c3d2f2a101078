"""Runs every method of traced str and bytes, and notes the checks that decide whether it raises.

The methods are generated from `runtime.ops.TEXT_METHODS`; what makes several values (split,
partition) pins how many there are and hands out the pieces as expressions of the whole.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from runtime import trace
from runtime.expr import Node, Sort, apply, const, disjunction, sort_of
from runtime.ops import MEANINGS, TEXT_METHODS
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import OCTETS, compare
from runtime.values import (
    SCALARS,
    TRACED,
    TRACED_IDS,
    SBool,
    SBytes,
    SFloat,
    SInt,
    SStr,
    check,
    hold,
    hold_length,
    kind_of,
    lose_all,
    node_of,
    number_node,
    plain,
    wrap,
)

keep_builtins(globals())

_PIECES: Final = frozenset(("split", "rsplit", "splitlines"))
_TRIPLES: Final = frozenset(("partition", "rpartition"))
_PREFIXES: Final = frozenset(("startswith", "endswith"))
_CODECS: Final = frozenset(("encode", "decode"))
_LENIENT: Final = frozenset(("ignore", "replace", "backslashreplace"))
_SEPARATED: Final = frozenset(("split", "rsplit", "partition", "rpartition"))
_FILLED: Final = frozenset(("center", "ljust", "rjust"))
_SEARCHES: Final = frozenset(("find", "rfind", "index", "rindex", "count"))
_TEXT_KINDS: Final = frozenset((SStr, SBytes))
_LARGEST_TABLE: Final = 512
_KEYWORDS: Final[dict[str, tuple[tuple[str, Any], ...]]] = {
    "split": (("sep", None), ("maxsplit", -1)),
    "rsplit": (("sep", None), ("maxsplit", -1)),
    "splitlines": (("keepends", False),),
    "encode": (("encoding", "utf-8"), ("errors", "strict")),
    "decode": (("encoding", "utf-8"), ("errors", "strict")),
    "expandtabs": (("tabsize", 8),),
    "translate": (("table", inspect.Parameter.empty), ("delete", b"")),
    "hex": (("sep", inspect.Parameter.empty), ("bytes_per_sep", 1)),
    "replace": (("old", inspect.Parameter.empty), ("new", inspect.Parameter.empty), ("count", -1)),
}
_KINDS: Final[dict[type, type]] = {SStr: str, SBytes: bytes, str: str, bytes: bytes}


def length(value: Any) -> Any:
    """Return `len` of a traced str or bytes."""
    return wrap(len(value.v), apply("len", Sort.INT, value.e))


def call(name: str, receiver: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return `receiver.name(*args, **kwargs)` where the receiver or an argument is traced.

    Raises whatever the native method raises, after recording the check that decided it.
    """
    kind = _KINDS[type(receiver)]
    native = getattr(kind, name)
    bound = _positional(name, args, kwargs)
    if bound is None:
        result = native(plain(receiver), *map(plain, args), **{k: plain(v) for k, v in kwargs.items()})
        lose_all(f"{kind.__name__}.{name}", receiver, *args, *kwargs.values())
        return result
    bound = tuple(map(raw_text, bound))
    if name in _PREFIXES and bound and type(bound[0]) is tuple:
        return _any_prefix(name, receiver, bound)
    if name == "join":
        return _join(receiver, bound)
    if name == "translate" and len(bound) == 1 and _is_plain_table(bound[0]):
        return _translated(receiver, bound[0])
    if not all(kind_of(a) in SCALARS or a is None for a in bound):
        return _leave(kind, name, receiver, bound)
    return _scalar_call(kind, name, receiver, bound)


def _positional(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...] | None:
    """Return the arguments in order, or None when the call is one that Python itself must refuse."""
    if not kwargs:
        return args
    names = _KEYWORDS.get(name)
    if names is None or not set(kwargs) <= {n for n, _ in names[len(args) :]}:
        return None
    values = list(args)
    for parameter, default in names[len(args) :]:
        if parameter not in kwargs and default is inspect.Parameter.empty:
            return None
        values.append(kwargs.get(parameter, default))
    return tuple(values)


def _scalar_call(kind: type, name: str, receiver: Any, args: tuple[Any, ...]) -> Any:
    _check_domain(kind, name, receiver, args)
    op = f"{kind.__name__}.{name}"
    value = MEANINGS[op](plain(receiver), *[plain(a) for a in args])
    exact = [number_node(a) if kind_of(a) in (bool, SBool) else node_of(a) for a in args]
    whole = apply(op, sort_of(value), node_of(receiver), *exact)
    if name in _PIECES:
        return pieces(value, whole)
    if name in _TRIPLES:
        return tuple(wrap(part, item(whole, i, sort_of(part))) for i, part in enumerate(value))
    return wrap(value, whole)


def _check_domain(kind: type, name: str, receiver: Any, args: tuple[Any, ...]) -> None:
    """Record what decides whether the method raises."""
    if name in ("index", "rindex"):  # raises where `find` gives -1
        check(compare("ge", _scalar_call(kind, "find", receiver, args), 0))
    elif name in _CODECS and args and any(kind_of(a) in TRACED for a in args):
        lose_all(f"{kind.__name__}.{name}", receiver, *args)  # which exception it is depends on all of them
    elif name in _CODECS and (len(args) < 2 or plain(args[1]) not in _LENIENT):
        op = f"{kind.__name__}.{name}_ok"
        nodes = [node_of(receiver), *map(node_of, args)]
        check(wrap(MEANINGS[op](plain(receiver), *map(plain, args)), apply(op, Sort.BOOL, *nodes)))
    elif args and kind_of(args[0]) in _TEXT_KINDS and name in _SEPARATED:
        check(compare("ne", args[0], kind()))
    elif len(args) > 1 and kind_of(args[1]) in _TEXT_KINDS and name in _FILLED:
        check(compare("eq", length(args[1]), 1))
    if args and kind is bytes and type(args[0]) is SInt and name in _SEARCHES:
        check_octet(args[0])


def check_octet(value: Any) -> None:
    """Record whether an int is the value of a byte."""
    check(compare("ge", value, 0))
    check(compare("le", value, 255))


def item(whole: Node, index: int, sort: Sort) -> Node:
    """Return the expression of one element of a sequence expression."""
    return apply("item", sort, whole, const(index))


def pieces(values: list[Any], whole: Node) -> list[Any]:
    """Return the list that a split made: how many there are is a condition, each piece an expression."""
    if whole.op == "const":
        return values
    count = apply("len", Sort.INT, whole)
    hold_length(count, len(values), trace.Kind.CHECK)
    return [wrap(part, item(whole, i, sort_of(part))) for i, part in enumerate(values)]


def content(value: Any) -> Any:
    """Return the content of a traced bytearray; anything else as it is."""
    whole = OCTETS.get(id(type(value)))
    return value if whole is None else whole(value)


def raw_text(value: Any) -> Any:
    """Return the text that C code sees of an instance of a subclass, or of a bytearray; else the value."""
    kind = type(value)
    if kind is bytearray:
        return bytes(value)
    if id(kind) in OCTETS:
        return content(value)
    if kind is str or kind is bytes or id(kind) in TRACED_IDS:
        return value
    if issubclass(kind, str):
        return str.__str__(value)
    return bytes.__getitem__(value, slice(None)) if issubclass(kind, bytes) else value


def _is_plain_table(table: Any) -> bool:
    """Return whether `translate` may take this dict for a constant."""
    return (
        type(table) is dict
        and len(table) <= _LARGEST_TABLE
        and all(type(key) is int for key in table)
        and all(type(value) in (int, str, type(None)) for value in table.values())
    )


def _translated(receiver: Any, table: dict[int, Any]) -> Any:
    value = str.translate(plain(receiver), table)
    return wrap(value, apply("str.translate", Sort.STR, node_of(receiver), const(dict(table))))


def _any_prefix(name: str, receiver: Any, bound: tuple[Any, ...]) -> Any:
    kind = _KINDS[type(receiver)]
    prefixes, rest = tuple(map(raw_text, bound[0])), bound[1:]
    native = getattr(kind, name)(plain(receiver), tuple(map(plain, prefixes)), *map(plain, rest))
    answers: list[Any] = []
    for prefix in prefixes:
        if type(plain(prefix)) is not kind:  # not looked at, as one before it is there
            check(wrap(True, disjunction(map(node_of, answers))))
            break
        answers.append(call(name, receiver, (prefix, *rest), {}))
    return wrap(native, disjunction(node_of(answer) for answer in answers))


def _join(separator: Any, bound: tuple[Any, ...]) -> Any:
    parts: list[Any] = list(*bound)
    native = plain(separator).join([plain(p) for p in parts])
    if not parts:
        return native
    kind, sort = type(native), sort_of(native)
    parts = list(map(raw_text, parts))
    if not all(type(plain(p)) is kind for p in parts):
        lose_all(f"{kind.__name__}.join", separator, *parts)
        return native
    result, glue = node_of(parts[0]), node_of(separator)
    for part in parts[1:]:
        result = apply("add", sort, apply("add", sort, result, glue), node_of(part))
    return wrap(native, result)


def _leave(kind: type, name: str, receiver: Any, args: tuple[Any, ...]) -> Any:
    """Return a method's plain result: an argument that no expression can stand for (a table, say) is lost."""
    held = [part for a in args if isinstance(a, dict) for part in (*dict.keys(a), *dict.values(a))]
    lose_all(f"{kind.__name__}.{name}", receiver, *args, *held)
    return getattr(kind, name)(plain(receiver), *[plain(a) for a in args])


def element(value: Any, index: Any) -> Any:
    """Return `value[index]` of a str or bytes where the value or an int index is traced."""
    size = len(plain(value))
    length_node = apply("len", Sort.INT, node_of(value))
    check_bounds(index, wrap(size, length_node), size)
    result = plain(value)[plain(index)]
    return wrap(result, apply("item", sort_of(result), node_of(value), number_node(index)))


def check_bounds(index: Any, length_value: Any, size: int) -> None:
    """Record `-len <= index < len` as the check it is (only the side that matters)."""
    if plain(index) >= 0:
        if kind_of(index) in TRACED:
            check(compare("ge", index, 0))
        check(compare("lt", index, length_value))
    else:
        if kind_of(index) in TRACED:
            check(compare("lt", index, 0))
        check(compare("ge", index, -length_value if type(length_value) is SInt else -size))


def sliced(value: Any, key: slice) -> Any:
    """Return `value[start:stop:step]` of a str or bytes, any part traced."""
    bounds = [_bound(b) for b in (key.start, key.stop, key.step)]
    if type(key.step) is SInt:
        check(compare("ne", key.step, 0))
    result = plain(value)[bounds[0][0] : bounds[1][0] : bounds[2][0]]
    return wrap(result, apply("slice", sort_of(result), node_of(value), *[node for _, node in bounds]))


def _bound(value: Any) -> tuple[Any, Node]:
    if value is None or kind_of(value) in (int, bool, SInt, SBool):
        return plain(value), const(None) if value is None else number_node(value)
    exact = operator.index(value)
    return exact, const(exact)


def characters(value: Any) -> Iterator[Any]:
    """Yield the characters of a traced str or bytes: going on or stopping is a branch on its length."""
    whole = value.v
    size = apply("len", Sort.INT, value.e)
    for i, part in enumerate(whole):
        trace.current.record(apply("gt", Sort.BOOL, size, const(i)), True)
        yield wrap(part, item(value.e, i, sort_of(part)))
    trace.current.record(apply("gt", Sort.BOOL, size, const(len(whole))), False)


def contains(container: Any, value: Any) -> Any:
    """Return `value in container` for str and bytes; NotImplemented for operands that don't fit."""
    container, value = raw_text(container), raw_text(value)
    fitting = (SStr, str) if isinstance(container, str) else (SBytes, bytes, SInt, int)
    if type(value) not in fitting:
        return NotImplemented
    if type(value) is SInt:
        check_octet(value)
    result = plain(value) in plain(container)
    return wrap(result, apply("contains", Sort.BOOL, node_of(container), node_of(value)))


def formatted(value: Any, spec: Any) -> Any:
    """Return `format(value, spec)` of a traced scalar."""
    if type(plain(spec)) is not str:
        return format(plain(value), spec)
    nodes = (node_of(value), node_of(spec))
    if kind_of(spec) in TRACED or plain(spec).endswith("c"):
        check(wrap(MEANINGS["format_ok"](plain(value), plain(spec)), apply("format_ok", Sort.BOOL, *nodes)))
    result = format(plain(value), plain(spec))
    if not plain(spec):
        return as_text("str", value)
    return wrap(result, apply("format", Sort.STR, *nodes))


def as_text(op: str, value: Any) -> Any:
    """Return `str(value)`, `repr(value)` or `ascii(value)` of a traced scalar."""
    if op == "str" and kind_of(value) in (SStr, str):
        return value
    exact = plain(value)
    return wrap(MEANINGS[op](exact), apply(op, Sort.STR, node_of(value)))


def _pinned_length(self: Any) -> int:
    """Return the length for C code, which can't be told an expression: it is pinned."""
    size = len(self.v)
    hold(apply("len", Sort.INT, self.e), size, trace.Kind.PIN)
    return size


def _get(self: Any, key: Any) -> Any:
    if type(key) is slice:
        return sliced(self, key)
    if kind_of(key) in (int, bool, SInt, SBool):
        return element(self, key)
    return self.v[key]


def _contained(self: Any, value: Any) -> Any:
    answer = contains(self, value)
    return value in self.v if answer is NotImplemented else answer


def _method(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return call(name, self, args, kwargs)

    method.__name__ = name
    return method


def _left(op: str, make: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that C code calls for a text which it goes on with: the value is pinned.

    Rewritten code does not come by here.
    """

    def method(self: Any, *args: Any) -> Any:
        lose_all(op, self)
        return make(self, *args)

    return method


def _str(self: Any) -> Any:
    """Return a str as its own text: nothing is lost yet."""
    if type(self) is not SStr:
        lose_all("str", self)
    return as_text("str", self)


def _install() -> None:
    shown: dict[str, Callable[..., Any]] = {
        "__str__": _str,
        "__repr__": _left("repr", partial(as_text, "repr")),
        "__format__": _left("format", formatted),
    }
    sequence: dict[str, Callable[..., Any]] = {
        "__iter__": characters,
        "__len__": _pinned_length,
        "__getitem__": _get,
        "__contains__": _contained,
    }
    for traced in (SInt, SFloat, SBool, SStr, SBytes):
        give(traced, shown)
    for cls, kind in ((SStr, str), (SBytes, bytes)):
        give(cls, {name: _method(name) for name in TEXT_METHODS if hasattr(kind, name)})
        give(cls, sequence)


def give(cls: type, methods: dict[str, Callable[..., Any]]) -> None:
    """Set methods of a traced class."""
    for name, method in methods.items():
        setattr(cls, name, method)


_install()
