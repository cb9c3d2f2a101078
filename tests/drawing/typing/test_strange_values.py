"""Values of other types than the likeliest: where the library of that is not imported."""

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
