"""Values that are only taken apart again: constant containers, the parts of a split, matches of patterns.

They have no z3 sort; a translation is one of the Python classes below, which knows the terms of its parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from runtime.expr import Node, Sort, const, sort_of
from tracetwin.solving.smt.ints.operators import constant
from tracetwin.solving.smt.terms import Term, Unsupported
from tracetwin.support.data import dataclass

if TYPE_CHECKING:
    from tracetwin.solving.smt.encoding import Handler
    from tracetwin.solving.smt.translate import Translator


_MOST_PAIRS: Final = 128


@dataclass(frozen=True)
class Constant:
    """A constant that is not a plain value."""

    value: Any


@dataclass(frozen=True)
class Parts:
    """A list or tuple of texts of which some are known.

    Attributes:
        first: terms of the elements from the front; those beyond `count` have no meaning.
        count: the number of elements, a z3 int.
        last: terms of the elements from the back, last first.
    """

    first: tuple[Term, ...]
    count: Term
    last: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Match:
    """The outcome of applying a regular expression.

    Attributes:
        found: a z3 bool.
        spans: (start, end) of the groups that are known, the whole match being group 0.
    """

    found: Term
    spans: tuple[tuple[Term, Term] | None, ...]


@dataclass(frozen=True)
class GroupSpan:
    """Start and end of one group."""

    ends: tuple[Term, Term]


def _item(tr: Translator, node: Node, args: list[Term]) -> Term:
    if isinstance(args[0], Constant):
        return _looked_up(tr, node, args[0].value)
    index = constant(node.args[1])
    if index is None:
        raise Unsupported("a variable index")
    match args[0]:
        case Parts(first, _, last):
            chosen = first if index >= 0 else last
            place = index if index >= 0 else -1 - index
            if place < len(chosen):
                return chosen[place]
        case Match(_, spans) if 0 <= index < len(spans):
            span = spans[index]
            if span is not None:
                return GroupSpan(span)
        case GroupSpan(ends) if 0 <= index < 2:
            return ends[index]
    raise Unsupported("an unknown element")


def _looked_up(tr: Translator, node: Node, table: Any) -> Term:
    """A variable index into a constant list, or key of a constant dict."""
    key = node.args[1]
    if isinstance(table, (tuple, list)):
        pairs = [pair for i, value in enumerate(table) for pair in ((i, value), (i - len(table), value))]
    elif isinstance(table, dict):
        pairs = list(table.items())
    else:
        raise Unsupported("an element of that object")
    if len(pairs) > _MOST_PAIRS or any(sort_of(value) is not node.sort for _, value in pairs):
        raise Unsupported("elements of several sorts")
    encoding = tr.encoding(node.sort)
    try:
        result = tr.fresh(node.sort)
    except Unsupported:  # where any value can't be written, the last one stands for all the others
        if not pairs:
            raise
        result = tr.constant(const(pairs.pop()[1]))
    for index, value in pairs:
        result = encoding.choice(_equal_to(tr, key, index), tr.constant(const(value)), result)
    return result


def _length(_tr: Translator, _node: Node, args: list[Term]) -> Term:
    if isinstance(args[0], Parts):
        return args[0].count
    raise Unsupported("an unknown length")


def _is_none(tr: Translator, _node: Node, args: list[Term]) -> Term:
    match args[0]:
        case Match(found, _):
            return tr.terms.not_(found)
        case Parts() | GroupSpan():
            return tr.terms.false
        case Constant(value):
            return tr.terms.bool(value is None)
        case _:
            raise Unsupported("an unknown object")


def _contains(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``x in (1, 2, 3)`` or ``c in {"a": 1}``."""
    element = node.args[1]
    if not isinstance(args[0], Constant) or element.sort is Sort.OBJ:
        raise Unsupported("membership in an unknown object")
    values = args[0].value
    if not isinstance(values, (tuple, list, set, frozenset, dict)) or len(values) > 256:
        raise Unsupported("membership in that object")
    ordered = sorted(values, key=repr) if isinstance(values, (set, frozenset)) else list(values)
    return tr.terms.or_(*[_equal_to(tr, element, value) for value in ordered])


def _equal_to(tr: Translator, node: Node, value: object) -> Term:
    """That a node equals a Python value; a value of another sort may still be equal (1 and 1.0)."""
    sort = sort_of(value)
    if node.sort is Sort.FLOAT and tr.floats.sound:
        raise Unsupported("equality of exact floats")  # which is not sameness: 0.0 == -0.0
    if sort is node.sort:
        return tr.equals(node, value)
    if sort is Sort.OBJ and not _is_container(value):
        raise Unsupported("equality with that object")
    numeric = (Sort.INT, Sort.BOOL, Sort.FLOAT)
    if node.sort not in numeric or sort not in numeric:
        return tr.terms.false
    if node.sort is Sort.INT and isinstance(value, (int, float)):
        whole = isinstance(value, int) or value.is_integer()
        return tr.equals(node, int(value)) if whole else tr.terms.false
    raise Unsupported("a mixed comparison")


def _is_container(value: object) -> bool:
    return value is None or isinstance(value, (tuple, list, set, frozenset, dict))


def _equality(tr: Translator, node: Node, args: list[Term]) -> Term:
    """Against None or a container: never equal to a plain value."""
    for this, that, term in zip(node.args, reversed(node.args), args, strict=True):
        known = not isinstance(term, Constant) or _is_container(term.value)
        if this.sort is Sort.OBJ and that.sort is not Sort.OBJ and known:
            return tr.terms.bool(node.op == "ne")
    raise Unsupported("equality of containers")


def _affix(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``s.startswith(("a", "b"))``."""
    t = tr.terms
    if len(args) != 2 or not isinstance(args[1], Constant) or not isinstance(args[1].value, tuple):
        raise Unsupported("that affix")
    test = tr.text.prefix if node.op.endswith("startswith") else tr.text.suffix
    return t.or_(*[test(tr.text.constant(value), args[0]) for value in args[1].value])


def _text_slice(tr: Translator, node: Node, args: list[Term]) -> Term:
    """A slice with a bound of None: the other operands are plain."""
    handler = tr.text.handlers.get("slice")
    if handler is None or node.args[0].sort is Sort.OBJ:
        raise Unsupported("a slice of a list")
    return handler(tr, node, args)


def _with_none(tr: Translator, node: Node, args: list[Term]) -> Term:
    """``s.split(None, 1)``, ``s.strip(None)``."""
    handler = tr.text.handlers.get(node.op)
    if handler is None:
        raise Unsupported(node.op)
    return handler(tr, node, args)


HANDLERS: Final[dict[str, Handler]] = {
    "item": _item,
    "len": _length,
    "is_none": _is_none,
    "contains": _contains,
    "eq": _equality,
    "ne": _equality,
    "slice": _text_slice,
    **{f"{kind}.{op}": _affix for kind in ("str", "bytes") for op in ("startswith", "endswith")},
    **{
        f"{kind}.{op}": _with_none
        for kind in ("str", "bytes")
        for op in ("split", "rsplit", "strip", "lstrip", "rstrip", "translate", "find", "rfind", "count")
    },
}
