"""Methods of *plain* str and bytes whose arguments are traced (a traced receiver has its own methods).

The same methods taken from the class (``map(str.strip, lines)``) are modelled as functions.

`str.format` and `str.format_map` with traced arguments, field by field; traced templates.
"""

from __future__ import annotations

import _string  # type: ignore[import-not-found]
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from runtime.containers.texts import as_str, shown
from runtime.expr import Sort, apply
from runtime.models.registry import SHALLOW, models, models_method
from runtime.ops import MEANINGS, TEXT_METHODS
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import binary
from runtime.scalars.text import call, content, formatted, give, raw_text
from runtime.values import SCALARS, TRACED, SBytes, SStr, check, kind_of, lose_all, node_of, plain, wrap

keep_builtins(globals())

_CLASS_OF: Final[dict[type, type]] = {SStr: str, SBytes: bytes}


def _register(owner: type, name: str) -> None:
    native: Callable[..., Any] = getattr(owner, name)

    @models_method(owner, name)
    def model(receiver: Any, *args: Any, **kwargs: Any) -> Any:
        args = tuple(map(content, args))
        if name == "join" and len(args) == 1 and not kwargs:
            parts = _parts(args[0])
            if parts is None:
                return native(receiver, None)
            if any(kind_of(p) in TRACED for p in parts) and all(
                kind_of(raw_text(p)) in SCALARS for p in parts
            ):
                return call(name, receiver, (parts,), {})
            return native(receiver, parts)
        if any(kind_of(a) in TRACED for a in (*args, *kwargs.values(), *_within(*args[:1]))):
            return call(name, receiver, args, kwargs)
        return native(receiver, *args, **kwargs)

    @models(native)
    def function(receiver: Any, *args: Any, **kwargs: Any) -> Any:
        kind = kind_of(receiver)
        if _CLASS_OF.get(kind) is owner:
            return call(name, receiver, args, kwargs)
        if kind is owner:
            return model(receiver, *args, **kwargs)
        lose_all(f"{owner.__name__}.{name}", receiver, *args)
        return native(plain(receiver), *map(plain, args), **kwargs)

    if name != "join":
        SHALLOW.add(native)


def _within(value: Any = None) -> Any:
    """Return the values in a first argument: several affixes, or a table of characters."""
    if type(value) is tuple:
        return value
    return (*dict.keys(value), *dict.values(value)) if isinstance(value, dict) else ()


def _parts(iterable: Any) -> Any:
    """Return the parts that `join` joins: a list or tuple; None where it would not iterate."""
    if type(iterable) is list or type(iterable) is tuple:
        return type(iterable)(map(content, iterable))
    try:
        iterator = iter(iterable)
    except TypeError:
        return None  # `join` says the same of it as of None
    return list(map(content, iterator))


for _owner in (str, bytes):
    for _name in TEXT_METHODS:
        if hasattr(_owner, _name):
            _register(_owner, _name)


@models_method(str, "format")
def str_format(receiver: str, *args: Any, **kwargs: Any) -> Any:
    """`"...".format(...)`: the fields are formatted one by one."""
    if not any(kind_of(v) in TRACED for v in (*args, *kwargs.values())):
        return receiver.format(*args, **kwargs)
    return format_fields(receiver, args, kwargs)


@models_method(str, "format_map")
def str_format_map(receiver: str, mapping: Any, /) -> Any:
    """`"...".format_map(mapping)`, likewise."""
    return format_fields(receiver, None, mapping)


@models(bytes.fromhex, takes="str")
def bytes_fromhex(text: Any, /) -> Any:
    """`bytes.fromhex(text)`; what is no hexadecimal number is a check."""
    if type(text) is not SStr:
        return bytes.fromhex(text)
    check(wrap(MEANINGS["bytes.fromhex_ok"](text.v), apply("bytes.fromhex_ok", Sort.BOOL, text.e)))
    return wrap(bytes.fromhex(text.v), apply("bytes.fromhex", Sort.BYTES, text.e))


