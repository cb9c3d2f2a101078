"""Mutants that need no run: what is told of them without is what their runs show."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from typing import Any

import pytest

from tests.mutation.test_schemata import loaded
from tracetwin.model.mutant import Mutant
from tracetwin.mutation.necessity import loud_attributes
from tracetwin.mutation.schemata import mutants_of
from tracetwin.mutation.switch import Endless, Switch

SOURCE = """\
from decimal import Decimal

LIMIT = 10

def compare(a, b):
    if a < b:
        return "less"
    if a >= LIMIT or b == 3:
        return "much"
    return a - b * 2

def total(numbers, start):
    whole = start
    for one in numbers:
        whole += one
        whole -= 0 if one > 2 and one != 7 else 1
    return whole

def names(words):
    found = []
    for word in words:
        if word.strip() and not word.startswith("x"):
            found.append(word.lower())
    return [one for one in found if one]

def pick(a, b):
    return min(a, 5) + max(a + 1, b)

def raises(items, a):
    return a > 2 and items[a] > 1 or a / (a - 1)

class Box:
    def __init__(self, size):
        self.size = size
        self.calls = 0

    @property
    def large(self):
        self.calls += 1
        return self.size > 2

    def fits(self, n):
        done = (n and self.size) and n <= self.size
        return (self.large or n) and (n < 3 and self.large), done, self.calls

def fits(size, n):
    return Box(size).fits(n)

def money(text):
    amount = Decimal(text)
    if amount <= Decimal("0.50"):
        amount = amount * 2
    return amount + Decimal("1.00")

def outer(n):
    return inner(n) + inner(n - 1) < n * inner(2)

def inner(n):
    return n if n < 2 else inner(n - 2) + 1
"""

INPUTS: dict[str, list[tuple[Any, ...]]] = {
    "compare": [*itertools.product((0, 1, 3, 9, 10, 2.0), (0, 3, 10, 11, float("nan")))],
    "total": [([], 0), ([0], 0), ([0, 0], 5), ([1], 0), ([7, 3, 0], 0), ([2, 2], -2), (["a"], "")],
    "names": [([],), ([""],), (["a"],), (["A", "b "],), (["x", "y", " Z"],), ([None],)],
    "pick": [*itertools.product((0, 4, 5, 6), (0, 5, 7))],
    "raises": [([1, 2, 3, 1], n) for n in range(5)],
    "fits": [*itertools.product((0, 1, 2, 3), (0, 1, 2, 3, 4))],
    "money": [(text,) for text in ("0.5", "0.50", "0", "0.51", "1", "x")],
    "outer": [(n,) for n in range(6)],
}


def ending(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[str, str]:
    try:
        return "returned", repr(function(*args))
    except Endless:
        return "endless", ""
    except Exception as error:  # noqa: BLE001 - a mutant may do anything
        return type(error).__name__, str(error)


def everything() -> tuple[Switch, dict[str, Any], list[Mutant]]:
    switch = Switch()
    return switch, loaded(SOURCE, switch), mutants_of(SOURCE.encode())


@pytest.mark.parametrize("name", sorted(INPUTS))
def test_what_needs_no_run_does_what_is_told(name: str) -> None:
    switch, names, mutants = everything()
    needless = shared = 0
    for args in INPUTS[name]:
        switch.off()
        original = ending(names[name], args)
        quiet, alike, reached, steps = switch.needless(), switch.alike(), switch.reached, switch.steps
        known: dict[Any, tuple[str, str]] = {}
        for mutant in (one for one in mutants if one.site in reached):
            key = (mutant.site, mutant.choice)
            switch.on(*key, steps)
            seen = ending(names[name], args)
            if key in quiet:
                assert seen == original, (args, mutant.name)
                needless += 1
            elif key in alike and switch.hits == 1:
                assert known.setdefault(alike[key], seen) == seen, (args, mutant.name)
                shared += 1
    assert needless > 0 or name == "outer"
    assert shared > 0 or name == "names"


def told(name: str, *args: Any) -> set[str]:
    """The changes that a call passes without a difference."""
    switch, names, mutants = everything()
    switch.off()
    ending(names[name], args)
    quiet = switch.needless()
    return {one.change for one in mutants if (one.site, one.choice) in quiet and one.site in switch.reached}


def test_a_boundary_matters_at_the_boundary_only() -> None:
    change = "`<` becomes `<=` in `a < b`"
    assert change in told("compare", 1, 2)
    assert change not in told("compare", 2, 2)


def test_adding_nothing_is_leaving_it_out() -> None:
    changes = {"`+=` becomes `-=`", "`whole += one` is left out"}
    assert changes <= told("total", [0, 0], 5)
    assert not changes & told("total", [0, 1], 5)
    assert "`+=` becomes `=`" in told("total", [7], 0)
    assert "`+=` becomes `=`" not in told("total", [7, 7], 0)


def test_what_may_have_effects_is_run() -> None:
    assert not {one for one in told("fits", 3, 2) if one.startswith("`self.large` is left out")}
    assert "`n` is left out of `n and self.size`" in told("fits", 3, 2)


def test_the_first_item_is_put_in_front_and_behind_alike() -> None:
    change = "`append` becomes `insert(0, ...)` in `found.append(word.lower())`"
    assert change in told("names", ["a"])
    assert change not in told("names", ["a", "b"])


@pytest.mark.parametrize(
    ("text", "loud"),
    [
        ("class A:\n    @property\n    def x(self): ...\n    z = 1", {"x"}),
        ("class A:\n    y = property(f)", {"y", "property", "f"}),
        ("class A: ...\nclass B(A, Generic[T], Exception): ...", set()),
        ("class B(elsewhere.A): ...", None),
        ("class B(Base): ...", None),
        ("class A:\n    def __getattr__(self, name): ...", None),
    ],
)
def test_attributes_may_be_computed_by_classes_that_are_not_seen(text: str, loud: set[str] | None) -> None:
    assert loud_attributes(ast.parse(text)) == loud
