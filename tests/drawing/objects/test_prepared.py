"""Which calls prepare an object, and when an object that exists already is offered."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from runtime import trace
from runtime.inputs import Inputs, UnfitInput
from tests.drawing.effects import discovered
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.parameters import Arguments, build_arguments
from tracetwin.drawing.plans.plans import SetupFailed
from tracetwin.model.case import Act, Step
from tracetwin.model.flatten import flatten
from tracetwin.model.recipe import CallResult, PreparedObject, PreparingCall, Scalar, Variable

MakeModule = Callable[..., ModuleType]

BANK = """
import dataclasses
class Account:
    def __init__(self, owner: str = "o"):
        self.owner, self.balance = owner, 0
        self.frozen = False
    def deposit(self, amount: int) -> None:
        if amount < 0: raise ValueError(amount)
        self.balance += amount
    def merge(self, other: "Account") -> None: self.balance += other.balance
    def is_rich(self) -> bool: return self.balance > 100
    def _secret(self): self.balance = -1
@dataclasses.dataclass(frozen=True)
class Point:
    x: int
    y: int = 0
    def moved(self, by: int) -> "Point": return Point(self.x + by, self.y)
def pay(source: Account, target: Account, amount: int) -> None: ...
def draw(point: Point, size: int) -> None: ...
def both(first: list[int], second: list[int], third: dict[str, int]) -> None: ...
def each(accounts: list[Account]) -> None: ...
def later(make: "typing.Callable[[], Account]") -> None: ...
import typing
"""


def drawn(module: ModuleType, name: str, **assignment: Any) -> tuple[Arguments, PlainDraw]:
    (found,) = [item for item in discovered(module) if item.qualname == name]
    assert found.problem is None
    source = PlainDraw({key.replace("__", "."): value for key, value in assignment.items()})
    return build_arguments(source, found.parameters), source


def prepared(made: Arguments, place: int = 0) -> PreparedObject:
    """One of the arguments, an object that calls may prepare."""
    recipe = made.arg_recipes[place]
    assert isinstance(recipe, PreparedObject)
    return recipe


def test_nothing_is_asked_of_a_class_that_nothing_changes(make_module: MakeModule) -> None:
    _, source = drawn(make_module(BANK), "draw")
    assert set(source.asked) == {"point.x", "point.y", "size"}


def test_the_first_answer_is_a_new_object_without_calls(make_module: MakeModule) -> None:
    made, source = drawn(make_module(BANK), "pay")
    assert made.args[0] is not made.args[1]
    assert [source.asked[name] for name in ("source~0", "target@", "target~0")] == ["choice"] * 3
    assert "source@" not in source.asked
    assert [prepared(made, place).calls for place in (0, 1)] == [[], []]


def test_observers_and_private_methods_prepare_nothing(make_module: MakeModule) -> None:
    module = make_module(BANK)
    words = []
    for chosen in (1, 2, 3):
        values = {"source~0.deposit.amount": 1, "source~0.frozen=.value": True}
        made, _ = drawn(module, "pay", **{"source~0": chosen, **values})
        words.append(prepared(made).calls[0].name)
    assert words == ["deposit", "merge", "frozen="]
    made, _ = drawn(module, "pay", **{"source~0": 4})  # one past the last is the first answer again
    assert prepared(made).calls == []


def test_calls_are_performed_and_written_down(make_module: MakeModule) -> None:
    assignment = {"source~0": 1, "source~0.deposit.amount": 7, "source~1": 3, "source~1.frozen=.value": True}
    made, _ = drawn(make_module(BANK), "pay", **assignment)
    assert (made.args[0].balance, made.args[0].frozen) == (7, True)
    assert prepared(made).calls == [
        PreparingCall("deposit", (Scalar(7),)),
        PreparingCall("frozen=", (Scalar(True),)),
    ]


def test_a_call_that_raises_fails_the_setup(make_module: MakeModule) -> None:
    with pytest.raises(SetupFailed, match="deposit raised ValueError"):
        drawn(make_module(BANK), "pay", **{"source~0": 1, "source~0.deposit.amount": -1})


def test_a_call_that_changes_nothing_is_cut_off(make_module: MakeModule) -> None:
    with pytest.raises(UnfitInput):
        drawn(make_module(BANK), "pay", **{"source~0": 1, "source~0.deposit.amount": 0})


def test_an_object_that_exists_is_another_candidate(make_module: MakeModule) -> None:
    made, _ = drawn(make_module(BANK), "pay", **{"target@": 1})
    assert made.args[0] is made.args[1]
    assert made.arg_recipes[0] is made.arg_recipes[1]


def test_an_object_can_be_given_to_itself(make_module: MakeModule) -> None:
    module = make_module(BANK)
    made, source = drawn(module, "pay", **{"source~0": 1, "source~0.deposit.amount": 3, "source~1": 2})
    assert source.asked["source~1.merge.other@"] == "choice"
    assignment = {"source~0": 1, "source~0.deposit.amount": 3, "source~1": 2, "source~1.merge.other@": 1}
    made, _ = drawn(module, "pay", **assignment)
    assert made.args[0].balance == 6
    step = Step(Act.CALL, "m", "pay", tuple(made.arg_recipes))
    assert [(s.bind, s.name, s.args) for s in flatten([step])][:3] == [
        ("source", "Account", ()),
        (None, "deposit", (Scalar(3),)),
        (None, "merge", (Variable("source"),)),
    ]


def test_only_containers_of_one_type_may_be_one(make_module: MakeModule) -> None:
    made, source = drawn(make_module(BANK), "both", **{"second@": 1})
    assert made.args[0] is made.args[1]
    assert "third@" not in source.asked


def test_elements_are_prepared_and_may_repeat(make_module: MakeModule) -> None:
    module = make_module(BANK)
    made, _ = drawn(module, "each", **{"accounts#": 2, "accounts[1]@": 1})
    assert made.args[0][0] is made.args[0][1]
    made, _ = drawn(
        module, "each", **{"accounts#": 2, "accounts[1]~0": 3, "accounts[1]~0.frozen=.value": True}
    )
    assert [item.frozen for item in made.args[0]] == [False, True]


def test_what_a_function_returns_is_made_anew_each_time(make_module: MakeModule) -> None:
    made, source = drawn(make_module(BANK), "later")
    assert not any("~" in name or "@" in name for name in source.asked)
    assert made.args[0]().balance == 0


def test_every_choice_is_a_branch_of_the_input(make_module: MakeModule) -> None:
    (pay,) = [item for item in discovered(make_module(BANK)) if item.qualname == "pay"]
    current = trace.start()
    inputs = Inputs({"source~0": 1, "source~0.deposit.amount": 5})
    build_arguments(inputs, pay.parameters)
    assert {"source~0", "source~1", "target@", "target~0"} <= inputs.structural
    decided = {name for node, _, _, kind in current.path if kind == trace.Kind.INPUT for name in node.names}
    assert {"source~0", "source~1", "target@", "target~0"} <= decided


def test_results_of_earlier_calls_are_offered_where_they_fit(make_module: MakeModule) -> None:
    module = make_module("def f(number: int, text: str, thing, items: list[int]): ...")
    (found,) = discovered(module)
    source = PlainDraw({"number@result": 1, "thing@result": 1})
    token = object()
    for place, value in enumerate((12, True, None, [1], token)):
        source.pool.returned(value, CallResult(None, place, ""))
    made = build_arguments(source, found.parameters)
    assert (made.args[0], made.args[2]) == (12, token)
    assert made.arg_recipes[2] == CallResult(None, 4, "thing")
    assert "text@result" not in source.asked
    assert "items@result" not in source.asked


def test_a_class_that_gives_an_object_of_another_fails_the_setup(make_module: MakeModule) -> None:
    source = """
        class Unbound:
            pass
        class Field:
            def __new__(cls, **kwargs):
                return super().__new__(cls) if "form" in kwargs else Unbound()
        def label(field: Field): return field
    """
    with pytest.raises(SetupFailed, match="Field gave a Unbound"):
        drawn(make_module(source), "label")
