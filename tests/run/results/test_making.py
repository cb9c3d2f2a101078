"""What an object is made with is found behind its fields, properties and bases."""

from __future__ import annotations

import ast

import pytest

from tests.run.results.reasons_sample import Site, hangs
from tracetwin.explore.loop.goals import Obstacle
from tracetwin.explore.objects.exploration import ExplorationOutcome
from tracetwin.model.invokable import Invokable
from tracetwin.run.results.making import Deciding, Making
from tracetwin.run.results.places import Places
from tracetwin.run.results.reasons import Reasons

SOURCE = """\
from dataclasses import dataclass

class Reader:
    def __init__(self, text: str, limit=3) -> None:
        self._text, self.seen = decode(text), 0
        self.limit = limit

    @property
    def current(self):
        return self._text[self.seen]

    def widen(self, more):
        self.limit = more

    def word(self):
        first = self.current
        if first == "x":
            return 1
        if self.limit > 5:
            return 2

    def turn(self):
        ended = False
        while not ended:
            if self.current:
                ended = True

    def count(self, data):
        for one in data:
            if self.seen == 2:
                return 1
            self.seen = 1

    def plain(self, other):
        if other and self._text:
            return 1

class Lines(Reader):
    def __init__(self, source, kept=None):
        super().__init__(source)
        if kept:
            self.kept = kept

    def line(self):
        if self.current == "y":
            return 1
        return self.nothing

@dataclass
class Point:
    x: int

    def far(self):
        if self.x > 3:
            return 1
        if self.y:
            return 2
"""


def line_of(text: str) -> int:
    return next(at for at, line in enumerate(SOURCE.splitlines(), 1) if text in line)


@pytest.mark.parametrize(("text", "decides", "words"), [
    ('first == "x"', Deciding((), "Reader", ("text",), kept=False), "what `Reader` is made with, `text`"),
    ("self.limit > 5", Deciding((), "Reader", ("limit",), kept=False), "what `Reader` is made with, `limit`"),
    ("while not ended", Deciding((), "Reader", ("text",), kept=False), "what `Reader` is made with, `text`"),
    ("seen == 2", Deciding(("data",), "Reader"), "`data` and what the object holds"),
    ("other and", Deciding(("other",), "Reader", ("text",)),
     "`other` and what `Reader` is made with, `text`"),
    ('current == "y"', Deciding((), "Lines", ("source",), kept=False), "what `Lines` is made with, `source`"),
    ("if kept", Deciding(("kept",)), "`kept`"),
    ("self.x > 3", Deciding((), "Point", ("x",)), "what `Point` is made with, `x`"),
    ("if self.y", Deciding((), "Point"), "what the object holds"),
    ("import", Deciding(), ""),
])  # fmt: skip
def test_what_decides_is_followed_to_the_constructor(text: str, decides: Deciding, words: str) -> None:
    tree = ast.parse(SOURCE)
    found = Making(tree, Places(tree)).deciding(line_of(text))
    assert found == decides
    assert found.words == words


def test_a_reason_names_what_the_object_is_made_with() -> None:
    at = line_of("self.limit > 5")
    word = Invokable("Reader.word", "method", "Reader", line_of("def word"), at + 4, True, "")
    for complete in (True, False):
        fates = {(1, 1): (Obstacle.CONCRETE, "")}
        tried = ExplorationOutcome("Reader.word", fates=fates, complete=complete)
        told = Reasons(ast.parse(SOURCE), [Site(1, at)], covered={at}).explain(at + 1, word, tried).reason
        assert told == hangs("what `Reader` is made with, `limit`", at)
