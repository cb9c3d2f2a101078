"""What functions of the library ask about types is told to be one."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from tracetwin.drawing.discovery.discovery import discover

SOURCE = """
    import dataclasses
    import typing
    from dataclasses import fields
    def names(x):
        return [field.name for field in fields(x)]
    def is_data(x):
        return dataclasses.is_dataclass(x)
    def parts(x):
        return typing.get_args(x)
    def other(x):
        return sorted(x)
"""


@pytest.mark.parametrize(
    ("name", "told"), [("names", True), ("is_data", True), ("parts", True), ("other", False)]
)
def test_an_argument_of_such_a_function_is_a_type(
    make_module: Callable[..., ModuleType], name: str, told: bool
) -> None:
    (found,) = (item for item in discover(make_module(SOURCE)) if item.qualname == name)
    plan = found.parameters[0].plan
    assert plan is not None
    assert plan.describe().startswith("type[") is told
