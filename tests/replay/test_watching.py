"""What a test does in a file: how calls end that come from outside, under all names of functions."""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import cast

import pytest

from tracetwin.replay.static import coverable
from tracetwin.replay.watching import COVERAGE, ENDINGS, Doing, Endings, met_endings, names_by_line, watching
from tracetwin.support.own_modules import OwnModules

SOURCE = """\
import functools


def loud(inner):
    @functools.wraps(inner)
    def around(*values):
        return inner(*values)
    return around


class Lamp:
    def __init__(self, power):
        self.power = _checked(power)

    @loud
    def on(self):
        return self.power


def _checked(power):
    if power < 0:
        raise ValueError(power)
    return power
"""


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    file = tmp_path / "watched_sample.py"
    file.write_text(SOURCE)
    spec = importlib.util.spec_from_file_location("watched_sample", file)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def endings(module: ModuleType, work: Callable[[], object], **others: int) -> set[tuple[object, ...]]:
    file = str(module.__file__)
    seen = Endings(file)
    seen.start()
    try:
        work()
    finally:
        seen.stop()
    return set(met_endings(seen.take(), names_by_line(coverable(file), others)))


def test_calls_from_outside_count_and_those_of_a_constructor_for_its_class(module: ModuleType) -> None:
    assert endings(module, lambda: module.Lamp(1)) == {
        ("Lamp", "returned", None, None), ("Lamp.__init__", "returned", None, None)
    }  # fmt: skip


def test_an_exception_has_its_class_and_the_last_line_on_its_way(module: ModuleType) -> None:
    def raises() -> None:
        with pytest.raises(ValueError, match="-1"):
            module.Lamp(-1)

    assert {one[1:] for one in endings(module, raises)} == {("raised", ("builtins", "ValueError"), 22)}


def test_a_decorated_function_is_called_where_its_decorator_is(module: ModuleType) -> None:
    lamp = module.Lamp(1)
    assert "Lamp.on" in {name for name, *_ in endings(module, lamp.on)}


def test_other_names_of_a_function_count_as_well(module: ModuleType) -> None:
    lamp = module.Lamp(1)
    names = {name for name, *_ in endings(module, lamp.on, **{"Torch.on": 17, "nowhere": 1})}
    assert {"Torch.on", "Lamp.on"} <= names
    assert "nowhere" not in names


@pytest.mark.parametrize(
    "told",
    [
        (["1"], [], [], []), ([True], [], [], []), ([1], [(1, "2")], [], []), ([], [[1, 2]], [], []),
        ([], [], [(1, "returned", "", "")], []), ([], [], [], ["1"]), ([], [], [], [(1, ((2, "0"),))]),
    ],
)  # fmt: skip
def test_what_a_target_writes_in_their_place_is_not_taken_for_doings(told: tuple[list[object], ...]) -> None:
    assert Doing.told(*told) is None


def test_doings_are_told_from_one_question_to_the_next(module: ModuleType) -> None:
    before, own = sys.gettrace(), cast("OwnModules", None)
    try:
        job = {"name": "watched_sample", "file": str(module.__file__), "elsewhere": True}
        told = watching(own, {**job, "watches": ENDINGS})()
        module.Lamp(1)
        assert [ending[:2] for ending in told()[2]] == [(12, "returned")]
        assert told() == ([], [], [], [])
        told = watching(own, {**job, "watches": COVERAGE})()
        module.Lamp(1)
        lines, arcs, *_ = told()
        assert 13 in lines
        assert (21, 23) in arcs
    finally:
        sys.settrace(before)
        threading.settrace(None)
