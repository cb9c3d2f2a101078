"""Mocks and patches in words."""

from __future__ import annotations

from tracetwin.emit.accounting import LONGEST, stand_ins
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.patch import (
    ArgumentsPatch,
    EnvironPatch,
    FunctionPatch,
    Patch,
    PatchedCall,
    StdinPatch,
    Way,
)
from tracetwin.model.recipe import (
    Answer,
    MockMember,
    MockRecipe,
    Recipe,
    RecordedCall,
    Reference,
    Scalar,
    Series,
    SeriesKind,
)
from tracetwin.model.written_test import StandIn


def case(*given: Recipe, patches: tuple[Patch, ...] = ()) -> Case:
    return Case("shop", "f", "function", (Step(Act.CALL, "shop", "f", given),), patches)


def member(*calls: tuple[tuple[Recipe | None, ...], Answer]) -> MockMember:
    return MockMember("method", tuple(RecordedCall(args, (), answer) for args, answer in calls))


def test_each_call_of_a_mock_is_told_with_its_answer() -> None:
    answers = member(
        ((Scalar("a"), None), Answer(Scalar(3))),
        ((Scalar("b"),), Answer(Reference("builtins", "KeyError"), raises=True, effects=((0, Scalar(1)),))),
    )
    gateway = MockRecipe(0, "shop.Gateway", "Gateway", "gateway", members={"fetch": answers})
    assert stand_ins(case(gateway)) == (
        StandIn("mock", "Gateway.fetch", "('a', …)", "returns 3"),
        StandIn("mock", "Gateway.fetch", "('b')", "raises KeyError; sets argument 0 to 1"),
    )


def test_a_mock_within_another_and_one_that_is_never_asked() -> None:
    inner = MockRecipe(1, "shop.Session", "Session", "session")
    outer = MockRecipe(0, "function", "connect", "connect", members={"": member(((), Answer(inner)))})
    assert stand_ins(case(Series(SeriesKind.LIST, (outer,)))) == (
        StandIn("mock", "connect", "()", "returns a mock of Session"),
        StandIn("mock", "Session", "", "is never asked for anything"),
    )


def test_what_is_patched_is_told() -> None:
    calls = (PatchedCall(Way.RETURN, Scalar(1.5)), PatchedCall(Way.RAISE, Scalar(0)))
    clock = FunctionPatch("time.time", calls)
    environment = EnvironPatch({"HOME": "x"}, alone=True)
    patches = (clock, environment, StdinPatch(Scalar("yes")), ArgumentsPatch(("prog", "-v")))
    assert [(one.name, one.asked, one.answer) for one in stand_ins(case(patches=patches))] == [
        ("time.time", "", "returns 1.5"),
        ("time.time", "", "raises 0"),
        ("os.environ", "HOME", "is 'x'"),
        ("os.environ", "", "has no other variables"),
        ("sys.stdin", "", "gives 'yes'"),
        ("sys.argv", "", "is ['prog', '-v']"),
    ]


def test_long_values_are_cut() -> None:
    (told,) = stand_ins(case(patches=(FunctionPatch("f", (PatchedCall(Way.RETURN, Scalar("x" * 999)),)),)))
    assert len(told.answer) == LONGEST + len("returns ")
