"""Plain forms are made of the types of fields, both ways; what is not of those types is refused."""

from __future__ import annotations

import marshal
from typing import Any

import pytest

from tracetwin.model.case import Act, Case, Step
from tracetwin.model.codec import decode_case, decode_observation, encode, key, receiver_of
from tracetwin.model.field_types import Malformed
from tracetwin.model.observation import (
    CalledWith,
    DescribedMember,
    DescribedParameter,
    Interface,
    Leak,
    MockCall,
    Observation,
    Raised,
    Root,
    Spelled,
    ValuePath,
    Written,
)
from tracetwin.model.patch import (
    ArgumentsPatch,
    AwakePatch,
    ClassPatch,
    EnvironPatch,
    FunctionPatch,
    PatchedCall,
    StdinPatch,
    Way,
)
from tracetwin.model.recipe import (
    NONE,
    Answer,
    Call,
    CallResult,
    Dictionary,
    Lambda,
    MockMember,
    MockNumber,
    MockRecipe,
    PreparedObject,
    PreparingCall,
    RecordedCall,
    Reference,
    Scalar,
    Series,
    SeriesKind,
    Variable,
)
from tracetwin.model.snapshot import Attributes, Built, Iterated, Itself, Opaque, Shuffled
from tracetwin.model.status import Outcome
from tracetwin.support.data import dataclass

ONE = Scalar(1)
LIST = SeriesKind.LIST
NAME = Spelled("m.T", (("m.T", "m", "T"),))
PARAMETER = DescribedParameter("p", 1, NAME, None)
ASKED = RecordedCall((None, ONE), (), Answer(ONE, True, ((0, ONE),)))
CASE = Case(
    "shop",
    "Cart.add",
    "method",
    (
        Step(Act.CALL, "shop", "Cart", (Series(LIST, (ONE, Dictionary(((ONE, NONE),)))),), bind="cart"),
        Step(
            Act.METHOD,
            "cart",
            "add",
            (Reference("m", "n"), Call("m", "f", (ONE,), (("by", ONE),)), Lambda(-1, ONE), Variable("x")),
            (
                ("made", PreparedObject(1, "cart", ONE, [PreparingCall("add", (ONE,))])),
                (
                    "mock",
                    MockRecipe(
                        0, "Gate", "gate", "gate", (("m", "Gate"),), -1, {"a": "method"}, (ONE,),
                        members={"a": MockMember("method", (ASKED,))},
                    ),
                ),
            ),
        ),
    ),
    (
        FunctionPatch("time.time", (PatchedCall(Way.RETURN, ONE),), True),
        EnvironPatch({"A": "x"}, True),
        StdinPatch(ONE),
        ArgumentsPatch(("prog", "x")),
        ClassPatch("d.d", "d", "d", ("now",)),
        AwakePatch("time.sleep", "shop"),
    ),
    shows=(3, "side"),
    found=1.5,
)  # fmt: skip
SEEN = Observation(
    Outcome.RAISED,
    value=Iterated("b:i", (Built("m", "B", (ONE,)), Shuffled(LIST, (ONE,)), Itself()), False),
    raised=Raised("m", "E", None),
    bases=(("m", "E"),),
    changed=((ValuePath(Root.ARG, 0, "x"), Attributes("m", "A", (("a", MockNumber(1)),))),),
    same=ValuePath(Root.KWARG, "k"),
    effects=(Written("f", (ONE,)), CalledWith("g", (ONE,), (("k", ONE),))),
    calls=(MockCall(1, "add", (Opaque("m:T", "x"),), (("k", ONE),), None),),
    reads=((1, "a"),),
    interfaces=(Interface("m", "I", True, {"a": DescribedMember("method", True, (PARAMETER,), NAME)}),),
    leaks=(Leak("x", True, ONE, ("a",), ONE),),
    arcs=((1, 2),),
)  # fmt: skip


@pytest.mark.parametrize(("thing", "decode"), [(CASE, decode_case), (SEEN, decode_observation)])
def test_all_kinds_come_back_from_another_process(thing: Any, decode: Any) -> None:
    assert decode(marshal.loads(marshal.dumps(encode(thing)))) == thing


@pytest.mark.parametrize(
    "parts",
    [
        {"kind": 1}, {"steps": 7}, {"steps": [{}]}, {"patches": [("nothing",)]}, {"found": "1"},
        {"shows": [b""]}, {"more": 1},
    ],
)
def test_what_has_other_types_is_no_case(parts: dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        decode_case({**encode(CASE), **parts})


def test_what_adds_to_an_observation_is_encoded_as_one() -> None:
    @dataclass(frozen=True)
    class More(Observation):
        more: int = 0

    assert encode(More(Outcome.RETURNED)) == encode(Observation(Outcome.RETURNED))


def test_keys_tell_types_apart_and_take_nan_for_itself() -> None:
    assert len({key(Scalar(value)) for value in (1, 1.0, True)}) == 3
    assert key(Scalar(float("nan"))) == key(Scalar(float("nan")))


def test_the_receiver_is_known_without_the_rest() -> None:
    assert [None, "cart"] == [receiver_of(encode(step)) for step in CASE.steps]


def test_the_result_of_a_call_has_no_plain_form() -> None:
    with pytest.raises(ValueError, match="no plain form"):
        encode(CallResult(None, 0, "x"))
