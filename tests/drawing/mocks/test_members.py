"""What an interface offers."""

from __future__ import annotations

import io
import typing
from collections import abc
from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.mocks.members import EMPTY, members_of

MakeModule = Callable[..., ModuleType]

INTERFACE = """
    from __future__ import annotations
    import functools
    from abc import ABC, abstractmethod
    from collections.abc import AsyncIterator, Awaitable, Iterator
    from contextlib import asynccontextmanager, contextmanager
    from typing import ClassVar, Protocol, overload

    class Thing(ABC):
        LIMIT = 3
        title: str
        kinds: ClassVar[list[str]] = []

        def __init__(self, host: str, port=80, *, on: bool = True):
            self.host = host
            self.port = port
            self.size: int = len(host)
            self._hidden = 1
            self.count = 0

        @abstractmethod
        def plain(self, key: str, *, times: int = 1) -> bytes | None: ...
        @abstractmethod
        async def later(self) -> int: ...
        @abstractmethod
        def awaited(self) -> Awaitable[int]: ...
        @abstractmethod
        def stream(self) -> AsyncIterator[int]: ...
        @classmethod
        @abstractmethod
        def made(cls, x: int) -> "Thing": ...
        @staticmethod
        @abstractmethod
        def helped(x: int) -> int: ...
        @property
        @abstractmethod
        def shown(self) -> str: ...
        @functools.cached_property
        def kept(self) -> int:
            return 1
        def items(self) -> Iterator[int]:
            yield 1
        async def events(self):
            yield 1
        @contextmanager
        def opened(self) -> Iterator[int]:
            yield 1
        @asynccontextmanager
        async def entered(self) -> AsyncIterator[int]:
            yield 1
        def concrete(self) -> int:
            return self._step()
        def silent(self):
            '''Does nothing.'''
        def refused(self):
            raise NotImplementedError("later")
        @abstractmethod
        def _step(self) -> int: ...
        def _private(self): ...
        def __len__(self) -> int:
            return 1
        def __repr__(self):
            return "x"
        __hash__ = None

    class Pick(Protocol):
        size: int
        @overload
        def get(self, key: str) -> int: ...
        @overload
        def get(self, key: int) -> str: ...
"""


@pytest.fixture
def members(make_module: MakeModule):
    module = make_module(INTERFACE)
    return {**members_of(module.Thing), **{f"Pick.{k}": v for k, v in members_of(module.Pick).items()}}


@pytest.mark.parametrize(
    ("name", "kind", "is_abstract"),
    [
        ("plain", "method", True),
        ("later", "async", True),
        ("awaited", "async", True),
        ("stream", "asyncgen", True),
        ("made", "classmethod", True),
        ("helped", "staticmethod", True),
        ("shown", "property", True),
        ("kept", "property", False),
        ("items", "generator", False),
        ("events", "asyncgen", False),
        ("opened", "method", False),
        ("concrete", "method", False),
        ("silent", "method", True),
        ("refused", "method", True),
        ("_step", "method", True),
        ("__len__", "method", False),
        ("title", "attribute", True),
        ("LIMIT", "attribute", False),
        ("host", "attribute", True),
        ("Pick.get", "method", True),
        ("Pick.size", "attribute", True),
    ],
)
def test_each_kind_is_known(members, name, kind, is_abstract):
    assert (members[name].kind, members[name].is_abstract) == (kind, is_abstract)


def test_private_and_plumbing_names_are_left_out(members):
    hidden = {"_private", "_hidden", "__init__", "__repr__", "__hash__", "__doc__", "__module__"}
    assert not hidden & set(members)


def test_results_are_annotated_as_written(members):
    assert "bytes | None" == members["plain"].returns
    assert "str" == members["title"].returns
    assert "str" == members["host"].returns
    assert "int" == members["size"].returns
    assert int is members["count"].returns
    assert EMPTY is members["port"].returns


def test_results_may_be_told_by_a_type_comment(make_module: MakeModule):
    module = make_module("""
        class Store:
            def ttl(self, key):
                # type: (str) -> int | None
                raise NotImplementedError
            def get(self, key):  # type: ignore[no-untyped-def]
                raise NotImplementedError
    """)
    members = members_of(module.Store)
    assert ("int | None", EMPTY) == (members["ttl"].returns, members["get"].returns)


def test_parameters_are_those_that_callers_pass(members):
    assert ["key", "times"] == [item.name for item in members["plain"].parameters]
    assert ["x"] == [item.name for item in members["made"].parameters]
    assert ["x"] == [item.name for item in members["helped"].parameters]


def test_functions_under_contextmanager_are_known(members):
    assert members["opened"].is_manager
    assert members["entered"].is_manager
    assert not members["concrete"].is_manager


def test_overloads_tell_what_may_be_returned(members):
    assert ("int", "str") == members["Pick.get"].overloads


def test_a_nearer_class_comes_first(make_module: MakeModule):
    module = make_module("""
        class Base:
            def f(self) -> int: ...
            def g(self): ...
            __eq__ = None
        class Near(Base):
            def f(self) -> str: ...
    """)
    members = members_of(module.Near)
    assert ["f", "g"] == list(members)
    assert (module.Near, "str" if isinstance(members["f"].returns, str) else str) == (
        members["f"].owner,
        members["f"].returns,
    )


@pytest.mark.parametrize("cls", [int, dict, type, Exception, abc.Mapping, typing.TextIO, io.StringIO])
def test_classes_of_python_itself_are_no_trouble(cls):
    assert isinstance(members_of(cls), dict)


def test_strange_classes_are_no_trouble(make_module: MakeModule):
    module = make_module("""
        class Meta(type):
            def __getattribute__(cls, name):
                if name in ("__dict__", "__mro__", "__annotations__"):
                    raise RuntimeError(name)
                return type.__getattribute__(cls, name)
        class Odd(metaclass=Meta):
            __slots__ = ("a", "_b")
            def f(self): ...
        class Field:
            def __get__(self, instance, owner):
                raise ValueError
            def __getattr__(self, name):
                raise KeyError(name)
        class Described:
            x = Field()
            def g(self): ...
    """)
    assert {"f", "a"} == set(members_of(module.Odd))
    assert "g" in members_of(module.Described)
