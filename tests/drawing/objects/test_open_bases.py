"""Bases whose methods ask for what only classes derived from them have."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.planner import MOST_SUBCLASSES, Planner

MakeModule = Callable[..., ModuleType]

SOURCE = """
    class Rule:
        kind = other = None{own}
        def count(self): return len(list(self.{asked}()))
        def shown(self): return "rule"{more}

    class Every(Rule):
        kind = str
        def __init__(self, step, start): self.step = step
        def turns(self): return range(0, 10, self.step)

    class Never(Rule):
        def turns(self): return []
        def size(self): return 0
"""


EARLY, LATE = "Rule | Every | Never", "Never | Every | Rule"
"""Where the base stands among the classes of which there may be an instance."""


def test_the_base_itself_is_among_many(make_module: MakeModule) -> None:
    many = "\n".join(f"class Heir{number}(Base):\n    def go(self): return 1" for number in range(20))
    module = make_module(f"class Base:\n    def go(self): raise NotImplementedError\n{many}")
    planner = Planner(module)
    planned = planner.plan_class(module.Base, planner.scope(), 0).describe().split(" | ")
    assert planned[MOST_SUBCLASSES:] == ["Base", "mock of Base"]


@pytest.mark.parametrize(
    ("asked", "more", "planned"),
    [
        ("turns", "", "Never | Every | Rule"),
        ("shown", "", "Rule | Every | Never"),
        ("nowhere", "", "Rule | Every | Never"),
        ("turns", "\n        def __getattr__(self, name): return list", "Rule | Every | Never"),
        ("turns", "\n        def fill(self): self.turns = list", "Rule | Every | Never"),
        ("shown", "\n        def size(self): raise NotImplementedError('no size')", "Never | Every | Rule"),
        ("shown", "\n        def late(self): raise NotImplementedError", "Rule | Every | Never"),
        ("shown", "\n        def named(self): return self.kind(1)", "Never | Every | Rule"),
        ("shown", "\n        def named(self): return self.kind is None", "Rule | Every | Never"),
        ("shown", "\n        def named(self): return self.other.upper()", "Rule | Every | Never"),
    ],
)
def test_their_methods_get_instances_of_derived_classes_first(
    asked: str, more: str, planned: str, make_module: MakeModule
) -> None:
    module = make_module(SOURCE.format(asked=asked, own="", more=more))
    planner = Planner(module)
    found = planner.plan_class(module.Rule, planner.scope(), 0).describe()
    assert found.removesuffix(" | mock of Rule") == planned


@pytest.mark.parametrize(
    ("own", "more", "planned"),
    [
        ("", "\n        def named(self): return type(self).size", LATE),
        ("", "\n        def named(self): return self.__class__.size", LATE),
        ("\n        size: int", "\n        def named(self): return self.size", LATE),
        ("\n        size: int", "\n        def named(self): self.size = self.size", EARLY),
        ("\n        size: int = 1", "\n        def named(self): return self.size", EARLY),
        ("\n        size: int\n        _fields = 1", "\n        def n(self): self.size", EARLY),
    ],
)
def test_what_they_ask_of_the_class_or_only_announce_is_left_to_those_as_well(
    own: str, more: str, planned: str, make_module: MakeModule
) -> None:
    module = make_module(SOURCE.format(asked="shown", own=own, more=more))
    planner = Planner(module)
    found = planner.plan_class(module.Rule, planner.scope(), 0).describe()
    assert found.removesuffix(" | mock of Rule") == planned
