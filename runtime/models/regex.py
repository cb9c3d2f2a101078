"""`re`: matching a constant pattern against a traced text is a condition; groups are slices of it."""

from __future__ import annotations

import re
from typing import Any

from runtime import trace
from runtime.expr import Node, Sort, apply, const
from runtime.lookup import decide
from runtime.models.registry import models, models_method
from runtime.names import keep_builtins
from runtime.values import SStr, check, node_of, pin, plain, settle, wrap

keep_builtins(globals())


class TracedMatch:
    """A match object on a traced text: groups are expressions over the spans the operator returns."""

    def __init__(self, native: re.Match[str], text: Any, node: Node) -> None:
        self._native = native
        self._text = text
        self._node = node
        self.re = native.re
        self.string = text
        self.pos, self.endpos = native.pos, native.endpos
        self.lastindex, self.lastgroup = native.lastindex, native.lastgroup

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return re.Match

    def __bool__(self) -> bool:
        return True

    def _bound(self, number: int, side: int) -> Any:
        exact = self._native.regs[number][side]
        spans = apply("item", Sort.OBJ, self._node, const(number))
        return wrap(exact, apply("item", Sort.INT, spans, const(side)))

    def _number(self, group: Any) -> int:
        exact = plain(group)
        return self.re.groupindex[exact] if isinstance(exact, str) and exact in self.re.groupindex else exact

    def _one(self, group: Any, default: Any = None) -> Any:
        exact = self._native.group(plain(group))
        number = self._number(group)
        if number and not _always_matches(self.re, number):
            start = self._bound(number, 0)
            matched = wrap(exact is not None, apply("ge", Sort.BOOL, node_of(start), const(0)))
            decide(matched)
        if exact is None:
            return default
        start, stop = self._bound(number, 0), self._bound(number, 1)
        node = apply("slice", Sort.STR, node_of(self._text), node_of(start), node_of(stop), const(None))
        return wrap(exact, node)

    def group(self, *groups: Any) -> Any:
        if len(groups) <= 1:
            return self._one(groups[0] if groups else 0)
        return tuple(self._one(g) for g in groups)

    __getitem__ = _one

    def groups(self, default: Any = None) -> tuple[Any, ...]:
        return tuple(self._one(i + 1, default) for i in range(self.re.groups))

    def groupdict(self, default: Any = None) -> dict[str, Any]:
        return {name: self._one(name, default) for name in self.re.groupindex}

    def start(self, group: Any = 0) -> Any:
        return self._bound(self._number(group), 0)

    def end(self, group: Any = 0) -> Any:
        return self._bound(self._number(group), 1)

    def span(self, group: Any = 0) -> Any:
        return (self.start(group), self.end(group))

    def expand(self, template: str) -> str:
        pin(self._text)
        return self._native.expand(template)

    @property
    def regs(self) -> Any:
        return self._native.regs

    def __repr__(self) -> str:
        return repr(self._native)


def _always_matches(pattern: re.Pattern[str], number: int) -> bool:
    """Whether a group takes part in every match (it is at the top level, not under ``?``, ``*`` or ``|``)."""
    return number in _top_groups(pattern.pattern, pattern.flags)


_known_groups: dict[tuple[str, int], frozenset[int]] = {}


def _top_groups(pattern: str, flags: int) -> frozenset[int]:
    key = (pattern, flags)
    if key not in _known_groups:
        found: set[int] = set()
        _collect(_parser.parse(pattern, flags), found)
        _known_groups[key] = frozenset(found)
    return _known_groups[key]


def _collect(parsed: Any, found: set[int]) -> None:
    for operator, argument in parsed:
        name = str(operator)
        if name == "SUBPATTERN":
            if argument[0] is not None:
                found.add(argument[0])
            _collect(argument[3], found)
        elif name in ("MAX_REPEAT", "MIN_REPEAT") and argument[0] >= 1:
            _collect(argument[2], found)


def _load_parser() -> Any:
    import importlib
    import sys

    return importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")


_parser = _load_parser()
_KINDS = ("match", "fullmatch", "search")


def _match(kind: str, pattern: re.Pattern[str], text: Any, positions: dict[str, Any]) -> Any:
    """`pattern.kind(text, **positions)` of a traced text."""
    native = getattr(pattern, kind)(plain(text), **{name: plain(v) for name, v in positions.items()})
    if positions:
        names = node_of(text).names
        trace.current.lose(f"re.Pattern.{kind} with positions", names)
        pin(text)
        return native
    op = f"re.{kind}"
    node = apply(op, Sort.OBJ, const(pattern.pattern), const(pattern.flags), node_of(text))
    check(wrap(native is None, apply("is_none", Sort.BOOL, node)))
    return None if native is None else TracedMatch(native, text, node)


def _pattern(pattern: Any, flags: int) -> re.Pattern[str]:
    return re.compile(plain(pattern), flags)


def _register(kind: str) -> None:
    function = getattr(re, kind)

    @models(function)
    def module_function(pattern: Any, string: Any, flags: Any = 0) -> Any:
        if type(string) is SStr and isinstance(_pattern(pattern, flags).pattern, str):
            return _match(kind, _pattern(pattern, flags), string, {})
        return function(pattern, plain(string), flags)

    @models_method(re.Pattern, kind)
    def method(self: re.Pattern[str], *args: Any, **kwargs: Any) -> Any:
        string = args[0] if args else kwargs.get("string")
        if type(string) is SStr and type(self.pattern) is str:
            positions = dict(zip(("string", "pos", "endpos"), args, strict=False)) | kwargs
            del positions["string"]
            return _match(kind, self, string, positions)
        return getattr(self, kind)(*map(plain, args), **{name: plain(v) for name, v in kwargs.items()})


for _kind in _KINDS:
    _register(_kind)


def _register_lossy(name: str, place: int) -> None:
    """`sub`, `split`, `findall`, `finditer`: the text is pinned; whether anything matches is a branch."""
    function = getattr(re, name)

    @models(function)
    def module_function(pattern: Any, *args: Any, **kwargs: Any) -> Any:
        if len(args) > place and type(args[place]) is SStr:
            flags = kwargs.get("flags", 0)
            _note(f"re.{name}", _pattern(pattern, flags), args[place])
        return function(pattern, *[settle(a) for a in args], **kwargs)

    @models_method(re.Pattern, name)
    def method(self: re.Pattern[str], *args: Any, **kwargs: Any) -> Any:
        if len(args) > place and type(args[place]) is SStr:
            _note(f"re.Pattern.{name}", self, args[place])
        return getattr(self, name)(*[settle(a) for a in args], **kwargs)


def _note(name: str, pattern: re.Pattern[str], text: Any) -> None:
    found = pattern.search(text.v) is None
    node = apply("re.search", Sort.OBJ, const(pattern.pattern), const(pattern.flags), text.e)
    decide(wrap(found, apply("is_none", Sort.BOOL, node)))
    trace.current.lose(name, text.e.names)
    pin(text)


for _name, _place in (("sub", 1), ("subn", 1), ("split", 0), ("findall", 0), ("finditer", 0)):
    _register_lossy(_name, _place)
