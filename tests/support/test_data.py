"""Data classes of ours are what the library's are: the same methods, the same words, the same refusals."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, replace
from typing import Any, ClassVar

import pytest

from tracetwin.support.data import dataclass


@dataclass(frozen=True)
class Point:
    """Two numbers."""

    x: int
    y: int = 0


@dataclass(frozen=True)
class Named(Point):
    """With more, some of which is not compared or shown."""

    kinds: ClassVar[int] = 3
    name: str = "none"
    parts: list[int] = field(default_factory=list, compare=False)
    hidden: int = field(default=7, repr=False)
    later: dict[str, int] = field(init=False, default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name.upper())


@dataclass
class Open:
    """One that may change."""

    values: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Slotted:
    """With slots."""

    one: int
    two: tuple[int, ...] = ()
    three: list[int] = field(default_factory=list, compare=False)


@dataclass(slots=True)
class OpenSlotted:
    """With slots, and open."""

    one: int = 1


@dataclass(frozen=True)
class Itself:  # noqa: PLW1641 - it is given one
    """Compares and shows itself in its own way."""

    one: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself)

    def __repr__(self) -> str:
        return "itself"


@dataclass(frozen=True)
class Hashed:
    """Has a hash of its own."""

    one: int

    def __hash__(self) -> int:
        return 5


@dataclass(frozen=True)
class Empty:
    """Nothing."""


def of_library(cls: Any) -> Any:
    """The same class by `dataclasses`, with what the source of ours says."""
    own = {name: value for name, value in vars(cls).items() if name in ("__post_init__", "__annotations__")}
    fields = {one.name: one for one in dataclasses.fields(cls) if one.name in own["__annotations__"]}
    given = {
        name: field(
            **{
                part: getattr(one, part)
                for part in ("default", "default_factory", "init", "repr", "compare")
                if getattr(one, part) is not dataclasses.MISSING
            }
        )
        for name, one in fields.items()
    }
    bases = tuple(of_library(base) if base is not object else base for base in cls.__bases__)
    names = {**own, **given, "__qualname__": cls.__qualname__, "__module__": cls.__module__}
    return dataclasses.dataclass(frozen=True)(type(cls.__name__, bases, names))


@pytest.mark.parametrize(
    "make",
    [
        lambda point, _named: point(1),
        lambda point, _named: point(1, y=2),
        lambda _point, named: named(1, 2, "a", [3], 4),
        lambda _point, named: named(y=1, x=2, hidden=9),
    ],
    ids=["with its default", "with all", "of a subclass", "by keywords"],
)
def test_frozen_ones_look_and_hash_like_those_of_the_library(make: Callable[[Any, Any], Any]) -> None:
    ours, theirs = make(Point, Named), make(of_library(Point), of_library(Named))
    assert repr(ours) == repr(theirs)
    assert hash(ours) == hash(theirs)
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert type(ours).__match_args__ == type(theirs).__match_args__


def test_they_are_equal_by_class_and_by_what_is_compared() -> None:
    assert Named(1, parts=[1]) == Named(1, parts=[2])
    assert Named(1) != Named(1, hidden=8)
    assert Point(1) != Named(1)
    assert Point(1).__eq__(3) is NotImplemented
    assert Empty() == Empty()
    assert hash(Empty()) == hash(())
    assert {Point(1, 2): "a"}[Point(1, 2)] == "a"


def test_each_gets_a_new_default_where_a_factory_makes_it() -> None:
    assert Named(1).parts is not Named(1).parts
    assert Named(1).later == {}
    assert Open().values is not Open().values


def test_what_is_frozen_can_not_be_changed() -> None:
    point = Point(1)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'x'"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'x'"):
        del point.x
    with pytest.raises(TypeError):
        Point()  # type: ignore[call-arg]


def test_what_is_not_frozen_can_be_changed_and_has_no_hash() -> None:
    one = Open()
    one.values = [1]
    assert one == Open([1])
    assert repr(one) == "Open(values=[1])"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_methods_of_the_class_itself_stay() -> None:
    assert Itself(1) == Itself(2)
    assert repr(Itself(1)) == "itself"
    assert hash(Itself(1)) == hash((1,))
    assert hash(Hashed(1)) == 5


def test_they_are_copied_pickled_and_replaced() -> None:
    one = Named(1, 2, "a", [3])
    assert copy.deepcopy(one) == one
    assert pickle.loads(pickle.dumps(one)) == one
    assert replace(Point(1), y=5) == Point(1, 5)
    assert copy.copy(one).parts is one.parts


def test_those_with_slots_have_nothing_else() -> None:
    one = Slotted(1, three=[2])
    assert not hasattr(one, "__dict__")
    assert repr(one) == "Slotted(one=1, two=(), three=[2])"
    assert one == Slotted(1)
    assert hash(one) == hash((1, ()))
    assert copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
    assert replace(one, two=(3,)) == Slotted(1, (3,))
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'one'"):
        one.one = 2  # type: ignore[misc]
    changed = OpenSlotted()
    changed.one = 2
    assert changed == OpenSlotted(2)
    assert not hasattr(changed, "__dict__")


def test_one_that_holds_itself_is_shown() -> None:
    one = Open()
    one.values.append(one)  # type: ignore[arg-type]
    assert repr(one) == "Open(values=[...])"


def test_the_library_makes_those_that_ask_for_more() -> None:
    @dataclass(frozen=True, order=True, slots=True)
    class Ordered:
        """With an order and slots."""

        one: int

    assert Ordered(1) < Ordered(2)
    assert not hasattr(Ordered(1), "__dict__")
