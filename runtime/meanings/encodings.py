"""The meaning of operators on text and bytes that are no methods: conversions, checksums, character data.

As everywhere in `runtime.ops`, an operator's meaning is the Python callable itself.
"""

from __future__ import annotations

import binascii
import unicodedata
import zlib
from collections.abc import Callable
from typing import Any, Final

from runtime.meanings.predicates import succeeds

_ERRORS: Final = (ValueError, TypeError, LookupError, OverflowError)


def _category_of(kind: str) -> Callable[..., Any]:
    return getattr(unicodedata, kind)  # type: ignore[no-any-return]


def _a2b_base64(text: str | bytes, strict: bool = False) -> bytes:
    decode: Callable[..., bytes] = binascii.a2b_base64  # 3.10 knows no `strict_mode`
    return decode(text, strict_mode=True) if strict else decode(text)


CHARACTER_DATA: Final = ("category", "bidirectional", "combining", "east_asian_width", "mirrored")
"""Functions of `unicodedata` that are given one character and always answer."""

CHARACTER_NUMBERS: Final = ("decimal", "digit", "numeric", "name")
"""Functions that raise where a character has no such property and no default is given."""

CODECS: Final = ("hexlify", "unhexlify")
"""Functions of `binascii` that take one argument."""

OPERATORS: Final[dict[str, Callable[..., Any]]] = {
    "bytes_of": lambda *codes: bytes(codes),  # bytes_of(code, ...): the bytes of these values
    "str.encode_ok": succeeds(str.encode, *_ERRORS),
    "bytes.decode_ok": succeeds(bytes.decode, *_ERRORS),
    "bytes.fromhex": bytes.fromhex,
    "bytes.fromhex_ok": succeeds(bytes.fromhex, *_ERRORS),
    "str.format": str.format,  # str.format(template, value, ...)
    "str.format_ok": succeeds(str.format, *_ERRORS),
    "binascii.crc32": zlib.crc32,
    "zlib.adler32": zlib.adler32,
    "unicodedata.normalize": unicodedata.normalize,
    "unicodedata.is_normalized": unicodedata.is_normalized,
    "unicodedata.decomposition": unicodedata.decomposition,
    **{f"unicodedata.{name}": _category_of(name) for name in (*CHARACTER_DATA, *CHARACTER_NUMBERS)},
    **{f"unicodedata.{name}_ok": succeeds(_category_of(name), *_ERRORS) for name in CHARACTER_NUMBERS},
    "binascii.hexlify": binascii.hexlify,
    "binascii.unhexlify": binascii.unhexlify,
    "binascii.unhexlify_ok": succeeds(binascii.unhexlify, *_ERRORS),
    "binascii.a2b_base64": _a2b_base64,  # a2b_base64(text, strict)
    "binascii.a2b_base64_ok": succeeds(_a2b_base64, *_ERRORS),
    "binascii.b2a_base64": lambda data, newline=True: binascii.b2a_base64(data, newline=newline),
}

_ONE: Final = "'a'|'1'|'\u00e9'|'\u00bd'|'$'|' '"
TAKES: Final[dict[str, str]] = {
    "bytes_of": "10 255; 0; 65 66 67",
    "str.encode_ok": "str; str 'ascii'|'latin-1'; str 'utf-8' 'strict'",
    "bytes.decode_ok": "bytes; bytes 'ascii'|'latin-1'; bytes 'utf-8' 'strict'",
    **dict.fromkeys(("bytes.fromhex", "bytes.fromhex_ok"), "digits; '0aff'|'c0 de'|'f'"),
    **dict.fromkeys(("str.format", "str.format_ok"), "'{}'|'{:>5}'|'{0}{0}' int; '{!r}'|'{' str"),
    **dict.fromkeys(("binascii.crc32", "zlib.adler32"), "bytes"),
    **dict.fromkeys(("unicodedata.normalize", "unicodedata.is_normalized"), "'NFC'|'NFD'|'NFKC' str"),
    "unicodedata.decomposition": _ONE,
    **{f"unicodedata.{name}": _ONE for name in (*CHARACTER_DATA, *CHARACTER_NUMBERS)},
    **{f"unicodedata.{name}_ok": _ONE for name in CHARACTER_NUMBERS},
    "binascii.hexlify": "bytes",
    **dict.fromkeys(("binascii.unhexlify", "binascii.unhexlify_ok"), "'0aff'|'0'|'xy'"),
    **dict.fromkeys(("binascii.a2b_base64", "binascii.a2b_base64_ok"), "'YWJj'|'YQ=='|'Y' False"),
    "binascii.b2a_base64": "bytes True|False",
}
"""Operands that each operator takes, in the words of `runtime.models.registry.TAKES`."""
