"""Corrections of sources of the standard library, applied before they become twins.

The classes written in C and those in Python differ here and there, in what they take and in what they say.
CPython's own tests leave these places out; a path condition may not. A source that a correction does not fit
is not twinned: the module stays the one written in C.

Python code that takes the place of code in C, and of patterns, within the library's twins.

A position that a pattern finds in a text depends on all of the text; here each character is looked at in its
turn, at a known place.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Sequence
from typing import Final, NamedTuple

from tracetwin.worker.library import amounts

ISO_DIGITS: Final = b"""
def _int_of_digits(text, count):
    if len(text) != count or not text.isascii() or not text.isdigit():
        raise ValueError(text)
    return int(text)
"""
"""`int` takes signs, spaces and other digits as well."""

MOMENTS: Final = b"""
_RADIXES = {3: (86400, 1000000), 4: (60, 60, 1000000), 7: (12, 31, 24, 60, 60, 1000000)}

def _cmp(x, y, radixes=()):
    left, right = x[0], y[0]
    for place, radix in enumerate(radixes or _RADIXES[len(x)], 1):
        left, right = left * radix + x[place], right * radix + y[place]
    return left - right
"""
"""Moments as single numbers: comparing two is one condition, with a border, instead of one for each field."""

JSON_FOUND: Final = b"""
class _Found:
    def __init__(self, place, parts=()):
        self._place, self._parts = place, parts
    def end(self):
        return self._place
    def groups(self):
        return self._parts
"""

JSON_CHUNK: Final = (
    JSON_FOUND
    + rb"""
class _Chunk:
    def match(self, text, start):
        place = start
        while True:
            character = text[place:place + 1]
            if character == '':
                return None
            if character == '"' or character == '\\' or character < ' ':
                return _Found(place + 1, (text[start:place], character))
            place += 1
STRINGCHUNK = _Chunk()
"""
)

JSON_SPACE: Final = rb"""
class _Space:
    def match(self, text, place):
        while text[place:place + 1] != '' and text[place:place + 1] in ' \t\n\r':
            place += 1
        return _Found(place)
WHITESPACE = _Space()
"""

JSON_NUMBER: Final = (
    JSON_FOUND
    + rb"""
class _Number:
    def match(self, text, start):
        place = start
        if text[place:place + 1] == '-':
            place += 1
        if text[place:place + 1] == '0':
            place += 1
        else:
            end = self._digits(text, place)
            if end == place:
                return None
            place = end
        integer, fraction, exponent = text[start:place], None, None
        if text[place:place + 1] == '.':
            end = self._digits(text, place + 1)
            if end > place + 1:
                place, fraction = end, text[place:end]
        if text[place:place + 1] == 'e' or text[place:place + 1] == 'E':
            sign = text[place + 1:place + 2]
            first = place + 2 if sign == '-' or sign == '+' else place + 1
            end = self._digits(text, first)
            if end > first:
                place, exponent = end, text[place:end]
        return _Found(place, (integer, fraction, exponent))
    def _digits(self, text, place):
        while '0' <= text[place:place + 1] <= '9':
            place += 1
        return place
NUMBER_RE = _Number()
"""
)

TEXT_STREAM: Final = rb"""
class StringIO:
    def __init__(self, text):
        self._text, self._at = text, 0
    def read(self, count):
        piece = self._text[self._at:self._at + count]
        self._at += count
        return piece
    def readline(self):
        end = self._text.find("\n", self._at)
        end = len(self._text) if end < 0 else end + 1
        piece, self._at = self._text[self._at:end], end
        return piece
    def close(self):
        pass
"""

GROUPBY: Final = b"""
def groupby(values, key):
    group = []
    for value in values:
        kind = key(value)
        if group and kind is not last:
            yield last, group
            group = []
        last = kind
        group.append(value)
    if group:
        yield last, group
