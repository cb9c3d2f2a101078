"""`struct` with constant formats: ints are put together from bytes and taken apart into them by arithmetic.

Floats are pinned, as no expression says how one is stored.
"""

from __future__ import annotations

import re
import struct
import sys
from functools import lru_cache
from typing import Any, Final, NamedTuple

from runtime.expr import Node, Sort, apply, apply2, const, const_int
from runtime.models.registry import models, models_method
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import compare
from runtime.scalars.text import content, length, sliced
from runtime.values import SBytes, SInt, check, kind_of, lose_all, node_of, plain, wrap

keep_builtins(globals())

_UNSIGNED: Final = frozenset("BHILQN")
_SIGNED: Final = frozenset("bhilqn")
_ITEM: Final = re.compile(r"\s*(\d*)([a-zA-Z?])")
_MOST: Final = 64


class _Slot(NamedTuple):
    """One value of a format: its code, and where its bytes are. Text has as many bytes as its count says."""

    code: str
    offset: int
    size: int


class _Layout(NamedTuple):
    size: int
    little: bool
    slots: tuple[_Slot, ...]


@lru_cache(maxsize=256)
def _layout(text: str) -> _Layout | None:
    """Return where the values of a format are; None for formats that are wrong or have too many."""
    order = text[0] if text and text[0] in "@=<>!" else "@"
    body = text[1:] if text and text[0] in "@=<>!" else text
    slots: list[_Slot] = []
    before = ""
    for found in _ITEM.finditer(body):
        count, code = found[1], found[2]
        repeats = 1 if code in "sp" or not count else int(count)
        unit = (count or "1") + code if code in "sp" else code
        if len(slots) + repeats > _MOST:
            return None
        for _ in range(repeats):
            after = before + unit
            size = struct.calcsize(order + unit)
            if code != "x":
                slots.append(_Slot(code, struct.calcsize(order + after) - size, size))
            before = after
        if not repeats:
            before += f"0{code}"
    try:
        size = struct.calcsize(text)
    except struct.error:
        return None
    if size != struct.calcsize(order + before):
        return None
    return _Layout(size, order == "<" or (order in "@=" and sys.byteorder == "little"), tuple(slots))


def _known(template: Any) -> _Layout | None:
    if kind_of(template) is bytes:
        template = template.decode("latin-1")
    try:
        return _layout(template) if kind_of(template) is str else None
    except struct.error:
        return None


def _unpacked(template: Any, data: Any, offset: int = 0) -> Any:
    """Return the values in traced bytes whose length is known to fit."""
    native = struct.unpack_from(template, data.v, offset)
    layout = _known(template)
    if layout is None or not all(_is_plain(slot) for slot in layout.slots):
        lose_all("struct.unpack", data)
        return native
    return tuple(
        _value(data, slot._replace(offset=slot.offset + offset), layout.little, value)
        for slot, value in zip(layout.slots, native, strict=True)
    )


def _is_plain(slot: _Slot) -> bool:
    return slot.code in _UNSIGNED or slot.code in _SIGNED or slot.code in "cs?"


def _value(data: Any, slot: _Slot, little: bool, value: Any) -> Any:
    if slot.code in "cs":
        return sliced(data, slice(slot.offset, slot.offset + slot.size, None))
    places = range(slot.offset, slot.offset + slot.size)
    number: Node = const_int(0)
    for place in reversed(places) if little else places:
        octet = apply("item", Sort.INT, data.e, const_int(place))
        number = apply2("add", Sort.INT, apply2("mul", Sort.INT, number, const_int(256)), octet)
    if slot.code == "?":
        return wrap(value, apply2("ne", Sort.BOOL, number, const_int(0)))
    if slot.code in _SIGNED:
        half = const_int(1 << (8 * slot.size - 1))
        wrapped = apply2("sub", Sort.INT, number, const_int(1 << (8 * slot.size)))
        number = apply("ite", Sort.INT, apply2("lt", Sort.BOOL, number, half), number, wrapped)
    return wrap(value, number)


