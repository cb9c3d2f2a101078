"""Names of the target in the source of a test: only what is one name to Python, and to a reader, is written.

An attribute, an enum's member, a keyword argument or a qualified name can be any text. Whatever puts one of
them into source asks here first; everything else is a literal.
"""

from __future__ import annotations

import keyword
import re
import unicodedata

from tracetwin.emit.source.layout import Group, KeyValue, LaidOut, Prefixed, Quoted

_INVISIBLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that names may hold, and that nobody sees."""


class Unwritable(Exception):
    """There is no source for a value; the message says why."""


def is_name(text: object) -> bool:
    """Return whether a text is an identifier, spelled as the interpreter does, all of which can be seen."""
    return (
        type(text) is str
        and text.isidentifier()
        and not keyword.iskeyword(text)
        and (text.isascii() or (unicodedata.normalize("NFKC", text) == text and not _INVISIBLE.search(text)))
    )


def is_dotted_name(text: object) -> bool:
    """Return whether a text is names with dots between."""
    return type(text) is str and all(map(is_name, text.split(".")))


def checked(text: object) -> str:
    """A name as it is.

    Raises:
        Unwritable: it is none.
    """
    if type(text) is str and is_name(text):
        return text
    raise Unwritable(f"{text!r} is not a name that can be written")


def keyword_argument(given: str, value: LaidOut) -> LaidOut:
    """`name=value`, and where that is no name, `**{"name": value}`."""
    if is_name(given):
        return Prefixed(f"{given}=", value)
    return Group("**{", (KeyValue(Quoted(given), value),), "}")


def attribute(receiver: str, given: str) -> str:
    """`receiver.name`, and where that is no name, `getattr(receiver, "name")`."""
    return f"{receiver}.{given}" if is_name(given) else f"getattr({receiver}, {Quoted(given).flat()})"
