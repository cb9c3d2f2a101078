"""What runs read and write, on originals and twins."""

from __future__ import annotations

import inspect
import random
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from instrumenter.build import build
from runtime import trace
from runtime import twin as interface
from tests.analysis.flow.flows import influences
from tracetwin.analysis.flow.analyse import facts_of
from tracetwin.worker.dataflow.flow import FlowObserver, Observed

FILE = "/nowhere/sample.py"


def module(source: str, *, twin: bool) -> dict[str, Any]:
    """The namespace of a module, original or twin."""
    made = ModuleType("sample")
    names: dict[str, Any] = vars(made)
    names["__file__"] = FILE
    if twin:
        built = build(source, name="sample", filename=FILE)
        names[built.twin.prelude_name] = interface
        exec(built.code, names)
    else:
        exec(compile(source, FILE, "exec"), names)
    return names


@pytest.fixture(params=["original", "twin"])
def observe(request: pytest.FixtureRequest) -> Callable[..., tuple[Observed, dict[str, Any]]]:
    """Runs a function on the names of a module, observed."""

    def run(source: str, body: Callable[[dict[str, Any]], Any]) -> tuple[Observed, dict[str, Any]]:
        source = textwrap.dedent(source)
        names = module(source, twin=request.param == "twin")
        observer = FlowObserver(FILE, source)
        trace.start()
        observer.start()
        try:
            names["result"] = body(names)
        finally:
            observed = observer.stop()
            trace.stop()
        return observed, names

    return run


COIN_BOX = Path("examples/coin_box.py").read_text(encoding="utf-8")


def vend(names: dict[str, Any]) -> Any:
    box = names["CoinBox"]()
    for name in ("add_qtr", "add_qtr", "return_qtrs", "vend"):
        getattr(box, name)()
    return box


def test_the_papers_sequence_executes_pair_seven(observe):
    observed, names = observe(COIN_BOX, vend)
    lines = {(p.attribute, p.define_line, p.use_line) for p in observed.pairs}
    assert ("cur_qtrs", 25, 30) in lines
    assert ("allow_vend", 21, 29) in lines
    assert ("cur_qtrs", 19, 20) in lines
    assert {p.thing for p in observed.pairs} == {id(names["result"])}


def test_executed_pairs_are_pairs_of_the_static_table(observe):
    observed, _ = observe(COIN_BOX, vend)
    static = {
        (p.attribute, p.define.line, p.define.column, p.use.line, p.use.column)
        for p in facts_of(COIN_BOX, "coin_box").pairs["CoinBox"]
        if p.feasible
    }
    executed = {tuple(p[:5]) for p in observed.pairs}
    assert executed <= static
    assert 6 == len(executed)


def test_events_of_one_object_come_in_order_with_their_stage():
    names = module(COIN_BOX, twin=False)
    observer = FlowObserver(FILE, COIN_BOX)
    observer.start()
    box = names["CoinBox"]()
    observer.stage = 1
    box.add_qtr()
    found = observer.stop().plain(box)
    assert [
        (0, True, "total_qtrs", 13, 8),
        (0, True, "cur_qtrs", 14, 8),
        (0, True, "allow_vend", 15, 8),
        (1, False, "cur_qtrs", 19, 8),
        (1, True, "cur_qtrs", 19, 8),
        (1, False, "cur_qtrs", 20, 11),
    ] == found


KINDS = """
    total = 0
    table = {}

    class Node:
        __slots__ = ("value", "left")
        def __init__(self, value):
            self.value = value
            self.left = None

    class Box:
        count = 0
        def __init__(self):
            self.items = []
            self.root = Node(1)
            self.__secret = 5
        @property
        def level(self):
            return self.__secret
        @level.setter
        def level(self, value):
            self.__secret = value
        def push(self, x):
            items = self.items
            items.append(x)
        def top(self):
            return self.items[-1]
        def grow(self):
            node = self.root
            node.left = Node(2)
            self.root.left.value = 7
            return self.root.left.value
        def tally(self):
            global total
            Box.count += 1
            total += 1
            table["a"] = total
            return table["a"]
        def place(self, x):
            self.items[0] = x
            del self.items[0]
            return len(self.items)
"""


def used(observed: Observed, name: str) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    return observed.reads.get(name, set()), observed.writes.get(name, set())


def test_elements_through_a_local_alias(observe):
    observed, _ = observe(KINDS, lambda names: [b := names["Box"](), b.push(1), b.top()])
    assert ({("Box", "items")}, {("Box", "items[]")}) == used(observed, "Box.push")
    assert {("Box", "items"), ("Box", "items[]")} == used(observed, "Box.top")[0]
    assert ("items[]", 25, 27) in {(p.attribute, p.define_line, p.use_line) for p in observed.pairs}


def test_item_stores_and_deletions(observe):
    observed, _ = observe(KINDS, lambda names: [b := names["Box"](), b.push(1), b.place(2)])
    assert ("Box", "items[]") in used(observed, "Box.place")[1]


