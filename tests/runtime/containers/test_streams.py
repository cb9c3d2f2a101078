"""Streams over traced contents give what the library's give, and keep the expressions."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest

from runtime import trace
from runtime.containers.streams import SBytesIO, SStringIO
from runtime.expr import Sort, var
from runtime.values import TRACED, plain, wrap

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


def test_what_is_read_after_writing_does_not():
    stream = SStringIO(wrap(TEXT, var("s", Sort.STR)))
    stream.write("x")
    assert type(stream.read(1)) is str
