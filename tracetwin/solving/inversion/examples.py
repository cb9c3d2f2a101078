"""Texts that a regular expression matches, written by walking its parse tree.

The writer does not search: it takes one way through the pattern, and `re` itself says afterwards whether the
text will do. Groups can be given, asked for or avoided, which is how a condition on a group becomes a text.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from runtime.meanings.patterns import OPERATORS, parser

# Not public, but stable in what is used here; the module moved in 3.11.
_HOME: Final = "re._constants" if sys.version_info >= (3, 11) else "sre_constants"
constants: Final[Any] = importlib.import_module(_HOME)

_LEAVES: Final = (
    constants.LITERAL, constants.NOT_LITERAL, constants.ANY, constants.IN, constants.GROUPREF, constants.AT,
)  # fmt: skip
_PRINTABLE: Final = (
    "a0A_ b1-.x:z9,;Z2/5@+*#=()'\"!?%&<>[]{}|~^$\\`cdefghijklmnopqrstuvwyBCDEFGHIJKLMNOPQRSTUVWXY34678\t\n"
)
_VARIANTS: Final = 8
_MOST_REPEATS: Final = 12
_SURROUNDINGS: Final = (
    ("", ""), ("a", ""), ("", "a"), (" ", ""), ("", " "), ("a", "a"), (" ", " "), ("\n", ""),
)  # fmt: skip
"""Texts that may have to stand around another for its anchors to hold, nothing first."""

_NOTHING: Final[Mapping[int, str]] = {}
_NONE: Final[frozenset[int]] = frozenset()


@lru_cache(maxsize=256)
def examples(pattern: Any, flags: int) -> tuple[Any, ...]:
    """Distinct texts in which the pattern is found, shortest first; possibly none."""
    return tuple(sorted(words(pattern, flags), key=lambda text: (len(text), text)))


def words(
    pattern: Any,
    flags: int,
    given: Mapping[int, Any] = _NOTHING,
    needed: frozenset[int] = _NONE,
    avoided: frozenset[int] = _NONE,
) -> tuple[Any, ...]:
    """Distinct texts in which the pattern is found, simplest first; possibly none."""
    return _words(pattern, flags, frozenset(given.items()), needed, avoided)


@lru_cache(maxsize=2048)
def _words(
    pattern: Any,
    flags: int,
    given: frozenset[tuple[int, Any]],
    needed: frozenset[int],
    avoided: frozenset[int],
) -> tuple[Any, ...]:
    try:
        parsed = _parsed(pattern, flags)
    except (re.error, RecursionError, OverflowError, ValueError):
        return ()
    octets = isinstance(pattern, bytes)
    plain = {number: text.decode("latin-1") if octets else text for number, text in given}
    found: dict[Any, None] = {}
    for variant in range(_VARIANTS):
        writer = _Writer(variant, plain, needed | frozenset(plain), avoided)
        text: Any = writer.whole(parsed)
        if text is None:
            continue
        if octets and any(ord(ch) > 255 for ch in text):
            continue
        for before, after in _SURROUNDINGS:
            padded: Any = before + text + after
            padded = padded.encode("latin-1") if octets else padded
            if _is_found(pattern, flags, padded):
                found[padded] = None
                break
    return tuple(found)


def _is_found(pattern: Any, flags: int, text: Any) -> bool:
    try:
        return OPERATORS["re.search"](pattern, flags, text) is not None
    except (OverflowError, ValueError):
        return False


@lru_cache(maxsize=256)
def _parsed(pattern: Any, flags: int) -> Any:
    return parser.parse(pattern, flags)


class _Writer:
    """Writes one text; `variant` decides among repetitions, branches and characters.

    What a look-ahead demands is kept, and used up by the characters that come after it.
    """

    def __init__(
        self, variant: int, given: Mapping[int, str], needed: frozenset[int], avoided: frozenset[int]
    ) -> None:
        self._variant = variant
        self._given = given
        self._needed = needed
        self._avoided = avoided
        self._groups: dict[int, str] = {}
        self._demanded = ""
        self._written = ""
        self._choices = 0

    def whole(self, items: Any) -> str | None:
        """The text of a pattern, with what look-aheads demand and nothing met."""
        text = self._sequence(items)
        return None if text is None else text + self._demanded

    def _sequence(self, items: Any) -> str | None:
        """The text of all items, or None when one of them can't be written."""
        parts = [self._one(op, value) for op, value in items]
        return None if any(part is None for part in parts) else "".join(part or "" for part in parts)

    def _one(self, op: Any, value: Any) -> str | None:
        name = str(op)
        if op in _LEAVES:
            return self._put(self._leaf(op, value))
        if op is constants.BRANCH:
            return self._sequence(self._branch(value[1]))
        if op is constants.SUBPATTERN:
            return self._group(value[0], value[3])
        if op is constants.GROUPREF_EXISTS:
            number, yes, no = value
            return self._sequence((yes if number in self._groups else no) or ())
        if name.startswith("ASSERT"):
            return self._asserted(op, value)
        if "REPEAT" in name:
            return self._repeated(*value)
        return self._sequence(value) if name == "ATOMIC_GROUP" else None

    def _leaf(self, op: Any, value: Any) -> str | None:
        """A character, what a group was, or an anchor, which takes no room."""
        if op is constants.AT:
            return ""
        if op is constants.GROUPREF:
            return self._groups.get(value)
        if op is not constants.LITERAL:
            return self._character(op, value)
        if self._demanded.startswith(chr(value)):
            self._demanded = self._demanded[1:]
        return chr(value)

    def _put(self, text: str | None) -> str | None:
        self._written += text or ""
        return text

    def _asserted(self, op: Any, value: Any) -> str | None:
        """A look-ahead is written once the characters come, a look-behind now; negative ones may fail."""
        direction, items = value
        if op is constants.ASSERT_NOT:
            return ""
        text = _Writer(0, self._given, self._needed, self._avoided).whole(items) or ""
        if direction > 0:
            self._demanded += text
            return ""
        return "" if self._written.endswith(text) else self._put(text)

    def _group(self, number: int | None, items: Any) -> str | None:
        if number is not None and number in self._given:
            text = self._put(self._given[number])
        else:
            text = self._sequence(items)
        if number is not None and text is not None:
            self._groups[number] = text
        return text

    def _branch(self, branches: Any) -> Any:
        """The branch with what is needed, or without what is avoided; otherwise one after the other."""
        for branch in branches if self._needed else ():
            if self._needed & _groups_in(branch):
                return branch
        allowed = branches
        if self._avoided:
            allowed = [b for b in branches if not self._avoided & _groups_in(b)] or branches
        return allowed[self._choice(len(allowed))]

    def _choice(self, number: int) -> int:
        """Another choice in each place: variants differ in more than one way."""
        chosen = (self._variant + (self._choices if self._variant >= 4 else 0)) % number
        self._choices += 1
        return chosen

    def _repeated(self, low: int, high: Any, items: Any) -> str | None:
        top = min(int(high), low + _MOST_REPEATS)
        inside = _groups_in(items) if self._avoided or self._needed else _NONE
        if self._avoided & inside:
            times = low
        elif self._demanded and len(items) == 1:
            times = min(max(low, len(self._demanded)), top)
        else:
            times = min(low + self._choice(3), top)
            times = min(max(times, 1), top) if self._needed & inside else times
        parts = [self._sequence(items) for _ in range(times)]
        return None if any(part is None for part in parts) else "".join(part or "" for part in parts)

    def _character(self, op: Any, value: Any) -> str | None:
        """A printable character that the set allows; which one depends on the variant."""
        if self._demanded and _allows(op, value, self._demanded[0]):
            char, self._demanded = self._demanded[0], self._demanded[1:]
            return char
        allowed = _allowed(op, tuple(value) if op is constants.IN else value)
        return allowed[self._variant % min(len(allowed), 3)] if allowed else None


def _groups_in(items: Any) -> frozenset[int]:
    """The numbers of the groups within some items."""
    found: set[int] = set()
    stack: list[Any] = [items]
    while stack:
        top = stack.pop()
        if isinstance(top, tuple) and top and top[0] is constants.SUBPATTERN and top[1][0] is not None:
            found.add(top[1][0])
        if isinstance(top, (tuple, list, parser.SubPattern)):
            stack.extend(top)
    return frozenset(found)


def _allows(op: Any, value: Any, char: str) -> bool:
    if op is constants.ANY:
        return char != "\n"
    return ord(char) != value if op is constants.NOT_LITERAL else _in_set(char, value)


@lru_cache(maxsize=512)
def _allowed(op: Any, value: Any) -> list[str]:
    if op is constants.ANY:
        return list(_PRINTABLE[:3])
    found = [ch for ch in _PRINTABLE if _allows(op, value, ch)]
    if op is constants.IN:
        found += _unprintable(value)
    return found


def _unprintable(members: Any) -> Iterator[str]:
    for op, value in members:
        if op is constants.LITERAL and chr(value) not in _PRINTABLE:
            yield chr(value)
        elif op is constants.RANGE and not 32 <= value[0] <= 126:
            yield chr(value[0])


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