def test_variables_that_one_instruction_loads_together(observe):
    source = """
        class Pair:
            def __init__(self):
                self.left, self.right = {}, {}
            def put(self, key, value):
                left = self.left
                left[key] = value
            def both(self):
                left = self.left
                right = self.right
                return list(zip(left, right)), left == right
    """
    observed, _ = observe(source, lambda names: [b := names["Pair"](), b.put(1, 2), b.both()])
    assert {("Pair", "left[]")} == used(observed, "Pair.put")[1]
    elements = [e for e in observed.events if e.attribute.endswith("[]") and not e.defines]
    assert [("left[]", 24), ("left[]", 39), ("right[]", 30), ("right[]", 47)] == sorted(
        (e.attribute, e.column) for e in elements
    )


def test_slots_and_linked_objects_are_told_by_identity(observe):
    observed, _ = observe(KINDS, lambda names: [b := names["Box"](), b.grow()])
    assert ("Node", "left") in used(observed, "Box.grow")[1]
    found = {(p.attribute, p.define_line, p.use_line) for p in observed.pairs if p.owner == "Node"}
    assert ("value", 31, 32) in found
    assert ("value", 9, 32) not in found


def test_properties_private_names_globals_and_class_variables(observe):
    def run(names: dict[str, Any]) -> Any:
        box = names["Box"]()
        box.level = 8
        return [box.level, box.tally()]

    observed, names = observe(KINDS, run)
    assert [8, 1] == names["result"]
    assert (
        {("Box", "_Box__secret")} == used(observed, "Box.level.setter")[1] == used(observed, "Box.level")[0]
    )
    reads, writes = used(observed, "Box.tally")
    assert {("Box", "count"), ("", "total"), ("", "table[]")} <= writes
    assert {("", "total"), ("", "table"), ("", "table[]")} <= reads


def test_callees_count_for_their_callers_also_after_exceptions(observe):
    source = """
        class Box:
            def __init__(self): self.n = 0
            def bad(self):
                self.n = 1
                raise ValueError
            def outer(self):
                try:
                    self.bad()
                except ValueError:
                    pass
                return self.n
            def other(self):
                return 1
    """
    observed, _ = observe(source, lambda names: [b := names["Box"](), b.outer(), b.other()])
    assert {("Box", "n")} == used(observed, "Box.outer")[1] == used(observed, "Box.bad")[1]
    assert (set(), set()) == used(observed, "Box.other")
    assert ("n", 5, 12) in {(p.attribute, p.define_line, p.use_line) for p in observed.pairs}


def test_no_code_of_the_target_is_run(observe):
    source = """
        class Box:
            def __init__(self): self.log = []
            def __getattr__(self, name):
                self.log.append(name)
                return 1
            def m(self):
                return self.missing + self.missing
    """
    _, names = observe(source, lambda names: [b := names["Box"](), b.m(), b.log])
    assert ["missing", "missing"] == names["result"][2]


def test_results_make_static_facts_more_complete(observe):
    source = """
        class Box:
            def __init__(self): self.n = 0
            def dynamic(self):
                return self.__class__.__dict__["hidden"](self)
            def hidden(self): self.n = 1
            def get(self): return self.n
    """
    observed, _ = observe(source, lambda names: [b := names["Box"](), b.dynamic(), b.get()])
    static = facts_of(textwrap.dedent(source), "sample")
    confirmed = static.confirmed(observed.facts())
    assert influences(confirmed, "Box.dynamic", "Box.get")


def test_the_tracer_of_others_is_put_back():
    def other(*_: object) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(other)
    try:
        observer = FlowObserver(FILE, COIN_BOX)
        observer.start()
        observer.stop()
        assert other is sys.gettrace()
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("name", ["coin_box", "search_tree", "temperature_monitor"])
def test_what_random_calls_do_is_among_the_static_facts(name):
    source = Path(f"examples/{name}.py").read_text(encoding="utf-8")
    names = module(source, twin=False)
    static = facts_of(source, name)
    observer = FlowObserver(FILE, source)
    draw = random.Random(0)
    seen = 0
    for owner, known in static.classes.items():
        pairs = {(p.attribute, *_place(p.define), *_place(p.use)) for p in static.pairs[owner] if p.feasible}
        words = [qualname for word, qualname in known.words if not word.startswith("_")]
        for _ in range(40):
            observer.start()
            thing = names[owner](*_arguments(names[owner], draw))
            for qualname in draw.choices(words, k=5) if words else ():
                method = getattr(thing, qualname.rpartition(".")[2])
                method(*_arguments(method, draw))
            observed = observer.stop()
            assert {tuple(p[:5]) for p in observed.pairs if p.thing == id(thing) and p.define_line} <= pairs
            for qualname, (reads, writes) in observed.facts().items():
                facts = static.invokables.get(qualname.removesuffix(".__init__"))
                if facts is not None and "." in qualname:
                    assert _named(reads) <= set(static.names(facts.uses))
                    assert _named(writes) <= set(static.names(facts.defines))
                    seen += 1
    assert seen > 40


def _place(point: Any) -> tuple[int, int]:
    return point.line, point.column


def _arguments(called: Callable[..., object], draw: random.Random) -> list[int]:
    return [draw.randrange(4) for _ in inspect.signature(called).parameters]


def _named(rows: list[tuple[str, str]]) -> set[str]:
    return {f"{owner}.{name}" for owner, name in rows}
