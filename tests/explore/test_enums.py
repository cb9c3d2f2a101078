"""Explorations of functions that look up members of an Enum class."""

from __future__ import annotations

from tests.explore.support import assert_paths

COLOUR = """
        import enum

        class Colour(enum.Enum):
            RED = "#f00"
            GREEN = "#0f0"
            BLUE = "#00f"
            AZURE = BLUE
"""


def test_every_member_and_a_missing_one_by_name() -> None:
    assert_paths(
        f"""{COLOUR}
        def f(name: str) -> str:
            colour = Colour[name.strip()]
            if colour is Colour.RED:
                return "warm"
            if colour is Colour.BLUE:
                return "cold"
            return colour.value
        """,
        "f", "warm", "#0f0", "cold", KeyError,
    )  # fmt: skip


def test_every_member_and_a_missing_one_by_value() -> None:
    assert_paths(
        f"""{COLOUR}
        def f(value: str) -> str:
            try:
                colour = Colour(value)
            except ValueError:
                return "none"
            match colour:
                case Colour.BLUE:
                    return "sky"
                case Colour.GREEN:
                    return "grass"
            return "fire"
        """,
        "f", "fire", "grass", "sky", "none",
    )  # fmt: skip


def test_a_computed_number_as_the_value() -> None:
    assert_paths(
        """
        import enum

        class Level(enum.IntEnum):
            LOW = 1013
            HIGH = 70707

        def f(x: int) -> str:
            if Level(x - 5) is Level.HIGH:
                return "high"
            return "low"
        """,
        "f", "high", "low", ValueError,
    )  # fmt: skip
