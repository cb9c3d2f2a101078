"""Codecs made from the types of fields: a data class says once, in annotations, what its plain form holds.

A data class is the tuple of its fields; one of `TAGS` has its word before them, so that alternatives are told
apart, and one of `NAMED` is a dict by their names. What is read may be anything, as a target can speak in our
place: it is checked in every part.
"""

from __future__ import annotations

import enum
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, TypeAlias, TypeVar, Union, get_args, get_origin

Plain: TypeAlias = Any
"""What `marshal` takes."""

Item = TypeVar("Item")


class Malformed(ValueError):
    """Plain data that are not the form of what is to be decoded."""


def scalar_of(kinds: tuple[type, ...]) -> Callable[[Plain], Any]:
    """The check of a value whose type is exactly one of these."""

    def read(plain: Plain) -> Any:
        if type(plain) not in kinds:
            raise Malformed(f"not a {' or '.join(kind.__name__ for kind in kinds)}: {type(plain).__name__}")
        return plain

    return read


text: Callable[[Plain], str] = scalar_of((str,))
number: Callable[[Plain], int] = scalar_of((int,))
flag: Callable[[Plain], bool] = scalar_of((bool,))
items: Callable[[Plain], list[Plain] | tuple[Plain, ...]] = scalar_of((list, tuple))


def table(plain: Plain) -> dict[str, Plain]:
    """A dict whose keys are texts."""
    if type(plain) is not dict or any(type(name) is not str for name in plain):
        raise Malformed(f"not a table: {type(plain).__name__}")
    return plain


def parts(plain: Plain, count: int) -> list[Plain] | tuple[Plain, ...]:
    """So many items."""
    found = items(plain)
    if len(found) != count:
        raise Malformed(f"not {count} parts: {type(plain).__name__}")
    return found


def member_of(kind: Callable[[str], Item], plain: Plain) -> Item:
    """The member of an enum whose value is there."""
    try:
        return kind(text(plain))
    except ValueError as error:
        raise Malformed(f"not a {kind}: {type(plain).__name__}") from error


Encode = Callable[[Any], Plain]
Read = Callable[[Plain], Any]

TAGS: Final[dict[type, str]] = {}
NAMED: Final[set[type]] = set()
KINDS: Final[dict[str, Any]] = {}
"""What annotations name that stands for more than a class, such as `Recipe`: a key of `READERS`."""

READERS: Final[dict[Any, Read]] = {str: text, int: number, bool: flag, float: scalar_of((float, int))}
READERS[Any] = lambda plain: plain


class _Encoders(dict[type, Encode]):
    """The functions that encode data classes, compiled when first asked for: `prepare` asks for all.

    A class that adds to one of these is encoded as that.
    """

    def __missing__(self, kind: type) -> Encode:
        for base in kind.__mro__[1:]:
            if base in self:
                return self[base]
        parts = [(name, _encoding(of, f"one.{name}")) for name, of in types_of(kind).items()]
        if kind in NAMED:
            body = f"{{{', '.join(f'{name!r}: {part}' for name, part in parts)}}}"
        else:
            tag = [repr(TAGS[kind])] if kind in TAGS else []
            body = f"({''.join(f'{part}, ' for part in [*tag, *(part for _, part in parts)])})"
        made: Encode = eval(f"lambda one: {body}", {"_OF": self})  # noqa: S307 - of names of our own
        self[kind] = made
        return made


ENCODERS: Final = _Encoders()
_NAMESPACES: Final[dict[str, dict[str, Any]]] = {}
"""What names mean in modules of data classes: where a target runs, these are not to be found any more."""


def register(tags: Mapping[type, str], named: Iterable[type]) -> None:
    """Say how alternatives are told apart, and which classes are dicts; the others are tuples."""
    TAGS.update(tags)
    NAMED.update(named)
    _NAMESPACES.update((kind.__module__, vars(sys.modules[kind.__module__])) for kind in (*TAGS, *NAMED))


def encode(thing: Any) -> Plain:
    """The plain form of an instance of a data class."""
    return ENCODERS[thing.__class__](thing)


def prepare(*kinds: type) -> None:
    """Make the functions that encode some classes, or all that were registered: forks need not."""
    for kind in kinds or (*TAGS, *NAMED):
        ENCODERS[kind]  # is made now


@cache
def types_of(kind: Any) -> dict[str, Any]:
    """The types of the fields of a data class."""
    module = kind.__module__
    known = {**(_NAMESPACES[module] if module in _NAMESPACES else vars(sys.modules[module])), **KINDS}
    written = ", ".join(f"{field.name!r}: {field.type}" for field in fields(kind))
    return eval(f"{{{written}}}", known)  # type: ignore[no-any-return]  # noqa: S307 - of our own annotations


