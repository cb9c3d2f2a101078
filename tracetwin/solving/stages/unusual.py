"""Texts that certain operators treat in a way that ordinary ones don't show: tried where they occur."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from runtime.library_model import OPERATORS

# Some are digits to `isdigit` and `isnumeric`, but no numbers to `int`.
_DIGITS: Final = ("\u00b2", "\u00bd", "\u0663")
_LETTERS: Final = ("\u00df", "\u0130", "\u01c5", "\u00aa", "\u00e9", "\u00c9")
_WIDE: Final = ("\u00e9", "\u20ac", "\U0001f600", "\ud800")
_COMPOSED: Final = ("e\u0301", "\u00e9", "\ufb01", "\u212b", "\u00b2")
_BROKEN: Final = ("\u00ff", "a\u00ff", "\u00c3\u00a9", "\u00e2\u0082\u00ac", "\u00c3")
_UNPRINTABLE: Final = ("\n", "\x7f", "\u00a0", "\u2028")

_OF: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("str.casefold", "str.upper", "str.lower", "str.title", "str.capitalize"), _LETTERS),
    **dict.fromkeys(("str.swapcase", "str.isupper", "str.islower", "str.istitle"), _LETTERS),
    **dict.fromkeys(("str.encode", "str.encode_ok", "ascii", "str.isidentifier"), _WIDE),
    **dict.fromkeys(("repr", "str.splitlines"), _UNPRINTABLE),
    **dict.fromkeys(("unicodedata.normalize", "unicodedata.is_normalized"), _COMPOSED),
    **dict.fromkeys(("unicodedata.combining", "unicodedata.decomposition"), _COMPOSED),
    **dict.fromkeys(("unicodedata.numeric", "unicodedata.digit", "unicodedata.decimal"), _DIGITS),
}
_BYTES_OF: Final[dict[str, tuple[bytes, ...]]] = {
    op: tuple(text.encode("latin-1") for text in _BROKEN) for op in ("bytes.decode", "bytes.decode_ok")
}
_SORTED: Final = ("category", "bidirectional", "east_asian_width", "mirrored", "name")
_FIRST_CHARACTERS: Final = 0x2200


def unusual_texts(operators: Iterable[str]) -> tuple[str, ...]:
    """Return texts to try where these operators work on a text."""
    found: dict[str, None] = {}
    for op in sorted(operators):
        model = OPERATORS.get(op)
        known = model.unusual if model is not None else ()
        found.update(dict.fromkeys(text for text in (*_OF.get(op, ()), *known) if isinstance(text, str)))
        room, _, name = op.partition(".")
        if room == "unicodedata" and name in _SORTED:
            found.update(dict.fromkeys(_one_of_each()))
    return tuple(found)


def unusual_bytes(operators: Iterable[str]) -> tuple[bytes, ...]:
    """The same for bytes."""
    return tuple(dict.fromkeys(text for op in sorted(operators) for text in _BYTES_OF.get(op, ())))


@lru_cache(maxsize=1)
def _one_of_each() -> tuple[str, ...]:
    """The first character of each category."""
    found: dict[str, str] = {}
    for code in range(_FIRST_CHARACTERS):
        found.setdefault(unicodedata.category(chr(code)), chr(code))
    return tuple(found.values())
