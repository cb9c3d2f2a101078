"""What a run writes into a module is noticed and put back."""

from __future__ import annotations

import sys
import textwrap
import time
import types
from collections.abc import Iterator
from typing import Any

import pytest

from tracetwin.worker.restore.state import StateGuard

SOURCE = """
import collections
import contextvars
import dataclasses
import enum
import functools
import io
import itertools
import logging
import random
import weakref
from collections import deque

LOG = logging.getLogger(__name__)
COUNT = 0
ITEMS = [1, [2, 3], {"a": [1]}]
NESTED = ({"deep": [set()]},)
REGISTRY = {}
NAMES = {1, 2}
ORDERED = collections.OrderedDict(a=1, b=2)
DEFAULTS = collections.defaultdict(list)
QUEUE = deque([1, 2], maxlen=2)
BUFFER = bytearray(b"abc")
FILE = io.StringIO("text")
GENERATOR = random.Random(1)
VARIABLE = contextvars.ContextVar("VARIABLE", default=1)
TABLE = {n: str(n) for n in range(20_000)}

class Box:
    total = 0
    things = []
    def __init__(self):
        self.n = 0
        self.items = []
    @classmethod
    def grow(cls, found=[]):
        found.append(1)

class Slotted:
    __slots__ = ("x", "y")

class Colour(enum.Enum):
    RED = 1

class Mine(dict):
    def clear(self): raise RuntimeError
    def __eq__(self, other): raise RuntimeError
    def __iter__(self): raise RuntimeError
    __hash__ = object.__hash__

class Odd:
    def __eq__(self, other): raise RuntimeError
    def __getattribute__(self, name): raise RuntimeError
    __hash__ = object.__hash__

box = Box()
slotted = Slotted()
slotted.x = 1
mine = Mine(a=1)
odd = Odd()
known = {odd}
bound = box.items.append
part = functools.partial(print, ITEMS)

@functools.lru_cache(maxsize=None)
def cached(x): return x

def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
    return step
step = counter()

def assigns():
    global COUNT
    COUNT += 1
def assigns_an_equal():
    global COUNT
    COUNT = False
def defines(): globals()["new"] = 1
def deletes():
    global COUNT
    del COUNT
def redefines():
    global counter
    counter = None
def appends(): ITEMS.append(4)
def replaces(): ITEMS[0] = True
def nests(): ITEMS[2]["a"].append(4)
def nests_in_tuple(): NESTED[0]["deep"][0].add(1)
def registers(): REGISTRY["k"] = 1
def names(): NAMES.add(9)
def names_odd(): known.discard(odd)
def orders(): ORDERED.move_to_end("a")
def reads_default(): DEFAULTS["x"]
def queues(): QUEUE.append(3)
def buffers(): BUFFER.extend(b"d")
def files(): FILE.write("other")
def draws(): GENERATOR.random()
def sets_variable(): VARIABLE.set(5)
def grows_table(): TABLE[-1] = ""
def counts_in_class(): Box.total += 1
def lists_in_class(): Box.things.append(1)
def new_in_class(): Box.new = 1
def removes_in_class(): del Box.total
def patches_method(): Box.grow = None
def fills_default(): Box.grow()
def in_instance(): box.n += 1
def in_list_of_instance(): box.items.append(1)
def new_in_instance(): box.new = 1
def in_slot(): slotted.x = 2
def new_in_slot(): slotted.y = 2
def in_enum(): Colour.RED._value_ = 7
def in_subclass(): mine["b"] = 2
def in_function(): in_function.calls = getattr(in_function, "calls", 0) + 1
def in_closure(): step()
def in_cache(): cached(3)
def by_bound(): bound(1)

def only_reads():
    LOG.isEnabledFor(10)
    list(weakref.WeakSet([box]))
    found = [COUNT, ITEMS[0], box.n, Box.total, Colour(1), Colour.RED.name]
    return [*found, DEFAULTS.get("x"), cached, VARIABLE.get()]
"""

WRITERS = [
    line[4 : line.index("(")]
    for line in SOURCE.splitlines()
    if line.startswith("def ") and line[4 : line.index("(")] not in ("counter", "cached", "only_reads")
]


