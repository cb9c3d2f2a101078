"""Which functions write what others read."""

from __future__ import annotations

import textwrap
from types import ModuleType

import pytest

from tests.drawing.conftest import MakeModule
from tracetwin.analysis.effects.shared_state import SharedState
from tracetwin.analysis.sources import read

SOURCE = """
    import itertools
    from collections import deque

    COUNT = 0
    TABLE = {}
    QUEUE = deque()
    IDS = itertools.count()
    PLAIN = 3

    class Pool:
        shared = None
        sizes = []
        def __init__(self): self.used = 0
        @classmethod
        def instance(cls):
            if cls.shared is None:
                cls.shared = cls()
            return cls.shared
        def note(self): self.sizes.append(1)
        def known(self): return len(self.sizes)
        def take(self):
            self.used += 1

    POOL = Pool()

    class Single:
        _instance = None
        def __new__(cls):
            if cls._instance is None:
                cls._instance = super().__new__(cls)
            return cls._instance

    def bump():
        global COUNT
        COUNT += 1
    def bump_twice():
        bump()
        bump()
    def level(): return COUNT > 3
    def deep_level(): return level()
    def register(name): TABLE[name] = 1
    def forget(name): TABLE.pop(name, None)
    def lookup(name): return TABLE.get(name)
    def push(x): QUEUE.append(x)
    def local(TABLE): TABLE["a"] = 1
    def shadow():
        COUNT = 5
        return COUNT
    def size(): return len(QUEUE)
    def ticket(): return next(IDS)
    def plain(): return PLAIN
    def used(): return POOL.used
    def use(): POOL.take()
    def reset():
        Pool.shared = None
    def patch(cls): cls.tag = 1
"""


@pytest.fixture
def state(make_module: MakeModule) -> SharedState:
    module: ModuleType = make_module(textwrap.dedent(SOURCE))
    return SharedState(read(module))


@pytest.mark.parametrize(
    ("target", "writers"),
    [
        ("level", ["bump", "bump_twice"]),
        ("deep_level", ["bump", "bump_twice"]),
        ("lookup", ["register", "forget"]),
        ("size", ["push"]),
        ("ticket", ["ticket"]),
        ("plain", []),
        ("shadow", []),
        ("used", ["use"]),
        ("Pool.instance", ["Pool.instance", "reset"]),
        ("Pool.known", ["Pool.note"]),
        ("Single.__new__", ["Single.__new__"]),
        ("patch", []),
    ],
)
def test_writers_of_what_a_function_reads(state: SharedState, target: str, writers: list[str]) -> None:
    assert state.writers([target]) == writers


PROVED = """
    LIMITS = {"most": 3}

    def limit(): return LIMITS["most"]
    def set_limit(value): LIMITS["most"] = value

    class Base:
        def full(self): return self.most > 2
        @property
        def most(self): return limit()
        def plain(self): return 3

    class Heir(Base):
        pass

    class Pool:
        def __init__(self): self.used = 0
        def take(self): self.used += 1
    POOL = Pool()
    def crowded(): return POOL.used > 3
    def use(): POOL.take()

    def later(get=None): return (get or limit)
    def alone(x): return x
"""


@pytest.mark.parametrize(
    ("function", "shares"),
    [
        ("Base.full", True),
        ("Heir.full", True),
        ("Base.plain", False),
        ("crowded", True),
        ("later", True),
        ("alone", False),
    ],
    ids=str,
)
def test_what_others_change_is_read_through_properties_inherited_methods_and_functions_passed_on(
    make_module: MakeModule, function: str, shares: bool
) -> None:
    state = SharedState(read(make_module(textwrap.dedent(PROVED))), mentions=True)
    assert bool(state.shared_by([function])) is shares
