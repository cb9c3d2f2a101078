"""Enum classes: a traced name or value finds the member, or raises, as a plain one does."""

from __future__ import annotations

import enum
from typing import Any

import pytest

from runtime import trace, twin
from runtime.evaluate import evaluate
from runtime.trace import Kind
from tests.runtime.strict import traced


class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"
    LIME = "green"  # noqa: PIE796 - an alias
    NOTHING = None
    PAIR = (1, 2)
    LISTED = ["unhashable"]  # noqa: RUF012 - a value, not a default


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 7


class Mixed(enum.Enum):
    ONE = 1
    WORD = "w"
    HALF = 0.5
    LEVEL = Level.HIGH


class Text(str, enum.Enum):
    A = "a"
    B = "b"


class Lenient(enum.Enum):
    YES = "yes"
    NO = "no"

    @classmethod
    def _missing_(cls, value: object) -> Any:
        if twin.truth(twin.eq(value, "y"), 99):
            return cls.YES
        return None


class Right(enum.Flag):
    READ = 1
    WRITE = 2


class Folding(enum.EnumMeta):
    def __getitem__(cls, name: str) -> Any:
        return super().__getitem__(str(name).upper())

    def __call__(cls, value: Any, *rest: Any, **named: Any) -> Any:
        return super().__call__(str(value).lower(), *rest, **named)


class Folded(enum.Enum, metaclass=Folding):
    A = "a"


NAMES = ["RED", "GREEN", "LIME", "NOTHING", "LOW", "HIGH", "ONE", "A", "a", "READ", "", "name", 1, True, b"A"]
TEXTS = ["red", "green", "GREEN", "", "w", "a", "A", "y", "yes", b"a"]
VALUES = [*TEXTS, 0, 1, 2, 3, 7, 64, -1, True, False, 0.5, 1.0]
CLASSES = [Colour, Level, Mixed, Text, Lenient, Right, Folded]


def ending(function: Any) -> tuple[str, Any]:
    try:
        return "returned", function()
    except Exception as error:  # noqa: BLE001 - whatever it raises is the outcome
        return type(error).__name__, str(error)


def agree(native: Any, shadow: Any, value: Any) -> list[Any]:
    """Both end alike, and what the path says is true of the value; the path."""
    trace.start()
    expected = ending(lambda: native(value))
    got = ending(lambda: shadow(traced("x", value)))
    assert expected == got
    assert expected[1].__class__ is got[1].__class__
    for node, *_ in trace.current.path:
        assert evaluate(node, {"x": value}) is True, (node, value)
    return list(trace.current.path)


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_a_name_finds_what_it_finds_natively(cls: Any, name: Any) -> None:
    agree(lambda n: cls[n], lambda n: twin.getitem(cls, n), name)


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_value_finds_what_it_finds_natively(cls: Any, value: Any) -> None:
    agree(cls, twin.callee(cls), value)
    agree(lambda v: cls(value=v), lambda v: twin.callee(cls)(value=v), value)


@pytest.mark.parametrize("name", ["RED", "GREEN", "LIME"])
def test_a_name_that_is_there_is_told_from_the_others(name: str) -> None:
    path = agree(lambda n: Colour[n], lambda n: twin.getitem(Colour, n), name)
    others = set(Colour.__members__) - {name}
    assert all(any(evaluate(node, {"x": o}) is not True for node, *_ in path) for o in others)


@pytest.mark.parametrize(("value", "others"), [(1, [7, 0]), (7, [1, 0])])
def test_a_value_that_is_there_is_told_from_the_others(value: int, others: list[int]) -> None:
    path = agree(Level, twin.callee(Level), value)
    assert Kind.CHECK in {kind for *_, kind in path}
    assert all(any(evaluate(node, {"x": o}) is not True for node, *_ in path) for o in others)


def test_a_value_under_a_key_of_a_subclass_is_held() -> None:
    path = agree(Mixed, twin.callee(Mixed), 7)
    assert any(evaluate(node, {"x": 8}) is not True for node, *_ in path)


@pytest.mark.parametrize(
    ("native", "shadow", "wrong"),
    [
        (lambda n: Colour[n], lambda n: twin.getitem(Colour, n), "pink"),
        (Colour, twin.callee(Colour), "pink"),
        (Level, twin.callee(Level), 3),
    ],
)
def test_a_miss_is_one_check_that_no_member_passes(native: Any, shadow: Any, wrong: Any) -> None:
    ((node, _, outcome, kind),) = agree(native, shadow, wrong)
    assert (0, Kind.CHECK) == (outcome, kind)
    for hit in ("RED", "LIME", "red", "green", 1, 7):
        if type(hit) is type(wrong) and ending(lambda v=hit: native(v))[0] == "returned":
            assert evaluate(node, {"x": hit}) is False


def test_a_missing_hook_sees_the_traced_value() -> None:
    path = agree(Lenient, twin.callee(Lenient), "maybe")
    assert 99 in {site for _, site, *_ in path}


def test_each_flag_of_an_int_is_a_decision() -> None:
    path = agree(Right, twin.callee(Right), 3)
    assert {Kind.BRANCH} == {kind for *_, kind in path}
    assert not trace.current.losses
    # `Right(False)`, which another test may have called, leaves a bool.
    assert all(type(value) in (int, bool) for value in Right._value2member_map_)


def test_classes_are_still_made_by_calling_enum() -> None:
    made = twin.callee(enum.Enum)("Made", "A B")
    assert (made.A, __name__) == (made["A"], made.__module__)


def test_untraced_and_unfit_arguments_are_left_to_python() -> None:
    called = twin.callee(Level)
    assert Level.LOW is called(1)
    assert Level.LOW is called(Level.LOW)
    for arguments in ((), (1, 2, 3, 4)):
        assert ending(lambda a=arguments: Level(*a)) == ending(lambda a=arguments: called(*a))
    expected = ending(lambda: Level(nosuch=1))  # type: ignore[call-arg]
    assert expected == ending(lambda: called(nosuch=traced("x", 1)))
