"""Texts that match regular expressions of the code: the grammar of what it reads, as first values."""

from __future__ import annotations

import importlib
import re
import sys
import warnings
from collections.abc import Iterable, Mapping
from types import BuiltinMethodType
from typing import Any, Final

MOST_TEXTS: Final = 4
"""Texts for one pattern."""

MOST_LETTERS: Final = 200
MOST_TURNS: Final = 60
"""Parts of a pattern that are repeated, all in all."""

_parser: Final[Any] = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
_METHODS: Final = (BuiltinMethodType, type(re.compile("").match))  # those of patterns know their class
_LETTERS: Final = "a1A0 _-.,:;/\"'@b=()+\n\t\u00e9"
_CATEGORIES: Final[Mapping[str, str]] = {
    "CATEGORY_DIGIT": r"\d", "CATEGORY_NOT_DIGIT": r"\D", "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S", "CATEGORY_WORD": r"\w", "CATEGORY_NOT_WORD": r"\W",
}  # fmt: skip


def matching_texts(pattern: str, flags: int = 0) -> list[str]:
    """Texts in which a pattern is found: with all that may be there, with little, with other branches.

    What looks ahead or behind is not read, so that for some patterns there are none.
    """
    found: dict[str, None] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = re.compile(pattern, flags)
            tree = _parser.parse(pattern, flags)
        for mode in range(MOST_TEXTS):
            text = _Writer(mode).text(tree)
            if 0 < len(text) <= MOST_LETTERS and compiled.search(text):
                found[text] = None
    except (re.error, RecursionError, OverflowError, ValueError):
        return []
    return list(found)


class _Writer:
    """One way through patterns: 0 takes what is optional once, 1 not at all, others more."""

    def __init__(self, mode: int) -> None:
        self._mode = mode
        self._groups: dict[int, str] = {}
        self._turns = 0

    def text(self, tree: Iterable[tuple[Any, Any]]) -> str:
        """The text of a sequence of parts."""
        return "".join(self._part(str(op), value) for op, value in tree)

    def _part(self, op: str, value: Any) -> str:
        match op:
            case "LITERAL":
                return chr(value)
            case "NOT_LITERAL":
                return next(letter for letter in _LETTERS if letter != chr(value))
            case "ANY":
                return "a"
            case "IN":
                return self._one_of(value)
            case "BRANCH":
                return self.text(value[1][self._mode % len(value[1])])
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                return self._repeated(*value)
            case "ATOMIC_GROUP":
                return self.text(value)
            case _:
                return self._of_group(op, value)

    def _of_group(self, op: str, value: Any) -> str:
        match op:
            case "SUBPATTERN":
                made = self.text(value[-1])
                if value[0] is not None:
                    self._groups[value[0]] = made
                return made
            case "GROUPREF":
                return self._groups.get(value, "")
            case "GROUPREF_EXISTS":
                chosen = value[1] if value[0] in self._groups else value[2]
                return self.text(chosen or ())
            case _:  # positions, and what is looked for ahead and behind
                return ""

    def _repeated(self, least: int, most: Any, tree: Any) -> str:
        wanted = (1, 0, 2, 1)[self._mode]
        count = max(int(least), min(int(most), wanted))
        self._turns += count
        return "".join(self.text(tree) for _ in range(count if self._turns <= MOST_TURNS else int(least)))

    def _one_of(self, items: list[tuple[Any, Any]]) -> str:
        negated = str(items[0][0]) == "NEGATE"
        if negated:
            return next((one for one in _LETTERS if not any(_fits(one, *item) for item in items[1:])), "~")
        op, value = items[self._mode % len(items)] if self._mode > 1 else items[0]
        match str(op):
            case "LITERAL":
                return chr(value)
            case "RANGE":
                low, high = value
                return chr((min(low + 1, high), high, low, low)[self._mode])  # 1 says more than 0
            case _:
                return next((one for one in _LETTERS if _fits(one, op, value)), "")


def _fits(letter: str, op: Any, value: Any) -> bool:
    """True if a letter is in one item of a set."""
    match str(op):
        case "LITERAL":
            return letter == chr(value)
        case "RANGE":
            return bool(value[0] <= ord(letter) <= value[1])
        case "CATEGORY":
            return re.match(_CATEGORIES.get(str(value), "(?!)"), letter) is not None
        case _:
            return False


def compiled_in(value: Any) -> re.Pattern[Any] | None:
    """The compiled expression that a value is, or whose method it is; else None."""
    value = value.__self__ if type(value) in _METHODS else value
    return value if type(value) is re.Pattern else None


def pattern_of(value: Any) -> tuple[str, int] | None:
    """The pattern and the flags of a compiled expression, also of one whose method is held; else None."""
    compiled = compiled_in(value)
    if compiled is None:
        return None
    text = compiled.pattern
    return (text if isinstance(text, str) else text.decode("latin-1")), compiled.flags & ~re.UNICODE