def _encoding(kind: Any, value: str) -> str:
    """The expression for the plain form of what the expression `value` holds."""
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, UnionType):
        whole = _encoding(next(one for one in arguments if one is not NoneType), value)
        is_sure = NoneType not in arguments or whole == value
        return whole if is_sure else f"(None if {value} is None else {whole})"
    if origin in (tuple, list) and (origin is list or arguments[1:] == (...,)):
        part = _encoding(arguments[0], "one")
        return f"list({value})" if part == "one" else f"[{part} for one in {value}]"
    if origin is tuple:
        places = [_encoding(one, f"{value}[{place}]") for place, one in enumerate(arguments)]
        plain = all(part == f"{value}[{place}]" for place, part in enumerate(places))
        return value if plain else f"({', '.join(places)})"
    if origin is Mapping:
        part = _encoding(arguments[1], "one")
        return f"dict({value})" if part == "one" else f"{{name: {part} for name, one in {value}.items()}}"
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return f"{value}.value"
    if isinstance(kind, type) and is_dataclass(kind):
        ENCODERS[kind]  # is made now
    return value if kind in _PLAIN else f"_OF[{value}.__class__]({value})"


_PLAIN: Final = (str, int, bool, float, bytes, complex, NoneType)


def reader(kind: Any) -> Read:
    """The function that reads the plain form of a type."""
    found = READERS.get(kind)
    if found is None:
        found = READERS[kind] = _reader(kind)
    return found


def _reader(kind: Any) -> Read:
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    if origin in (Union, UnionType):
        return _either([one for one in arguments if one is not NoneType], NoneType in arguments)
    read = [reader(one) for one in arguments if one is not ...]
    if origin in (list, frozenset) or ... in arguments:
        return lambda plain: origin(map(read[0], items(plain)))
    if origin is tuple:
        return lambda plain: tuple(map(_apply, read, parts(plain, len(read))))
    if origin is Mapping:
        return lambda plain: {name: read[1](part) for name, part in table(plain).items()}
    if issubclass(origin, enum.Enum):
        return lambda plain: member_of(origin, plain)
    return _record(origin)


def _apply(read: Read, plain: Plain) -> Any:
    return read(plain)


def _either(kinds: list[Any], or_none: bool) -> Read:
    if all(kind in _PLAIN for kind in kinds):
        read: Read = scalar_of((*kinds, NoneType) if or_none else tuple(kinds))
    elif len(kinds) == 1:
        read = reader(kinds[0])
    else:
        read = tagged({TAGS[kind]: reader(kind) for kind in kinds})
    return (lambda plain: None if plain is None else read(plain)) if or_none else read


def tagged(readers: Mapping[str, Read]) -> Read:
    """The function that reads one of some alternatives by its word."""

    def read(plain: Plain) -> Any:
        if type(plain) is not tuple or not plain or type(plain[0]) is not str:
            raise Malformed(f"no kind: {type(plain).__name__}")
        found = readers.get(plain[0])
        if found is None:
            raise Malformed(f"no such kind: {type(plain[0]).__name__}")
        try:
            return found(plain)
        except RecursionError as error:
            raise Malformed("nested too deeply") from error

    return read


def _record(kind: Any) -> Read:
    made: list[Read] = []

    def read(plain: Plain) -> Any:
        if not made:
            made.append(_reader_of_fields(kind))
        return made[0](plain)

    return read


def _reader_of_fields(kind: Any) -> Read:
    of = {name: reader(one) for name, one in types_of(kind).items()}
    read, skipped = list(of.values()), 1 if kind in TAGS else 0
    if kind not in NAMED:
        count = len(read) + skipped
        return lambda plain: kind(*map(_apply, read, parts(plain, count)[skipped:]))

    def named(plain: Plain) -> Any:
        found = table(plain)
        if found.keys() != of.keys():
            raise Malformed(f"not the parts of {kind.__name__}: {len(found)} parts")
        return kind(*[one(found[name]) for name, one in of.items()])

    return named


def read_as(kind: Callable[..., Item], plain: Plain, **given: Any) -> Item:
    """An instance of a data class from a dict by names, which may hold more; the rest has its default."""
    found = {name: of for name, of in types_of(kind).items() if name in plain and name not in given}
    return kind(**{name: reader(of)(plain[name]) for name, of in found.items()}, **given)
