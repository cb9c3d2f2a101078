"""Type variables, bound by annotations, through inheritance and protocols; tuples, keywords, overloads."""

from __future__ import annotations

import typing
from typing import Any

import pytest

from tests.drawing.conftest import MakeModule
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.discovery.invokables import PlannedInvokable
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import Arguments, build_arguments
from tracetwin.drawing.typing.generics import bound, inherited, narrowed, substituted, unify

HEAD = """
from __future__ import annotations
import abc
import typing
from dataclasses import dataclass
from typing import Callable, Generic, Mapping, Protocol, Sequence, TypeVar
T = TypeVar("T")
K = TypeVar("K")
class Box(Generic[T]):
    def __init__(self, item: T) -> None: self.item = item
class Both(Generic[K, T]):
    def __init__(self, key: K, value: T) -> None: self.key, self.value = key, value
class Listed(Box[list[T]]): pass
class Text(Box[str]): pass
class Stack(Generic[T]):
    def __init__(self) -> None: self.items: list[T] = []
    def push(self, item: T) -> None: self.items.append(item)
class User:
    def __init__(self, age: int) -> None: self.age = age
"""


NEWER = """
try:
    from typing import NotRequired, Required, TypedDict, Unpack
except ImportError:
    from typing_extensions import NotRequired, Required, TypedDict, Unpack
"""


def invokable(make_module: MakeModule, source: str, name: str = "f") -> PlannedInvokable:
    found = {item.qualname: item for item in discover(make_module(HEAD + source))}
    return found[name]


def drawn(made: PlannedInvokable, **assignment: Any) -> Arguments:
    assert made.problem is None
    return build_arguments(PlainDraw(assignment), made.parameters)


@pytest.mark.parametrize(
    ("annotation", "look", "kind"),
    [
        ("Box[str]", "x.item", str),
        ("Box[float]", "x.item", float),
        ("Box[Box[bytes]]", "x.item.item", bytes),
        ("Both[str, list[float]]", "x.value[0]", float),
        ("Listed[str]", "x.item[0]", str),
        ("Box['User']", "x.item.age", int),
        ("Mapping[str, Box[str]]", "next(iter(x.values())).item", str),
    ],
)
def test_arguments_bind_the_variables_of_a_class(
    annotation: str, look: str, kind: type, make_module: MakeModule
) -> None:
    made = drawn(invokable(make_module, f"def f(x: {annotation}): pass"), **{"x.value#": 1, "x.item#": 1})
    assert type(eval(look, {"x": made.args[0]})) is kind


def test_calls_that_prepare_an_object_know_what_its_variables_are(make_module: MakeModule) -> None:
    made = invokable(make_module, "def f(x: Stack[str]):\n    return x.items[0]")
    draw = PlainDraw({"x~0": 1})
    draw.pool.consumers = [(made.parameters[0].plan.cls.__module__, "f")]  # type: ignore[union-attr]
    stack = build_arguments(draw, made.parameters).args[0]
    assert stack.items == [""]


def test_a_subclass_of_another_kind_is_no_instance(make_module: MakeModule) -> None:
    made = invokable(make_module, "def f(x: Box[int]): pass")
    plan = made.parameters[0].plan
    assert plan is not None
    assert "Text" not in plan.describe()
    other = invokable(make_module, "def f(x: Box[str]): pass").parameters[0].plan
    assert other is not None
    assert "Text" in other.describe()


def test_a_class_that_implements_a_protocol_is_bound_by_what_its_methods_return(
    make_module: MakeModule,
) -> None:
    source = """
class Repo(Protocol[T]):
    def get(self, key: int) -> T | None: ...
class Memory(Generic[K]):
    def __init__(self, items: list[K]) -> None: self.items = items
    def get(self, key: int) -> K | None: return None
class Numbers:
    def get(self, key: int) -> int | None: return None
def f(x: Repo[User]): pass
"""
    made = invokable(make_module, source)
    plan = made.parameters[0].plan
    assert plan is not None
    assert "Numbers" not in plan.describe()
    assert drawn(made, **{"x.items#": 1}).args[0].items[0].age == 0


def test_a_variable_means_the_same_for_all_parameters(make_module: MakeModule) -> None:
    made = invokable(make_module, "def f(x: T, y: list[T]): pass")
    for choice in (0, 1):
        arguments = drawn(made, **{"~T": choice})
        assert type(arguments.args[0]) is type(arguments.args[1][0])


def test_classes_of_a_bound_that_is_a_text(make_module: MakeModule) -> None:
    source = """
B = TypeVar("B", bound="User")
class Admin(User): pass
def f(x: type[B]): pass
"""
    made = invokable(make_module, source)
    assert {drawn(made, **{"x?": n}).args[0].__name__ for n in (0, 1)} == {"User", "Admin"}


@pytest.mark.parametrize(
    ("annotation", "lengths"),
    [
        ("tuple[int, *tuple[str, ...]]", {1, 2, 3, 4}),
        ("tuple[int, *tuple[str, ...], float]", {2, 3, 4, 5}),
        ("tuple[int, *tuple[str, float]]", {3}),
    ],
)
def test_tuples_with_a_part_of_any_length(
    annotation: str, lengths: set[int], make_module: MakeModule
) -> None:
    text = annotation.replace("*tuple[str, ...]", "Unpack[tuple[str, ...]]")
    text = text.replace("*tuple[str, float]", "Unpack[tuple[str, float]]")
    made = invokable(make_module, f"{NEWER}def f(x: {text}): pass")
    found = [drawn(made, **{"x?": n}).args[0] for n in range(4)]
    assert lengths == {len(value) for value in found}
    assert all(type(value[0]) is int for value in found)
    assert all(type(value[1]) is str for value in found if len(value) > 2)


