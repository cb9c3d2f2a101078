"""The classes that the benchmarks generate suites for are right, and so are the notes about them."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

CLASSES = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "classes"


def _load(path: str) -> ModuleType:
    file = CLASSES / f"{path}.py"
    spec = importlib.util.spec_from_file_location(f"classes_{file.stem}", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


FAULTS = _load("faults").FAULTS
INFEASIBLE = _load("infeasible").INFEASIBLE
SURPLUS = _load("redundancy").surplus


def test_coin_box_sells_after_coins_were_returned():
    box = _load("ports/coin_box").CoinBox()
    for call in (box.add_qtr, box.add_qtr, box.return_qtrs, box.vend):
        call()
    assert (box.total_qtrs, box.cur_qtrs, box.allow_vend) == (0, 0, 0)


def test_temperature_monitor_warns_when_enabled():
    monitor = _load("ports/temperature_monitor").TemperatureMonitor()
    monitor.update_temperature(81)
    assert monitor.warning() is None
    monitor.set_enabled(True)
    monitor.update_temperature(81)
    assert monitor.warning() == "too hot"


def test_stacks():
    stack = _load("ports/int_stack").IntStack()
    for value in range(25):
        stack.push(value)
    assert list(range(24, -1, -1)) == [stack.pop() for _ in range(25)]
    unique = _load("ports/ub_stack").UBStack(3)
    assert [True, True, True, True, False] == [unique.push(value) for value in (1, 2, 3, 1, 4)]
    assert (1, 3) == (unique.top(), unique.size())
    unique.pop()
    assert (3, False) == (unique.top(), unique.is_member(1))


@pytest.mark.parametrize("seed", range(5))
def test_sets_and_maps_do_what_the_builtin_ones_do(seed):
    rng = random.Random(seed)
    tree, table = _load("ports/bin_search_tree").BinSearchTree(), _load("ports/tree_map").TreeMap()
    model: set[int] = set()
    mapping: dict[int, str] = {}
    for step in range(150):
        key = rng.randrange(20)
        if rng.random() < 0.6:
            assert tree.insert(key) == (key not in model)
            assert table.put(key, str(step)) == mapping.get(key)
            model.add(key)
            mapping[key] = str(step)
        else:
            assert tree.remove(key) == (key in model)
            assert table.remove(key) == mapping.pop(key, None)
            model.discard(key)
        assert sorted(model) == list(tree)
        assert [(k, mapping[k]) for k in sorted(mapping)] == [(k, table.get(k)) for k in table]
        assert (len(model), len(mapping)) == (tree.size(), table.size())


@pytest.mark.parametrize("seed", range(5))
def test_heaps_give_what_sorting_gives(seed):
    rng = random.Random(seed)
    heap, array = _load("ports/binomial_heap").BinomialHeap(), _load("ports/heap_array").HeapArray(40)
    rising: list[int] = []
    falling: list[int] = []
    for _ in range(100):
        key = rng.randrange(30)
        if rng.random() < 0.55:
            heap.insert(key)
            rising = sorted([*rising, key])
            assert array.insert(key) == (len(falling) < 40)
            falling = sorted([*falling, key][:40], reverse=True)
        else:
            assert heap.delete(key) == (key in rising)
            if key in rising:
                rising.remove(key)
            assert heap.extract_min() == (rising.pop(0) if rising else None)
            assert array.extract_max() == (falling.pop(0) if falling else None)
        assert (heap.size(), array.size()) == (len(rising), len(falling))


def test_linked_list_does_what_a_list_does():
    linked = _load("ports/linked_list").LinkedList()
    for element in (4, 5, 6, 5):
        linked.add(element)
    linked.add_first(3)
    linked.insert(2, 9)
    assert [3, 4, 9, 5, 6, 5] == list(linked) == [linked.get(index) for index in range(6)]
    assert (3, 5, -1) == (linked.index_of(5), linked.last_index_of(5), linked.index_of(7))
    assert (True, False) == (linked.remove(5), linked.remove(7))
    assert (5, 3) == (linked.remove_last(), linked.remove_first())
    assert [4, 9, 6] == list(linked)


@pytest.mark.parametrize("entry", INFEASIBLE, ids=lambda entry: f"{entry.function}: {entry.text}")
def test_each_infeasible_branch_names_one_line(entry):
    assert entry.line() > 0
    assert len(entry.why) > 20


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_seeded_fault_can_be_applied_and_compiles(fault):
    source = (CLASSES / fault.file).read_text(encoding="utf-8")
    changed = fault.apply(source)
    assert changed != source
    compile(changed, fault.file, "exec")


def test_a_test_is_redundant_if_the_remaining_ones_show_all_that_it_shows():
    facts = {"poor": {("a", 1)}, "rich": {("a", 1), ("b", 2)}, "other": {("c", 3)}}
    assert ["poor"] == SURPLUS(facts)
    assert ["first"] == SURPLUS({"first": {("a", 1)}, "second": {("a", 1)}})
    assert [] == SURPLUS({"one": {("a", 1), ("b", 2)}, "two": {("b", 2), ("c", 3)}})


def test_there_are_thirty_faults_of_different_names():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 30


@pytest.mark.parametrize("file", sorted((CLASSES / "deep").glob("*.py")), ids=lambda file: file.stem)
def test_each_deep_class_has_a_goal(file):
    assert "# goal" in file.read_text(encoding="utf-8")
    _load(f"deep/{file.stem}")
