"""Exceptions that tell of limits, and the same ones raised by a program."""

from __future__ import annotations

import pytest

from tracetwin.process.limit_errors import tells_of_limits


def descend(depth: int) -> int:
    return descend(depth + 1)


def refuse(kind: type[Exception]) -> None:
    raise kind("too much")


def test_recursion_without_end_tells_of_a_limit() -> None:
    with pytest.raises(RecursionError) as caught:
        descend(0)
    assert tells_of_limits(caught.value)


@pytest.mark.parametrize("kind", [RecursionError, MemoryError])
def test_a_raise_statement_does_not(kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        refuse(kind)
    assert not tells_of_limits(caught.value)


def test_memory_that_c_code_could_not_get_tells_of_a_limit() -> None:
    with pytest.raises(MemoryError) as caught:
        bytes(2**62)
    assert tells_of_limits(caught.value)


def test_other_exceptions_do_not() -> None:
    assert not tells_of_limits(ValueError("x"))
