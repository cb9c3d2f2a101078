"""What invokables may define and use."""

from __future__ import annotations

import textwrap

import pytest

from tests.analysis.flow.flows import influences
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


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("self.x = 1", {"Box.x"}),
        ("self.x += 1", {"Box.x"}),
        ("self.x, (self.y, *self.z) = v", {"Box.x", "Box.y", "Box.z"}),
        ("del self.x", {"Box.x"}),
        ("for self.x in v: pass", {"Box.x"}),
        ("with v as self.x: pass", {"Box.x"}),
        ("self.x: int = 1", {"Box.x"}),
        ("setattr(self, 'x', 1)", {"Box.x"}),
        ("object.__setattr__(self, 'x', 1)", {"Box.x"}),
        ("super().__setattr__('x', 1)", {"Box.x"}),
        ("delattr(self, 'x')", {"Box.x"}),
        ("self.__x = 1", {"Box._Box__x"}),
        ("self.items.append(v)", {"Box.items[]"}),
        ("self.items[0] = v", {"Box.items[]"}),
        ("self.items[1:2] += v", {"Box.items[]", "Box.items.*"}),
        ("del self.items[0]", {"Box.items[]"}),
        ("items = self.items; items.append(v)", {"Box.items[]"}),
        ("a = b = self.items; b.clear()", {"Box.items[]"}),
        ("if (items := self.items): items.pop()", {"Box.items[]"}),
        ("import heapq; heapq.heappush(self.items, v)", {"Box.items[]"}),
        ("(lambda: self.items.pop())()", {"Box.items[]"}),
        ("[self.items.append(w) for w in v]", {"Box.items[]"}),
        ("return self.x", set()),
        ("len(self.items)", set()),
        ("sorted(self.items)", set()),
    ],
)
def test_statements_define(statement, expected):
    found = in_class(f"def __init__(self):\n    self.items = []\ndef m(self, v):\n    {statement}")
    assert expected == defines(found, "Box.m")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("self.x = 1", set()),
        ("self.x += 1", {"Box.x"}),
        ("return getattr(self, 'x')", {"Box.x"}),
        ("return [y for y in self.x]", {"Box.x"}),
        ("return f'{self.x}'", {"Box.x"}),
        ("return v and self.x", {"Box.x"}),
        ("return self.x if v else 1", {"Box.x"}),
        ("assert self.x, v", {"Box.x"}),
        ("raise ValueError(self.x)", {"Box.x"}),
        ("yield from self.x", {"Box.x"}),
        ("while self.x: break", {"Box.x"}),
        ("items = self.items; return items[0]", {"Box.items", "Box.items[]"}),
        ("for item in self.items: pass", {"Box.items", "Box.items[]"}),
        ("return v in self.items", {"Box.items", "Box.items[]"}),
        ("return len(self.items)", {"Box.items", "Box.items[]"}),
        ("return max(*self.items)", {"Box.items", "Box.items[]"}),
        ("match self.x:\n        case [a, b]: pass", {"Box.x"}),
    ],
)
def test_statements_use(statement, expected):
    found = in_class(
        f"def __init__(self):\n    self.items = []\n    self.x = 0\ndef m(self, v):\n    {statement}"
    )
    assert expected == uses(found, "Box.m")


def test_callees_count_through_self_functions_and_properties():
    found = in_class(
        """
        def __init__(self): self.n = 0; self.m = 0
        def outer(self): self._inner(); reset(self)
        def _inner(self): self.n += 1
        @property
        def level(self): return self.m
        @level.setter
        def level(self, value): self.m = value
        def read(self): return self.level
        def store(self): self.level = 3
        """,
        "def reset(box: 'Box'): box.m = 0",
    )
    assert {"Box.n", "Box.m"} == defines(found, "Box.outer")
    assert {"Box.m"} == uses(found, "Box.read")
    assert {"Box.m"} == defines(found, "Box.store")
    assert {"Box.m"} == defines(found, "Box.level.setter")
    assert influences(found, "Box.level.setter", "Box.level")
    assert not influences(found, "Box.level", "Box.level.setter")
    assert ("level=", "Box.level.setter") in found.classes["Box"].words


def test_recursion_and_mutual_calls_end():
    found = in_class(
        """
        def a(self): self.x = 1; self.b()
        def b(self): self.y = 1; self.a()
        """
    )
    assert {"Box.x", "Box.y"} == defines(found, "Box.a") == defines(found, "Box.b")


