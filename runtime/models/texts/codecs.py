"""`binascii`, `unicodedata` and the checksums of `zlib`, as operators."""

from __future__ import annotations

import binascii
import unicodedata
import zlib
from collections.abc import Callable
from typing import Any, Final

from runtime.expr import Sort, apply, const, sort_of
from runtime.meanings.encodings import CHARACTER_DATA, CHARACTER_NUMBERS, CODECS
from runtime.models.registry import SHALLOW, models
from runtime.ops import MEANINGS
from runtime.private_builtins import keep_builtins
from runtime.scalars.numbers import compare
from runtime.scalars.text import length, raw_text
from runtime.values import SCALARS, SBytes, SStr, check, kind_of, lose_all, node_of, plain, wrap

keep_builtins(globals())

_NAMES: Final[dict[Any, tuple[str, str]]] = {
    binascii.crc32: ("binascii.crc32", "bytes int?"),
    zlib.crc32: ("binascii.crc32", "bytes int?"),
    zlib.adler32: ("zlib.adler32", "bytes int?"),
    unicodedata.normalize: ("unicodedata.normalize", "'NFC'|'NFD'|'NFKC' str"),
    unicodedata.is_normalized: ("unicodedata.is_normalized", "'NFC'|'NFKD' str"),
    unicodedata.decomposition: ("unicodedata.decomposition", "'a'|'\u00e9'"),
    **{getattr(unicodedata, n): (f"unicodedata.{n}", "'a'|'\u00e9'") for n in CHARACTER_DATA},
    **{getattr(unicodedata, n): (f"unicodedata.{n}", "'a'|'1'|'\u00bd'") for n in CHARACTER_NUMBERS},
    **{getattr(binascii, n): (f"binascii.{n}", "bytes") for n in CODECS},
}
_TEXTS: Final = frozenset((SStr, SBytes))
_OF_A_CHARACTER: Final = frozenset((*CHARACTER_DATA, *CHARACTER_NUMBERS, "decomposition"))


def _register(native: Callable[..., Any], op: str, takes: str) -> None:
    name = op.partition(".")[2]

    def model(*args: Any, **kwargs: Any) -> Any:
        values = tuple(map(raw_text, args))
        if kwargs or not all(kind_of(value) in SCALARS for value in values):
            lose_all(op, *args, *kwargs.values())
            return native(*map(plain, args), **{key: plain(value) for key, value in kwargs.items()})
        if name in _OF_A_CHARACTER and type(values[0]) is SStr:
            check(compare("eq", length(values[0]), 1))
        nodes = [node_of(value) for value in values]
        exact = list(map(plain, values))
        if f"{op}_ok" in MEANINGS and len(values) == 1:
            fits = MEANINGS[f"{op}_ok"](*exact)
            check(wrap(fits, apply(f"{op}_ok", Sort.BOOL, *nodes)))
            if not fits:  # there is more than one way to be wrong
                lose_all(op, *values)
        result = native(*exact)
        if len(values) > 1 and name in CHARACTER_NUMBERS:  # the default may be of any sort
            lose_all(op, *values)
            return result
        return wrap(result, apply(op, sort_of(result), *nodes))

    models(native, takes=takes)(model)
    SHALLOW.add(native)


for _native, (_op, _takes) in _NAMES.items():
    if _native not in SHALLOW:
        _register(_native, _op, _takes)


@models(binascii.a2b_base64, takes="'YWJj'|'YQ=='|'Y'")
def a2b_base64(text: Any, /, *, strict_mode: Any = False) -> Any:
    """`binascii.a2b_base64`; text that it refuses is a check."""
    given = raw_text(text)
    if kind_of(given) not in _TEXTS or type(strict_mode) is not bool:
        lose_all("binascii.a2b_base64", text, strict_mode)
        return _decoded(plain(text), plain(strict_mode))
    nodes = (node_of(given), const(strict_mode))
    op = "binascii.a2b_base64"
    fits = MEANINGS[f"{op}_ok"](plain(given), strict_mode)
    check(wrap(fits, apply(f"{op}_ok", Sort.BOOL, *nodes)))
    if not fits:
        lose_all(op, given)
    return wrap(_decoded(plain(given), strict_mode), apply(op, Sort.BYTES, *nodes))


def _decoded(text: Any, strict: Any) -> Any:
    return MEANINGS["binascii.a2b_base64"](text, strict)


@models(binascii.b2a_base64, takes="bytes")
def b2a_base64(data: Any, /, *, newline: Any = True) -> Any:
    """`binascii.b2a_base64`."""
    if type(data) is not SBytes or type(newline) is not bool:
        lose_all("binascii.b2a_base64", data, newline)
        return binascii.b2a_base64(plain(data), newline=plain(newline))
    value = binascii.b2a_base64(data.v, newline=newline)
    return wrap(value, apply("binascii.b2a_base64", Sort.BYTES, data.e, const(newline)))


SHALLOW.update((binascii.a2b_base64, binascii.b2a_base64))
