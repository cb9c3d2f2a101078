"""What a constructor says when it refuses its defaults tells which argument it wants."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.discovery import discover
from tracetwin.drawing.plans.draw import PlainDraw
from tracetwin.drawing.plans.plans import SetupFailed

TAGS = """
class Tag:
    def __init__(self, parser: int = 7, {name} = None, prefix: str = ""):
        if name is None:
            raise {error}
        self.name = name
def cell(tag: Tag): return tag.name
"""


@pytest.mark.parametrize(
    ("name", "error", "remedies"),
    [
        ("name: str | None", 'ValueError("No value for the tag\'s name.")', [("tag.name?", 0)]),
        ("name: str", 'TypeError("Name is needed")', [("tag.name?given", 1)]),
        ("name: str | None", 'ValueError("a prefix_name, renamed")', []),
        ("name: str | None", 'KeyError("name")', []),
    ],
)
def test_the_argument_that_is_spoken_of_is_passed_next(
    make_module: Callable[..., ModuleType], name: str, error: str, remedies: list[tuple[str, int]]
) -> None:
    module = make_module(TAGS.format(name=name, error=error))
    (plan,) = [one.parameters[0].plan for one in discover(module) if one.qualname == "cell"]
    draw = PlainDraw({})
    assert plan is not None
    with pytest.raises(SetupFailed):
        plan.build(draw, "tag")
    assert draw.pool.remedies == remedies


def test_with_it_the_object_is_built(make_module: Callable[..., ModuleType]) -> None:
    module = make_module(TAGS.format(name="name: str", error='TypeError("Name is needed")'))
    (plan,) = [one.parameters[0].plan for one in discover(module) if one.qualname == "cell"]
    assert plan is not None
    assert plan.build(PlainDraw({"tag.name?given": 1}), "tag")[0].name == ""
