"""Values in words, for the names of tests."""

from __future__ import annotations

import math
import re
from typing import Any

LONGEST_WORD = 24


def snake(name: str) -> str:
    """`ValueError` as `value_error`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return slug(spaced)


def slug(text: str) -> str:
    """The letters and digits of a text, small, with single underscores between; may be empty."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def number(value: float) -> str:
    """A number as part of an identifier, `""` where that would be long."""
    if type(value) is float and not math.isfinite(value):
        return "nan" if math.isnan(value) else "infinity" if value > 0 else "minus_infinity"
    if value == 0:
        return "minus_zero" if str(value).startswith("-") else "zero"
    if abs(value) >= 10**7:
        return ""
    digits = repr(abs(value))
    if digits.endswith(".0"):
        digits = digits.removesuffix(".0")
    if len(digits) > 7 or "e" in digits:
        return ""
    return ("minus_" if value < 0 else "") + digits.replace(".", "_")


def exact_text(value: str | bytes) -> str:
    """A short text as part of an identifier, `""` where it would not be recognised."""
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    word = slug(text)
    told = re.fullmatch(r"[A-Za-z0-9]+([ _.-][A-Za-z0-9]+)*", text)
    return word if told and len(word) <= LONGEST_WORD else ""


def article(noun: str) -> str:
    """`a_list`, `an_int`."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'}_{noun}"


def scalar_words(value: Any) -> list[tuple[int, str]]:
    """What can be said of a literal after `is`, with a rank: lower says more to a reader."""
    if value is None or isinstance(value, bool):
        return [(0, f"is_{str(value).lower()}")]
    if isinstance(value, (int, float)):
        return _number_words(value)
    if isinstance(value, (str, bytes)):
        return _text_words(value)
    return [(4, "is_a_complex")]


def _number_words(value: float) -> list[tuple[int, str]]:
    noun = article(type(value).__name__)
    exact = number(value)
    words = []
    if exact in ("zero", "minus_zero", "nan", "infinity", "minus_infinity"):
        words.append((0, f"is_{exact}"))
    elif exact:
        words.append((3, f"is_{exact}"))
    if value < 0:
        words.append((1, "is_negative"))
    elif value > 0:
        words.append((4, "is_positive"))
    return [*words, (5, f"is_{noun}")]


def _text_words(value: str | bytes) -> list[tuple[int, str]]:
    noun = "a_string" if isinstance(value, str) else "bytes"
    if not value:
        return [(0, "is_empty"), (5, f"is_{noun}")]
    words = []
    exact = exact_text(value)
    if exact:
        words.append((2, f"is_{exact}"))
    if not value.strip():
        words.append((1, "is_blank"))
    elif value.isdigit():
        words.append((3, "is_numeric"))
    if not value.isascii():
        words.append((3, "is_not_ascii"))
    return [*words, (4, f"has_length_{len(value)}"), (5, f"is_{noun}")]


def recipe_words(recipe: Any) -> list[tuple[int, str]]:
    """What can be said of an argument, with ranks."""
    kind = recipe[0]
    if kind == "lit":
        return scalar_words(recipe[1])
    if kind in ("list", "tuple", "set", "frozenset", "dict"):
        count = len(recipe[1])
        words = [(0, "is_empty")] if not count else [(3, f"has_{count}_item{'s' if count > 1 else ''}")]
        inner = recipe[1][0] if count == 1 and kind != "dict" else None
        if inner is not None and inner[0] == "lit":
            words += [
                (2 + rank, f"holds_{word.removeprefix('is_')}") for rank, word in scalar_words(inner[1])[:1]
            ]
        return [*words, (5, f"is_{article(kind)}")]
    if kind == "ref":
        return [(1, f"is_{snake(recipe[2].rpartition('.')[2])}")]
    if kind == "call":
        return [(4, f"is_{article(snake(recipe[2].rpartition('.')[2]))}")]
    if kind == "lambda":
        inner_words = [word for _, word in recipe_words(recipe[2])]
        returns = [
            (3, f"returns_{word.removeprefix('is_')}") for word in inner_words[:1] if word.startswith("is_")
        ]
        return [*returns, (5, "is_a_function")]
    return []


def result_words(snap: Any) -> str:
    """What was returned, in words."""
    kind = snap[0]
    if kind == "lit":
        return _scalar_result(snap[1])
    if kind in ("list", "tuple", "set", "frozenset", "dict"):
        return _counted(kind, len(snap[1]))
    if kind == "shuffled":
        return _counted(snap[1], len(snap[2]))
    if kind == "ref":
        return snake(snap[2].rpartition(".")[2]) or "an_object"
    if kind in ("object", "built"):
        return article(snake(snap[2].rpartition(".")[2]) or "object")
    if kind == "opaque":
        return article(snake(str(snap[1]).rpartition(":")[2].rpartition(".")[2]) or "result")
    return "a_view"


def _counted(kind: str, count: int) -> str:
    return f"{kind}_of_{count}" if count else f"empty_{kind}"


def _scalar_result(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return number(value) or article(type(value).__name__)
    if isinstance(value, (str, bytes)):
        noun = "string" if isinstance(value, str) else "bytes"
        return (
            (exact_text(value) or (article(noun) if noun == "string" else noun)) if value else f"empty_{noun}"
        )
    return article(type(value).__name__)
