"""Models of the functions of `re` and of the methods of patterns and matches.

`match`, `search`, `findall`, `split`: whether there is a match, and how many, is decided.

Groups and pieces are expressions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import MethodDescriptorType
from typing import Any, Final

from runtime import trace
from runtime.expr import Node, Sort, apply, sort_of
from runtime.lookup import decide
from runtime.models.regex.calls import (
    PARAMETERS,
    RegexCall,
    TracedPattern,
    accept_numbers,
    accept_pattern,
    always_take_part,
    any_traced,
    bare,
    bound_node,
    expressible,
    given_up,
    native,
    settled_flags,
)
from runtime.models.regex.matches import SORTS, TracedMatch, TracedMatches
from runtime.models.regex.replacing import accept_template, replaced, replaced_by, replaced_in_plain
from runtime.models.registry import STANDS_FOR, models, models_method
from runtime.private_builtins import keep_builtins
from runtime.scalars.text import content, item
from runtime.values import TRACED, check, hold_length, kind_of, node_of, plain, wrap

keep_builtins(globals())


def searched(call: RegexCall, native: re.Match[Any] | None) -> Any:
    """Return a match, or None."""
    node = call.texts(f"re.{call.name}", Sort.OBJ)
    check(wrap(native is None, apply("is_none", Sort.BOOL, node)))
    return None if native is None else TracedMatch(native, call, node)


def found_in_turn(call: RegexCall, native: Any) -> Any:
    """Return `finditer`."""
    return TracedMatches(native, call)


def _counted(values: list[Any], whole: Node) -> None:
    hold_length(apply("len", Sort.INT, whole), len(values), trace.Kind.CHECK)


def all_found(call: RegexCall, native: list[Any]) -> list[Any]:
    """Return the texts of all matches; of their groups, if there are any."""
    whole = call.texts("re.findall", Sort.OBJ)
    _counted(native, whole)
    return [_piece(value, item(whole, i, sort_of(value))) for i, value in enumerate(native)]


def _piece(value: Any, node: Node) -> Any:
    if type(value) is tuple:
        return tuple(wrap(part, item(node, i, sort_of(part))) for i, part in enumerate(value))
    return wrap(value, node)


def split(call: RegexCall, native: list[Any]) -> list[Any]:
    """Return the texts between the matches, and the groups of these, which may be None."""
    operands = [node_of(call.text)]
    if "maxsplit" in call.arguments:
        operands.append(bound_node(call.arguments["maxsplit"]))
    whole = call.node("re.split", Sort.OBJ, *operands)
    _counted(native, whole)
    stride = call.pattern.groups + 1
    certain = always_take_part(call.pattern) if call.fixed else frozenset[int]()
    result = []
    for i, value in enumerate(native):
        if i % stride and i % stride not in certain:
            decide(wrap(value is None, apply("is_none", Sort.BOOL, item(whole, i, Sort.OBJ))))
        result.append(value if value is None else wrap(value, item(whole, i, sort_of(value))))
    return result


keep_builtins(globals())

_RESULTS: Final[dict[str, Callable[[RegexCall, Any], Any]]] = {
    **dict.fromkeys(("match", "fullmatch", "search"), searched),
    "finditer": found_in_turn,
    "findall": all_found,
    "split": split,
    **dict.fromkeys(("sub", "subn"), replaced),
}
_OF_FUNCTIONS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("match", "fullmatch", "search", "findall", "finditer"), ("string", "flags")),
    "split": ("string", "maxsplit", "flags"),
    **dict.fromkeys(("sub", "subn"), ("repl", "string", "count", "flags")),
}
_TAKES: Final[dict[str, str]] = {
    **dict.fromkeys(("match", "fullmatch", "search", "findall"), r"'(a)|\\d+b?' str ; b'(a|)b' bytes"),
    "split": r"'[,;]\\s*' str int?",
    "sub": r"'(\\w)a' '\\\\1-' str int?",
    "subn": r"'[ab]' 'x' str",
}


def _bound(names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """Return the arguments by name; None where Python would refuse them."""
    given = dict(zip(names, args, strict=False))
    if len(args) > len(names) or not set(kwargs) <= set(names[len(args) :]):
        return None
    given.update(kwargs)
    return given if "string" in given and ("repl" in given or "repl" not in names) else None


def _answer(name: str, pattern: Any, flags: int, given: dict[str, Any], ask: Callable[[Any], Any]) -> Any:
    """Return the result of a use of a pattern, as an expression.

    Args:
        name: of the method.
        pattern: a text or a compiled pattern, traced or not.
        flags: what it is compiled with, if it is a text.
        given: the method's arguments.
        ask: has Python do the same, with this in the place of the replacement.
    """
    if type(pattern) is not TracedPattern:
        accept_pattern(pattern, flags)
    accept_numbers(given)
    replacement = given.get("repl")
    if callable(replacement):
        if type(pattern) is not TracedPattern and not any_traced((pattern, given["string"])):
            return replaced_in_plain(replacement, given["string"], ask)
        ask(plain(given["string"])[:0])  # refuses what Python refuses, and calls nothing
        return replaced_by(RegexCall(name, pattern, flags, given), replacement)
    if kind_of(replacement) in TRACED:
        accept_template(RegexCall(name, pattern, flags, given))
    result = ask(replacement)
    return _RESULTS[name](RegexCall(name, pattern, flags, given), result)


def _use(function: Any, pattern: Any, names: tuple[str, ...], args: Any, kwargs: dict[str, Any]) -> Any:
    """Make a call of which something is traced, or that calls back."""
    name = function.__name__
    args, kwargs = [*map(content, args)], {key: content(value) for key, value in kwargs.items()}
    given = _bound(names, args, kwargs)
    if given is None or not _is_pattern(pattern):
        return native(function, (bare(pattern), *args), kwargs)
    repl_by = {"repl": ""} if callable(given.get("repl")) else {}
    if not expressible({**given, **repl_by}):
        return given_up(f"re.{name}", function, (pattern, *args), kwargs)
    flags = settled_flags(given.pop("flags", 0))

    def ask(replacement: Any) -> Any:
        if "repl" in kwargs:
            return native(function, (bare(pattern), *args), {**kwargs, "repl": replacement})
        rest = (replacement, *args[1:]) if "repl" in names else args
        return native(function, (bare(pattern), *rest), kwargs)

    return _answer(name, pattern, flags, given, ask)


def _is_pattern(value: Any) -> bool:
    return kind_of(plain(value)) in (str, bytes) or type(bare(value)) is re.Pattern


def _matters(name: str, args: Any, kwargs: dict[str, Any], place: int) -> bool:
    """Return whether a call has to be looked at: Python alone would lose something."""
    if any_traced(args) or (kwargs and any_traced(kwargs.values())):
        return True
    return name in _REPLACING and callable(args[place] if len(args) > place else kwargs.get("repl"))


_REPLACING: Final = ("sub", "subn")


def _function(name: str) -> None:
    """Model ``re.NAME(pattern, ...)``."""
    function = getattr(re, name)

    @models(function, takes=_TAKES.get(name, ""))
    def model(*args: Any, **kwargs: Any) -> Any:
        pattern = args[0] if args else kwargs.get("pattern")
        if type(pattern) is not TracedPattern and not _matters(name, args, kwargs, 1):
            return function(*args, **kwargs)
        if not args:
            kwargs = {key: value for key, value in kwargs.items() if key != "pattern"}
        return _use(function, pattern, _OF_FUNCTIONS[name], args[1:], kwargs)


def _method(name: str) -> None:
    """Model ``pattern.NAME(...)`` and ``re.Pattern.NAME(pattern, ...)``."""
    function: MethodDescriptorType = getattr(re.Pattern, name)

    @models_method(re.Pattern, name)
    def method(self: re.Pattern[Any], *args: Any, **kwargs: Any) -> Any:
        if not _matters(name, args, kwargs, 0):
            return function(self, *args, **kwargs)
        if len(args) == 2 and type(args[1]) is str and callable(args[0]) and not kwargs:
            return replaced_in_plain(args[0], args[1], lambda called: function(self, called, args[1]))
        return _use(function, self, PARAMETERS[name], args, kwargs)

    def of_traced(self: TracedPattern, *args: Any, **kwargs: Any) -> Any:
        return _use(function, self, PARAMETERS[name], args, kwargs)

    @models(function)
    def unbound(*args: Any, **kwargs: Any) -> Any:
        if args and type(args[0]) in (re.Pattern, TracedPattern):
            return (method if type(args[0]) is re.Pattern else of_traced)(*args, **kwargs)
        return native(function, args, kwargs)

    of_traced.__name__ = name
    setattr(TracedPattern, name, of_traced)


for _name in PARAMETERS:
    _function(_name)
    _method(_name)


@models(re.compile)
def compiled(pattern: Any, flags: Any = 0) -> Any:
    """`re.compile`: of a traced text, a pattern that keeps its expression."""
    flags = settled_flags(flags)
    if kind_of(pattern) not in TRACED or kind_of(plain(pattern)) not in (str, bytes):
        return re.compile(bare(pattern), flags) if type(pattern) is not TracedPattern or flags else pattern
    accept_pattern(pattern, flags)
    return TracedPattern(re.compile(plain(pattern), flags), pattern, flags)


@models(re.escape, takes="str ; bytes")
def escaped(pattern: Any) -> Any:
    """`re.escape`."""
    exact = plain(pattern)
    result = re.escape(exact)
    if kind_of(exact) not in SORTS:
        return result
    return wrap(result, apply("re.escape", SORTS[kind_of(exact)], node_of(pattern)))


def _method_of_match(name: str) -> None:
    """Model ``re.Match.NAME(match, ...)``."""
    function: MethodDescriptorType = getattr(re.Match, name)
    ours = getattr(TracedMatch, name)

    @models(function)
    def unbound(*args: Any, **kwargs: Any) -> Any:
        if args and type(args[0]) is TracedMatch:
            return ours(*args, **kwargs)
        return native(function, args, kwargs)


for _name in ("group", "groups", "groupdict", "start", "end", "span", "expand"):
    _method_of_match(_name)


STANDS_FOR[TracedPattern] = re.Pattern
