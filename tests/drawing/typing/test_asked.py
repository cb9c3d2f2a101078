"""What the code asks annotated values for besides: subclasses, attributes of its class, what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.objects.constructors import constructor_parameters

MakeModule = Callable[..., ModuleType]

TABLE = """
from collections.abc import Mapping, Iterable
class Document(dict):
    def __init__(self, value: Mapping, number: int):
        super().__init__(value)
        self.number = number
class Table:
    kind = Document
    def put(self, document: Mapping) -> int:
        if not isinstance(document, Mapping):
            raise ValueError("no mapping")
        return document.number if isinstance(document, self.kind) else 0
    def put_all(self, documents: Iterable[Mapping]) -> list:
        return [one.number for one in documents if isinstance(one, self.kind)]
"""


def described(module: ModuleType, name: str) -> str:
    planner = Planner(module)
    function = module.Table.__dict__[name] if hasattr(module, "Table") else getattr(module, name)
    owner = module.Table if hasattr(module, "Table") else None
    qualname = f"Table.{name}" if owner else name
    (parameter,) = planner.parameters(
        function, qualname=qualname, scope=planner.scope(function, owner), skip_first=owner is not None
    )
    assert parameter.plan is not None
    return parameter.plan.describe()


def test_a_class_that_is_an_attribute_of_the_receiver_s_class_is_known(make_module: MakeModule) -> None:
    assert "Document" in described(make_module(TABLE), "put")


def test_elements_are_asked_for_classes_in_loops(make_module: MakeModule) -> None:
    assert "Document" in described(make_module(TABLE), "put_all")


def test_what_is_refused_with_an_exception_is_given_too(make_module: MakeModule) -> None:
    assert described(make_module(TABLE), "put").endswith("None")


@pytest.mark.parametrize(
    ("body", "given"),
    [
        ("if not isinstance(x, int): raise TypeError(x)", True),
        ("if isinstance(x, int): return 1\n    else: raise TypeError(x)", True),
        ("if not isinstance(x, int): return 0", False),
        ("if isinstance(x, int): raise TypeError(x)", False),
        ("if not x: raise TypeError(x)", False),
    ],
)
def test_only_what_the_function_itself_refuses_is(make_module: MakeModule, body: str, given: bool) -> None:
    module = make_module(f"def f(x: int):\n    {body}")
    assert ("None" in described(module, "f")) is given


@pytest.mark.parametrize(
    "body",
    [
        "if not isinstance(x, int): return NotImplemented",
        "if isinstance(x, int):\n        return x\n    return NotImplemented",
        "if isinstance(x, int):\n        return x\n    raise TypeError(x)",
    ],
)
def test_what_an_operator_leaves_to_others_is_given_too(make_module: MakeModule, body: str) -> None:
    assert "None" in described(make_module(f"def f(x: int):\n    {body}"), "f")


OWN = """
from __future__ import annotations
from collections.abc import Iterable, Mapping
class Own(Mapping[str, int]):
    def __init__(self, held: int): self.held = held
    def __getitem__(self, key: str) -> int: return self.held
    def __iter__(self): return iter("a")
    def __len__(self): return 1
def own(x: Mapping[str, int] | None): return isinstance(x, Own)
def plain(x: Mapping[str, int]): return isinstance(x, dict)
def listed(x: Iterable[int]): return isinstance(x, (list, tuple))
def told(x: dict[str, int]): return isinstance(x, Own) or isinstance(x, dict)
"""


@pytest.mark.parametrize(
    ("name", "other"), [("own", "Own"), ("plain", "mappingproxy of"), ("listed", "iterator[int]")]
)
def test_other_classes_of_an_abstract_one_are_given_where_they_are_told_apart(
    make_module: MakeModule, name: str, other: str
) -> None:
    assert other in described(make_module(OWN), name)


def test_a_class_that_is_none_of_what_is_declared_is_not_given(make_module: MakeModule) -> None:
    assert described(make_module(OWN), "told") == described(make_module("def f(x: dict[str, int]): ..."), "f")


STORED = """
from dataclasses import dataclass
class Address:
    def __init__(self, number: int | None, name: str, other: int):
        self._number = number
        self.name = name
        self.other = other + 1
        self.check()
    def check(self):
        if self._number is not None and not isinstance(self._number, int):
            return
        if self._number is not None:
            if not isinstance(self._number, int):
                raise ValueError("number")
        if not isinstance(self.name, str):
            raise TypeError("name")
        if not isinstance(self.other, int):
            raise TypeError("other")
@dataclass
class Entry:
    key: str
    values: list[int]
    def __post_init__(self):
        for value in self.values:
            if not isinstance(value, int):
                raise TypeError(value)
"""


def test_what_methods_refuse_of_what_a_constructor_stores_is_given(make_module: MakeModule) -> None:
    planner = Planner(made := make_module(STORED))
    shown = [
        [
            str(item.plan and item.plan.describe())
            for item in constructor_parameters(planner, cls, planner.scope(None, cls), 0)
        ]
        for cls in (made.Address, made.Entry)
    ]
    assert [["int | None | ''", "str | None", "int"], ["str", "list[int | None]"]] == shown
