from __future__ import annotations

import errno
import io
import os
from typing import TextIO, cast

import pytest

from tests.cli.report.samples import module
from tracetwin.cli.guarded import Steady
from tracetwin.cli.report.display import open_display


class Broken(io.StringIO):
    def __init__(self, number: int = errno.EPIPE) -> None:
        super().__init__()
        self.number = number

    def write(self, text: str) -> int:
        raise OSError(self.number, os.strerror(self.number))


@pytest.mark.parametrize("number", [errno.EPIPE, errno.ENOSPC, errno.EIO])
def test_a_reader_that_leaves_is_remembered_and_no_error(number):
    stream = Steady(Broken(number))
    assert 1 == stream.write("x")
    assert stream.failed is not None
    assert number == stream.failed.errno
    assert 1 == stream.write("y")
    stream.flush()


@pytest.mark.parametrize("stream", [None, io.StringIO()])
def test_a_closed_stream_takes_everything(stream):
    if stream is not None:
        stream.close()
    steady = Steady(stream)
    assert 1 == steady.write("x")
    steady.flush()
    assert not steady.isatty()
    assert steady.failed is None


def test_what_its_encoding_does_not_have_becomes_escapes():
    raw = io.BytesIO()
    stream = Steady(io.TextIOWrapper(raw, encoding="ascii"))
    stream.write("größer \ud800")
    stream.flush()
    assert raw.getvalue() == b"gr\\xf6\\xdfer \\ud800"


def test_the_work_goes_on_without_anybody_who_looks():
    with open_display(cast("TextIO", Steady(Broken())), modules=1, time_limit=60) as display:
        display.message("a word")
        display.module_finished(module())


def test_what_is_held_back_does_not_end_the_interpreter_with_an_error(tmp_path):
    reading, writing = os.pipe()
    with os.fdopen(writing, "w", encoding="utf-8") as file:
        stream = Steady(file)
        os.close(reading)
        stream.write("x" * 100_000)
        stream.flush()
        assert stream.failed is not None
        file.write("held back")  # and flushed when it is closed
