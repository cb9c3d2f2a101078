"""What an exploration reaches: each test names a source, a target, and the endings that must be found."""

from __future__ import annotations

import pytest

from tests.explore.support import assert_paths, explore


def test_magic_constants() -> None:
    assert_paths(
        """
        def f(x: int, y: int) -> str:
            if x == 918273645:
                return "x"
            if y * 3 == 8190:
                return "y"
            if x - y == 77 and x + y == 1001:
                return "both"
            return "none"
        """,
        "f", "x", "y", "both", "none",
    )  # fmt: skip


def test_nested_conditions() -> None:
    assert_paths(
        """
        def f(a: int, b: int, c: int) -> int:
            if a > b:
                if b > c:
                    if a + c == 2 * b:
                        if c > 10:
                            return 4
                        return 3
                    return 2
                return 1
            return 0
        """,
        "f", 0, 1, 2, 3, 4,
    )  # fmt: skip


def test_floats() -> None:
    assert_paths(
        """
        def f(x: float) -> str:
            if x != x:
                return "nan"
            if x * 2.0 == 0.5:
                return "quarter"
            return "high" if x > 1e6 else "low"
        """,
        "f", "quarter", "high", "low", "nan",
    )  # fmt: skip


def test_loops_over_lists() -> None:
    assert_paths(
        """
        def f(xs: list[int]) -> str:
            total = 0
            for x in xs:
                if x < 0:
                    return "negative"
                total += x
            if len(xs) == 3 and total == 42:
                return "three"
            return "other" if xs else "empty"
        """,
        "f", "negative", "three", "other", "empty",
    )  # fmt: skip


def test_nested_lists() -> None:
    assert_paths(
        """
        def f(rows: list[list[int]]) -> str:
            for row in rows:
                if len(row) != 2:
                    return "ragged"
                if row[0] > row[1]:
                    return "descending"
            return "fine"
        """,
        "f", "ragged", "descending", "fine",
    )  # fmt: skip


def test_optional_arguments() -> None:
    assert_paths(
        """
        from typing import Optional

        def f(x: Optional[int], y: int | None = None) -> str:
            if x is None:
                return "no x"
            if y is not None and y > x:
                return "greater"
            return "fine"
        """,
        "f", "no x", "greater", "fine",
    )  # fmt: skip


def test_dict_lookups() -> None:
    assert_paths(
        """
        PRICES = {"apple": 3, "pear": 5}

        def f(stock: dict[str, int], name: str) -> str:
            if name not in PRICES:
                return "unknown"
            if name not in stock:
                return "none left"
            if stock[name] * PRICES[name] > 100:
                return "valuable"
            return "cheap"
        """,
        "f", "unknown", "none left", "valuable", "cheap",
    )  # fmt: skip


def test_missing_keys_of_an_input() -> None:
    assert_paths(
        """
        def f(stock: dict[str, int], name: str) -> int:
            return 8 if stock[name] > 5 else 7
        """,
        "f", KeyError, 7, 8,
    )  # fmt: skip


RAISING = {
    "division": ("def f(a: int, b: int) -> int:\n    return a // b * 0\n", ZeroDivisionError),
    "index": ("def f(xs: list[int], k: int) -> int:\n    return xs[k] * 0\n", IndexError),
    "key": ("def f(key: str) -> int:\n    return {'a': 0}[key]\n", KeyError),
    "conversion": ("def f(text: str) -> int:\n    return int(text) * 0\n", ValueError),
    "assertion": ("def f(x: int) -> int:\n    assert x != 77\n    return 0\n", AssertionError),
    "pop": ("def f(xs: list[int]) -> int:\n    return xs.pop() * 0\n", IndexError),
    "maximum": ("def f(xs: list[int]) -> int:\n    return max(xs) * 0\n", ValueError),
    "unpacking": ("def f(xs: list[int]) -> int:\n    a, b = xs\n    return 0\n", ValueError),
    "attribute of None": ("def f(x: str | None) -> int:\n    return len(x.strip()) * 0\n", AttributeError),
    "next": ("def f(xs: list[int]) -> int:\n    return next(x for x in xs if x > 9) * 0\n", StopIteration),
    "remove": ("def f(xs: list[int], x: int) -> int:\n    xs.remove(x)\n    return 0\n", ValueError),
    "character": ("def f(code: int) -> int:\n    return len(chr(code)) - 1\n", ValueError),
}


