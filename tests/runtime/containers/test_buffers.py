"""Traced octets in a bytearray."""

from __future__ import annotations

import pytest

from runtime import trace
from runtime.containers.bytearrays import bytearray_of
from runtime.expr import Sort, var
from runtime.operations import subscripts
from runtime.values import SInt, plain, wrap
from tracetwin.drawing.mocks.effects import fill


@pytest.fixture
def buffer():
    trace.start()
    made = bytearray_of(bytes(3))
    fill(made, [wrap(7, var("a", Sort.INT)), 0, wrap(9, var("b", Sort.INT))])
    yield made
    trace.stop()


def test_a_buffer_holds_the_plain_octets(buffer):
    assert bytearray(b"\x07\x00\x09") == buffer


def test_items_are_traced(buffer):
    assert type(subscripts.getitem_const(buffer, 0)) is SInt
    assert type(subscripts.getitem(buffer, -1)) is SInt
    assert 0 == subscripts.getitem(buffer, 1)


def test_an_item_at_a_traced_place_is_found(buffer):
    place = wrap(2, var("i", Sort.INT))
    assert 9 == plain(subscripts.getitem(buffer, place))


def test_slices_are_buffers_with_traced_items(buffer):
    for part in (subscripts.getitem(buffer, slice(1, None)), subscripts.getitem_const(buffer, slice(1, 3))):
        assert bytearray(b"\x00\x09") == part
        assert part.__class__ is bytearray
        assert type(subscripts.getitem(part, 1)) is SInt


def test_an_index_beyond_the_end_is_an_error(buffer):
    with pytest.raises(IndexError, match="bytearray index out of range"):
        subscripts.getitem(buffer, 3)


def test_what_was_written_since_counts(buffer):
    buffer[0] = 8
    assert type(subscripts.getitem(buffer, 0)) is int


def test_other_buffers_are_left_alone(buffer):
    assert 0 == subscripts.getitem(bytearray(2), 1)
