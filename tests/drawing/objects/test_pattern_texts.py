"""Texts are written that a regular expression matches."""

from __future__ import annotations

import re

import pytest

from tracetwin.drawing.objects.pattern_texts import matching_texts

PATTERNS = [
    r"(\d+)-(\d+)",
    r"^(?P<sign>[+-])?P(?P<years>[0-9]+Y)?(?P<months>[0-9]+M)?$",
    r"\b(?:cat|dog)+\b",
    r"[^\s,]+[^,]",
    r"(['\"])(.*?)\1",
    r"(<)?tag(?(1)>|!)",
    r"a{3,5}\S\W\D",
    r"(?i)key\s*=\s*(?=v)value",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_each_text_is_matched(pattern: str) -> None:
    texts = matching_texts(pattern)
    assert texts
    assert all(re.search(pattern, text) for text in texts)


def test_branches_and_optional_parts_are_taken_in_turn() -> None:
    assert {"cat", "dog"} <= set(matching_texts(r"\b(?:cat|dog)+\b"))
    assert {"1Y", "+1Y"} & set(matching_texts(r"^\+?1Y$")) == {"1Y", "+1Y"}


@pytest.mark.parametrize("pattern", ["(", "a(?!a)a(?<=b)", "", "x{100000}"])
def test_of_others_there_are_none(pattern: str) -> None:
    assert matching_texts(pattern) == []
