"""Values that nobody would write are replaced where the call goes the same way."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.emit.support import function, recipe, target
from tracetwin.emit.select.plausible import enliven
from tracetwin.emit.select.shorten import Improving
from tracetwin.emit.select.telling.plainest import plainest
from tracetwin.emit.select.telling.tidy import tidier
from tracetwin.model.recipe import Call, MockRecipe, Scalar
from tracetwin.replay.session import replay
from tracetwin.replay.static import coverable

SOURCE = """\
def half(x, year):
    if x > 0.5:
        return x / 2 + year
    return 0.0


def beside(x):
    return x == 0.7321021825259874
"""


SINCE_3_11 = pytest.mark.skipif(sys.version_info < (3, 11), reason="days of weeks are read since 3.11")


@pytest.mark.parametrize(
    ("name", "value", "better"),
    [
        ("x", 0.7321021825259874, [1.0, 0.7, 0.73, 0.732]),
        ("x", -0.49999999999999994, [0.0, -0.5]),
        ("x", 0.25, []),
        ("x", 1e300, []),
        ("x", float("nan"), []),
        ("x", 4901, []),
        ("year", 4901, [2101 - 400]),
        ("birth_year", 1, [2001]),
        ("year", 2024, []),
        ("text", "a b!\n", []),
        ("text", "\u00c4\u0101 \u0663\u00a7\x00", ["Ee 3--"]),
        ("line", "x 1104-00-09 due:2024-03-01", ["x 1904-00-09 due:2024-03-01"]),
        ("line", "1104-02-03", ["1904-02-03"]),
        pytest.param("due", "1101W01", ["1900-12-31"], marks=SINCE_3_11),
        ("flag", True, []),
    ],
)
def test_tidier_values(name: str, value: Any, better: list[Any]) -> None:
    assert list(tidier(value, name)) == better


@pytest.mark.slow
def test_the_first_that_goes_the_same_way_is_taken(tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(SOURCE)
    module = target("odd", tmp_path)
    cases = [function("odd", "half", 0.7321021825259874, 1), function("odd", "beside", 0.7321021825259874)]
    seen = replay(module, cases).observations
    work = Improving(
        list(zip(cases, seen, strict=True)), lambda some: replay(module, some).observations,
        coverable(module.file),
    )  # fmt: skip
    found = [case.last.args for case, _ in enliven(work, tidy=True)]
    assert found == [(Scalar(1.0), Scalar(2001)), (Scalar(0.7321021825259874),)]


def test_what_notices_a_mutant_gets_the_tidiest_value_that_does() -> None:
    case = function("odd", "half", 0.7321021825259874)
    plain = plainest(case, lambda one: one.last.args in ((recipe(0.7),), (recipe(0.73),)))
    assert plain.last.args == (recipe(0.7),)


def test_a_case_is_made_plainer_though_an_argument_within_it_is_a_mock() -> None:
    mock = MockRecipe(0, "duck", "style", "style", offers={"read": "method"})
    row = Call("odd", "Row", (), (("style", mock), ("width", Scalar(2))))
    call = function("odd", "half")
    case = replace(call, steps=(replace(call.last, args=(row,)),))
    styled = Call("odd", "Row", (), (("style", mock),))
    assert plainest(case, lambda one: one.last.args == (styled,)).last.args == (styled,)
