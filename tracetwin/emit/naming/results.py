"""Results of calls in words: the value where it is short, else what it has to do with the arguments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tracetwin.emit.naming.dates import result_in_time
from tracetwin.emit.naming.values import (
    MOST_COUNTED,
    article,
    counted,
    exact_text,
    number,
    plain_words,
    signed_text,
    slug,
    snake,
)
from tracetwin.model.recipe import (
    Dictionary,
    MockNumber,
    Recipe,
    Reference,
    Scalar,
    ScalarValue,
    Series,
    subscripted,
)
from tracetwin.model.snapshot import Attributes, Built, Iterated, Opaque, Shuffled, Snapshot
from tracetwin.support.counting import spelled

SHORTEST: Final = 3
"""Letters of a text which another is hardly equal to by chance."""

LONGEST, LONGEST_BEGINNING = 32, 18
"""Letters of a text that came back, and of the beginning of a longer one."""

LARGEST: Final = 10**9
"""Numbers beyond it are not read."""

NOTHING: Final = 1e-9
"""What is smaller is an error of rounding."""

_GENERAL: Final = ("error", "exception")

_NUMERIC: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")


def result_words(snap: Snapshot) -> str:
    """Return what was returned, in words."""
    match snap:
        case Scalar(value):
            return _scalar_result(value)
        case Series(kind, items) if said := plain_words(snap):
            several = kind.value == "tuple" and len(items) > 1
            return said if several else f"{kind.value}_with_{said}"
        case Series(kind, items) | Shuffled(kind, items):
            return _counted(kind.value, len(items))
        case Dictionary([(Scalar() as key, value)]) if (said := _pair(key, value)):
            return f"dict_with_{said}"
        case Dictionary(pairs):
            return _counted("dict", len(pairs))
        case Reference(_, qualname):
            return snake(qualname.rpartition(".")[2]) or "an_object"
        case MockNumber():
            return "a_mock"
        case Attributes(_, qualname) | Built(_, qualname):
            qualname = subscripted(qualname) or qualname
            return result_in_time(snap) or article(snake(qualname.rpartition(".")[2]) or "object")
        case Opaque(type_name):
            return article(snake(type_name.rpartition(":")[2].rpartition(".")[2]) or "result")
        case _:
            return "a_view"


def error_words(module: str, qualname: str) -> str:
    """Return the class of an exception in words, with its module where its name alone says nothing."""
    name = snake(qualname.rpartition(".")[2])
    if name in _GENERAL and module != "builtins":
        return f"{snake(module.rpartition('.')[2])}_{name}"
    return name or "error"


def items_words(snap: Iterated) -> str:
    """Return the items that an iterator gave, in words; how many they are, where they are not short."""
    return (plain_words(snap) or counted(len(snap.items), "item")) if snap.items else "nothing"


def family_of(snap: Snapshot) -> str:
    """Return what is told of a result whichever value came out, "" where the value stands for itself."""
    match snap:
        case Scalar(int() | float() as value) if not isinstance(value, bool):
            return article(type(value).__name__)
        case Scalar(str() as value) if value and _scalar_result(value) != exact_text(value, LONGEST):
            return "a_string"
        case Series(kind, items) | Shuffled(kind, items) if items:
            return article(kind.value)
        case Dictionary(pairs) if pairs:
            return "a_dict"
        case Built(_, qualname) if result_in_time(snap):
            return article(qualname)
        case _:
            return ""


def _pair(key: Snapshot, value: Snapshot) -> str:
    words = ["" if isinstance(value, Series) else plain_words(value), plain_words(key)]
    return "_for_".join(words) if all(words) else ""


def _counted(kind: str, count: int) -> str:
    if not count:
        return f"empty_{kind}"
    return f"{kind}_of_{spelled(count)}" if count <= MOST_COUNTED else f"a_long_{kind}"


def _scalar_result(value: ScalarValue) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return number(value) or (str(value).replace("-", "minus_") if abs(value) < LARGEST else "an_int")
    if isinstance(value, float):
        return number(value) or _nearly(value)
    if isinstance(value, str):
        return _text_result(value)
    if isinstance(value, bytes):
        exact = exact_text(value)
        return (exact if exact and not exact[-1].isdigit() else "bytes") if value else "empty_bytes"
    return article(type(value).__name__)


def _nearly(value: float) -> str:
    if abs(value) < NOTHING:
        return "about_zero"
    if not 0.01 <= abs(value) < LARGEST:
        return "a_float"
    return f"about_{round(value, 2)}".replace("-", "minus_").replace(".", "_").removesuffix("_0")


def _text_result(value: str) -> str:
    if not value:
        return "empty_string"
    if not value.strip():
        return "a_blank_string" if len(value) > 1 else signed_text(value) or "a_blank_string"
    exact = exact_text(value, LONGEST)
    if exact:
        alike = _NUMERIC.fullmatch(value) or exact in ("none", "true", "false", "nothing")
        return f"string_{exact}" if alike else exact
    if said := signed_text(value):
        return said
    first = re.match(r"[A-Za-z0-9]+([ _.-][A-Za-z0-9]+)*", value)
    begun = slug(first.group()) if first else ""
    if len(begun) > LONGEST_BEGINNING:
        begun = begun[: LONGEST_BEGINNING + 1].rpartition("_")[0]
    return f"a_string_beginning_with_{begun}" if len(begun) >= SHORTEST else "a_string"


def relation_words(snap: Snapshot | None, named: Sequence[tuple[str, Recipe]]) -> str:
    """Return what a text has to do with the only one of the arguments that it was made of, "" for nothing."""
    value = snap.value if isinstance(snap, Scalar) else None
    if not isinstance(value, str):
        return ""
    texts = [(slug(name) or "argument", one.value) for name, one in named if isinstance(one, Scalar)]
    told = [
        f"{name}_{said}"
        for name, text in texts
        if isinstance(text, str) and len(text) >= SHORTEST and (said := _relation(value, text))
    ]
    return told[0] if len(told) == 1 else ""


def _relation(value: str, text: str) -> str:
    ways = {
        "in_upper_case": text.upper(), "in_lower_case": text.lower(), "stripped": text.strip(),
        "reversed": text[::-1], "capitalized": text.capitalize(),
    }  # fmt: skip
    return next((said for said, made in ways.items() if value == made != text), "")
