"""Generators as arguments: written as expressions, and real ones where they are built."""

from __future__ import annotations

import types

import pytest

from tracetwin.emit.source.imports import Namespace
from tracetwin.emit.source.literals import Writer
from tracetwin.model import recipes
from tracetwin.model.recipe import list_of


@pytest.mark.parametrize("items", [[], [1, 2], [7] * 30], ids=["empty", "short", "long"])
def test_what_is_written_makes_what_was_passed(items: list[int]) -> None:
    recipe = recipes.call("types", "GeneratorType", list_of(*map(recipes.lit, items)))
    writer = Writer(Namespace("m").name, lambda name: name, lambda parameters, result: "function")
    written = eval(writer.recipe(recipe).flat())
    passed = recipes.evaluate(recipe)
    assert isinstance(written, types.GeneratorType)
    assert isinstance(passed, types.GeneratorType)
    assert [*written] == [*passed] == items
