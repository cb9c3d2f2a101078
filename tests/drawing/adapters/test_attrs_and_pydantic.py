"""Models of pydantic: their fields are parameters that keep constraints, and stay what was drawn."""

from __future__ import annotations

import dataclasses
import enum
from typing import Any, ClassVar, Literal

import pytest

from runtime import trace
from runtime.inputs import Inputs
from runtime.values import SInt, SStr
from tests.drawing.conftest import MakeModule
from tracetwin.analysis.effects.mutators import is_frozen
from tracetwin.drawing.adapters.pydantic import ADAPTER, fields_of
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.objects.restored_fields import keep_drawn
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import build_arguments
from tracetwin.drawing.plans.plans import Plan
from tracetwin.model.errors import Unbuildable

REQUIRED = object()


class Positive:
    gt = 0


class Field:
    """As much of a field as is looked at."""

    def __init__(
        self, annotation: Any, *metadata: Any, default: Any = REQUIRED, alias: str | None = None
    ) -> None:
        self.annotation, self.metadata, self.default, self.alias = annotation, list(metadata), default, alias
        self.default_factory = None

    def is_required(self) -> bool:
        return self.default is REQUIRED


class Base:
    """Stands in for `BaseModel`: it keeps copies without expressions."""

    __pydantic_fields__: ClassVar[dict[str, Field]] = {}
    model_config: ClassVar[dict[str, Any]] = {}

    def __init__(self, **data: Any) -> None:
        for name, field in self.__pydantic_fields__.items():
            value = data.get(field.alias or name, field.default)
            vars(self)[name] = int(value) + 0 if field.annotation is int else _copy(value)


def _copy(value: Any) -> Any:
    if isinstance(value, list):
        return [_copy(item) for item in list.__iter__(value)]
    return getattr(value, "v", value)


class Item(Base):
    __pydantic_validator__ = object()
    __pydantic_fields__: ClassVar[dict[str, Field]] = {
        "name": Field(str),
        "price": Field(int, Positive()),
        "tags": Field(list[str]),
        "kind": Field(Literal["a", "b"], default="b"),
        "short": Field(int, default=3, alias="isShort"),
    }


class Doubling(Item):
    """One whose validator changes a field."""

    def __init__(self, **data: Any) -> None:
        super().__init__(**data)
        vars(self)["price"] *= 2


def planner(make_module: MakeModule) -> Planner:
    return Planner(make_module("def f(x): pass"))


def test_fields_are_parameters_with_their_constraints_and_aliases(make_module: MakeModule) -> None:
    plans = planner(make_module)
    parameters = plans.constructor(Item, plans.scope())
    assert [item.name for item in parameters] == ["name", "price", "tags", "kind", "isShort"]
    assert all(item.keyword_only for item in parameters)
    made = build_arguments(PlainDraw(), parameters)
    assert made.kwargs["price"] > 0
    assert (made.kwargs["kind"], made.kwargs["isShort"]) == ("b", 3)
    assert dict(made.kwarg_recipes).keys() == {"name", "price", "tags"}


def test_a_field_that_can_not_be_built_is_the_reason(make_module: MakeModule) -> None:
    class Empty(enum.Enum):
        pass

    class Odd(Base):
        __pydantic_validator__ = object()
        __pydantic_fields__: ClassVar[dict[str, Field]] = {
            "left": Field(Empty, default=None),
            "needed": Field(Empty),
        }

    resolver = planner(make_module).resolver
    scope = planner(make_module).scope()

    def plan_of(annotation: Any) -> Plan:
        return resolver.plan(annotation, scope)

    with pytest.raises(Unbuildable, match="field 'needed' of Odd: the enum Empty has no members"):
        ADAPTER.parameters(Odd, plan_of)


def built(cls: type, **assignment: object) -> Any:
    trace.start()
    draw = Inputs(assignment)
    given = {
        "name": draw.text("name", "n"),
        "price": draw.integer("price", 1),
        "tags": [draw.text("tags[0]", "t")],
    }
    instance = cls(**given)
    assert type(vars(instance)["price"]) is int
    keep = keep_drawn(cls)
    assert keep is not None
    keep(draw, instance, given)
    return instance