"""


FIRST: Final = (3, 9)
LATEST: Final = (3, 99)


class Correction(NamedTuple):
    """A replacement, wherever it fits.

    Attributes:
        pattern: the code that is wrong.
        replacement: the code in its place.
        first: the first version of Python whose source has it.
        last: the last one.
    """

    pattern: re.Pattern[bytes]
    replacement: bytes
    first: tuple[int, int] = FIRST
    last: tuple[int, int] = LATEST


def _where(
    pattern: str, replacement: str, *, first: tuple[int, int] = FIRST, last: tuple[int, int] = LATEST
) -> Correction:
    return Correction(re.compile(pattern.encode(), re.MULTILINE), replacement.encode(), first, last)


def _instead(pattern: str, code: bytes) -> Correction:
    """Other code in the place of a whole statement."""
    return Correction(re.compile(pattern.encode(), re.MULTILINE | re.DOTALL), code.replace(b"\\", rb"\\"))


_EVERYWHERE: Final = (
    # A cache compares keys where nobody sees it, and keeps values from one run to the next.
    _where(r"^([ \t]*)@(?:functools\.)?(?:lru_)?cache\b[^\n]*$", r"\1# not cached"),
    _where(r"\b\w+\.cache_clear\(\)", "None"),
)

CORRECTED: Final[dict[str, Sequence[Correction]]] = {
    "datetime": (
        _instead(r"^def _cmp\(x, y\):\n[^\n]*$", MOMENTS),
        _where(r"_cmp\(\(y, m, d\), \(y2, m2, d2\)\)", "_cmp((y, m, d), (y2, m2, d2), (12, 31))"),
        _where(r"(raise ValueError\((['\"])[^'\"\n]*\2), \w+\)", r"\1)"),
        _where(r"'day must be in 1\.\.%d' % dim, day", "'day is out of range for month'"),
        _where(r"\"result out of range\"", '"date value out of range"'),
        _where(r"Invalid weekday: \{", "Invalid day: {"),
        _where(r"\(f'\{self\.__class__\.__name__\}'", "(f'datetime.{self.__class__.__name__}'"),
        _where(r"\bint\(((?:dtstr|tstr)\[\w+: ?\w+ ?\+ ?(\d)\])\)", r"_int_of_digits(\1, \2)"),
        _where(r"\bint\((dtstr\[0:4\])\)", r"_int_of_digits(\1, 4)"),
        _where(r"\bint\((tstr\[pos:\])\)", r"_int_of_digits(\1, len_remainder)", last=(3, 10)),
        _where(r"\bint\((tstr\[pos: ?\(pos ?\+ ?(to_parse)\)\])\)", r"_int_of_digits(\1, \2)", first=(3, 11)),
    ),
    "decimal": (
        _instead(r"^    def _cmp\(self, other\):\n", amounts.DIFFERENCE),
        _where(r"return self\._cmp\(other\) (<|<=|>|>=|==) 0", r"return self._difference(other) \1 0"),
        _instead(r"^    def _fix\(self, context\):\n", amounts.REPRESENTABLE),
        _instead(r"^        # too many digits; round and lose data\.", amounts.ROUNDED),
        _instead(r"self\._int \+ '0'\*\(self\._exp - exp\), exp\)", amounts.PADDED),
        _instead(
            r"^        self_adjusted = self\.adjusted\(\)\n        if self_adjusted > context\.Emax:",
            amounts.QUANTIZED,
        ),
        _instead(r"^            # OK, so neither = 0, INF or NaN\n", amounts.DIVIDED),
        _instead(r"^            return s\*int\(self\._int\[:self\._exp\] or '0'\)", amounts.TRUNCATED),
        _instead(r"^    Done during addition\.\n    \"\"\"\n", amounts.ALIGNED),
        _where(r"\braise error\(explanation\)", "raise error([condition])"),
        _where(r"\"Cannot convert infinity to integer\"", '"cannot convert Infinity to integer"'),
    ),
    "json.decoder": (
        _instead(r"^STRINGCHUNK = re\.compile\([^\n]*$", JSON_CHUNK),
        _instead(r"^WHITESPACE = re\.compile\([^\n]*$", JSON_SPACE),
        _where(
            r"^( *)msg = \"Invalid \\\\escape: \{0!r\}\"\.format\(esc\)$",
            r'\1msg, end = "Invalid \\\\escape: ", end - 1',
        ),
        _where(
            r"if len\(esc\) == 4 and esc\[1\] not in 'xX':",
            "if len(esc) == 4 and esc.isascii() and esc.isalnum() and esc[1] not in 'xX':",
        ),
    ),
    "json.scanner": (_instead(r"^NUMBER_RE = re\.compile\(.*?\)\)$", JSON_NUMBER),),
    "urllib.parse": (
        # A table that is filled as it is asked, and a short cut around it.
        _where(r"\b(_?Quoter\(safe\))\.__getitem__", r"\1.__missing__"),
        _where(r"self\[b\] = res$", "pass"),
        _where(r"if not bs\.rstrip\(_ALWAYS_SAFE_BYTES \+ safe\):", "if False:"),
    ),
}

_ADDED: Final = {
    "datetime": ISO_DIGITS,
    "decimal": amounts.ADDED,
    "shlex": TEXT_STREAM,
    "statistics": GROUPBY,
}
"""Code added behind the last line."""


def unfit(name: str, source: bytes, version: tuple[int, int] = sys.version_info[:2]) -> list[str]:
    """The patterns of corrections of a module that its source should match, and does not."""
    due = [item for item in CORRECTED.get(name, ()) if item.first <= version <= item.last]
    return [item.pattern.pattern.decode() for item in due if not item.pattern.search(source)]


@functools.cache
def fits(name: str, file: str, version: tuple[int, int] = sys.version_info[:2]) -> bool:
    """True if all corrections of a module fit a Python's source of it."""
    if name not in CORRECTED or not file:
        return True
    with open(file, "rb") as source:
        return not unfit(name, source.read(), version)


def corrected(name: str, source: bytes) -> bytes:
    """The source of a module as it is twinned."""
    for correction in (*_EVERYWHERE, *CORRECTED.get(name, ())):
        source = correction.pattern.sub(correction.replacement, source)
    return source + _ADDED.get(name, b"")
