"""Names and attributes that nothing can have on this Python, and those that an argument may have."""

from __future__ import annotations

import ast

import pytest

from tracetwin.analysis.not_there import NotThere

SOURCE = """\
import string
from collections import OrderedDict

LATE = 1

class Map:
    def __init__(self, given):
        self.held = OrderedDict()
        self.given = given
    @classmethod
    def of(cls, keys):
        made = cls({})
        made.held = OrderedDict.fromkeys(keys)
        return made
    def walk(self):
        return self.held.iteritems()
    def ask(self):
        return self.given.iteritems()
    def other(self):
        return self.held.items() or self.missing

def text(value, known={}):
    if isinstance(value, basestring):
        return unicode(value)
    table = string.maketrans("a", "b")
    found = {}
    if known.has_key(1):
        return 1
    found.has_key(value)
    " ".encode().format(LATE)
    dict.iteritems({})
    for one in found.iterkeys():
        one.iterkeys()
"""
TREE = ast.parse(SOURCE)
NOT_THERE = NotThere(TREE)


@pytest.mark.parametrize(
    ("line", "kind", "told"),
    [
        (16, "AttributeError", "`OrderedDict` has no `iteritems` on this Python (line 16)"),
        (18, "AttributeError", ""),
        (20, "AttributeError", ""),
        (23, "NameError", "there is no `basestring` on this Python (line 23)"),
        (24, "NameError", "there is no `unicode` on this Python (line 24)"),
        (24, "TypeError", ""),
        (25, "AttributeError", "`string` has no `maketrans` on this Python (line 25)"),
        (27, "AttributeError", ""),
        (29, "AttributeError", "`dict` has no `has_key` on this Python (line 29)"),
        (30, "NameError", ""),
        (31, "AttributeError", "`dict` has no `iteritems` on this Python (line 31)"),
        (32, "AttributeError", "`dict` has no `iterkeys` on this Python (line 32)"),
        (33, "AttributeError", ""),
    ],
)
def test_what_is_not_there_whatever_is_passed_is_named(line: int, kind: str, told: str) -> None:
    functions = [one for one in ast.walk(TREE) if isinstance(one, ast.FunctionDef)]
    around = max((one for one in functions if one.lineno <= line), key=lambda one: one.lineno)
    assert told == NOT_THERE.told(around, [line], kind)
