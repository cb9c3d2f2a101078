"""What `int` and `float` make of objects of the program, and the names that C code gives to traced values."""

from __future__ import annotations

import warnings
from abc import ABC
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from runtime import trace
from runtime.containers import CONTAINERS
from runtime.expr import sort_of, var
from runtime.models import callee1
from runtime.scalars.results import returned
from runtime.values import TRACED, SFloat, SInt, plain, wrap


@pytest.fixture(autouse=True)
def started() -> Iterator[None]:
    trace.start()
    yield
    trace.stop()


class Box:
    """As a twin has it."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __int__(self) -> Any:
        return returned(self.value)

    def __float__(self) -> Any:
        return returned(self.value)


class Abstract(Box, ABC):
    pass


class Nested(Box):
    def __int__(self) -> Any:
        return returned(callee1(int)(Box(self.value)) + len(range(Index(self.value))))


class Index(Box):
    def __index__(self) -> Any:
        return returned(self.value)


class Plain:
    def __index__(self) -> int:
        return 7


def _traced(value: Any) -> Any:
    return wrap(value, var("v", sort_of(value)))


@pytest.mark.parametrize("kind", [Box, Abstract])
def test_a_number_made_of_an_object_stays_traced(kind: type[Box]) -> None:
    assert type(callee1(int)(kind(_traced(12)))) is SInt
    assert type(callee1(float)(kind(_traced(1.5)))) is SFloat
    assert not trace.current.path


def test_what_c_code_asks_for_meanwhile_is_decided() -> None:
    assert 6 == plain(callee1(int)(Nested(_traced(3))))
    assert trace.current.path


def _ending(convert: Callable[[Any], Any], value: Any) -> Any:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            result = plain(convert(value))
        except Exception as error:  # noqa: BLE001 - to be compared
            return type(error), str(error)
        return type(result), result, [(item.category, str(item.message)) for item in seen]


@pytest.mark.parametrize("result", [5, True, "a", None, 2.5, b"x"])
@pytest.mark.parametrize("native", [int, float])
def test_a_conversion_ends_as_in_python(native: type, result: Any) -> None:
    traced = result if result is None else _traced(result)
    for box in (Box, Index, Abstract):
        expected = _ending(native, box(result))
        assert expected == _ending(callee1(native), box(result))
        assert expected == _ending(callee1(native), box(traced))


def test_what_has_no_such_method_is_left_to_python() -> None:
    assert 7 == callee1(int)(Plain())
    for value in (object(), [], int, Box):
        assert _ending(int, value) == _ending(callee1(int), value)


def test_a_number_of_bytes_that_an_iterator_gives() -> None:
    octets = [_traced(1), 2, 3]
    for given in (octets, map(_itself, octets), (octet for octet in octets)):
        made = callee1(int.from_bytes)(given)
        assert type(made) is SInt
        assert 0x010203 == made.v


def _itself(value: Any) -> Any:
    return value


@pytest.mark.parametrize("kind", sorted(TRACED | CONTAINERS, key=repr))
def test_messages_speak_of_the_types_of_python(kind: type) -> None:
    assert kind.__name__ in ("int", "float", "bool", "str", "bytes", "list", "dict", "set")
    assert kind.__qualname__ != kind.__name__
