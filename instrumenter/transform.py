"""Rewrites one module's source to its twin; libcst is imported by the first call only."""

from __future__ import annotations

import io
import re
import tokenize

from instrumenter.limits import TOO_DEEP, deep_recursion, obstacle
from instrumenter.twin import HERE, Site, SiteKind, Twin

__all__ = ["Site", "SiteKind", "Twin", "decode", "instrument", "prelude_name", "rewritten"]

_LONE_RETURN = re.compile(r"\r(?!\n)")


def instrument(source: str | bytes, *, name: str, filename: str) -> Twin:
    """Rewrite a module so that its operations call the twin interface.

    Args:
        source: the module's text, or its bytes with any encoding cookie or BOM.
        name: dotted module name; site ids derive from it.
        filename: named in errors.

    Raises:
        SyntaxError: exactly as CPython reports it for the original.
    """
    compile(source, filename, "exec", dont_inherit=True)
    return rewritten(source, name=name)


def rewritten(source: str | bytes, *, name: str, version: tuple[int, int] = HERE) -> Twin:
    """Rewrite a module that CPython is known to accept."""
    # CPython reads each of them as a newline, libcst does not.
    text = _LONE_RETURN.sub("\n", decode(source))
    prelude = prelude_name(text)
    if why := obstacle(text):
        return Twin(text, (), prelude, why)
    from libcst import ParserSyntaxError

    from instrumenter.rewriter import rewrite

    try:
        with deep_recursion():
            twin, sites = rewrite(text, name=name, prelude=prelude, version=version)
    except ParserSyntaxError as error:
        # CPython accepted the text, so this is a limit of libcst and no fault of the source.
        return Twin(text, (), prelude, f"libcst cannot parse it: {str(error).splitlines()[0]}")
    except RecursionError:
        return Twin(text, (), prelude, TOO_DEEP)
    return Twin(twin, sites, prelude)


def decode(source: str | bytes) -> str:
    """Return the text of a module, newlines kept, decoded by its BOM or cookie as CPython does."""
    if isinstance(source, str):
        return source
    encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    return source.decode(encoding)


def prelude_name(text: str) -> str:
    """Return `_tt`, with underscores added until neither it nor a helper `_tt1` occurs in the text."""
    name = "_tt"
    if not text.isascii():
        # Names are compared in this form: a `t` of another alphabet is a `t`.
        import unicodedata

        text = unicodedata.normalize("NFKC", text)
    while re.search(rf"(?<!\w){name}\d*(?!\w)", text):
        name += "_"
    return name
