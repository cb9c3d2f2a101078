"""The regular expressions of the code give first values."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

from tracetwin.analysis.sources import read
from tracetwin.drawing.seeds.used_patterns import UsedPatterns
from tracetwin.worker.catalogue import Catalogue

MakeModule = Callable[..., ModuleType]

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
