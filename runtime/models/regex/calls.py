"""One use of a pattern: its arguments by name, and the expressions of its results."""

from __future__ import annotations

import operator
import re
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from runtime import trace
from runtime.expr import Node, Sort, apply, const
from runtime.lookup import decide
from runtime.meanings.patterns import parser
from runtime.ops import MEANINGS
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import OCTETS, compare
from runtime.values import (
    SCALARS,
    TRACED,
    TRACED_IDS,
    SInt,
    check,
    kind_of,
    node_of,
    number_node,
    pin,
    plain,
    settle,
    wrap,
)

keep_builtins(globals())

PARAMETERS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("match", "fullmatch", "search", "findall", "finditer"), ("string", "pos", "endpos")),
    "split": ("string", "maxsplit"),
    **dict.fromkeys(("sub", "subn"), ("repl", "string", "count")),
}
"""The parameters of the methods of compiled patterns."""

_NUMBERS: Final = ("pos", "endpos", "count", "maxsplit")
_TEXTS: Final = frozenset((str, bytes))


def any_traced(values: Any) -> bool:
    """Return whether one of the values themselves is traced; their types are looked up by identity."""
    for value in values:
        kind = type(value)
        if kind is not str and kind is not int and (id(kind) in TRACED_IDS or id(kind) in OCTETS):
            return True
    return False


def native(function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """Return the result that Python gives for a call, or raise its exception."""
    return function(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})


class TracedPattern:
    """A compiled pattern whose text is traced."""

    __slots__ = ("_flags", "_native", "pattern")

    def __init__(self, compiled: re.Pattern[Any], pattern: Any, flags: int) -> None:
        put = object.__setattr__
        put(self, "_native", compiled)
        put(self, "_flags", flags)
        put(self, "pattern", pattern)

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return re.Pattern

    def __getattr__(self, name: str) -> Any:
        """Return flags and groups, which patterns of one shape share; pin the pattern for the rest."""
        if name not in ("flags", "groups", "groupindex"):
            pin(self.pattern)
        return getattr(self._native, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._native, name, value)

    def __eq__(self, other: object) -> Any:
        pin(self.pattern)
        return self._native == (other._native if type(other) is TracedPattern else other)

    def __hash__(self) -> int:
        pin(self.pattern)
        return hash(self._native)

    def __repr__(self) -> str:
        pin(self.pattern)
        return repr(self._native)

    def __copy__(self) -> TracedPattern:
        return self

    def __deepcopy__(self, memo: Any) -> TracedPattern:
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        pin(self.pattern)
        return self._native.__reduce_ex__(protocol)


def bare(pattern: Any) -> Any:
    """Return the plain pattern, compiled or not."""
    return pattern._native if type(pattern) is TracedPattern else plain(pattern)  # noqa: SLF001 - ours


class RegexCall:
    """A call that Python accepts, on arguments that expressions can stand for.

    Attributes:
        pattern: compiled, as in this run.
        fixed: whether the pattern is the same in every run.
        text: what it is applied to, traced or not.
    """

    __slots__ = ("_heads", "arguments", "fixed", "name", "pattern", "text")

    def __init__(self, name: str, pattern: Any, flags: int, arguments: dict[str, Any]) -> None:
        source: Any = pattern
        if type(pattern) is TracedPattern:
            self.pattern, source, flags = pattern._native, pattern.pattern, pattern._flags  # noqa: SLF001
        else:
            self.pattern = re.compile(plain(pattern), flags)
        if kind_of(source) in TRACED:
            self._heads = (node_of(source), const(int(flags)))
        else:
            self._heads = (const(self.pattern.pattern), const(self.pattern.flags))
        self.name = name
        self.fixed = self._heads[0].op == "const"
        self.arguments = arguments
        self.text = arguments["string"]

    def node(self, op: str, sort: Sort, *operands: Node) -> Node:
        """Return the expression of an operator on this pattern."""
        return apply(op, sort, *self._heads, *operands)

    def texts(self, op: str, sort: Sort) -> Node:
        """Return the expression of an operator on this text, from where to where it was given."""
        operands = [node_of(self.text)]
        if "endpos" in self.arguments or "pos" in self.arguments:
            operands.append(bound_node(self.arguments.get("pos", 0)))
        if "endpos" in self.arguments:
            operands.append(bound_node(self.arguments["endpos"]))
        return self.node(op, sort, *operands)


def bound_node(value: Any) -> Node:
    """Return the expression of an argument that Python takes as an index."""
    if kind_of(value) in SCALARS:
        return number_node(value)
    return const(operator.index(value))


def accept_pattern(pattern: Any, flags: int) -> None:
    """Record that a traced pattern compiles, and which groups it has.

    Raises:
        re.error: it does not compile.
    """
    if kind_of(pattern) not in TRACED:
        return
    operands = (node_of(pattern), const(int(flags)))
    sound = MEANINGS["re.ok"](plain(pattern), int(flags))
    if check(wrap(sound, apply("re.ok", Sort.BOOL, *operands))):
        shape = const(MEANINGS["re.shape"](plain(pattern), int(flags)))
        made = apply("re.shape", Sort.OBJ, *operands)
        decide(wrap(True, apply("eq", Sort.BOOL, made, shape)))
    else:
        re.compile(plain(pattern), flags)


def accept_numbers(arguments: dict[str, Any]) -> None:
    """Record whether traced numbers are small enough for C."""
    for name in _NUMBERS:
        value = arguments.get(name)
        if kind_of(value) is SInt and check(compare("le", value, sys.maxsize)):
            check(compare("ge", value, -sys.maxsize - 1))


def expressible(arguments: dict[str, Any]) -> bool:
    """Return whether expressions can stand for the texts among the arguments."""
    return all(
        kind_of(plain(value)) in _TEXTS for name, value in arguments.items() if name in ("string", "repl")
    )


def given_up(name: str, function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """Make the call with all its values pinned, since no expression can stand for its result."""
    lost = [value for value in (*args, *kwargs.values()) if kind_of(value) in TRACED]
    trace.current.lose(name, frozenset[str]().union(*(node_of(value).names for value in lost)))
    for value in lost:
        pin(value)
    return native(function, [bare(arg) for arg in args], kwargs)


def settled_flags(flags: Any) -> int:
    """Return the flags, pinned: they decide what a pattern means."""
    return int(settle(flags))


@lru_cache(maxsize=512)
def always_take_part(pattern: re.Pattern[Any]) -> frozenset[int]:
    """Return the groups that take part in every match: none that is under ``?``, ``*``, ``|`` or the like."""
    found: set[int] = set()
    _collect(parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG), found)
    return frozenset(found)


def _collect(parsed: Any, found: set[int]) -> None:
    for code, argument in parsed:
        name = str(code)
        if name == "SUBPATTERN":
            if argument[0] is not None:
                found.add(argument[0])
            _collect(argument[3], found)
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT") and argument[0] >= 1:
            _collect(argument[2], found)
        elif name == "ATOMIC_GROUP":
            _collect(argument, found)
