"""Calls that are inserted into code: it does what it did, and they are made where they stand."""

from __future__ import annotations

import dis
import traceback
from types import CodeType, FunctionType
from typing import Any

import pytest

from tracetwin.worker.insertion import CAN_INSERT, with_calls

pytestmark = pytest.mark.skipif(not CAN_INSERT, reason="only Python 3.11 has its instructions so")


def places(code: CodeType, name: str) -> list[int]:
    """Where a name is loaded."""
    loads = (item for item in dis.get_instructions(code) if "LOAD" in item.opname)
    return [item.offset for item in loads if item.argval == name]


def telling(function: Any, name: str, told: list[str]) -> FunctionType:
    """A copy of a function that tells each time before it loads a name."""
    code = function.__code__
    made = with_calls(code, {place: [lambda: told.append(name)] for place in places(code, name)}).code
    return FunctionType(made, function.__globals__, name, function.__defaults__, function.__closure__)


def looping(items: list[int], limit: int) -> int:
    total = 0
    for item in items:
        try:
            total += limit // item
        except ZeroDivisionError:
            continue
        finally:
            total += 1
    return total


def giving(limit: int) -> Any:
    for step in range(3):
        yield step + limit


def test_code_does_what_it_did_and_tells_of_each_load():
    told: list[str] = []
    copy = telling(looping, "limit", told)
    assert copy([1, 0, 2], 8) == looping([1, 0, 2], 8)
    assert told == ["limit"] * 3


def test_a_generator_tells_when_it_goes_on():
    told: list[str] = []
    values = telling(giving, "limit", told)(5)
    assert told == []
    assert list(values) == [5, 6, 7]
    assert told == ["limit"] * 3


def test_jumps_that_become_long_lead_to_where_they_led():
    source = "def long(x):\n    total = 0\n    for step in range(3):\n"
    source += "        if step == x:\n            continue\n"
    source += "        total += x\n" * 40 + "    return total\n"
    names: dict[str, Any] = {}
    exec(source, names)
    told: list[str] = []
    copy = telling(names["long"], "x", told)
    assert copy(1) == names["long"](1) == 80
    assert len(told) == 3 + 2 * 40


def test_lines_and_columns_are_those_of_the_original():
    code: Any = looping.__code__
    made: Any = with_calls(code, {place: [int] for place in places(code, "limit")})
    before, after = list(code.co_positions()), list(made.code.co_positions())
    assert all(after[new // 2] == before[old // 2] for new, old in made.origins.items())
    assert [item.offset for item in dis.get_instructions(code) if item.opname != "EXTENDED_ARG"] == list(
        made.origins.values()
    )


def test_what_is_raised_comes_out_at_the_line_that_it_stands_at():
    def refuse() -> None:
        raise KeyError("no")

    code: Any = looping.__code__
    made = with_calls(code, {places(code, "limit")[0]: [refuse]}).code
    with pytest.raises(KeyError) as raised:
        FunctionType(made, globals())([1], 1)
    lines = [frame.lineno for frame in traceback.extract_tb(raised.value.__traceback__)]
    assert code.co_firstlineno + 4 in lines
