"""The collector rests within the block, and is as before after it."""

from __future__ import annotations

import gc

import pytest

from tracetwin.support.collecting import rest


def test_the_collector_rests_within_the_block() -> None:
    with rest():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_an_error() -> None:
    with pytest.raises(ValueError, match="one"), rest():
        raise ValueError("one")
    assert gc.isenabled()


def test_where_it_was_off_it_stays_off() -> None:
    gc.disable()
    try:
        with rest():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