def test_keywords_of_a_typed_dict(make_module: MakeModule) -> None:
    source = f"""{NEWER}
class Options(TypedDict):
    size: int
    name: NotRequired[str]
def f(**options: Unpack[Options]): pass
"""
    made = invokable(make_module, source)
    assert drawn(made).kwargs == {"size": 0}
    assert drawn(made, **{"options.name?in": 1}).kwargs == {"size": 0, "name": ""}


def test_a_typed_dict_in_a_deferred_annotation_knows_what_is_required(make_module: MakeModule) -> None:
    source = f"""{NEWER}
class Film(typing.TypedDict, total=False):
    title: Required[str]
    year: int
def f(x: Film): pass
"""
    made = invokable(make_module, source)
    assert drawn(made, **{"x.year?in": 0}).args[0] == {"title": ""}


OVERLOADED = """
@typing.overload
def f(a: int, b: int) -> str: ...
@typing.overload
def f(a: str, b: str, c: float = ...) -> int: ...
def f(a, b, c=0.5):
    return a + b
"""


def test_overloads_are_drawn_as_a_whole(make_module: MakeModule) -> None:
    made = invokable(make_module, OVERLOADED)
    kinds = [tuple(map(type, drawn(made, **{"f@overload": n}).args[:2])) for n in (0, 1)]
    assert kinds == [(int, int), (str, str)]
    assert made.typed


def test_the_function_itself_is_the_last_of_its_overloads(make_module: MakeModule) -> None:
    source = """
@typing.overload
def f(a: int) -> str: ...
@typing.overload
def f(a: str) -> int: ...
def f(a: bytes): pass
"""
    made = invokable(make_module, source)
    assert [type(drawn(made, **{"f@overload": n}).args[0]) for n in (0, 1, 2)] == [int, str, bytes]


def test_what_an_overload_does_not_have_keeps_its_default(make_module: MakeModule) -> None:
    made = invokable(make_module, OVERLOADED)
    assert drawn(made, **{"f@overload": 0}).args[2:] == [0.5]


T_ = typing.TypeVar("T_")
U_ = typing.TypeVar("U_")


def test_inheritance_in_terms_of_variables() -> None:
    class Base(typing.Generic[T_]): ...

    class Sub(Base[list[U_]], typing.Generic[U_]): ...

    class Fixed(Sub[int]): ...

    assert inherited(Sub, Base, {U_: str}) == {T_: list[str]}
    assert inherited(Fixed, Base, {}) == {T_: list[int]}
    assert narrowed(Sub, Base, {T_: list[bytes]}) == {U_: bytes}
    assert narrowed(Fixed, Base, {T_: list[str]}) is None
    assert bound(Sub, [int]) == {U_: int}
    assert substituted(dict[str, T_], {T_: int}) == dict[str, int]  # type: ignore[valid-type]
    assert substituted(int, {T_: str}) is int


def test_one_variable_is_one_type() -> None:
    found: dict[Any, Any] = {}
    assert unify(tuple[T_, T_], tuple[int, int], found)  # type: ignore[valid-type]
    assert found == {T_: int}
    assert not unify(tuple[T_, T_], tuple[int, str], {})  # type: ignore[valid-type]


@pytest.mark.parametrize(
    ("body", "stands"),
    [
        ("count = 3", True),
        ("def __init__(self) -> None: self.count = 3", True),
        ("@property\n    def count(self) -> int: return 3", True),
        ("@property\n    def count(self) -> bool: return True", True),
        ("@property\n    def count(self) -> str: return ''", False),
        ("count: list[int] = []", False),
        ("def count(self) -> int: return 3", False),
    ],
)
def test_data_of_a_protocol_is_data_of_the_same_type(
    body: str, stands: bool, make_module: MakeModule
) -> None:
    source = f"""
class Counted(Protocol):
    @property
    def count(self) -> int: ...
    def get(self, key: int) -> float: ...
class Some:
    {body}
    def get(self, key: object) -> int: return 1
class Empty:
    def __init__(self) -> None: self.count, self.get = 1, 2
def f(x: Counted): pass
"""
    plan = invokable(make_module, source).parameters[0].plan
    assert plan is not None
    assert ("Some" in plan.describe()) is stands
    assert "Empty" not in plan.describe()


def test_an_alias_that_leads_back_to_itself_in_many_places_is_planned_once_for_each_depth(
    make_module: MakeModule,
) -> None:
    source = """
Json = typing.Union[None, int, "list[Json]", "dict[str, Json]", "tuple[Json, Json]", "tuple[Json, ...]"]
def f(x: Json): pass
"""
    made = invokable(make_module, source)
    assert drawn(made, **{"x?": 2, "x|2#": 1, "x|2[0]?": 1}).args == [[0]]


def test_a_class_that_can_be_instantiated_stands_for_an_abstract_one_first(make_module: MakeModule) -> None:
    source = """
from abc import ABC, abstractmethod
class Style(ABC):
    @abstractmethod
    def show(self) -> str: ...
class Plain(Style):
    def show(self) -> str: return ""
def f(x: type[Style]): pass
"""
    made = invokable(make_module, source)
    assert [drawn(made, **{"x?": n}).args[0].__name__ for n in (0, 1)] == ["Plain", "Style"]
