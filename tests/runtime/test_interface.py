"""The runtime defines every function that rewritten code may call."""

from __future__ import annotations

from instrumenter.interface import INTERFACE
from runtime import twin


def test_the_runtime_defines_the_whole_interface() -> None:
    assert set() == {name for name in INTERFACE if not callable(getattr(twin, name, None))}


def test_the_runtime_defines_nothing_else_of_its_own() -> None:
    own = {
        name
        for name, value in vars(twin).items()
        if not name.startswith("_") and getattr(value, "__module__", "") == "runtime.twin"
    }
    assert own <= INTERFACE
