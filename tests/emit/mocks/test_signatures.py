"""Signatures of members of stubs for which there is no interface: what their calls passed."""

from __future__ import annotations

from tracetwin.emit.mocks.signatures import signature_of
from tracetwin.emit.source.imports import Namespace
from tracetwin.model.observation import MockCall
from tracetwin.model.recipe import NONE, Answer, MockMember, RecordedCall, Scalar

ONE = Scalar(1)


def signature(*made: MockCall) -> list[str]:
    used = MockMember("method", (RecordedCall((ONE,), (("m", ONE),), Answer(NONE)),))
    return [node.flat() for node in signature_of(None, used, Namespace("sample"), made=made).nodes]


def test_they_take_what_the_calls_with_answers_passed() -> None:
    assert signature() == ["a", "*", "m"]


def test_a_call_without_an_answer_of_its_own_is_taken_as_well() -> None:
    assert signature(MockCall(0, "find", (), (("t", ONE),), None)) == ["a=None", "*", "m=None", "t=None"]
