"""Values in words, for the names of tests."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Sequence

from tracetwin.emit.naming.dates import calendar_words, date_parts, span_words
from tracetwin.emit.naming.mocks import mock_words
from tracetwin.emit.source.spans import microseconds_of
from tracetwin.model.codec import key
from tracetwin.model.recipe import (
    Call,
    Dictionary,
    Lambda,
    MockRecipe,
    Recipe,
    Reference,
    Scalar,
    ScalarValue,
    Series,
    SeriesKind,
    subscripted,
)
from tracetwin.model.snapshot import Iterated, Snapshot
from tracetwin.support.counting import ORDINALS, spelled

LONGEST_WORD = 24
LONGEST_PART = 18
LONGEST_LIST = 34
LONGEST_NUMBER = 9
TOO_LONG = 10**LONGEST_NUMBER
MOST_PARTS = 4
MOST_COUNTED = 9
LARGE = 1000
NEEDLESS = 9
"""The rank of what says so little of a value that anything else is better."""


_LEADING = {"-": "minus_", "+": "plus_"}


@functools.lru_cache(maxsize=4096)
def snake(name: str) -> str:
    """`ValueError` as `value_error`."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return slug(spaced)


def slug(text: str) -> str:
    """The letters and digits of a text, small, with single underscores between; may be empty."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def camel(name: str) -> str:
    """`poll_once` as `PollOnce`."""
    return "".join(part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name))


def number(value: float) -> str:
    """A number as part of an identifier, `""` where that would be long."""
    if type(value) is float and not math.isfinite(value):
        return "nan" if math.isnan(value) else "infinity" if value > 0 else "minus_infinity"
    if value == 0:
        return "minus_zero" if str(value).startswith("-") else "zero"
    if abs(value) >= 10**7:
        return ""
    digits = repr(abs(value)).removesuffix(".0")
    if len(digits) > 7 or "e" in digits:
        return ""
    return spelled(value) or ("minus_" if value < 0 else "") + digits.replace(".", "_")


def counted(count: int, noun: str) -> str:
    """`one_item`, `two_items`, `many_items`."""
    if count == 1:
        return f"one_{noun}"
    return f"{spelled(count) if count <= MOST_COUNTED else 'many'}_{noun}s"


def size_of(recipe: Series[Recipe] | Dictionary[Recipe]) -> int:
    """Return how many items what is made holds: of equal keys, and of equal members of a set, one is left."""
    if isinstance(recipe, Series):
        return len(recipe.items if recipe.kind.has_order else set(map(key, recipe.items)))
    return len({key(name) for name, _ in recipe.pairs})


def exact_text(value: str | bytes, longest: int = LONGEST_WORD) -> str:
    """A short text as part of an identifier, `""` where it would not be recognised."""
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    sign = _LEADING.get(text[:1], "")
    text = text[1:] if sign else text
    word = sign + slug(text)
    told = re.fullmatch(r"[A-Za-z0-9]+([ _.-][A-Za-z0-9]+)*", text)
    return word if told and len(word) <= longest else ""


def article(noun: str) -> str:
    """`a_list`, `an_int`."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'}_{noun}"


def scalar_words(value: ScalarValue) -> list[tuple[int, str]]:
    """Return what can be said of a literal after `is`, with a rank: lower says more to a reader."""
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
        words.append((5, f"is_{exact}"))
    if value < 0:
        words.append((1, "is_negative"))
    elif value > 0:
        words.append((6, "is_positive"))
    words += _kind_words(value, exact=bool(exact))
    return [*words, (7, f"is_{noun}")]


def _kind_words(value: float, *, exact: bool) -> list[tuple[int, str]]:
    """The kind of a number, beside its value."""
    if isinstance(value, int):
        words = [(NEEDLESS, "is_odd" if value % 2 else "is_even")] if abs(value) > 1 else []
        return [(5, "is_large"), *words] if abs(value) >= LARGE else words
    if not math.isfinite(value):
        return []
    words = [(NEEDLESS, "is_whole" if value.is_integer() else "is_fractional")]
    short = "" if exact else number(round(value, 2))
    return [*words, (3, f"is_about_{short}")] if short and 0.01 <= abs(value) else words


def _text_words(value: str | bytes) -> list[tuple[int, str]]:
    noun = "a_string" if isinstance(value, str) else "bytes"
    if not value:
        return [(0, "is_empty"), (5, f"is_{noun}")]
    words = []
    exact = exact_text(value)
    if exact:
        words.append((3, f"is_{exact}"))
    sign = _SIGNS.get(value if isinstance(value, str) else value.decode("latin-1"), "")
    if sign:
        words.append((3, f"is_{article(sign)}"))
    if not value.strip():
        words.append((1, "is_blank"))
    elif value.isdigit():
        words.append((5, "is_numeric"))
    if not value.isascii():
        words.append((3, "is_not_ascii"))
    if len(value) == 1 and value.isalnum():
        words.append((4, f"is_one_{'letter' if value.isalpha() else 'digit'}"))
    return [*words, *([] if exact or sign else _edge_words(value)), *_letter_words(value), (5, f"is_{noun}")]