@pytest.mark.parametrize("name", RAISING)
def test_exceptions_that_no_condition_announces(name: str) -> None:
    source, exception = RAISING[name]
    assert_paths(source, "f", exception, 0)


def test_handled_exceptions() -> None:
    assert_paths(
        """
        def f(text: str) -> str:
            try:
                value = int(text)
            except ValueError:
                return "no number"
            finally:
                text = ""
            return "big" if value > 1000 else "small"
        """,
        "f", "no number", "big", "small",
    )  # fmt: skip


def test_prefixes_of_text() -> None:
    assert_paths(
        """
        def f(line: str) -> str:
            if line.startswith("ERROR:"):
                return "error"
            if line.endswith("!?") and len(line) == 5:
                return "odd"
            if "==" in line:
                return "equal"
            return "plain"
        """,
        "f", "error", "odd", "equal", "plain",
    )  # fmt: skip


@pytest.mark.slow
def test_split_text() -> None:
    assert_paths(
        """
        def f(line: str) -> str:
            parts = line.split(",")
            if len(parts) != 2:
                return "arity"
            name, count = parts
            if name != "set":
                return "name"
            if int(count) > 50:
                return "big"
            return "small"
        """,
        "f", "arity", "name", "big", "small", ValueError,
    )  # fmt: skip


def test_characters_of_text() -> None:
    assert_paths(
        """
        def f(text: str) -> int:
            depth = 0
            for c in text:
                if c == "(":
                    depth += 1
                elif c == ")":
                    depth -= 1
                    if depth < 0:
                        return -1
            return depth
        """,
        "f", -1, 0, 1,
    )  # fmt: skip


BOX = """
class Box:
    def __init__(self, limit: int = 2) -> None:
        if limit < 1:
            raise ValueError("limit")
        self.limit = limit
        self.items: list[int] = []
        self.open = False

    def unlock(self) -> None:
        self.open = True

    def put(self, item: int) -> str:
        if not self.open:
            return "locked"
        if len(self.items) >= self.limit:
            return "full"
        self.items.append(item)
        return "stored"

    def heaviest(self) -> int:
        if not self.items:
            return -1
        return max(self.items)
"""


def test_constructors() -> None:
    found = assert_paths(BOX, "Box", ValueError)
    assert len(found.outcome.cases) >= 2


def test_sequences_of_calls_build_state() -> None:
    assert_paths(BOX, "Box.put", "locked", "full", "stored")
    found = assert_paths(BOX, "Box.heaviest", -1)
    assert any(ending != -1 for ending in found.endings)


def test_helpers_are_covered_through_their_callers() -> None:
    found = assert_paths(
        """
        def _band(score: int) -> str:
            if score > 90:
                return "top"
            if score > 50:
                return "middle"
            return "low"

        def f(score: int) -> str:
            return _band(score + 5)
        """,
        "f", "top", "middle", "low",
    )  # fmt: skip
    assert {found.line_of(text) for text in ('"top"', '"middle"', '"low"')} <= found.lines


def test_recursion() -> None:
    assert_paths(
        """
        def f(n: int) -> int:
            if n <= 0:
                return 0
            if n > 4:
                return -1
            return n + f(n - 1)
        """,
        "f", 0, -1,
    )  # fmt: skip


def test_generators_are_consumed() -> None:
    found = explore(
        """
        from collections.abc import Iterator

        def f(n: int) -> Iterator[int]:
            yield 1
            if n == 31:
                yield 2
        """,
        "f",
    )
    assert {"[1]", "[1, 2]"} <= found.endings


