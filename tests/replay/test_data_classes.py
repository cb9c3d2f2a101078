"""Instances of data classes, seen as the call that makes an equal one, where that says all of them."""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass, field
from typing import Any

import pytest

from tracetwin.model.recipe import Scalar, list_of
from tracetwin.model.snapshot import Attributes, Built
from tracetwin.replay.observe.snap import Camera
from tracetwin.replay.stability import common


@dataclass
class Part:
    name: str
    weight: float = 1.0
    notes: list[str] = field(default_factory=list)


@dataclass
class Checked(Part):
    def __post_init__(self) -> None:
        if self.name == "refused":
            raise ValueError(self.name)


@dataclass
class ByName:
    name: str
    weight: int = dataclasses.field(default=0, compare=False)


@dataclass
class Lazy:
    name: str

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = object.__hash__


@dataclass
class Counted:
    start: int
    by: dataclasses.InitVar[int] = 1


@dataclass(eq=False)
class Unequal:
    name: str


class Raising:
    def __eq__(self, other: object) -> bool:
        raise ZeroDivisionError

    __hash__ = object.__hash__


class Endless(Raising):
    def __eq__(self, other: object) -> bool:
        while True:
            pass

    __hash__ = object.__hash__


@dataclass
class Holding:
    held: object = Raising()
    size: int = 0


@dataclass
class Waiting:
    held: object = Endless()
    size: int = 0


def seen(value: Any) -> Any:
    return Camera(sys.modules[__name__], built=0).take(value)


def made(qualname: str, /, **kwargs: Any) -> Built:
    return Built(__name__, qualname, (), tuple(kwargs.items()))


def test_what_is_as_by_default_is_left_out() -> None:
    assert seen(Part("bolt")) == made("Part", name=Scalar("bolt"))
    assert seen(Part("bolt", 1, ["a"])) == made(
        "Part", name=Scalar("bolt"), weight=Scalar(1), notes=list_of(Scalar("a"))
    )


def test_instances_are_told_within_others() -> None:
    assert seen([Part("bolt")]) == list_of(made("Part", name=Scalar("bolt")))


@pytest.mark.parametrize("value", [ByName("a"), Lazy("a"), Counted(1), Unequal("a"), Part(object())])  # type: ignore[arg-type]
def test_attributes_are_told_where_equality_or_the_call_says_less(value: Any) -> None:
    assert isinstance(seen(value), Attributes)


def test_a_class_that_refuses_what_it_became_is_told_by_attributes() -> None:
    checked = Checked("a")
    assert isinstance(seen(checked), Built)
    checked.name = "refused"
    assert isinstance(seen(checked), Attributes)


def test_an_attribute_that_somebody_added_is_told() -> None:
    part = Part("a")
    part.more = 1  # type: ignore[attr-defined]
    assert isinstance(seen(part), Attributes)


def test_what_differs_in_another_run_leaves_the_other_attributes() -> None:
    told = common(seen(Part("a", 2.0)), seen(Part("a", 3.0)))
    assert isinstance(told, Attributes)
    assert told.attributes[0] == ("name", Scalar("a"))


@pytest.mark.parametrize("value", [Holding(Raising(), 7), Waiting(Endless(), 7)])
def test_what_is_held_may_refuse_to_be_compared(value: Any) -> None:
    whole = seen(value)
    assert isinstance(whole, Attributes)
    assert Scalar(7) == dict(whole.attributes)["size"]
