"""Arguments that need not be given are left out, so that defaults show."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Any

import pytest

from tracetwin.emit.select.telling.left_out import with_less
from tracetwin.emit.select.telling.signatures import Signatures
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.recipe import Scalar, Variable

SOURCE = """
class Bucket:
    def __init__(self, size=10, *, step=0.5): ...
    def take(self, n=1, force=False): ...

def greet(name, greeting="Hello", shout=False): ...
def at(place, sign="+", /, step=1): ...
"""

SIGNATURES = Signatures("buckets", ast.parse(SOURCE))


def called(step: Step) -> str:
    args = [str(getattr(one, "value", one)) for one in step.args]
    named = [f"{name}={getattr(one, 'value', one)}" for name, one in step.kwargs]
    return f"{step.name}({', '.join([*args, *named])})"


def shorter(case: Case) -> list[str]:
    return ["; ".join(map(called, one.steps)) for one in with_less(case, SIGNATURES)]


def function(name: str, *given: object, **named: object) -> Case:
    args: Any = tuple(map(Scalar, given))  # type: ignore[arg-type]
    kwargs: Any = tuple((key, Scalar(value)) for key, value in named.items())  # type: ignore[arg-type]
    return Case("buckets", name, "function", (Step(Act.CALL, "buckets", name, args, kwargs),))


@pytest.mark.parametrize(
    ("case", "found"),
    [
        (function("greet", "a", "b", True), ["greet(a)", "greet(a, shout=True)", "greet(a, b)"]),
        (function("greet", "a", "b"), ["greet(a)"]),
        (function("greet", "a", shout=True), ["greet(a)"]),
        (function("greet", "a"), []),
        (function("greet", "a", "b", True, 4), []),
        (function("at", 1, "-", 2), ["at(1)", "at(1, step=2)", "at(1, -)"]),
        (function("unknown", 1), []),
    ],
)
def test_all_that_need_not_be_given_goes_and_then_each(case: Case, found: list[str]) -> None:
    assert shorter(case) == found


def test_the_receiver_may_be_made_with_less() -> None:
    made = Step(Act.CALL, "buckets", "Bucket", (Scalar(3),), (("step", Scalar(0.25)),), bind="bucket")
    case = Case("buckets", "Bucket.take", "method", (made, Step(Act.METHOD, "bucket", "take", (Scalar(2),))))
    assert shorter(case) == [
        "Bucket(); take(2)",
        "Bucket(step=0.25); take(2)",
        "Bucket(3); take(2)",
        "Bucket(3, step=0.25); take()",
    ]


def test_what_made_an_argument_that_is_left_out_goes_as_well() -> None:
    made = Step(Act.CALL, "buckets", "greet", (Scalar("a"),), bind="text")
    last = Step(Act.CALL, "buckets", "greet", (Scalar("b"), Variable("text")))
    case = replace(function("greet", "b"), steps=(made, last))
    assert shorter(case) == ["greet(b)"]
