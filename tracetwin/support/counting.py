"""Numbers in words, for identifiers."""

from __future__ import annotations

from typing import Final

_SMALL: Final = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen twenty".split()
)
_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_LARGE: Final = {1_000_000: "million", 1000: "thousand", 100: "hundred"}

MOST_DECIMALS: Final = 2

_ORDINALS: Final = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip


def spelled(number: float) -> str:
    """Return a number in words where these are few, "" for others."""
    if number < 0:
        rest = spelled(-number)
        return rest and f"minus_{rest}"
    whole, _, part = repr(number).removesuffix(".0").partition(".")
    if not part:
        return _whole(int(whole)) if whole.isdigit() else ""
    if len(part) > MOST_DECIMALS or not part.isdigit() or not _whole(int(whole)):
        return ""
    return "_".join([_whole(int(whole)), "point", *(_whole(int(digit)) for digit in part)])


def ordinal(number: int) -> str:
    """Return the place that a number counts, in words: 21 is ``twenty_first``."""
    first, _, last = _whole(number).rpartition("_")
    place = _ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return f"{first}_{place}" if first else place


def _whole(number: int) -> str:
    if number < len(_SMALL):
        return _SMALL[number]
    if number < 100:
        tens = _TENS[number // 10 - 2]
        return f"{tens}_{_SMALL[number % 10]}" if number % 10 else tens
    for size, word in _LARGE.items():
        if not number % size and number < 100 * size:
            return f"{_whole(number // size)}_{word}"
    return ""


ORDINALS: Final = [ordinal(number) for number in range(3, 13)]
"""From the third on."""
