"""Texts for which operators on them give what is wished: conversions, pieces, tests, changed texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from runtime.expr import Node, Sort
from tracetwin.solving.inversion import regex
from tracetwin.solving.inversion.tools import (
    Inverse,
    Proposal,
    View,
    different,
    of_its_type,
    resized,
    spliced,
    undone_by,
)


def _numeral(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    """`int(text)`: as short as possible, or as long as it is."""
    text = view.value(node.args[0])
    base = view.value(node.args[1]) if len(node.args) > 1 else 10
    plain = format(value, {2: "b", 8: "o", 16: "x"}.get(base, "d"))
    for written in dict.fromkeys((plain, plain.zfill(len(text)), "+" + plain)):
        yield node.args[0], written if isinstance(text, str) else written.encode()


def _number_of(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    text = view.value(node.args[0])
    for written in (f"{value:g}", repr(value)):
        yield node.args[0], written if isinstance(text, str) else written.encode()


def _readable(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    """`int_ok`, `float_ok`."""
    text = view.value(node.args[0])
    options = ("0", "1", "12", "5" * max(len(text), 1)) if value else ("x", "", "1x", "-")
    for option in options:
        yield node.args[0], option if isinstance(text, str) else option.encode()


def _slice(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    source, *bounds = node.args
    text = view.value(source)
    start, stop, step = (view.value(bound) for bound in bounds)
    if step == -1 and start is None and stop is None:
        yield source, value[::-1]
    elif step in (None, 1):
        first, last, _ = slice(start, stop).indices(len(text))
        yield source, spliced(text, (first, max(first, last)), value)


def _item(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    source, index = node.args
    whole = view.value(source)
    place = view.value(index)
    if source.sort in (Sort.STR, Sort.BYTES):
        part = bytes([value]) if source.sort is Sort.BYTES else value
        where = place if place >= 0 else place + len(whole)
        yield source, spliced(whole, (where, where + 1), part)
    elif not source.names:
        pairs = whole.items() if isinstance(whole, dict) else enumerate(whole)
        for key, held in pairs:
            if held == value and type(held) is type(value):
                yield index, key
    elif source.op in _PIECES:
        yield from _piece(source, place, value, view)
    else:
        yield from regex.element(node, value, view)


_PIECES: Final = frozenset(
    f"{kind}.{name}"
    for kind in ("str", "bytes")
    for name in ("split", "rsplit", "splitlines", "partition", "rpartition")
)


def _piece(source: Node, place: int, value: Any, view: View) -> Iterator[Proposal]:
    """One piece of a split, the others as they are."""
    pieces = list(view.value(source))
    pieces[place] = value
    given = view.value(source.args[1]) if len(source.args) > 1 else None
    glue = value[:0]
    if "partition" not in source.op:
        blank = _like("\n" if "lines" in source.op else " ", value)
        glue = given if isinstance(given, (str, bytes)) else blank
    yield source.args[0], glue.join(pieces)


def _like(text: str, other: Any) -> Any:
    return text if isinstance(other, str) else text.encode()


def _length(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    source = node.args[0]
    whole = view.value(source)
    if isinstance(whole, (str, bytes)):
        for text in resized(whole, value):
            yield source, text
    elif source.op in _PIECES:
        yield from _number_of_pieces(source, value, view)
    elif source.op.startswith("re."):
        yield from regex.count(source, value, view)


def _number_of_pieces(source: Node, value: int, view: View) -> Iterator[Proposal]:
    """A split into more or fewer pieces."""
    pieces = list(view.value(source))
    text = view.value(source.args[0])
    given = view.value(source.args[1]) if len(source.args) > 1 else None
    glue = given if isinstance(given, (str, bytes)) else _like("\n" if "lines" in source.op else " ", text)
    missing = value - len(pieces)
    if missing <= 0:
        yield source.args[0], glue.join(pieces[: max(value, 0)])
        return
    for more in (pieces[-1] if pieces else text, _like("a", text), _like("0", text), text[:0]):
        yield source.args[0], glue.join([*pieces, *[more] * missing])


def _contains(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    container, element = node.args
    whole: Any = view.value(container)
    part: Any = view.value(element)
    if isinstance(part, int) and isinstance(whole, bytes):
        part = bytes([part])
    if not isinstance(whole, (str, bytes)):
        for member in list(whole) if value else different(part, view):
            yield element, member
    elif value:
        yield container, whole + part
        yield container, part + whole
        yield container, whole[:1] + part + whole[1:]
        yield container, part
    else:
        yield container, part[:0].join(whole.split(part))


def _count(node: Node, value: int, view: View) -> Iterator[Proposal]:
    """`text.count(part)`: more by repeating what comes with the last one, fewer by cutting."""
    text: Any = view.value(node.args[0])
    part: Any = view.value(node.args[1])
    pieces = text.split(part)
    missing = value - len(pieces) + 1
    if missing < 0:
        yield node.args[0], part.join(pieces[: value + 1])
        return
    for more in dict.fromkeys((pieces[-1], _like("a", text), text[:0])):
        yield node.args[0], text + (part + more) * missing
        yield node.args[0], (more + part) * missing + text


def _affix(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    text, affix = (view.value(arg) for arg in node.args[:2])
    front = node.op.endswith("startswith")
    for part in affix if isinstance(affix, tuple) else (affix,):
        if not value:
            yield node.args[0], text[len(part) :] if front else text[: len(text) - len(part)]
            yield node.args[0], _like("a", text) + text if front else text + _like("a", text)
            continue
        yield node.args[0], part + text if front else text + part
        yield node.args[0], part + text[len(part) :] if front else text[: -len(part) or None] + part


_SAMPLES: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "isupper": (("A", "AB"), ("a", "")),
    "islower": (("a", "ab"), ("A", "")),
    "isidentifier": (("a",), ("0", "")),
}

def _kind_of_text(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    """`isupper` and the like, in any length."""
    text = view.value(node.args[0])
    name = node.op.partition(".")[2]
    if name in ("isupper", "islower"):
        yield node.args[0], text.upper() if (name == "isupper") is value else text.lower()
    for option in _SAMPLES[name][0 if value else 1]:
        yield node.args[0], _like(option, text)
        if option:
            yield node.args[0], _like(option[:1], text) * max(len(text), 1)
            yield node.args[0], text + _like(option, text)


def _same(node: Node, value: Any, _view: View) -> Iterator[Proposal]:
    """Propose the value itself, which may well be a fixed point: ``upper``, ``strip``, ``center``."""
    yield node.args[0], value
    if node.op.endswith("case") or node.op.endswith("upper") or node.op.endswith("lower"):
        yield node.args[0], value.swapcase()


def _stripped(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    text, core = view.value(node.args[0]), view.value(node)
    where = text.find(core) if core else len(text)
    yield node.args[0], spliced(text, (where, where + len(core)), value)
    yield node.args[0], value


def _replaced(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    old: Any = view.value(node.args[1])
    new: Any = view.value(node.args[2])
    yield node.args[0], value
    if new:
        yield node.args[0], value.replace(new, old)


def _without_affix(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    text, affix = (view.value(arg) for arg in node.args[:2])
    if text != view.value(node):
        yield node.args[0], affix + value if node.op.endswith("prefix") else value + affix
    yield node.args[0], value


def _encoded(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    yield node.args[0], value.decode(*[view.value(arg) for arg in node.args[1:]])


def _decoded(node: Node, value: Any, view: View) -> Iterator[Proposal]:
    yield node.args[0], value.encode(*[view.value(arg) for arg in node.args[1:]])


METHODS: Final[dict[str, Inverse]] = {
    **dict.fromkeys(("startswith", "endswith"), _affix),
    **dict.fromkeys(_SAMPLES, _kind_of_text),
    **dict.fromkeys(("upper", "lower", "casefold", "swapcase", "title", "capitalize"), _same),
    **dict.fromkeys(("zfill", "center", "ljust", "rjust", "expandtabs"), _same),
    **dict.fromkeys(("strip", "lstrip", "rstrip"), _stripped),
    **dict.fromkeys(("removeprefix", "removesuffix"), _without_affix),
    "count": _count,
    "replace": _replaced,
    "encode": _encoded,
    "decode": _decoded,
}

OPERATORS: Final[dict[str, Inverse]] = {
    **{f"{kind}.{name}": inverse for kind in ("str", "bytes") for name, inverse in METHODS.items()},
    **dict.fromkeys(("int_ok", "float_ok"), _readable),
    "int": _numeral,
    "float": _number_of,
    "str": of_its_type,
    "ord": undone_by(chr),
    "chr": undone_by(ord),
    "slice": _slice,
    "item": _item,
    "len": _length,
    "contains": _contains,
    "is_none": regex.none_or_not,
    "re.sub": regex.replaced,
    "re.escape": undone_by(regex.unescaped),
}