@models(struct.unpack, takes="'>BH' bytes; '<i' bytes; '2s?' bytes")
def unpack(template: Any, data: Any, /) -> Any:
    """`struct.unpack`; that the length fits is a check."""
    data = content(data)
    if type(data) is not SBytes or kind_of(template) not in (str, bytes):
        lose_all("struct.unpack", template, data)
        return struct.unpack(plain(template), plain(data))
    check(compare("eq", length(data), struct.calcsize(template)))
    struct.unpack(template, data.v)  # which raises what is to be raised
    return _unpacked(template, data)


@models(struct.unpack_from, takes="'>BH' bytes; '<i' bytes 1")
def unpack_from(template: Any, /, buffer: Any, offset: Any = 0) -> Any:
    """`struct.unpack_from`."""
    place, buffer = plain(offset), content(buffer)
    if type(buffer) is not SBytes or kind_of(template) not in (str, bytes) or type(place) is not int:
        lose_all("struct.unpack_from", template, buffer, offset)
        return struct.unpack_from(plain(template), plain(buffer), place)
    lose_all("struct.unpack_from", offset)
    start = place if place >= 0 else len(buffer.v) + place
    if place < 0:
        lose_all("struct.unpack_from", buffer)
    check(compare("ge", length(buffer), start + struct.calcsize(template)))
    struct.unpack_from(template, buffer.v, place)
    return _unpacked(template, buffer, start)


@models(struct.pack, takes="'>BH' int int; '<i' int; '2s' bytes")
def pack(template: Any, /, *values: Any) -> Any:
    """`struct.pack`; that each value fits is a check."""
    layout = _known(template)
    fits = layout is not None and len(layout.slots) == len(values)
    if layout is None or not fits or not all(map(_can_pack, layout.slots, values)):
        lose_all("struct.pack", template, *values)
        return struct.pack(plain(template), *map(plain, values))
    for slot, value in zip(layout.slots, values, strict=True):
        if type(value) is SInt:
            _check_range(slot, value)
    native = struct.pack(template, *map(plain, values))
    nodes = list(map(const_int, native))
    for slot, value in zip(layout.slots, values, strict=True):
        if type(value) is SInt:
            for place in range(slot.size):
                weight = place if layout.little else slot.size - 1 - place
                nodes[slot.offset + place] = _octet(value.e, weight)
    return wrap(native, apply("bytes_of", Sort.BYTES, *nodes))


def _can_pack(slot: _Slot, value: Any) -> bool:
    if type(value) is SInt:
        return slot.code in _UNSIGNED or slot.code in _SIGNED
    return node_of(value).op == "const" and type(value) in (int, float, bool, bytes)


def _check_range(slot: _Slot, value: Any) -> None:
    bits = 8 * slot.size
    low, high = (
        (0, (1 << bits) - 1) if slot.code in _UNSIGNED else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    )
    if check(compare("ge", value, low)):
        check(compare("le", value, high))


def _octet(node: Node, weight: int) -> Node:
    shifted = apply2("floordiv", Sort.INT, node, const(256**weight)) if weight else node
    return apply2("mod", Sort.INT, shifted, const_int(256))


@models_method(struct.Struct, "unpack")
def struct_unpack(self: struct.Struct, data: Any, /) -> Any:
    """`Struct(...).unpack`."""
    return unpack(self.format, data)


@models_method(struct.Struct, "unpack_from")
def struct_unpack_from(self: struct.Struct, /, buffer: Any, offset: Any = 0) -> Any:
    """`Struct(...).unpack_from`."""
    return unpack_from(self.format, buffer, offset)


@models_method(struct.Struct, "pack")
def struct_pack(self: struct.Struct, /, *values: Any) -> Any:
    """`Struct(...).pack`."""
    return pack(self.format, *values)
