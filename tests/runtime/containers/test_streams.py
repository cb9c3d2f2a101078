"""Streams over traced contents give what the library's give, and keep the expressions."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from runtime import trace, twin
from runtime.containers.streams import MOST_FOLLOWED, SBytesIO, SStringIO
from runtime.expr import Sort, sort_of, var
from runtime.values import TRACED, kind_of, plain, wrap

TEXT = "ab\ncd\n\nef"

USES: list[Callable[[Any], Any]] = [
    lambda s: s.read(),
    lambda s: [s.read(2), s.read(0), s.read(3), s.read(None), s.read(1)],
    lambda s: [s.readline(), s.readline(), s.readline(), s.readline(), s.readline()],
    lambda s: [s.readline(1), s.readline(9), s.read(1), s.tell()],
    list,
    lambda s: [next(s, None), s.read(1), s.tell(), s.seek(1), s.read(2)],
    lambda s: s.readlines(),
    lambda s: [s.read(3), s.getvalue(), s.tell()],
    lambda s: [s.seek(0, 2), s.read(), s.seek(0), s.readline()],
    lambda s: [s.read(1), s.write(s.getvalue()[:1]), s.getvalue(), s.read()],
    lambda s: [s.truncate(2), s.read()],
]


@pytest.fixture(autouse=True)
def run():
    trace.start()
    yield
    trace.stop()


def plainly(value: Any) -> Any:
    return [plain(item) for item in value] if isinstance(value, list) else plain(value)


@pytest.mark.parametrize("use", USES, ids=map(str, range(len(USES))))
@pytest.mark.parametrize("text", [TEXT, "", "\n", "a"])
def test_reading_is_that_of_the_library(use, text):
    traced = SStringIO(wrap(text, var("s", Sort.STR)))
    assert plainly(use(io.StringIO(text))) == plainly(use(traced))
    octets = SBytesIO(wrap(text.encode(), var("b", Sort.BYTES)))
    assert plainly(use(io.BytesIO(text.encode()))) == plainly(use(octets))


def test_what_is_read_depends_on_the_contents():
    stream = SStringIO(wrap(TEXT, var("s", Sort.STR)))
    assert type(stream.read(1)) in TRACED
    assert type(stream.readline()) in TRACED


def test_what_is_written_is_read_again() -> None:
    kinds: list[Any] = [(io.StringIO, "bc", Sort.STR), (io.BytesIO, b"bc", Sort.BYTES)]
    for make, word, sort in kinds:
        for place in (0, 1, 3, 4):
            stream, native = twin.callee(make)(word[:1] * 3), make(word[:1] * 3)
            for one, value in ((stream, wrap(word, var("s", sort))), (native, word)):
                one.seek(place)
                one.write(value)
                one.write(word[:1])
                one.seek(1)
            assert stream.read(2) == native.read(2)
            assert plain(stream.read()) == native.read()
            assert plain(stream.getvalue()) == native.getvalue()
            if place <= 3:
                assert kind_of(stream.getvalue()) in TRACED


def test_what_is_printed_into_one_is_read_again() -> None:
    stream = twin.callee(io.StringIO)()
    twin.callee(print)("a", wrap(3, var("n", Sort.INT)), wrap("x", var("s", Sort.STR)), sep=";", file=stream)
    assert plain(stream.getvalue()) == "a;3;x\n"
    assert kind_of(stream.getvalue()) in TRACED


def test_what_is_large_or_of_no_run_is_plain() -> None:
    stream = twin.callee(io.StringIO)("a" * (MOST_FOLLOWED + 1))
    stream.write(wrap("x", var("s", Sort.STR)))
    assert type(stream.getvalue()) is str
    trace.stop()
    assert type(twin.callee(io.StringIO)("a")) is io.StringIO


def test_a_closed_stream_and_one_whose_buffer_was_taken_are_the_library_s() -> None:
    stream = SStringIO(wrap(TEXT, var("s", Sort.STR)))
    stream.close()
    for use in (stream.getvalue, stream.read, stream.readline, lambda: stream.write("x")):
        with pytest.raises(ValueError, match="closed"):
            use()
    octets = SBytesIO(wrap(b"abc", var("b", Sort.BYTES)))
    octets.getbuffer()[0] = 120
    assert octets.getvalue() == b"xbc"


def test_wrong_kinds_are_refused_as_by_the_library() -> None:
    kinds: list[Any] = [(io.StringIO, b"x"), (io.BytesIO, "x"), (io.StringIO, 3)]
    for make, wrong in kinds:
        with pytest.raises(TypeError):
            twin.callee(make)().write(wrap(wrong, var("x", sort_of(wrong))))
        with pytest.raises(TypeError):
            twin.callee(make)(wrong)
