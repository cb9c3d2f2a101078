"""A traced bytearray does what a bytearray does, and what is read from it depends on its octets."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from runtime import trace
from runtime.containers.bytearrays import MOST_TRACED, SBytearray, bytearray_of
from runtime.expr import Sort, var
from runtime.values import SBytes, SInt, plain, wrap
from tests.explore.support import assert_paths
from tracetwin.drawing.mocks.effects import fill

CONTENT = b"ab\x00cab "


@pytest.fixture(autouse=True)
def _run() -> Iterator[None]:
    trace.start()
    yield
    trace.stop()


def traced(content: bytes = CONTENT) -> Any:
    return bytearray_of(wrap(content, var("x", Sort.BYTES)))


USES: list[Callable[[Any], Any]] = [
    lambda b: b[0], lambda b: b[-1], lambda b: b[1:3], lambda b: b[::2], lambda b: b[9], lambda b: b["x"],
    lambda b: b.find(b"b"), lambda b: b.index(b"zz"), lambda b: b.startswith((b"x", b"ab")),
    lambda b: b.split(b"b"), lambda b: b.partition(b"\x00"), lambda b: b.strip(), lambda b: b.upper(),
    lambda b: b.decode("ascii"), lambda b: b.hex(), lambda b: b.replace(b"a", bytearray(b"zz")),
    lambda b: b + b"x", lambda b: b + bytearray(b"x"), lambda b: b + 1, lambda b: b * 2, lambda b: 2 * b,
    lambda b: b == CONTENT, lambda b: b == bytearray(b""), lambda b: b != "ab", lambda b: b < b"b",
    lambda b: 97 in b, lambda b: b"ca" in b, lambda b: "a" in b, lambda b: 300 in b, len,
    list, bool, bytes, repr, hash,
    copy.deepcopy, lambda b: b.copy(), lambda b: isinstance(b, bytearray), lambda b: b % (),
    lambda b: b.join([b"1", b"2"]), sum, max, lambda b: memoryview(b)[1],
]  # fmt: skip

CHANGES: list[Callable[[Any], Any]] = [
    lambda b: b.append(7), lambda b: b.append(256), lambda b: b.append("a"), lambda b: b.extend(b"xy"),
    lambda b: b.extend([1, 2]), lambda b: b.extend("xy"), lambda b: b.extend(bytearray(b"z")),
    lambda b: b.insert(1, 9), lambda b: b.insert(-1, 9), lambda b: b.insert(99, 9), lambda b: b.pop(),
    lambda b: b.pop(0), lambda b: b.pop(99), lambda b: b.remove(97), lambda b: b.remove(200),
    lambda b: b.clear(), lambda b: b.reverse(), lambda b: b.__iadd__(b"!"), lambda b: b.__iadd__([1]),
    lambda b: b.__imul__(2), lambda b: b.__setitem__(0, 5), lambda b: b.__setitem__(-1, 5),
    lambda b: b.__setitem__(0, 999), lambda b: b.__setitem__(slice(1, 3), b"QRS"),
    lambda b: b.__setitem__(slice(None, None, 2), b"1234"), lambda b: b.__setitem__(slice(5, 2), b"+"),
    lambda b: b.__setitem__(slice(0, 2), [1, 2, 3]), lambda b: b.__delitem__(0),
    lambda b: b.__delitem__(slice(1, 3)), lambda b: b.__delitem__(slice(None, None, 2)),
    lambda b: b.__delitem__(99), lambda b: b.__setitem__("k", 1),
]  # fmt: skip


def ending(use: Callable[[Any], Any], value: Any) -> Any:
    """What a use gives, as plain values, or the type of what it raises."""
    try:
        return exact(use(value))
    except Exception as error:  # noqa: BLE001 - compared with what Python raises
        return type(error)


def exact(value: Any) -> Any:
    if type(value) in (list, tuple):
        return type(value)(map(exact, value))
    return bytearray(value) if type(value) is SBytearray else plain(value)


@pytest.mark.parametrize("number", range(len(USES)))
def test_it_is_read_as_python_reads_it(number: int) -> None:
    expected = ending(USES[number], bytearray(CONTENT))
    found = ending(USES[number], traced())
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_it_changes_as_python_changes_it(number: int) -> None:
    native, ours = bytearray(CONTENT), traced()
    assert ending(CHANGES[number], ours) == ending(CHANGES[number], native)
    assert bytearray(ours) == native
    assert exact(ours[:]) == native


def test_what_is_read_and_left_is_traced() -> None:
    buffer = traced()
    assert type(buffer[0]) is SInt
    assert type(buffer[1:].octets) is SBytes
    del buffer[:2]
    buffer += b"end"
    buffer[0] = 1
    assert type(buffer.octets) is SBytes
    assert bytes(buffer) == b"\x01cab end"


def test_what_a_mock_writes_is_traced() -> None:
    buffer = bytearray_of(b"abc")
    fill(buffer, [wrap(7, var("a", Sort.INT)), 0, wrap(9, var("b", Sort.INT))])
    assert type(buffer[0]) is SInt
    assert bytes(buffer) == b"\x07\x00\x09"


def test_what_other_code_wrote_is_plain() -> None:
    buffer = traced()
    memoryview(buffer)[0] = 1
    assert type(buffer[0]) is int


def test_a_long_one_is_plain() -> None:
    assert traced(bytes(MOST_TRACED + 1)).octets is None


def test_a_parser_of_frames_is_gone_through() -> None:
    assert_paths(
        """
        def f(data: bytearray) -> str:
            if len(data) > 3 and data[0] == 0x7E:
                size = data[1]
                del data[:2]
                if len(data) == size:
                    return "ok" if data.startswith(b"OK") else "frame"
                return "short"
            return "none"
        """,
        "f", "ok", "frame", "short", "none",
    )  # fmt: skip


def test_one_that_is_filled_step_by_step_is_followed() -> None:
    assert_paths(
        """
        def f(first: bytes, second: bytes) -> str:
            buffer = bytearray()
            buffer += first
            buffer.extend(second)
            line, end, rest = buffer.partition(b";")
            if end and line == b"GO":
                return "go"
            return bytes(rest).decode("ascii") if end else "open"
        """,
        "f", "go", "open", "",
    )  # fmt: skip