@pytest.fixture
def module() -> Iterator[types.ModuleType]:
    made = types.ModuleType("guarded_target")
    sys.modules[made.__name__] = made
    exec(textwrap.dedent(SOURCE), made.__dict__)
    yield made
    del sys.modules[made.__name__]


def portrait(module: types.ModuleType) -> list[Any]:
    """The state as seen from outside."""
    m: Any = module
    return [
        *(sorted(name for name in vars(m) if name != "__warningregistry__"), repr(getattr(m, "COUNT", None))),
        *(
            repr(m.ITEMS),
            repr(m.NESTED),
            m.REGISTRY,
            m.NAMES,
            list(m.ORDERED),
            dict(m.DEFAULTS),
            list(m.QUEUE),
        ),
        *(bytes(m.BUFFER), m.FILE.getvalue(), m.GENERATOR.getstate(), m.VARIABLE.get(), len(m.TABLE)),
        *(sorted(vars(m.Box)), m.Box.__dict__.get("total"), list(m.Box.things), repr(vars(m.box))),
        *(m.slotted.x, hasattr(m.slotted, "y"), m.Colour.RED.value, sorted(dict.keys(m.mine)), len(m.known)),
        *(vars(m.in_function), m.step.__closure__[0].cell_contents, m.cached.cache_info().currsize),
        *(
            m.Box.__dict__["grow"].__func__.__defaults__ if m.Box.__dict__["grow"] else None,
            callable(m.counter),
        ),
    ]


@pytest.mark.parametrize("name", WRITERS)
def test_a_write_is_noticed_and_put_back(module: types.ModuleType, name: str) -> None:
    before = repr(portrait(module))
    guard = StateGuard([module])
    for _ in range(2):
        getattr(module, name)()
        assert guard.dirty()
        assert guard.restore()
        assert repr(portrait(module)) == before
        assert not guard.dirty()


@pytest.mark.parametrize(
    ("write", "grown"),
    [
        ("import json as fresh", True),
        ("class Late: pass", True),
        ("from typing import Optional; Pair = Optional[int]", True),
        ("Box.__module__ = 'elsewhere'", True),
        ("LOADED = True", False),
        ("import json as COUNT", False),
        ("REGISTRY['late'] = 1", False),
        ("ITEMS.append(int)", False),
        ("Box.total = 1", False),
    ],
)
def test_new_names_of_what_is_defined_are_growth_and_nothing_else(
    module: types.ModuleType, write: str, grown: bool
) -> None:
    guard = StateGuard([module])
    assert guard.has_only_grown()
    exec(write, vars(module))
    assert guard.has_only_grown() == grown


def test_a_cache_that_was_filled_is_emptied_and_counts_for_nothing(module: types.ModuleType) -> None:
    exec("import functools\n@functools.lru_cache\ndef double(n): return 2 * n", vars(module))
    guard = StateGuard([module])
    vars(module)["double"](3)
    assert guard.has_only_grown()
    assert vars(module)["double"].cache_info().currsize == 0


def test_growth_is_looked_for_also_where_a_run_would_be_told_later() -> None:
    made = [types.ModuleType(f"wide_{place}") for place in range(5)]
    for module in made:
        vars(module).update((f"name_{n}", None) for n in range(4_000))
    guard = StateGuard(made)
    assert guard.has_only_grown()
    vars(made[3])["name_7"] = int
    assert not guard.has_only_grown()


def test_reading_is_no_write(module: types.ModuleType) -> None:
    guard = StateGuard([module])
    for _ in range(3):
        module.only_reads()
        assert not guard.dirty()


def test_what_can_not_be_put_back_is_told() -> None:
    module = types.ModuleType("guarded_iterators")
    exec("import itertools\nids = itertools.cycle('ab')\ngen = (x for x in [1, 2])", module.__dict__)
    for name in ("ids", "gen"):
        guard = StateGuard([module])
        next(vars(module)[name])
        assert guard.dirty()
        assert not guard.restore()


