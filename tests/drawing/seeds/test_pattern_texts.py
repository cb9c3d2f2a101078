"""Texts are written that the regular expressions of the code match."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.analysis.sources import read
from tracetwin.drawing.seeds.pattern_texts import UsedPatterns, matching_texts
from tracetwin.worker.catalogue import Catalogue

MakeModule = Callable[..., ModuleType]

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


SOURCE = """
import re
WORD = re.compile("[x]+")
find = re.compile("day").search
class Reader:
    LINE = re.compile("l=1")
    def read(self, text):
        return self.LINE.match(text) and self.rest(text)
    def rest(self, text):
        return clean(text)
def clean(text, _m=WORD.match):
    return bool(re.match("end", text)) or find(text)
def other(text):
    return text
"""


def test_the_patterns_of_a_function_are_those_of_what_it_calls(make_module: MakeModule) -> None:
    module = make_module(SOURCE)
    used = UsedPatterns(vars(module), read(module))
    first = [texts[0] for texts in used.texts("Reader.read", 0, "Reader")]
    assert first == ["l=1", "x", "end", "day"]
    assert list(used.texts("other", 0, None)) == []


def test_they_are_samples_for_what_is_called(make_module: MakeModule) -> None:
    catalogue = Catalogue(make_module(SOURCE), ())
    constants = catalogue.describe(catalogue.named("clean"))["constants"]
    assert {"x", "end", "day"} <= set(constants["samples"])
