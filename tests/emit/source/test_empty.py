from __future__ import annotations

import pytest

from tracetwin.emit.source.empty import annotation
from tracetwin.emit.source.imports import Namespace
from tracetwin.model import codec as recipes
from tracetwin.model.recipe import Scalar, list_of


def annotated(given, wanted):
    return annotation(given, wanted, Namespace("target"))


@pytest.mark.parametrize(
    ("kind", "wanted", "expected"),
    [
        ("dict", "MutableMapping[str, int]", ": dict[str, int]"),
        ("dict", "'dict[str, list[int]] | None'", ": dict[str, list[int]]"),
        ("list", "Optional[typing.List[str | None]]", ": list[str | None]"),
        ("set", "collections.abc.Iterable[tuple[int, ...]]", ": set[tuple[int, ...]]"),
        ("list", "list[Node]", ""),
        ("list", "dict[str, int]", ""),
        ("list", "", ""),
        ("dict", "Counter[str]", ""),
    ],
)
def test_an_empty_container_is_annotated_as_its_parameter_is(kind, wanted, expected):
    assert annotated(recipes.recipe((kind, [])), wanted) == expected


def test_items_tell_of_themselves():
    assert annotated(list_of(Scalar(1)), "list[int]") == ""
