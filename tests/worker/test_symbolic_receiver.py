"""A receiver is not given what its process does not have, and that is said."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from runtime.inputs import Inputs
from tracetwin.worker.symbolic_receiver import NotFree, overwrite


@pytest.mark.parametrize("shape", [
    ("object", "nowhere.at_all:StandIn", ()),
    ("object", "collections:NoSuchClass", ()),
    ("const", ("enum", "nowhere.at_all:Kind", "A")),
])  # fmt: skip
def test_a_class_that_is_not_there_makes_no_receiver(shape: tuple[Any, ...]) -> None:
    inputs: Any = Inputs.__new__(Inputs)
    with pytest.raises(NotFree, match="is not to be had"):
        overwrite(inputs, SimpleNamespace(func=None), ("object", "m:C", (("func", shape),)))