def _letter_words(value: str | bytes) -> list[tuple[int, str]]:
    """The letters that there are in a text."""
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    words = []
    if len(text) > 1 and text.isupper():
        words.append((NEEDLESS, "is_upper_case"))
    if any(letter.isupper() for letter in text) and any(letter.islower() for letter in text):
        words.append((NEEDLESS, "is_mixed_case"))
    if any(letter.isdigit() for letter in text) and any(letter.isalpha() for letter in text):
        words.append((NEEDLESS, "has_letters_and_digits"))
    if len(text.split()) > 1:
        words.append((NEEDLESS, f"has_{counted(len(text.split()), 'word')}"))
    if len(text.splitlines()) > 1:
        words.append((5, f"has_{counted(len(text.splitlines()), 'line')}"))
    return words


_SIGNS = {
    " ": "space", "\n": "newline", "\t": "tab", "\r": "return", ".": "dot", ",": "comma", ":": "colon",
    ";": "semicolon", "-": "minus", "+": "plus", "*": "star", "/": "slash", "\\": "backslash",
    "_": "underscore", "#": "hash", "%": "percent", "&": "ampersand", "|": "bar", "=": "equals_sign",
    "<": "less_sign", ">": "greater_sign", "(": "bracket", ")": "closing_bracket", "[": "square_bracket",
    "]": "closing_square_bracket", "{": "brace", "}": "closing_brace", "!": "exclamation_mark",
    "?": "question_mark", "'": "apostrophe", '"': "quote", "@": "at_sign", "$": "dollar", "~": "tilde",
    "^": "caret", "`": "backtick",
}  # fmt: skip


_ALONE = frozenset(".,:;-+*/_#%&=!?@$~")
"""Signs that can stand before or behind a text without another that closes what they open."""


def signed_text(value: str) -> str:
    """A short text that begins or ends with a sign, with that in words, `""` where that is not enough."""
    if value in _SIGNS:
        return article(_SIGNS[value])
    for begins, inner, ends in (
        (_spelled(value[:1]), value[1:], ""),
        ("", value[:-1], _spelled(value[-1:])),
    ):
        word = exact_text(inner) if begins or ends else ""
        if word and inner[0].isalnum():
            said = "_".join(part for part in (begins, word, ends) if part)
            return said if len(said) <= LONGEST_WORD else ""
    return ""


def all_words(recipe: Recipe) -> str:
    """All of an argument in words after its name, `""` where these would be long."""
    if recipe in (Dictionary(()), *(Series(kind, ()) for kind in SeriesKind)):
        return "is_empty"
    said = plain_words(recipe)
    single = isinstance(recipe, Series) and len(recipe.items) == 1
    return f"{'holds' if single else 'is'}_{said}" if said else ""


def _spelled(sign: str) -> str:
    return _SIGNS[sign] if sign in _ALONE else ""


def plain_words(value: Snapshot | Recipe) -> str:
    """All of a short value in words, `""` where these would be long: no two values of one type have the same.

    Only letters that are large or small are not told apart.
    """
    match value:
        case Scalar(None | bool() as plain):
            return str(plain).lower()
        case Scalar(int() | float() as plain):
            return number(plain)
        case Scalar("" | b""):
            return "empty"
        case Scalar(str() | bytes() as plain):
            return exact_text(plain) or (signed_text(plain) if isinstance(plain, str) else "")
        case Reference(_, qualname):
            return snake(qualname.rpartition(".")[2])
        case Series(_, items) | Iterated(_, items) if 0 < len(items) <= MOST_PARTS:
            said = _listed([_item(item, alone=len(items) < 3) for item in items])
            return said if len(said) <= LONGEST_LIST else ""
        case _:
            return ""


def _item(value: Snapshot | Recipe, *, alone: bool) -> str:
    """One of several values: numbers in digits, and of many texts only those of one word."""
    match value:
        case Series() | Iterated():
            return ""
        case Scalar(int() | float() as plain) if not isinstance(plain, bool) and abs(plain) < TOO_LONG:
            digits = repr(abs(plain)).removesuffix(".0")
            sign = "minus_" if str(plain).startswith("-") else ""
            told = digits.replace(".", "").isdigit() and len(digits) <= LONGEST_NUMBER
            return sign + digits.replace(".", "_") if told else ""
        case _:
            word = plain_words(value)
            return word if alone or not isinstance(value, Scalar) or "_" not in word else ""


def _listed(words: Sequence[str]) -> str:
    return "_and_".join(filter(None, ("_".join(words[:-1]), words[-1]))) if all(words) else ""


