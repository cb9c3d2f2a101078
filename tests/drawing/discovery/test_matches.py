"""Matches that are passed come from the module's own patterns."""

from __future__ import annotations

import re
from collections.abc import Callable
from types import ModuleType

from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.draw import PlainDraw

MakeModule = Callable[..., ModuleType]

SOURCE = """
import re
from re import Match
from typing import Optional
PAIR = re.compile(r"(?P<key>[a-z]+)=(?P<value>\\d*)")
class Reader:
    RULES = {"head": r"^(?P<level>#+) (?P<text>.*)$", "no pattern": "(?P<x"}
    def head(self, m: Match[str]):
        return len(m.group("level")), m["text"]
def pair(found: Optional[re.Match]):
    return found and found.group("key") + found.group(2)
def three(m: re.Match):
    first, second, third = m.groups()
    return third
def fixed(m: re.Match):
    return m["width"], m.group(2)
def any_match(m: re.Match):
    return m.group("nothing has it")
"""


def made(module: ModuleType, name: str, **choices: int) -> object:
    plan = next(item for item in discover(module) if item.qualname == name).parameters[0].plan
    assert plan is not None
    return plan.build(PlainDraw(choices), "m")[0]


def test_the_groups_that_are_asked_for_are_there(make_module: MakeModule) -> None:
    module = make_module(SOURCE)
    assert module.Reader().head(made(module, "Reader.head")) == (1, "a")
    assert module.pair(made(module, "pair")) == "b1"


def test_where_no_pattern_has_them_anything_is_matched(make_module: MakeModule) -> None:
    found = made(make_module(SOURCE), "any_match")
    assert isinstance(found, re.Match)
    assert found.re.pattern == "(.*)"


def test_groups_that_no_pattern_has_are_those_of_one_that_is_made_up(make_module: MakeModule) -> None:
    module = make_module(SOURCE)
    assert module.three(made(module, "three")) == "c"
    assert module.fixed(made(module, "fixed")) == ("a", "b")