def test_match_statements() -> None:
    assert_paths(
        """
        def f(command: str, count: int) -> str:
            match command, count:
                case "go", 3:
                    return "three"
                case "go", n if n > 10:
                    return "far"
                case "stop" | "halt", _:
                    return "stop"
                case _:
                    return "?"
        """,
        "f", "three", "far", "stop", "?",
    )  # fmt: skip


def test_enums_and_literals() -> None:
    assert_paths(
        """
        import enum
        from typing import Literal

        class Colour(enum.Enum):
            RED = 1
            BLUE = 2

        def f(colour: Colour, mode: Literal["fast", "slow"]) -> str:
            if colour is Colour.BLUE:
                return "blue " + mode
            return "red"
        """,
        "f", "blue fast", "red",
    )  # fmt: skip


def test_dataclasses_are_built() -> None:
    assert_paths(
        """
        from dataclasses import dataclass

        @dataclass
        class Point:
            x: int
            y: int

        def f(p: Point) -> str:
            if p.x == p.y + 3:
                return "diagonal"
            return "no"
        """,
        "f", "diagonal", "no",
    )  # fmt: skip


def test_arguments_without_annotations() -> None:
    assert_paths(
        """
        def f(x, names=()):
            if x > 17:
                return "big"
            return "small"
        """,
        "f", "big", "small",
    )  # fmt: skip


def test_pairs_as_keys() -> None:
    assert_paths(
        """
        WALLS = {(3, 4), (5, 6)}

        def f(x: int, y: int) -> str:
            if (x, y) in WALLS:
                return "wall"
            return "free"
        """,
        "f", "wall", "free",
    )  # fmt: skip


def test_views_of_dicts() -> None:
    assert_paths(
        """
        def f(d: dict[str, int]) -> str:
            unknown = d.keys() - {"a", "b"}
            if unknown:
                return "unknown"
            return "fine"
        """,
        "f", "unknown", "fine",
    )  # fmt: skip


def test_slices_at_a_place_of_the_input() -> None:
    assert_paths(
        """
        def f(xs: list[int], k: int) -> str:
            tail = xs[k:]
            if len(tail) == 1 and k == 2:
                return "third"
            return "no"
        """,
        "f", "third", "no",
    )  # fmt: skip


def test_slices_of_constant_lists() -> None:
    assert_paths(
        """
        def f(k: int) -> str:
            if len([1, 2, 3, 4][k:]) == 2:
                return "half"
            return "no"
        """,
        "f", "half", "no",
    )  # fmt: skip


def test_tables_indexed_by_truth() -> None:
    assert_paths(
        """
        def f(flag: bool) -> str:
            word = ("no", "yes")[flag]
            if word == "yes":
                return "agreed"
            return "refused"
        """,
        "f", "agreed", "refused",
    )  # fmt: skip


def test_the_last_element_of_a_list() -> None:
    assert_paths(
        """
        def f(xs: list[int]) -> str:
            if xs and xs[-1] == 5:
                if len(xs) == 4:
                    return "four"
                return "five"
            return "no"
        """,
        "f", "four", "five", "no",
    )  # fmt: skip


def test_duplicates() -> None:
    assert_paths(
        """
        def f(xs: list[int]) -> str:
            if len(set(xs)) != len(xs):
                return "twice"
            if len(xs) > 2:
                return "distinct"
            return "few"
        """,
        "f", "twice", "distinct", "few",
    )  # fmt: skip


def test_a_list_extended_by_itself() -> None:
    assert_paths(
        """
        def f(xs: list[int]) -> str:
            ys = list(xs)
            ys += xs
            return "none" if not ys else "some"
        """,
        "f", "none", "some",
    )  # fmt: skip


def test_text_of_a_list() -> None:
    assert_paths(
        """
        def f(xs: list[int]) -> str:
            if str(xs) == "[0, 7]":
                return "found"
            return "no"
        """,
        "f", "no",
    )  # fmt: skip
