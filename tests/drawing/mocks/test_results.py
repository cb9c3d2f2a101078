"""What the members of an interface may answer."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.mocks.members import members_of
from tracetwin.drawing.mocks.results import result_plan
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.wrapped import SELF
from tracetwin.model.recipes import evaluate

MakeModule = Callable[..., ModuleType]

HEAD = """
    from __future__ import annotations
    from abc import ABC, abstractmethod
    from collections.abc import AsyncIterator, Awaitable, Iterator
    from contextlib import AbstractContextManager, contextmanager
    from typing import Generic, NoReturn, Protocol, TypeVar, overload
    T = TypeVar("T")
    Me = TypeVar("Me", bound="I")
    class User:
        def __init__(self, name: str) -> None:
            self.name = name
"""

# a member of the class I, in a module with HEAD, and its results in words
ANNOTATED: list[tuple[str, str]] = [
    ("def m(self) -> int: ...", "int"),
    ("def m(self) -> 'str | None': ...", "str | None"),
    ("def m(self) -> list[User]: ...", "list[User]"),
    ("def m(self) -> None: ...", "None"),
    ("def m(self) -> NoReturn: ...", "None"),
    ("def m(self: Me) -> Me: ...", "itself"),
    ("def m(self) -> 'I': ...", "itself | mock of I"),
    ("def m(self) -> I | None: ...", "itself | mock of I | None"),
    ("def __enter__(self) -> 'I': ...", "itself"),
    ("def __enter__(self): ...", "itself"),
    ("def __exit__(self, *args) -> bool: ...", "bool"),
    ("def __exit__(self, *args): ...", "None"),
    ("def __iter__(self) -> Iterator[str]: ...", "iterator[str]"),
    ("def __next__(self) -> str: ...", "str"),
    ("def __len__(self) -> str: ...", "int"),
    ("def __bool__(self): ...", "bool"),
    ("def __contains__(self, key): ...", "bool"),
    ("async def m(self) -> int: ...", "int"),
    ("def m(self) -> Awaitable[str]: ...", "str"),
    ("def m(self) -> AsyncIterator[str]: ...", "list[str]"),
    ("def m(self) -> AbstractContextManager[int]: ...", "context manager of int"),
    ("@contextmanager\n        def m(self) -> Iterator[str]: yield ''", "context manager of str"),
    ("def m(self) -> Iterator[str]:\n            yield ''", "list[str]"),
    ("@property\n        def m(self) -> float: ...", "float"),
    ("m: bytes", "bytes"),
]


def described(module: ModuleType, name: str | None = None) -> str:
    planner = Planner(module)
    members = members_of(module.I)
    member = members[name] if name else next(iter(members.values()))
    return result_plan(member, planner, module.I, planner.scope(None, module.I), 1).describe()


def test_overloads_tell(make_module: MakeModule):
    module = make_module(f"""{HEAD}
    class I(Protocol):
        @overload
        def m(self, k: int) -> int: ...
        @overload
        def m(self, k: str) -> str: ...
    """)
    assert "int | str" == described(module)


@pytest.mark.parametrize(("member", "expected"), ANNOTATED, ids=[member for member, _ in ANNOTATED])
def test_annotations_tell(make_module: MakeModule, member, expected):
    module = make_module(f"{HEAD}\n    class I(Protocol):\n        {member}\n")
    assert expected == described(module)


# what a function does with the results of `x.m`, and what they may be
USED: list[tuple[str, str]] = [
    ("return x.m().upper()", "str"),
    ("y = x.m()\n  return y * 2 > 3", "int"),
    ("if x.m(): return 1", "bool"),
    ("x.m()", "None"),
    ("return [a.upper() for a in x.m()]", "list[str]"),
    ("return x.m()['k'] + 1", "dict"),
]


@pytest.mark.parametrize(("body", "expected"), USED, ids=[body for body, _ in USED])
def test_without_annotations_the_uses_tell(make_module: MakeModule, body, expected):
    head = "from abc import ABC, abstractmethod\nclass I(ABC):\n  @abstractmethod\n  def m(self): ...\n"
    assert described(make_module(f"{head}def f(x: I):\n  {body}\n")).startswith(expected)


def test_awaited_results_are_followed(make_module: MakeModule):
    module = make_module("""
        class I:
            async def m(self): ...
        async def f(x):
            return (await x.m()).strip()
    """)
    assert "str" == described(module)


def test_type_variables_are_bound_by_inheritance(make_module: MakeModule):
    module = make_module(f"""{HEAD}
    class Repo(Protocol[T]):
        def get(self) -> T | None: ...
    class I(Repo[User], Protocol): ...
    """)
    assert "User | None" == described(module, "get")


def test_what_an_annotation_does_not_tell_the_uses_do(make_module: MakeModule):
    module = make_module("""
        from __future__ import annotations
        class I:
            def m(self) -> Missing: ...
        def f(x):
            return x.m().upper()
    """)
    assert "str" == described(module)


def test_a_context_manager_gives_the_drawn_value(make_module: MakeModule):
    module = make_module(f"""{HEAD}
    class I(Protocol):
        def m(self) -> AbstractContextManager[int]: ...
    """)
    planner = Planner(module)
    member = members_of(module.I)["m"]
    plan = result_plan(member, planner, module.I, planner.scope(), 1)
    value, recipe = plan.build(PlainDraw({"x()": 7}), "x")
    with value as given, evaluate(recipe) as rebuilt:
        assert given == rebuilt == 7


def test_itself_is_one_plan():
    assert "itself" == SELF.describe()
