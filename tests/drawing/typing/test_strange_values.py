"""Values of other types than the likeliest: where handlers wait for them, where a library is not known."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.planner import Planner

MakeModule = Callable[..., ModuleType]


def guesses(module: ModuleType) -> list[str]:
    return [str(guess) for guess in Planner(module).usage.guesses("f", module.f)["p"]]


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("p.year * 12 + p.month", ["object with month, year", "datetime", "date"]),
        ("p.isoformat() + p.weekday()", ["datetime", "object with isoformat(), weekday()", "date"]),
        ("p.name", ["object with name", "Path"]),
    ],
)
def test_without_its_import_a_class_of_the_library_is_not_the_only_one(
    make_module: MakeModule, body: str, kinds: list[str]
) -> None:
    module = make_module(f"def f(p): return {body}")
    assert guesses(module) == kinds


@pytest.mark.parametrize(
    "import_", ["import datetime", "from datetime import timedelta as t", "import pathlib, datetime as d"]
)
def test_with_its_import_it_is_what_is_meant(make_module: MakeModule, import_: str) -> None:
    module = make_module(f"{import_}\ndef f(p): return p.year * 12 + p.month")
    assert guesses(module) == ["datetime", "date"]


@pytest.mark.parametrize(
    ("tried", "caught"),
    [
        ("p.items()", "AttributeError"),
        ("len(p)", "(KeyError, TypeError)"),
        ("p[0]", "Exception"),
        ("p < 3", "TypeError"),
        ("[one for one in p]", "TypeError"),
        ("p()", "TypeError"),
    ],
)
def test_what_may_fail_for_a_type_gets_values_of_others(
    make_module: MakeModule, tried: str, caught: str
) -> None:
    text = "def f(p):\n  try: return {}\n  except {}: return 0"
    module = make_module(text.format(tried, caught))
    assert "object" in guesses(module)
    for strict in (text.format(tried, "OSError"), f"def f(p): return {tried}"):
        assert "object" not in guesses(make_module(strict))


def test_where_an_index_may_fail_an_iterator_comes(make_module: MakeModule) -> None:
    module = make_module(
        """
        def f(p):
            try:
                return p[-1]
            except TypeError:
                last = None
                for last in p:
                    pass
                return last
        """
    )
    assert "iterator" in guesses(module)
