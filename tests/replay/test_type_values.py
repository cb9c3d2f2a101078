"""Types that are results are asserted as they are written."""

from __future__ import annotations

import collections.abc
import typing
from typing import Any

import pytest

from tracetwin.emit.source.literals import Writer
from tracetwin.replay.observe.snap import Camera
from tracetwin.replay.observe.type_values import way_to_write

T = typing.TypeVar("T")
OLD: Any = typing


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (OLD.Optional[int], "Union[int, None]"),
        (OLD.Union[int, str], "Union[int, str]"),
        (int | None, "Union[int, None]"),
        (OLD.List[int], "List[int]"),
        (list[int], "list[int]"),
        (dict[str, list[int]], "dict[str, list[int]]"),
        (OLD.Tuple[int, ...], "Tuple[int, Ellipsis]"),
        (OLD.Literal["a", 3], 'Literal["a", 3]'),
        (OLD.Type[int], "Type[int]"),
        (OLD.Union, "Union"),
        (collections.abc.Sequence[int], "Sequence[int]"),
    ],
)
def test_a_type_is_written_as_it_is_subscripted(value: Any, text: str) -> None:
    writer = Writer(lambda home, name: name, str, lambda parameters, result: "")
    written = writer.snap(Camera().take(value)).flat()
    assert written.replace("NoneType", "None").replace("type(None)", "None") == text


@pytest.mark.parametrize("value", [int, OLD.List, T, 3])
def test_what_is_not_subscripted_is_not_written_so(value: Any) -> None:
    assert way_to_write(value) is None
