"""What `Annotated` demands holds for everything that is drawn."""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass
from typing import Annotated, Any, Optional

import pytest

from runtime.inputs import UnfitInput
from tests.drawing.conftest import MakeModule
from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.constrained import ConstrainedPlan, constrained
from tracetwin.drawing.plans.constraints import Constraint, all_hold, constraints_of
from tracetwin.drawing.plans.containers import DictPlan, ListPlan, SetPlan
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.plans import FloatPlan, IntPlan, Plan, StrPlan
from tracetwin.replay.observe.preconditions import keeps


@dataclass(frozen=True)
class Gt:
    gt: Any


@dataclass(frozen=True)
class Bounds:
    ge: Any = None
    le: Any = None
    multiple_of: Any = None


@dataclass(frozen=True)
class Size:
    min_length: int = 0
    max_length: int | None = None


@dataclass(frozen=True)
class Text:
    pattern: str | None = None


class Group:
    """As the fields of pydantic keep theirs."""

    def __init__(self, *metadata: Any) -> None:
        self.metadata = list(metadata)


class Everything:
    """Has any attribute one asks for."""

    def __getattr__(self, name: str) -> Any:
        return Everything()


def test_metadata_is_read_by_attributes() -> None:
    found = constraints_of([Gt(3), "a text", Group(Bounds(ge=1), Size(2, 5)), Everything(), int, Text("^a")])
    assert [(item.kind, item.bound) for item in found] == [
        ("gt", 3),
        ("ge", 1),
        ("min_length", 2),
        ("max_length", 5),
        ("pattern", "^a"),
    ]


@pytest.mark.parametrize(
    ("constraint", "good", "bad"),
    [
        (Constraint("gt", 0), 1, 0),
        (Constraint("ge", 0.5), 0.5, 0.25),
        (Constraint("lt", 10), 9, 10),
        (Constraint("le", dt.date(2020, 1, 1)), dt.date(2019, 1, 1), dt.date(2021, 1, 1)),
        (Constraint("multiple_of", 3), 9, 10),
        (Constraint("min_length", 2), "ab", "a"),
        (Constraint("max_length", 2), [1, 2], [1, 2, 3]),
        (Constraint("pattern", "^[a-z]+$"), "abc", "ABC"),
        (Constraint("pattern", re.compile("b")), "abc", "ac"),
        (Constraint("predicate", str.islower), "abc", "Abc"),
        (Constraint("predicate", math.isfinite), 1.0, math.inf),
    ],
)
def test_each_kind_holds_or_not(constraint: Constraint, good: Any, bad: Any) -> None:
    assert all_hold([constraint], good)
    assert not all_hold([constraint], bad)


def test_a_bound_says_nothing_of_what_can_not_be_compared() -> None:
    assert all_hold([Constraint("gt", 0)], None)
    assert not all_hold([Constraint("predicate", str.islower)], None)


@pytest.mark.parametrize(
    ("plan", "metadata"),
    [
        (IntPlan(), [Gt(5)]),
        (IntPlan(), [Bounds(10, 20, 7)]),
        (IntPlan(), [Bounds(le=-3)]),
        (FloatPlan(), [Gt(0), Bounds(le=1.0)]),
        (FloatPlan(), [Bounds(0.25, 0.5)]),
        (FloatPlan(), [Bounds(multiple_of=0.5, ge=2)]),
        (StrPlan(), [Size(3, 8)]),
        (StrPlan(), [Text("^[A-Z]+$"), Size(2)]),
        (ListPlan(IntPlan()), [Size(3)]),
        (ListPlan(IntPlan()), [Size(0, 0)]),
        (SetPlan(IntPlan()), [Size(2)]),
        (DictPlan(StrPlan(), IntPlan()), [Size(3)]),
    ],
    ids=repr,
)
def test_the_first_value_keeps_what_is_demanded(plan: Plan, metadata: list[Any]) -> None:
    demands = constraints_of(metadata)
    value, _ = constrained(plan, demands).build(PlainDraw(), "x")
    assert all_hold(demands, value)


def test_a_value_that_does_not_is_no_input() -> None:
    plan = constrained(StrPlan(), (Constraint("predicate", str.islower),))
    assert plan.build(PlainDraw({"x": "abc"}), "x")[0] == "abc"
    with pytest.raises(UnfitInput):
        plan.build(PlainDraw({"x": "ABC"}), "x")


def test_results_of_calls_are_not_passed_where_something_is_demanded() -> None:
    assert IntPlan().takes(3)
    assert not constrained(IntPlan(), (Constraint("gt", 0),)).takes(3)


def test_a_default_that_breaks_it_is_left_out(make_module: MakeModule) -> None:
    module = make_module(
        """
        from typing import Annotated
        class Low:
            ge = 5
        def f(x: Annotated[int, Low()] = 7, y: Annotated[int, Low()] = 0): pass
        """
    )
    first, second = discover(module)[0].parameters
    assert isinstance(first.plan, ConstrainedPlan)
    assert (first.starts_at_default, second.starts_at_default) == (True, False)


# On the original


def plain(x: Annotated[int, Gt(0)], y: str = "") -> None: ...


def nested(
    a: list[Annotated[int, Gt(0)]],
    b: dict[str, Annotated[float, Bounds(ge=0)]] | None = None,
    c: tuple[Annotated[int, Gt(5)], str] = (6, ""),
    d: Optional[Annotated[str, Size(2)]] = None,  # noqa: UP045 - the untranslated form is another path
) -> None: ...


def free(x: int, y: list[str]) -> None: ...


class Account:
    def __init__(self, balance: Annotated[int, Bounds(ge=0)]) -> None:
        self.balance = balance

    def add(self, amount: Annotated[int, Gt(0)]) -> None: ...


@pytest.mark.parametrize(
    ("function", "args", "expected"),
    [
        (plain, (1,), True),
        (plain, (0,), False),
        (plain, (), True),  # the call itself says what is wrong
        (nested, ([1, 2],), True),
        (nested, ([1, 0],), False),
        (nested, ([], {"a": -1.0}), False),
        (nested, ([], {"a": 1.0}, (6, "")), True),
        (nested, ([], None, (5, "")), False),
        (nested, ([], None, (6, ""), None), True),
        (nested, ([], None, (6, ""), "a"), False),
        (free, (-1, []), True),
        (Account, (0,), True),
        (Account, (-1,), False),
        (Account(1).add, (1,), True),
        (Account(1).add, (0,), False),
    ],
)
def test_derived_cases_keep_it_too(function: Any, args: tuple[Any, ...], expected: bool) -> None:
    assert keeps(function, args, {}) is expected