def test_a_field_that_equals_its_argument_stays_what_was_drawn() -> None:
    item = built(Item, price=7)
    assert type(item.price) is SInt
    assert type(item.name) is SStr
    assert type(item.tags[0]) is SStr
    assert not trace.current.losses


def test_what_a_validator_changed_is_lost() -> None:
    item = built(Doubling, price=7)
    assert item.price == 14
    assert type(item.price) is int
    assert type(item.name) is SStr
    assert list(trace.current.losses.values()) == [frozenset({"price"})]


def test_other_classes_have_no_fields() -> None:
    class Plain:
        __pydantic_fields__: ClassVar[dict[str, Field]] = {"a": Field(int)}

    assert fields_of(Plain) == {}
    assert fields_of(Base) == {}
    assert keep_drawn(Plain) is None


def test_what_is_frozen() -> None:

    @dataclasses.dataclass(frozen=True)
    class Data: ...

    class Frozen(Base):
        model_config: ClassVar[dict[str, Any]] = {"frozen": True}

    class Derived(Frozen): ...

    assert is_frozen(Data)
    assert is_frozen(Derived)
    assert not is_frozen(Item)


# With the real libraries, where they are installed

MODELS = """
from __future__ import annotations
from typing import Annotated, Literal, Optional, Union
from pydantic import BaseModel, Field, StringConstraints
class Cat(BaseModel):
    pet: Literal["cat"]
    lives: int
class Dog(BaseModel):
    pet: Literal["dog"]
class Item(BaseModel):
    name: str = Field(min_length=2, max_length=20)
    price: float = Field(gt=0, le=1000)
    code: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")] = "ABC"
    note: Optional[str] = None
    owner: Union[Cat, Dog] = Field(discriminator="pet")
    tags: list[str] = Field(default_factory=list)
def f(x: Item): pass
"""


def test_models_of_pydantic(make_module: MakeModule) -> None:
    pytest.importorskip("pydantic")
    (made,) = discover(make_module(MODELS))
    for choice in (0, 1):
        drawn = PlainDraw({"x.owner?": choice, "x.note?given": 1})
        item = build_arguments(drawn, made.parameters).args[0]
        assert len(item.name) >= 2
        assert 0 < item.price <= 1000
        assert item.owner.pet == ("cat", "dog")[choice]


ATTRS = """
from __future__ import annotations
from attrs import Factory, define, field, frozen, validators
@define
class Account:
    owner: str
    _secret: str = field(default="s")
    limit: int = field(kw_only=True, default=100)
    tags: list[str] = Factory(list)
@frozen
class Person:
    age: int = field(converter=int)
def f(x: Account): pass
def g(x: Person): pass
"""


def test_classes_of_attrs(make_module: MakeModule) -> None:
    pytest.importorskip("attrs")
    account, person = discover(make_module(ATTRS))
    drawn = PlainDraw({"x.secret": "open", "x.limit": 7})
    value = build_arguments(drawn, account.parameters).args[0]
    assert (value._secret, value.limit, value.tags) == ("open", 7, [])
    assert build_arguments(PlainDraw({"x.age": 5}), person.parameters).args[0].age == 5
    trace.start()
    traced = build_arguments(Inputs({"x.age": 5}), person.parameters).args[0]
    assert type(traced.age) is SInt


VALIDATED = """
from __future__ import annotations
from attrs import define, field, validators
@define
class Port:
    number: int = field(converter=int, default=80, validator=[validators.ge(1), validators.lt(65536)])
    mode: str = field(default="w", validator=validators.in_(("r", "w")))
    name: str = field(kw_only=True, validator=[validators.min_len(3), validators.instance_of(str)])
def f(x: Port): pass
"""


def test_what_validators_of_attrs_demand_is_kept_from_the_start(make_module: MakeModule) -> None:
    pytest.importorskip("attrs")
    (made,) = discover(make_module(VALIDATED))
    assert made.typed
    port = build_arguments(PlainDraw(), made.parameters).args[0]
    assert (port.number, port.mode, len(port.name)) == (80, "w", 3)
    assert build_arguments(PlainDraw({"x.mode?": 0}), made.parameters).args[0].mode == "r"
