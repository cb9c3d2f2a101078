"""Match objects on traced texts, and iterators of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from runtime import trace
from runtime.expr import Node, Sort, apply, const, sort_of
from runtime.lookup import decide
from runtime.meanings import patterns
from runtime.models.regex.calls import RegexCall, always_take_part
from runtime.models.registry import STANDS_FOR
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import compare
from runtime.scalars.text import item
from runtime.values import kind_of, node_of, pin, plain, settle, wrap

keep_builtins(globals())

SORTS: Final[dict[type, Sort]] = {str: Sort.STR, bytes: Sort.BYTES}


class TracedMatch:
    """A match: groups are slices of the text between the ends that the operator gives."""

    __slots__ = ("_call", "_native", "_node")

    def __init__(self, native: re.Match[Any], call: RegexCall, node: Node) -> None:
        put = object.__setattr__
        put(self, "_native", native)
        put(self, "_call", call)
        put(self, "_node", node)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return re.Match

    def __bool__(self) -> bool:
        return True

    @property
    def re(self) -> Any:
        """Return the pattern; one that is traced is held at what it is."""
        if not self._call.fixed:
            for name in self._node.args[0].names:
                trace.current.lose("re.Match.re", frozenset((name,)))
            pin(wrap(self._native.re.pattern, self._node.args[0]))
        return self._native.re

    @property
    def string(self) -> Any:
        return self._call.text

    def _extra(self, place: int, value: Any) -> Any:
        return wrap(value, item(self._node, self._native.re.groups + 1 + place, sort_of(value)))

    def _optional(self, place: int, value: Any) -> Any:
        """Return `lastindex` or `lastgroup`: whether there is one is decided here."""
        if self._native.re.groups == 0:
            return value
        node = item(self._node, self._native.re.groups + 1 + place, Sort.OBJ)
        decide(wrap(value is None, apply("is_none", Sort.BOOL, node)))
        return value if value is None else self._extra(place, value)

    @property
    def lastindex(self) -> Any:
        return self._optional(patterns.LAST_INDEX, self._native.lastindex)

    @property
    def lastgroup(self) -> Any:
        if not self._native.re.groupindex:
            return None
        return self._optional(patterns.LAST_GROUP, self._native.lastgroup)

    @property
    def pos(self) -> Any:
        return self._extra(patterns.POS, self._native.pos)

    @property
    def endpos(self) -> Any:
        return self._extra(patterns.ENDPOS, self._native.endpos)

    @property
    def regs(self) -> tuple[tuple[Any, Any], ...]:
        return tuple((self._bound(i, 0), self._bound(i, 1)) for i in range(self._native.re.groups + 1))

    def _bound(self, number: int, side: int) -> Any:
        span = item(self._node, number, Sort.OBJ)
        return wrap(self._native.regs[number][side], item(span, side, Sort.INT))

    def _number(self, group: Any) -> int:
        """Return the number of an existing group."""
        exact = plain(group)
        number: int = self._native.re.groupindex[exact] if isinstance(exact, str) else exact.__index__()
        return number

    def _one(self, group: Any, default: Any = None) -> Any:
        group = settle(group)
        exact = self._native.group(group)
        number = self._number(group)
        if number and not (self._call.fixed and number in always_take_part(self._native.re)):
            decide(compare("ge", self._bound(number, 0), 0))
        if exact is None:
            return default
        start, stop = self._bound(number, 0), self._bound(number, 1)
        operands = (node_of(self._call.text), node_of(start), node_of(stop), const(None))
        return wrap(exact, apply("slice", SORTS[kind_of(exact)], *operands))

    def group(self, *groups: Any) -> Any:
        if len(groups) <= 1:
            return self._one(groups[0] if groups else 0)
        self._native.group(*map(plain, groups))
        return tuple(self._one(g) for g in groups)

    def __getitem__(self, group: Any) -> Any:
        return self._one(group)

    def groups(self, default: Any = None) -> tuple[Any, ...]:
        return tuple(self._one(i + 1, default) for i in range(self._native.re.groups))

    def groupdict(self, default: Any = None) -> dict[str, Any]:
        return {name: self._one(name, default) for name in self._native.re.groupindex}

    def start(self, group: Any = 0, /) -> Any:
        self._native.start(settle(group))
        return self._bound(self._number(group), 0)

    def end(self, group: Any = 0, /) -> Any:
        self._native.end(settle(group))
        return self._bound(self._number(group), 1)

    def span(self, group: Any = 0, /) -> Any:
        return (self.start(group), self.end(group))

    def expand(self, template: Any) -> Any:
        """Return `m.expand(...)`: the template's text, with the groups in their places."""
        exact = self._native.expand(plain(template))
        if kind_of(template) not in SORTS:
            trace.current.lose("re.Match.expand", self._node.names | node_of(template).names)
            pin(template)
            pin(self._call.text)
            return exact
        result = const(exact[:0])
        for part in patterns.pieces_of(template, self._native.re):
            piece = self._one(part, exact[:0]) if type(part) is int else part
            result = apply("add", SORTS[kind_of(exact)], result, node_of(piece))
        return wrap(exact, result)

    def __repr__(self) -> str:
        trace.current.lose("re.Match.__repr__", self._node.names)
        pin(self._call.text)
        return repr(self._native)

    def __copy__(self) -> TracedMatch:
        return self

    def __deepcopy__(self, memo: Any) -> TracedMatch:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._native.__reduce_ex__(protocol)

    def __dir__(self) -> Any:
        return dir(self._native)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._native, name)  # there is none: Python says so in its own words

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._native, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._native, name)


_ITERATOR: Final[type] = type(re.finditer("", ""))


class TracedMatches:
    """The iterator of `finditer`: whether there is one more match is decided when it is asked for."""

    __slots__ = ("_call", "_natives", "_node", "_place")

    def __init__(self, natives: Iterator[re.Match[Any]], call: RegexCall) -> None:
        self._natives = natives
        self._call = call
        self._node = call.texts("re.finditer", Sort.OBJ)
        self._place = 0

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return _ITERATOR

    def __iter__(self) -> TracedMatches:
        return self

    def __next__(self) -> TracedMatch:
        found = next(self._natives, None)
        count, place = apply("len", Sort.INT, self._node), self._place
        decide(wrap(found is not None, apply("gt", Sort.BOOL, count, const(place))))
        if found is None:
            raise StopIteration
        self._place += 1
        return TracedMatch(found, self._call, item(self._node, place, Sort.OBJ))


STANDS_FOR[TracedMatch] = re.Match
STANDS_FOR[TracedMatches] = _ITERATOR
