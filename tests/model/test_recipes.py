"""The names under which a test imports things."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import struct
from typing import Any, Union

import pytest

from tracetwin.model.recipe import subscripted
from tracetwin.model.recipes import reference


@pytest.mark.parametrize(
    ("thing", "name"),
    [
        (csv.Error, ("csv", "Error")),
        (struct.error, ("struct", "error")),
        (io.StringIO, ("io", "StringIO")),
        (asyncio.Queue, ("asyncio", "Queue")),
        (json.JSONDecodeError, ("json", "JSONDecodeError")),
        (Union, ("typing", "Union")),
    ],
)
def test_a_thing_of_the_library_has_its_public_name(thing: Any, name: tuple[str, str]) -> None:
    assert reference(thing) == name


def test_what_a_subscript_is_taken_of() -> None:
    assert subscripted("Optional.__getitem__") == "Optional"
    assert subscripted("Annotated.__class_getitem__") == "Annotated"
    assert subscripted("Point") == ""
