"""The meaning of the operators on regular expressions.

Their first two operands are the pattern's text and flags, then comes what the method of a compiled pattern
takes. A match is described by a tuple: the spans of its groups, then `lastindex`, `lastgroup`, `pos` and
`endpos`.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from runtime.meanings.predicates import succeeds

# Not public, but stable in what is used here; the module moved in 3.11.
parser: Final[Any] = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")

LAST_INDEX: Final = 0
"""Places of a description's other elements, counted from the end of the spans."""

LAST_GROUP: Final = 1
POS: Final = 2
ENDPOS: Final = 3


def compiled(pattern: Any, flags: int) -> re.Pattern[Any]:
    """Return the compiled pattern, without the printing that `re.DEBUG` asks for.

    Raises what `re.compile` raises, an error of the pattern as a `ValueError`.
    """
    try:
        return re.compile(pattern, flags & ~re.DEBUG)
    except (re.error, RecursionError) as error:
        raise ValueError(str(error)) from None


def described(found: re.Match[Any]) -> tuple[Any, ...]:
    """Return a match as plain data."""
    return (*found.regs, found.lastindex, found.lastgroup, found.pos, found.endpos)


def pieces_of(template: Any, pattern: re.Pattern[Any]) -> list[Any]:
    """Return the parts of a template of `sub` or `expand`: texts, and the numbers of groups between them."""
    parsed = parser.parse_template(template, pattern)
    if sys.version_info >= (3, 12):
        return [part for part in parsed if type(part) is int or part]
    groups, literals = parsed
    numbers = dict(groups)
    return [numbers.get(place, literal) for place, literal in enumerate(literals)]


Guard: TypeAlias = Callable[[Any, int, Callable[[], Any]], Any]

guard: Guard | None = None
"""Calls what may take forever, given the pattern and the length of the text; None for calling it just so.

Whoever evaluates texts of their own making sets it, and lets it raise an `OverflowError`.
"""

_HARMLESS: Final = 16


def _guarded(pattern: Any, text: Any, use: Callable[[], Any]) -> Any:
    return use() if guard is None or len(text) < _HARMLESS else guard(pattern, len(text), use)


def _one(kind: str) -> Callable[..., Any]:
    def matched(pattern: Any, flags: int, text: Any, *positions: int) -> Any:
        method = getattr(compiled(pattern, flags), kind)
        found = _guarded(pattern, text, lambda: method(text, *positions))
        return None if found is None else described(found)

    return matched


def _all(pattern: Any, flags: int, text: Any, *positions: int) -> Any:
    method = compiled(pattern, flags).finditer
    return _guarded(pattern, text, lambda: tuple(map(described, method(text, *positions))))


def _method(name: str, text_at: int = 0) -> Callable[..., Any]:
    def called(pattern: Any, flags: int, *args: Any) -> Any:
        method = getattr(compiled(pattern, flags), name)
        try:
            return _guarded(pattern, args[text_at], lambda: method(*args))
        except re.error as error:
            raise ValueError(str(error)) from None

    return called


def _shape(pattern: Any, flags: int) -> tuple[int, tuple[tuple[str, int], ...], int]:
    found = compiled(pattern, flags)
    return (found.groups, tuple(found.groupindex.items()), found.flags)


def _parsed_template(pattern: Any, flags: int, template: Any) -> None:
    """Refuse a template that `sub` would refuse, whether or not anything matches."""
    empty = template[:0]
    _method("sub", 1)(pattern, flags, template, empty)


OPERATORS: Final[dict[str, Callable[..., Any]]] = {
    "re.match": _one("match"),
    "re.fullmatch": _one("fullmatch"),
    "re.search": _one("search"),
    "re.finditer": _all,
    "re.findall": _method("findall"),
    "re.split": _method("split"),
    "re.sub": _method("sub", 1),
    "re.subn": _method("subn", 1),
    "re.escape": re.escape,
    "re.ok": succeeds(compiled, ValueError, IndexError, OverflowError),
    "re.shape": _shape,
    "re.template_ok": succeeds(_parsed_template, ValueError, IndexError, OverflowError),
}
"""By name. `re.finditer` gives all matches at once, `re.ok` says whether a pattern compiles, `re.shape` how
many groups it has, their names and its flags, `re.template_ok` whether a replacement can be used with it."""

_PATTERNS: Final = (
    r"""'a'|'[a-c]+'|'\\d+$'|'^a.b$'|'(a|b)-*'|'x?'|'[^a-z]'|'\\s*\\w+'|'(\\w)(-)?'|'a*?b'|'(?=.*-)a' """
    "0|2|8|16|256"
)
_OCTETS: Final = r"""b'a'|b'[a-c]+'|b'\\d+$'|b'(a|b)-*'|b'x?'|b'\\w' 0|2|8"""
_REPLACED: Final = r"""'x'|''|'<\\g<0>>'|'\\\\'"""

TAKES: Final[dict[str, str]] = {
    **dict.fromkeys(OPERATORS, f"{_PATTERNS} str small? small?; {_OCTETS} bytes"),
    **dict.fromkeys(("re.split",), f"{_PATTERNS} str small?; {_OCTETS} bytes"),
    **dict.fromkeys(("re.sub", "re.subn"), f"{_PATTERNS} {_REPLACED} str small?; {_OCTETS} b'x' bytes"),
    "re.escape": "str; bytes",
    **dict.fromkeys(("re.ok", "re.shape"), f"{_PATTERNS}; str 0|2; '('|'a{{2'|'(?P<n>a)'|'[' 0"),
    "re.template_ok": f"{_PATTERNS} {_REPLACED}|'\\\\2'|'\\\\g<n>'",
}
"""Operands that each operator takes, in the words of `runtime.models.registry.TAKES`."""
