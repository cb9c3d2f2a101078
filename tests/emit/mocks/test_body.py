"""Bodies of mocks: constants, `if` by argument, results in turn, generators, effects."""

from __future__ import annotations

from typing import Any

import pytest

from tests.emit.mock_cases import answer, called, raising
from tracetwin.emit.mocks.body import BodyLines, Names, is_uniform
from tracetwin.emit.source.identifiers import Unwritable
from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.literals import Writer
from tracetwin.model.mock_bodies import body_of
from tracetwin.model.recipe import MockMember


def lines(member: MockMember, names: Names, returns: str = "") -> list[str]:
    space = Namespace("clients")
    writer = Writer(space.name, str, lambda parameters, result: "function")
    return BodyLines(writer, names, member.kind, 0, returns).lines(body_of(member))


KEY = Names(["key"])


def test_a_constant_is_returned() -> None:
    assert lines(called(answer(3, "a"), answer(3, "b")), KEY) == ["return 3"]


def test_none_is_returned_where_something_else_might_be() -> None:
    assert lines(called(answer(None)), Names([]), "str | None") == ["return None"]
    assert lines(called(answer(None)), Names([]), "None") == []


def test_arguments_decide_and_the_last_result_needs_no_test() -> None:
    member = called(answer(6, 0), answer(4, 10))
    assert lines(member, KEY) == ["if key == 0:", "    return 6", "return 4"]


def test_none_and_truth_are_compared_by_identity() -> None:
    member = called(answer(1, None), answer(2, True), answer(3, "x"))
    assert lines(member, KEY)[::2] == ["if key is None:", "if key is True:", "return 3"]


def test_a_truth_that_depends_on_an_argument_is_the_comparison() -> None:
    assert lines(called(answer(True, "dark"), answer(False, "x")), KEY) == ['return key == "dark"']
    assert lines(called(answer(True, "x"), answer(False, "dark"), answer(True, "y")), KEY) == [
        'return key != "dark"'
    ]


def test_results_in_turn_come_from_an_iterator_where_there_is_one() -> None:
    member = called(answer("a"), answer("b"))
    assert lines(member, Names([], results="self._results")) == ["return next(self._results)"]


def test_turns_are_counted_where_some_raise() -> None:
    member = called(answer(raising("TimeoutError")), answer(raising("TimeoutError")), answer("x"))
    assert lines(member, Names([], turns="self._turn")) == [
        "self._turn += 1",
        "if self._turn <= 2:",
        "    raise TimeoutError",
        'return "x"',
    ]


def test_exceptions_keep_their_arguments() -> None:
    assert lines(called(answer(raising("ValueError", "bad"))), Names([])) == ['raise ValueError("bad")']


def test_generators_yield() -> None:
    assert lines(called(answer(["a", "b"]), kind="generator"), Names([])) == ['yield "a"', 'yield "b"']
    assert lines(called(answer([1, 2, 3, 4]), kind="generator"), Names([])) == ["yield from [1, 2, 3, 4]"]
    assert lines(called(answer([]), kind="generator"), Names([])) == ["yield from ()"]
    assert lines(called(answer([]), kind="asyncgen"), Names([])) == ["for item in ():", "    yield item"]


@pytest.mark.parametrize(
    ("contents", "expected"),
    [
        (b"ok", ['buffer[:] = b"ok"']),
        ([1], ["buffer[:] = [1]"]),
        ({"a": 1}, ["buffer.clear()", 'buffer.update({"a": 1})']),
        (set(), ["buffer.clear()"]),
    ],
)
def test_a_mutable_argument_gets_its_contents(contents: Any, expected: list[str]) -> None:
    member = called(answer(2, None, effects=[(0, contents)]))
    assert lines(member, Names(["buffer"])) == [*expected, "return 2"]


def test_other_arguments_are_found_where_they_arrive() -> None:
    names = Names(["a"], rest="args", named="kwargs")
    assert [names.of(0), names.of(2), names.of("a"), names.of("b")] == ["a", "args[1]", "a", 'kwargs["b"]']
    with pytest.raises(Unwritable, match="no parameter for argument 2"):
        Names(["a"]).of(1)


def test_an_iterator_holds_results_of_one_type() -> None:
    assert is_uniform(body_of(called(answer("a"), answer(None))))
    assert not is_uniform(body_of(called(answer("a"), answer(1))))
    assert not is_uniform(body_of(called(answer("a"), answer(raising("OSError")))))
