"""Values that leave our sight are named as lost, and no other input is promised to follow."""

from __future__ import annotations

import pytest

from tests.explore.support import Explored, explore
from tracetwin.explore.loop.goals import Obstacle


def places(found: Explored) -> set[tuple[str, int]]:
    return {(name, line) for name, line, _ in found.outcome.statistics.losses}


@pytest.mark.slow
def test_the_order_of_a_set_promises_nothing() -> None:
    found = explore(
        """
        def f(a: set[int]) -> int:
            for x in a:
                if x == 3:
                    return 3
            t = tuple(a)
            if len(t) > 1 and t[0] > t[1]:
                return 1
            return 0
        """,
        "f",
    )
    assert 0 == found.outcome.statistics.divergences
    assert {0, 1, 3} <= found.endings
    assert ("set.__iter__", 2) in places(found)


@pytest.mark.parametrize(
    "made", ["sorted(a) == [7, 9]", "max(a, default=0) == 55", "min(a, default=1) == -7"]
)
def test_what_does_not_hang_on_the_order_of_a_set_is_not_lost(made: str) -> None:
    found = explore(f"def f(a: set[int]) -> bool:\n    return True if {made} else False\n", "f")
    assert {True, False} == found.endings
    assert not found.outcome.statistics.losses
    assert 0 == found.outcome.statistics.divergences


@pytest.mark.parametrize(
    ("kind", "annotation"), [("int", "int"), ("str", "str"), ("float", "float"), ("bytes", "bytes")]
)
def test_what_a_subclass_of_a_scalar_is_made_of_is_named(kind: str, annotation: str) -> None:
    source = f"""
        class Plain({kind}):
            pass

        class Own({kind}):
            def __new__(cls, value):
                return super().__new__(cls, value)

        def f(x: {annotation}) -> str:
            return "same" if Plain(x) == {kind}() and Own(x) == {kind}() else "other"
        """
    found = explore(source, "f")
    assert {("Plain", 9), (f"{kind}.__new__", 6)} <= places(found)


def test_an_argument_made_by_code_that_is_not_followed_is_named() -> None:
    found = explore(
        """
        def f(b: memoryview) -> str:
            if sum(b) == 1999:
                return "goal"
            return "no"
        """,
        "f",
        runs=3,
    )
    assert Obstacle.CONCRETE is found.fate_of("sum(b)", 1)
    assert "value lost at a call into C code: memoryview of an argument" == found.reason('return "goal"')


def test_a_constructor_that_refuses_loses_nothing() -> None:
    found = explore(
        """
        class Amount:
            def __init__(self, text: str) -> None:
                if not text.isdigit():
                    raise ValueError(text)

            def used(self) -> bool:
                return True
        """,
        "Amount.used",
    )
    assert not found.outcome.statistics.losses


def test_the_line_of_a_loss_is_the_programs() -> None:
    found = explore(
        """
        import enum

        class Kind(enum.Enum):
            A = 1

            @classmethod
            def _missing_(cls, value):
                return None

        def f(number: int) -> str:
            try:
                return Kind(number).name
            except ValueError as error:
                return str(error)
        """,
        "f",
        runs=3,
    )
    assert {found.line_of("Kind(number)")} == {line for _, line, _ in found.outcome.statistics.losses}


HEIRS = """
    class Row(list):
        def append(self, x):
            super().append(x)

    class Table(dict):
        def put(self, key, value):
            dict.__setitem__(self, key, value)

    def f(x: int, key: str) -> str:
        row, table = Row(), Table()
        row.append(x)
        if list.__len__(row) == 1 and list.__getitem__(row, 0) == 4711:
            return "row"
        table.put(key, x)
        if dict.get(table, "name") == 815:
            return "table"
        return "there" if dict.__contains__(table, "place") else "other"
    """


def test_methods_of_native_classes_called_with_an_object_of_a_subclass_lose_nothing() -> None:
    found = explore(HEIRS, "f", runs=40)
    assert {"row", "table", "there", "other"} <= found.endings
    assert not found.outcome.statistics.losses


REMEMBERED = """
    import functools

    @functools.lru_cache(maxsize=None)
    def digits(n: int) -> int:
        return 1 if n < 10 else 1 + digits(n // 10)

    class Kept:
        @functools.lru_cache
        def doubled(self, n: int) -> list[int]:
            return [2 * n]

    def f(n: int, m: int) -> str:
        kept = Kept()
        if kept.doubled(n) is kept.doubled(m):
            return "same" if n * 7 == 30_947 else "equal"
        if kept.doubled(m)[0] - 3 * m == -81_523:
            return "doubled"
        return "digits" if digits(n) == 4 else "other"
    """


def test_functions_under_a_cache_are_followed_and_remember_equal_calls() -> None:
    found = explore(REMEMBERED, "f", runs=60)
    assert {"same", "equal", "doubled", "digits", "other"} <= found.endings
    assert not found.outcome.statistics.losses
    assert 0 == found.outcome.statistics.divergences


def test_a_target_under_a_cache_is_followed_itself() -> None:
    source = """
        import functools

        @functools.lru_cache(maxsize=None)
        def f(n: int, word: str = "a") -> str:
            if n * 7 == 30_947:
                return "goal"
            return "long" if len(word) == 5 else "other"
        """
    found = explore(source, "f", runs=30)
    assert {"goal", "long", "other"} <= found.endings
    assert not found.outcome.statistics.losses
    assert not found.outcome.statistics.divergences