SHALLOW.add(bytes.fromhex)
give(SBytes, {"fromhex": staticmethod(bytes_fromhex)})


keep_builtins(globals())

_CONVERSIONS: Final[dict[str, Callable[[Any], str]]] = {
    "r": shown,
    "s": as_str,
    "a": partial(shown, op="ascii"),
}
_OPERATIONS: Final = {"r": "repr", "s": "str", "a": "ascii"}
_DEEPEST: Final = 2


def format_fields(template: str, args: tuple[Any, ...] | None, kwargs: Mapping[str, Any]) -> Any:
    """Return `template.format(*args, **kwargs)`, traced where a field is.

    Raises:
        What `str.format` raises for the same call.
    """
    return _Fields(args, kwargs).text(template, _DEEPEST)


class _Fields:
    """The fields of one call; counts those without a name."""

    def __init__(self, args: tuple[Any, ...] | None, kwargs: Mapping[str, Any]) -> None:
        self._args = args
        self._kwargs = kwargs
        self._next = 0
        self._numbered = False  # whether a field had a number of its own

    def text(self, template: str, depth: int) -> Any:
        """Return the template with its fields filled in; specs may have fields again."""
        if depth < 1:
            raise ValueError("Max string recursion exceeded")
        result: Any = ""
        for literal, name, spec, conversion in _string.formatter_parser(template):
            result = _joined(result, literal)
            if name is not None:
                value = self._value(name)
                if conversion:
                    value = _converted(value, conversion)
                nested = self.text(spec, depth - 1) if spec and "{" in spec else spec or ""
                result = _joined(result, _formatted(value, nested))
        return result

    def _value(self, name: str) -> Any:
        first, rest = _string.formatter_field_name_split(name)
        value = self._first(first)
        for is_attribute, key in rest:
            value = getattr(value, key) if is_attribute else value[key]
        return value

    def _first(self, first: Any) -> Any:
        if first == "":
            if self._numbered:
                raise ValueError(
                    "cannot switch from manual field specification to automatic field numbering"
                )
            first, self._next = self._next, self._next + 1
        elif isinstance(first, int):
            if self._next:
                raise ValueError(
                    "cannot switch from automatic field numbering to manual field specification"
                )
            self._numbered = True
        if not isinstance(first, int):
            return self._kwargs[first]
        if self._args is None:
            raise ValueError("Format string contains positional fields")
        if first >= len(self._args):
            raise IndexError(f"Replacement index {first} out of range for positional args tuple")
        return self._args[first]


def _joined(left: Any, right: Any) -> Any:
    added = binary("add", left, right)
    return left + right if added is NotImplemented else added


def _converted(value: Any, conversion: str) -> Any:
    if conversion not in _CONVERSIONS:
        raise ValueError(f"Unknown conversion specifier {conversion!s}")
    return _CONVERSIONS[conversion](value)


def _formatted(value: Any, spec: Any) -> Any:
    if kind_of(value) in TRACED or kind_of(spec) in TRACED:
        return formatted(value, spec)
    return format(value, spec)


def _format(self: Any, *args: Any, **kwargs: Any) -> Any:
    """Return `format` of a traced template: one expression of plain arguments, otherwise pinned."""
    if kwargs or not all(kind_of(value) in SCALARS for value in args):
        lose_all("str.format", self)
        return format_fields(self.v, args, kwargs)
    nodes = [self.e, *map(node_of, args)]
    exact = [self.v, *map(plain, args)]
    check(wrap(MEANINGS["str.format_ok"](*exact), apply("str.format_ok", Sort.BOOL, *nodes)))
    return wrap(str.format(*exact), apply("str.format", Sort.STR, *nodes))


def _format_map(self: Any, mapping: Any, /) -> Any:
    """Return `format_map` of a traced template, which is pinned."""
    lose_all("str.format_map", self)
    return format_fields(self.v, None, mapping)


give(SStr, {"format": _format, "format_map": _format_map})
