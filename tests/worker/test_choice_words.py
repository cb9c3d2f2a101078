"""Alternatives of choices are told in words, and once."""

from __future__ import annotations

import enum

import pytest

from runtime.class_choices import Alternative
from tracetwin.worker.choice_words import ChoiceWords, word_of


class Colour(enum.Enum):
    RED = 1


class Loud(str):
    __slots__ = ()

    def __repr__(self) -> str:
        raise AssertionError("it is never asked")


@pytest.mark.parametrize(
    ("offered", "word"),
    [
        (Alternative(int), "is an int"),
        (Alternative(Colour), "is a Colour"),
        (Alternative(type(None)), "is None"),
        (Alternative(None, "gateway"), "is a mock"),
        (Alternative(None), ""),
        (Colour.RED, "is Colour.RED"),
        ("a", "is 'a'"),
        ("a" * 100, ""),
        (None, "is None"),
        (Colour, "is Colour"),
        (Loud("x"), ""),
        (object(), ""),
    ],
)
def test_words(offered: object, word: str) -> None:
    assert word == word_of(offered)


def test_choices_of_each_target_are_told_once() -> None:
    words = ChoiceWords()
    assert [("x?", ["is 1", "is 2"])] == list(words.new("f", {"x?": (1, 2)}))
    assert [("y?", ["is None"])] == list(words.new("f", {"x?": (1, 2), "y?": (None,)}))
    assert [("x?", ["is 1"])] == list(words.new("g", {"x?": (1,)}))
    words.forget()
    assert [("x?", ["is 1"])] == list(words.new("f", {"x?": (1,)}))
