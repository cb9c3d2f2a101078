"""What a mock has to answer for, and what its classes refuse."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.mocks.interface import answered, inherited, is_interface, left_open
from tracetwin.model.errors import Unbuildable

MakeModule = Callable[..., ModuleType]


def test_an_interface_leaves_its_own_code_to_its_mocks(make_module: MakeModule):
    module = make_module("""
        from abc import ABC, abstractmethod
        class Disk(ABC):
            path: str
            limit = 3
            SCHEMES = "disk"
            known = ["a"]
            @abstractmethod
            def write(self, data): ...
            def free(self):
                '''Bytes left.'''
                return None
            def copy(self):
                return self.write(b"")
    """)
    assert {"path", "limit", "write", "free"} == set(answered((module.Disk,)))
    assert {"copy"} == set(inherited((module.Disk,)))
    assert {"path", "write"} == set(left_open((module.Disk,)))


def test_of_a_class_with_a_constructor_all_is_answered(make_module: MakeModule):
    module = make_module("""
        class Client:
            retries = 3
            def __init__(self, host):
                self.host = host
            def get(self, path):
                return self.host + path
    """)
    assert {"host", "get", "retries"} == set(answered((module.Client,)))
    assert not is_interface(module.Client)


def test_classes_that_register_their_subclasses_are_no_trouble(make_module: MakeModule):
    module = make_module("""
        from abc import ABCMeta, abstractmethod
        KNOWN = {}
        class Registering(ABCMeta):
            def __new__(mcs, name, bases, namespace):
                cls = super().__new__(mcs, name, bases, namespace)
                for scheme in cls.SCHEMES or ():
                    KNOWN[scheme] = cls
                return cls
        class Storage(metaclass=Registering):
            SCHEMES = ["memory"]
            @abstractmethod
            def incr(self) -> int: ...
    """)
    planner = Planner(module)
    assert "mock of Storage" == planner.resolver.plan(module.Storage, planner.scope()).describe()


@pytest.mark.parametrize(
    ("hook", "reason"),
    [
        ("def __init_subclass__(cls, *, key): pass", "missing 1 required keyword-only argument: 'key'"),
        ("def __init_subclass__(cls): raise RuntimeError('closed')", "closed"),
    ],
)
def test_a_class_that_refuses_says_why(make_module: MakeModule, hook, reason):
    module = make_module(f"""
        from abc import ABC, abstractmethod
        class Closed(ABC):
            {hook}
            @abstractmethod
            def run(self): ...
    """)
    planner = Planner(module)
    with pytest.raises(Unbuildable, match=reason):
        planner.resolver.plan(module.Closed, planner.scope())
