"""What is called infeasible is infeasible: traps for proofs, and honest words for everything else."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tests.explore.support import explore
from tracetwin.explore.loop.goals import Obstacle


def test_contradictions_are_proved() -> None:
    found = explore(
        """
        def f(x: int) -> str:
            if x > 10:
                if x < 5:
                    return "never"
                return "high"
            return "low"
        """,
        "f",
    )
    assert Obstacle.INFEASIBLE is found.fate_of("x < 5", 1)
    assert "infeasible (proved)" == found.reason('"never"')


def test_a_condition_that_earlier_ones_decide_is_proved() -> None:
    found = explore(
        """
        def f(x: int) -> str:
            if x < 0:
                x = 0
            if x >= 0:
                return "always"
            return "never"
        """,
        "f",
    )
    assert "infeasible (proved)" == found.reason('"never"')


def test_without_annotations_only_the_types_tried_are_spoken_of() -> None:
    found = explore(
        """
        def f(x):
            if x > 10:
                if x < 5:
                    return "never"
                return "high"
            return "low"
        """,
        "f",
    )
    assert "infeasible (proved)" != found.reason('"never"')


TRAPS = {
    "length beyond the limit": """
        def f(xs: list[int]) -> str:
            if len(xs) > 500:
                return "goal"
            return "no"
        """,
    "text beyond the limit": """
        def f(text: str) -> str:
            if len(text) == 1000000:
                return "goal"
            return "no"
        """,
    "length summed up in a loop": """
        def f(xs: list[int]) -> str:
            n = 0
            for _ in xs:
                n += 1
            if n == 40:
                return "goal"
            return "no"
        """,
    "value lost in C code": """
        import hashlib

        def f(text: str) -> str:
            if hashlib.md5(text.encode()).hexdigest().startswith("00000"):
                return "goal"
            return "no"
        """,
    "value lost in a format": """
        def f(xs: list[int]) -> str:
            if str(xs) == "[7, 8, 9]":
                return "goal"
            return "no"
        """,
    "value lost in a hash": """
        def f(a: int, b: int) -> str:
            if (a, b) in {(4711, 815): 1}:
                return "goal"
            return "no"
        """,
    "value lost in JSON": """
        import json

        def f(xs: list[int]) -> str:
            if json.dumps(xs) == "[31]":
                return "goal"
            return "no"
        """,
    "value lost in a slice": """
        def f(xs: list[int], k: int) -> str:
            if len(xs) == 3:
                if xs[k:] == [71, 72]:
                    return "goal"
            return "no"
        """,
    "value lost in a table indexed by truth": """
        def f(x: int, flag: bool) -> str:
            if x == 3:
                if ("no", "yes")[flag] == "yes":
                    return "goal"
            return "no"
        """,
    "value lost in a set of inputs": """
        def f(a: int, b: int) -> str:
            if a > 3:
                if len({a, b}) == 1:
                    return "goal"
            return "no"
        """,
    "short circuit": """
        def f(a: int, b: int) -> str:
            if a > 5 and b > 5 or a * b == 391:
                if a < b and not (a > 5 and b > 5):
                    return "goal"
            return "no"
        """,
    "short circuit in a value": """
        def f(a: int, b: int) -> str:
            c = a or b
            if c == 17 and a == 0:
                return "goal"
            return "no"
        """,
    "last element": """
        def f(xs: list[int]) -> str:
            if xs and xs[-1] == 5:
                if len(xs) == 4:
                    return "goal"
            return "no"
        """,
    "element behind an appended one": """
        def f(xs: list[int]) -> str:
            xs.append(1)
            if xs[2] == 44:
                return "goal"
            return "no"
        """,
    "equal lists": """
        def f(xs: list[int], ys: list[int]) -> str:
            if xs == ys:
                if len(xs) == 2:
                    return "goal"
            return "no"
        """,
    "order of lists": """
        def f(xs: list[int], ys: list[int]) -> str:
            if xs < ys:
                if len(xs) > len(ys):
                    return "goal"
            return "no"
        """,
    "equal dicts": """
        def f(d: dict[str, int], e: dict[str, int]) -> str:
            if d == e:
                if len(d) == 2:
                    return "goal"
            return "no"
        """,
    "union of sets": """
        def f(s: set[int], u: set[int]) -> str:
            if len(s) == 2:
                if len(s | u) == 4:
                    return "goal"
            return "no"
        """,
    "equality of an int and a float": """
        def f(x: float) -> str:
            if int(x) == 9 and x > 9.75:
                return "goal"
            return "no"
        """,
    "rounding": """
        def f(x: float) -> str:
            if x > 0 and x + 1.0 == 1.0:
                return "goal"
            return "no"
        """,
    "not a number": """
        def f(x: float, y: float) -> str:
            if not x < y:
                if not x >= y:
                    return "goal"
            return "no"
        """,
    "order of characters": """
        def f(text: str) -> str:
            if text.upper() != text and text.lower() == text and text.upper().lower() != text:
                return "goal"
            return "no"
        """,
    "state of the module": """
        calls = []

        def f(x: int) -> str:
            calls.append(x)
            if len(calls) > 1:
                return "goal"
            return "no"
        """,
    "environment": """
        import os

        def f(x: int) -> str:
            if os.environ.get("NO_SUCH_NAME"):
                return "goal"
            return "no"
        """,
    "subclass of an argument's type": """
        class Base:
            def size(self) -> int:
                return 1

        def f(thing: Base) -> str:
            if thing.size() > 1:
                return "goal"
            return "no"
        """,
    "object of any type": """
        def f(x: object) -> str:
            if isinstance(x, complex):
                return "goal"
            return "no"
        """,
    "integer beyond the machine's": """
        def f(x: int) -> str:
            if x * x > 10**60 and x % 97 == 13:
                return "goal"
            return "no"
        """,
    "keyword arguments": """
        def f(**options: int) -> str:
            if "colour" in options:
                return "goal"
            return "no"
        """,
    "positional arguments": """
        def f(*values: int) -> str:
            if len(values) == 7:
                return "goal"
            return "no"
        """,
    "time": """
        import time

        def f(x: int) -> str:
            if time.time() < x:
                return "goal"
            return "no"
        """,
    "swallowed exception": """
        def f(x: int) -> str:
            try:
                if 100 // x == 7:
                    return "goal"
            except ZeroDivisionError:
                pass
            return "no"
        """,
}
LONG = {"text beyond the limit"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in TRAPS]
)
def test_what_can_happen_is_never_called_infeasible(name: str) -> None:
    found = explore(TRAPS[name], "f", runs=250, seconds=4.0)
    if "goal" not in found.endings:
        assert "infeasible" not in found.reason('"goal"')


def test_a_method_s_missing_side_is_never_called_infeasible() -> None:
    found = explore(
        """
        class Counter:
            def __init__(self) -> None:
                self.n = 0

            def up(self) -> None:
                self.n += 1

            def report(self) -> str:
                if self.n > 40:
                    return "goal"
                return "no"
        """,
        "Counter.report",
        runs=150,
    )
    assert "infeasible" not in found.reason('"goal"')


def test_a_spent_budget_is_said() -> None:
    found = explore(
        """
        def f(x: int) -> str:
            if x == 123456789:
                return "goal"
            return "no"
        """,
        "f",
        runs=1,
    )
    assert "budget spent" == found.reason('"goal"')


def test_a_lost_value_is_named() -> None:
    found = explore(TRAPS["value lost in C code"], "f", runs=60)
    assert "value lost at a call into C code" in found.reason('"goal"')
    assert "md5" in found.reason('"goal"')


def test_a_limit_of_ours_is_said() -> None:
    found = explore(TRAPS["length beyond the limit"], "f")
    assert "no input within the limits of generated inputs" == found.reason('"goal"')


def test_a_condition_apart_from_the_arguments_is_said() -> None:
    found = explore(
        """
        DEBUG = False

        def f(x: int) -> str:
            if DEBUG:
                return "goal"
            return "no"
        """,
        "f",
    )
    assert "condition did not depend on the arguments" in found.reason('"goal"')


def test_an_argument_that_can_not_be_built_is_said() -> None:
    found = explore(
        """
        class Never:
            def __init__(self) -> None:
                raise RuntimeError("closed")

        def f(thing: Never) -> str:
            return "goal"
        """,
        "f",
    )
    assert "argument could not be built" in found.reason('"goal"')


@pytest.fixture
def no_collection() -> Iterator[None]:
    """No garbage is collected: the limit may strike where z3 frees an expression, which ends this process."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collection")
def test_an_endless_loop_is_said() -> None:
    found = explore(
        """
        def f(x: int) -> str:
            while True:
                x += 1
            return "goal"
        """,
        "f",
        runs=3,
        wall_seconds=0.3,
    )
    assert "goal" not in found.endings
    assert found.reason('"goal"').startswith("every run was given up")
