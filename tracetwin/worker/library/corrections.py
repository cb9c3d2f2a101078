"""What is mended in a source of the standard library before it becomes a twin.

The classes written in C and those in Python differ here and there, in what they take and in what they say.
CPython's own tests leave these places out; a path condition may not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from tracetwin.worker.library.additions import (
    GROUPBY,
    ISO_DIGITS,
    JSON_CHUNK,
    JSON_NUMBER,
    JSON_SPACE,
    TEXT_STREAM,
)


class Correction(NamedTuple):
    """A replacement, wherever it fits."""

    pattern: re.Pattern[bytes]
    replacement: bytes


def _where(pattern: str, replacement: str, flags: int = re.MULTILINE) -> Correction:
    return Correction(re.compile(pattern.encode(), flags), replacement.encode())


def _instead(pattern: str, code: bytes) -> Correction:
    """Other code in the place of a whole statement."""
    return Correction(re.compile(pattern.encode(), re.MULTILINE | re.DOTALL), code.replace(b"\\", rb"\\"))


_EVERYWHERE: Final = (
    # A cache compares keys where nobody sees it, and keeps values from one run to the next.
    _where(r"^([ \t]*)@(?:functools\.)?(?:lru_)?cache\b[^\n]*$", r"\1# not cached"),
    _where(r"\b\w+\.cache_clear\(\)", "None"),
)

_OWN: Final[dict[str, Sequence[Correction]]] = {
    "datetime": (
        _where(r"(raise ValueError\((['\"])[^'\"\n]*\2), \w+\)", r"\1)"),
        _where(r"'day must be in 1\.\.%d' % dim, day", "'day is out of range for month'"),
        _where(r"\"result out of range\"", '"date value out of range"'),
        _where(r"Invalid weekday: \{", "Invalid day: {"),
        _where(r"\(f'\{self\.__class__\.__name__\}'", "(f'datetime.{self.__class__.__name__}'"),
        _where(r"\bint\(((?:dtstr|tstr)\[\w+: ?\w+ ?\+ ?(\d)\])\)", r"_int_of_digits(\1, \2)"),
        _where(r"\bint\((dtstr\[0:4\])\)", r"_int_of_digits(\1, 4)"),
        _where(r"\bint\((tstr\[pos: ?\(pos ?\+ ?(to_parse)\)\])\)", r"_int_of_digits(\1, \2)"),
    ),
    "decimal": (
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
        _where(r"_Quoter\(safe\)\.__getitem__", "_Quoter(safe).__missing__"),
        _where(r"self\[b\] = res$", "pass"),
        _where(r"if not bs\.rstrip\(_ALWAYS_SAFE_BYTES \+ safe\):", "if False:"),
    ),
}

_ADDED: Final = {"datetime": ISO_DIGITS, "shlex": TEXT_STREAM, "statistics": GROUPBY}
"""What is added behind the last line."""


def corrected(name: str, source: bytes) -> bytes:
    """The source of a module as it is twinned."""
    for pattern, replacement in (*_EVERYWHERE, *_OWN.get(name, ())):
        source = pattern.sub(replacement, source)
    return source + _ADDED.get(name, b"")