INHERITED = """
    import abc

    class Base(abc.ABC):
        def __init__(self): self.total = 0
        def add(self, n): self.total += self.weight(n)
        @abc.abstractmethod
        def weight(self, n): ...

    class Heavy(Base):
        def __init__(self, factor):
            super().__init__()
            self.factor = factor
            self.seen = 0
        def weight(self, n):
            self.seen += 1
            return n * self.factor
        def add(self, n):
            super().add(n)

    class Light(Base):
        def weight(self, n): return n
"""


def test_overriding_methods_and_super_count():
    found = facts(INHERITED)
    assert {"Base.total", "Heavy.seen"} == defines(found, "Base.add")
    assert {"Base.total", "Heavy.seen"} == defines(found, "Heavy.add")
    assert "Heavy.factor" in uses(found, "Heavy.add")
    assert {"Base.total", "Heavy.factor", "Heavy.seen"} == defines(found, "Heavy")
    assert {"Base.total"} == defines(found, "Light")


def test_an_inherited_attribute_is_one_location():
    found = facts(INHERITED)
    assert influences(found, "Heavy.add", "Base.add")
    assert frozenset({"total", "factor", "seen"}) >= found.relevant_attributes("Heavy", ["Heavy.weight"])
    assert "factor" in found.relevant_attributes("Heavy", ["Heavy.weight"])


def test_siblings_do_not_share_an_attribute_of_the_same_name():
    found = facts(
        """
        class A:
            def __init__(self): self.x = 0
            def set(self): self.x = 1
        class B:
            def __init__(self): self.x = 0
            def get(self): return self.x
        """
    )
    assert not influences(found, "A.set", "B.get")
    assert influences(found, "B", "B.get")


def test_an_object_of_unknown_class_may_be_of_any():
    found = facts(
        """
        class A:
            def __init__(self): self.x = 0
            def get(self): return self.x
        def change(thing): thing.x = 1
        def harmless(thing: int): return thing
        """
    )
    assert influences(found, "change", "A.get")
    assert not influences(found, "harmless", "A.get")


LINKED = """
    class Node:
        def __init__(self, value, following=None):
            self.value = value
            self.following = following

    class Chain:
        def __init__(self):
            self.head = None
            self.size = 0
        def push(self, value):
            self.head = Node(value, self.head)
            self.size += 1
        def last(self):
            node = self.head
            while node.following is not None:
                node = node.following
            return node.value
        def rename(self, value):
            node = self.head
            while node.following:
                node = node.following
            node.value = value
        def __len__(self):
            return self.size
"""


def test_linked_nodes_are_followed_through_locals():
    found = facts(LINKED)
    assert {"Node.value", "Node.following", "Chain.head"} <= uses(found, "Chain.last")
    assert "Node.value" in defines(found, "Chain.rename")
    assert influences(found, "Chain.rename", "Chain.last")
    assert ("Chain.push", "Chain.rename") == found.definers("Chain", ["head"])[1:] or (
        "Chain.push",
        "Chain.rename",
    ) == found.definers("Chain", ["head"])
    assert {"head"} == found.relevant_attributes("Chain", ["Chain.last"])
    assert not influences(found, "Chain.rename", "Chain.__len__")


def test_module_state_and_class_variables():
    found = facts(
        """
        total = 0
        registry = {}
        LIMIT = 3
        def add(n):
            global total
            total += n
        def get(): return total
        def register(name, value): registry[name] = value
        def known(name): return name in registry
        def forget(): registry.clear()
        class Counter:
            count = 0
            names: list[str] = []
            def __init__(self): Counter.count += 1
            @classmethod
            def reset(cls): cls.count = 0
            @staticmethod
            def peek(): return Counter.count
            def name(self, n): self.names.append(n)
            def first(self): return self.names[0]
        """
    )
    assert {"total"} == uses(found, "get") == defines(found, "add")
    assert {"registry[]"} == defines(found, "register")
    assert influences(found, "register", "known")
    assert influences(found, "forget", "known")
    assert not influences(found, "add", "known")
    assert {"Counter.count"} == defines(found, "Counter.reset") == uses(found, "Counter.peek")
    assert influences(found, "Counter", "Counter.peek")
    assert influences(found, "Counter.name", "Counter.first")