def test_a_change_inside_a_very_large_table_is_noticed_in_its_turn(module: types.ModuleType) -> None:
    guard = StateGuard([module])
    module.TABLE[7] = "other"
    assert any(guard.dirty() for _ in range(10))
    assert guard.restore()
    assert module.TABLE[7] == "7"


def test_many_changes_at_once_are_put_back(module: types.ModuleType) -> None:
    before = repr(portrait(module))
    guard = StateGuard([module])
    for name in WRITERS:
        if name not in ("deletes", "redefines", "removes_in_class", "patches_method"):
            getattr(module, name)()
    assert guard.dirty()
    assert guard.restore()
    assert repr(portrait(module)) == before


def test_warnings_of_the_interpreter_are_no_state(module: types.ModuleType) -> None:
    guard = StateGuard([module])
    vars(module)["__warningregistry__"] = {"version": 1}
    assert not guard.dirty()
    assert "__warningregistry__" not in vars(module)


def test_looking_is_cheap() -> None:
    import textwrap as small

    guard = StateGuard([small])
    best = 1.0
    for _ in range(200):
        began = time.perf_counter()
        guard.dirty()
        best = min(best, time.perf_counter() - began)
    assert best < 200e-6


LAZY = """
def lazily(function):
    def stub(*arguments, own=None):
        return compiled(own)(*arguments)
    stub.__kwdefaults__ = {"own": stub}
    stub.__wrapped__ = function
    return stub

def compiled(stub):
    name = "wrapped_" + stub.__wrapped__.__name__
    made = {}
    exec(f"def {name}_code(*arguments, own=None): return {name}(*arguments)", made)
    stub.__code__ = made[name + "_code"].__code__
    stub.__globals__[name] = stub.__wrapped__
    return stub

FAR = [None]
for _ in range(9):
    FAR = [FAR]

@lazily
def double(x):
    return 2 * x

MANY = [list(range(9)) for _ in range(3_000)]
"""


def test_code_that_needs_new_names_of_its_module_is_put_back_with_these() -> None:
    module = types.ModuleType("lazy")
    sys.modules["lazy"] = module
    try:
        exec(compile(LAZY, "lazy.py", "exec"), vars(module))
        guard = StateGuard([module])
        for number in range(3):
            assert module.double(number) == 2 * number
            assert guard.dirty()
            assert guard.restore()
            assert "wrapped_double" not in vars(module)
    finally:
        del sys.modules["lazy"]


WEAK = """
import weakref

class Zone:
    pass

BY_NAME = weakref.WeakValueDictionary()
KNOWN = weakref.WeakSet()
SIZES = weakref.WeakKeyDictionary()
FIRST = Zone()
BY_NAME["first"] = FIRST
KNOWN.add(FIRST)
SIZES[FIRST] = 1
"""


@pytest.mark.parametrize(
    "write",
    ["BY_NAME['late'] = thing", "KNOWN.add(thing)", "SIZES[thing] = 2", "BY_NAME.clear()", "KNOWN.clear()"],
)
def test_what_is_held_weakly_is_put_back_while_a_run_keeps_it_alive(write: str) -> None:
    made = types.ModuleType("weakly_guarded")
    exec(WEAK, made.__dict__)
    guard = StateGuard([made])
    thing = made.Zone()
    exec(write, vars(made) | {"thing": thing})
    assert guard.dirty()
    assert guard.restore()
    assert not guard.dirty()
    assert (list(made.BY_NAME), list(made.KNOWN)) == (["first"], [made.FIRST])
    assert dict(made.SIZES) == {made.FIRST: 1}


def test_what_shows_in_its_turn_only_is_put_back_with_the_rest(module: types.ModuleType) -> None:
    tables = [{n: str(n) for n in range(9_000)} for _ in range(4)]
    vars(module).update((f"TABLE_{place}", table) for place, table in enumerate(tables))
    guard = StateGuard([module])
    vars(module)["ITEMS"].append(1)
    for table in tables:
        table[0] = "other"
    assert guard.dirty()
    assert guard.restore()
    for _ in tables:  # each has had its turn
        assert not guard.dirty() or guard.restore()
    assert {table[0] for table in tables} == {"0"}