def _edge_words(value: str | bytes) -> list[tuple[int, str]]:
    """How a text that can't be named begins and ends."""
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    first = re.match(r"[A-Za-z0-9]{1,12}", text)
    last = re.search(r"[A-Za-z0-9]{1,12}$", text)
    begins = _part(first.group()) if first else _SIGNS.get(text[0], "")
    ends = _part(last.group()) if last else _SIGNS.get(text[-1], "")
    words = [(4, f"begins_with_{begins}")] if begins else []
    words += [(5, f"ends_with_{ends}")] if ends and len(text) > 1 else []
    inside = list(dict.fromkeys(_SIGNS[letter] for letter in text[1:-1] if letter in _SIGNS))
    return words + [(6, f"has_a_{sign}") for sign in inside[:MOST_PARTS]]


def _part(text: str) -> str:
    """The letters of a part of a text; digits are not told."""
    return "a_digit" if text.isdigit() else re.sub(r"[0-9]+$", "", text.lower()) or "a_digit"


def recipe_words(recipe: Recipe) -> list[tuple[int, str]]:
    """Return what can be said of an argument, with ranks."""
    match recipe:
        case Scalar(value):
            return scalar_words(value)
        case Series(kind, items):
            said = _item_words(items, ordered=kind.has_order) if len(items) > 1 else _only_item(items)
            exact = plain_words(recipe) if len(items) > 1 and kind.has_order else ""
            counts = _count_words(size_of(recipe))
            if exact:
                said = [(2, f"is_{exact}"), *((rank + 2, word) for rank, word in (*counts, *said))]
            return [*([] if exact else counts), *said, (5, f"is_{article(kind.value)}")]
        case Dictionary(pairs):
            return [*_count_words(size_of(recipe)), *_pair_words(pairs), (5, "is_a_dict")]
        case Reference():
            return [(1, f"is_{snake(recipe.qualname.rpartition('.')[2])}")]
        case Call():
            return _call_words(recipe)
        case MockRecipe():
            return mock_words(recipe, recipe_words, snake)
        case Lambda():
            inner = [word for _, word in recipe_words(recipe.result)[:1] if word.startswith("is_")]
            return [*((3, f"returns_{word.removeprefix('is_')}") for word in inner), (5, "is_a_function")]
        case _:
            return []


def _count_words(count: int) -> list[tuple[int, str]]:
    return [(3, f"has_{counted(count, 'item')}")] if count else [(0, "is_empty")]


def _only_item(items: Sequence[Recipe]) -> list[tuple[int, str]]:
    scalars = [item for item in items if isinstance(item, Scalar)]
    said = [pair for item in scalars for pair in scalar_words(item.value)[:1]]
    return [(2 + rank, f"holds_{word.removeprefix('is_')}") for rank, word in said]


def _call_words(recipe: Call) -> list[tuple[int, str]]:
    name = (subscripted(recipe.qualname) or recipe.qualname).rpartition(".")[2]
    noun = article(snake(name)) if name[:1].isupper() else f"result_of_{snake(name)}"
    if dated := date_parts(recipe):
        return [*((1 + max(2, rank), word) for rank, word in calendar_words(dated)), (5, f"is_{noun}")]
    if (length := microseconds_of(recipe)) is not None:
        return [*span_words(length), (5, f"is_{noun}")]
    named = [(f"{noun}_with_{slug(name)}", part) for name, part in recipe.kwargs]
    parts = [*((f"{noun}_of", part) for part in recipe.args), *named]
    words = [(4 + i, f"is_{said}_{short}") for i, (said, part) in enumerate(parts) for short in _short(part)]
    return [*words, (4, f"is_{noun}")]


def _short(recipe: Recipe) -> list[str]:
    """The plainest word for a part of something, where there is one that names it."""
    said = [word for _, word in sorted(recipe_words(recipe), key=lambda pair: pair[0])[:1]]
    words = [word.removeprefix("is_") for word in said if word.startswith("is_")]
    return [word for word in words if len(word) <= LONGEST_PART]


def _item_words(items: Sequence[Recipe], *, ordered: bool) -> list[tuple[int, str]]:
    """The first items, and the last."""
    if not ordered:
        return [(4, f"holds_{word}") for item in items[:MOST_PARTS] for word in _short(item)]
    words = []
    for number_, item in enumerate(items[:MOST_PARTS]):
        place = "begins_with" if not number_ else f"{_PLACES[number_]}_item_is"
        words += [(4 + number_, f"{place}_{word}") for word in _short(item)]
    if len(items) > MOST_PARTS:
        words += [(4 + MOST_PARTS, f"ends_with_{word}") for word in _short(items[-1])]
    return words


_PLACES = ("first", "second", *ORDINALS)


def _pair_words(pairs: Sequence[tuple[Recipe, Recipe]]) -> list[tuple[int, str]]:
    """The first keys with their values."""
    words = []
    for number_, (name, item) in enumerate(pairs[:MOST_PARTS]):
        for word in _short(name):
            words.append((4 + number_, f"has_key_{word}"))
            words += [(5 + number_, f"has_{said}_for_{word}") for said in _short(item)]
    return words
