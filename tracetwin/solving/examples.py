"""A few short texts that a regular expression matches: starting points where z3 can't follow it."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

# The parser of the standard library moved in Python 3.11; it is not public, but stable in what is used here.
_HOME: Final = "re._" if sys.version_info >= (3, 11) else "sre_"
constants: Final[Any] = importlib.import_module(f"{_HOME}constants")
parser: Final[Any] = importlib.import_module(_HOME + ("parser" if sys.version_info >= (3, 11) else "parse"))

_PRINTABLE: Final = (
    "a0A_ b1-.x:z9,;Z2/5@+*#=()'\"!?%&<>[]{}|~^$\\`cdefghijklmnopqrstuvwyBCDEFGHIJKLMNOPQRSTUVWXY34678\t\n"
)
_VARIANTS: Final = 6
_MOST_REPEATS: Final = 12


@lru_cache(maxsize=256)
def examples(pattern: str, flags: int) -> tuple[str, ...]:
    """Distinct texts in which the pattern is found, shortest first; possibly none."""
    try:
        parsed = parser.parse(pattern, flags)
        compiled = re.compile(pattern, flags)
    except (re.error, RecursionError, OverflowError):
        return ()
    found = (_Writer(variant, flags).sequence(parsed) for variant in range(_VARIANTS))
    matching = {text for text in found if text is not None and compiled.search(text)}
    return tuple(sorted(matching, key=lambda text: (len(text), text)))


class _Writer:
    """Writes one text; `variant` decides among repetitions, branches and characters."""

    def __init__(self, variant: int, flags: int) -> None:
        self._variant = variant
        self._flags = flags
        self._groups: dict[int, str] = {}

    def sequence(self, items: Any) -> str | None:
        """The text of all items, or None when one of them can't be written."""
        parts = [self._one(op, value) for op, value in items]
        return None if any(part is None for part in parts) else "".join(part or "" for part in parts)

    def _one(self, op: Any, value: Any) -> str | None:
        if op is constants.LITERAL:
            return chr(value)
        if op in (constants.NOT_LITERAL, constants.ANY, constants.IN):
            return self._character(op, value)
        if op is constants.BRANCH:
            return self.sequence(value[1][self._variant % len(value[1])])
        if op is constants.SUBPATTERN:
            text = self.sequence(value[3])
            if value[0] is not None and text is not None:
                self._groups[value[0]] = text
            return text
        if op is constants.GROUPREF:
            return self._groups.get(value)
        if op is constants.AT or str(op).startswith("ASSERT"):
            return ""
        if "REPEAT" in str(op):
            return self._repeated(*value)
        return self.sequence(value) if str(op) == "ATOMIC_GROUP" else None

    def _repeated(self, low: int, high: Any, items: Any) -> str | None:
        times = min(low + self._variant % 3, int(high), low + _MOST_REPEATS)
        parts = [self.sequence(items) for _ in range(times)]
        return None if any(part is None for part in parts) else "".join(part or "" for part in parts)

    def _character(self, op: Any, value: Any) -> str | None:
        """A printable character that the set allows; which one depends on the variant."""
        allowed = list(_allowed(op, value))
        return allowed[self._variant % min(len(allowed), 3)] if allowed else None


def _allowed(op: Any, value: Any) -> Iterator[str]:
    if op is constants.ANY:
        yield from _PRINTABLE[:3]
        return
    for char in _PRINTABLE:
        if (ord(char) != value) if op is constants.NOT_LITERAL else _in_set(char, value):
            yield char
    if op is constants.IN:
        yield from (chr(v) for o, v in value if o is constants.LITERAL and chr(v) not in _PRINTABLE)


_CATEGORIES: Final[dict[str, Callable[[str], bool]]] = {
    "DIGIT": str.isdigit,
    "SPACE": str.isspace,
    "WORD": lambda ch: ch.isalnum() or ch == "_",
}


def _in_set(char: str, members: Any) -> bool:
    negated = False
    found = False
    for op, value in members:
        if op is constants.NEGATE:
            negated = True
        elif op is constants.LITERAL:
            found = found or ord(char) == value
        elif op is constants.RANGE:
            found = found or value[0] <= ord(char) <= value[1]
        elif op is constants.CATEGORY:
            name = str(value).removeprefix("CATEGORY_")
            test = _CATEGORIES.get(name.removeprefix("NOT_"))
            found = found or (test is not None and test(char) is not name.startswith("NOT_"))
    return found is not negated
