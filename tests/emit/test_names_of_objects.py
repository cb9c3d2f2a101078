"""Objects that a case gives are spoken of by their names where they come back."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.emit.support import seen
from tracetwin.emit.render.body import CaseWriter
from tracetwin.emit.render.spoken_of import with_names
from tracetwin.emit.result import Suite
from tracetwin.emit.suite import build_suite
from tracetwin.model.case import Act, Case, Step
from tracetwin.model.observation import Root, ValuePath
from tracetwin.model.recipe import Call, Recipe, Scalar, Variable, list_of
from tracetwin.target.selection import resolve

SOURCE = """\
class Box:
    def __init__(self, size):
        self.size = size

    def __eq__(self, other):
        return isinstance(other, Box) and self.size == other.size


class Shelf:
    def __init__(self, boxes):
        self.boxes = boxes

    def largest(self):
        return max(self.boxes, key=lambda box: box.size)

    def add(self, box):
        self.boxes = [*self.boxes, box]

    def fill(self):
        for box in self.boxes:
            box.size += 1
        return self.boxes[0]


def sorted_boxes(boxes):
    return sorted(boxes, key=lambda box: box.size)


def each(shelf):
    yield from reversed(shelf.boxes)


def sizes(shelf):
    return [box.size for box in shelf.boxes]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("given")
    (folder / "given_sample.py").write_text(SOURCE)
    return folder


def box(size: int) -> Recipe:
    return Call("given_sample", "Box", (Scalar(size),))


def shelf(*sizes: int) -> Call:
    return Call("given_sample", "Shelf", (list_of(*map(box, sizes)),))


def text_of(folder: Path, target: str, kind: str, *steps: Step) -> str:
    module = resolve(str(folder / "given_sample.py"))[0]
    suite: Suite = build_suite(module, [Case("given_sample", target, kind, steps)])
    assert suite.text, suite
    return suite.text


def on_shelf(folder: Path, method: str, *args: Recipe) -> str:
    made = shelf(1, 2)
    first = Step(Act.CALL, made.module, made.qualname, made.args, bind="shelf")
    return text_of(folder, f"Shelf.{method}", "method", first, Step(Act.METHOD, "shelf", method, args))


def call(folder: Path, name: str, argument: Recipe) -> str:
    return text_of(folder, name, "function", Step(Act.CALL, "given_sample", name, (argument,)))


def test_an_object_inside_of_an_argument_that_is_returned_gets_a_name(folder: Path) -> None:
    text = on_shelf(folder, "largest")
    assert "box = Box(2)\n        shelf = Shelf([Box(1), box])" in text
    assert "self.assertIs(box, shelf.largest())" in text


def test_a_list_of_objects_of_the_case_is_compared_as_one(folder: Path) -> None:
    text = call(folder, "sorted_boxes", list_of(box(3), box(1)))
    assert "self.assertEqual([other_box, box], sorted_boxes([box, other_box]))" in text


def test_objects_that_a_generator_gives_are_spoken_of_by_name(folder: Path) -> None:
    text = call(folder, "each", shelf(1, 2))
    assert "self.assertEqual([other_box, box], list(each(Shelf([box, other_box]))))" in text


def test_an_argument_that_is_stored_is_spoken_of_by_name(folder: Path) -> None:
    text = on_shelf(folder, "add", box(5))
    assert "shelf.add(box_2)\n        self.assertEqual([box, other_box, box_2], shelf.boxes)" in text


def test_a_change_of_an_object_that_comes_back_is_asserted_too(folder: Path) -> None:
    text = on_shelf(folder, "fill")
    assert "self.assertIs(box, result)" in text
    assert "self.assertEqual(2, box.size)" in text


def test_objects_that_a_test_does_not_speak_of_stay_where_they_are_made(folder: Path) -> None:
    text = call(folder, "sizes", shelf(1, 2))
    assert "self.assertEqual([1, 2], sizes(Shelf([Box(1), Box(2)])))" in text


def test_a_variable_keeps_its_name(folder: Path) -> None:
    one = Step(Act.CALL, "given_sample", "Box", (Scalar(4),), bind="one")
    last = Step(Act.CALL, "given_sample", "sorted_boxes", (list_of(Variable("one")),))
    text = text_of(folder, "sorted_boxes", "function", one, last)
    assert "self.assertEqual([box], sorted_boxes([box]))" in text


def test_the_object_that_comes_back_keeps_its_name_however_rarely_a_draft_spells_it() -> None:
    case = Case("given_sample", "Shelf.largest", "method", (
        Step(Act.CALL, "given_sample", "Shelf", shelf(1, 2).args, bind="shelf"),
        Step(Act.METHOD, "shelf", "largest"),
    ))  # fmt: skip
    same = ValuePath(Root.VAR, "inner.1")
    scribe = SimpleNamespace(locals={"inner.1": "box"})
    draft = SimpleNamespace(lines=["box = Box(2)", "Shelf([box])"], scribe=scribe)
    named, _ = with_names((case, seen(same=same)), lambda chosen: cast("CaseWriter", draft))
    assert ["inner.1", "shelf", None] == [step.bind for step in named.steps]
