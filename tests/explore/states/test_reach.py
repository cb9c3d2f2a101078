from __future__ import annotations

import ast

from tests.explore.support import twin_module
from tracetwin.run.studies.coverage import Coverage, family, reachable

SOURCE = """
class Part:
    def __init__(self):
        if self: pass
    def _wear(self):
        if self: pass
    def clean(self):
        if self: pass

class Base:
    def __init__(self):
        self.part = Part()
    def run(self):
        while self.part:
            self._step()
    def _step(self):
        if self: pass
    def stop(self):
        if self: pass

class Engine(Base):
    def _step(self):
        self.part._wear()
        helper(self)
    def test(self):
        super().stop()

def helper(engine):
    for _ in engine: pass

def unrelated():
    if 1: pass
"""


def found(owner: str, *methods: str) -> set[str]:
    tree = ast.parse(SOURCE)
    return set(reachable(tree, family(tree, owner), methods))


def test_a_family_is_a_class_and_its_bases():
    assert ["Engine", "Base"] == family(ast.parse(SOURCE), "Engine")


def test_what_methods_call_on_self_by_name_and_privately_is_reached():
    expected = {"Base.__init__", "Base.run", "Engine._step", "Part.__init__", "Part._wear", "helper"}
    assert expected == found("Engine", "run")


def test_what_is_overridden_is_not():
    assert "Base._step" in found("Base", "run")
    assert "Base._step" not in found("Engine", "run")


def test_super_reaches_the_bases():
    assert "Base.stop" in found("Engine", "test")


def test_what_was_entered_counts_as_well():
    with twin_module(SOURCE) as (_, made):
        sites = {site.scope: site for site in made.sites}
        coverage = Coverage(made.sites, found("Base", "stop"))
    total, missed = coverage.result(set())
    assert (4, {"Part.__init__", "Base.stop"}) == (total, {each.scope for each in missed})
    entered = sites["Part.clean"].id * 2 + 1
    total, missed = coverage.result({entered})
    assert 6 == total
    left = [(each.kind, each.side) for each in missed if each.scope == "Part.clean"]
    assert [("if", False)] == left


def test_a_loop_has_one_side():
    with twin_module(SOURCE) as (_, made):
        coverage = Coverage(made.sites, {"helper"})
    assert 1 == coverage.result(set())[0]
