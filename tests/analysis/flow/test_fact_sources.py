"""Facts of special methods, generated constructors, containers, nested classes and whole modules."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from tests.analysis.flow.flows import influences
from tracetwin.analysis.flow import access
from tracetwin.analysis.flow.analyse import facts_of
from tracetwin.analysis.flow.facts import ModuleFacts


def facts(source: str) -> ModuleFacts:
    return facts_of(textwrap.dedent(source), "sample")


def uses(found: ModuleFacts, qualname: str) -> set[str]:
    return set(found.names(found.invokables[qualname].uses))


def defines(found: ModuleFacts, qualname: str) -> set[str]:
    return set(found.names(found.invokables[qualname].defines))


def in_class(body: str, more: str = "") -> ModuleFacts:
    """The facts of a class Box with these methods."""
    return facts(f"{textwrap.dedent(more)}\nclass Box:\n{textwrap.indent(textwrap.dedent(body), '    ')}")


def test_operators_call_special_methods():
    found = facts(
        """
        class Vec:
            def __init__(self, x): self.x = x; self.reads = 0
            def __add__(self, other):
                if isinstance(other, Vec):
                    return Vec(self.x + other.x)
                return NotImplemented
            def __len__(self): self.reads += 1; return 1
            def __getitem__(self, i): return self.x
            def __contains__(self, i): return i == self.x
            def __enter__(self): self.x = 1; return self
            def __exit__(self, *e): self.x = 2
            def __iter__(self): return iter([self.x])
        def plus(a: Vec, b: Vec): return a + b
        def size(a: Vec): return len(a)
        def item(a: Vec): return a[0]
        def inside(a: Vec): return 3 in a
        def opened(a: Vec):
            with a as b: return b
        def loop(a: Vec):
            for b in a: pass
        def truth(a: Vec):
            if a: return 1
        """
    )
    assert {"Vec.x"} <= uses(found, "plus")
    assert {"Vec.reads"} == defines(found, "size") == defines(found, "truth")
    assert {"Vec.x"} == uses(found, "item") == uses(found, "loop")
    assert "Vec.x" in uses(found, "inside")
    assert {"Vec.x"} == defines(found, "opened")


def test_dataclasses_slots_and_named_tuples_have_constructors():
    found = facts(
        """
        from dataclasses import dataclass, field
        from typing import NamedTuple
        @dataclass
        class Point:
            x: int
            y: int = 0
            tags: list[str] = field(default_factory=list)
            def __post_init__(self): self.sum = self.x
            def tag(self, t): self.tags.append(t)
        class Slotted:
            __slots__ = ("a",)
            def __init__(self, a): self.a = a
        class Pair(NamedTuple):
            left: int
            def get(self): return self.left
        def same(p: Point, q: Point): return p == q
        """
    )
    assert {"Point.x", "Point.y", "Point.tags", "Point.sum"} == defines(found, "Point")
    assert {"Point.tags[]"} == defines(found, "Point.tag")
    assert {"Point.x", "Point.y"} <= uses(found, "same")
    assert {"Slotted.a"} == defines(found, "Slotted")
    assert influences(found, "Pair", "Pair.get")


def test_a_subclass_of_a_container_is_one():
    found = facts(
        """
        class Stack(list):
            def push(self, x): self.append(x)
            def top(self): return self[-1]
            def other(self): return 1
        """
    )
    assert influences(found, "Stack.push", "Stack.top")
    assert not influences(found, "Stack.push", "Stack.other")


def test_nested_classes_decorators_generators_and_narrowing():
    found = facts(
        """
        import functools
        def logged(function):
            @functools.wraps(function)
            def inner(*args): return function(*args)
            return inner
        class Outer:
            class Inner:
                def __init__(self): self.v = 0
                def bump(self): self.v += 1
            def __init__(self): self.inner = Outer.Inner(); self.n = 0
            @logged
            def go(self): self.inner.bump(); self.n = 1
            def walk(self):
                for i in range(self.n): yield i
            @functools.cached_property
            def big(self): return self.n * 2
        def look(x):
            if not isinstance(x, Outer):
                return 0
            return x.n
        """
    )
    assert {"Outer.Inner.v"} == defines(found, "Outer.Inner.bump")
    assert {"Outer.Inner.v", "Outer.n", "Outer.inner.*"} == defines(found, "Outer.go")
    assert {"Outer.n"} == uses(found, "Outer.walk") == uses(found, "look")
    assert {"Outer.big"} == defines(found, "Outer.big")


def test_temperature_monitor_influences():
    source = Path("examples/temperature_monitor.py").read_text(encoding="utf-8")
    found = facts_of(source, "temperature_monitor")
    names = ["set_enabled", "update_temperature", "warning"]
    influence = {
        (a, b)
        for a in names
        for b in names
        if influences(found, f"TemperatureMonitor.{a}", f"TemperatureMonitor.{b}")
    }
    assert {("set_enabled", "update_temperature"), ("update_temperature", "warning")} == influence
    assert set() == defines(found, "TemperatureMonitor.warning")


def test_what_cannot_be_parsed_may_do_everything():
    found = facts_of("def f(:\n", "broken")
    assert found.problem
    assert not found.invokables


def test_what_calls_too_much_may_do_everything(monkeypatch):
    source = "def f():\n  g()\ndef g(): pass\nclass A:\n  def m(self): f()\n"
    assert "" == facts_of(source, "few_calls").problem
    monkeypatch.setattr(access, "MOST_CALLS", 2)
    found = facts_of(source, "many_calls")
    assert "to an end" in found.problem
    assert not found.invokables


@pytest.mark.parametrize("source", ["", "x = 1", "class A: pass", "\r", "# -*- coding: latin-1 -*-\n"])
def test_small_sources(source):
    assert "" == facts_of(source, "small").problem
