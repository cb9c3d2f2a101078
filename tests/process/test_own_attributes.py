"""What an object keeps is read whatever its class says of that."""

from __future__ import annotations

from abc import ABCMeta
from typing import Any

import pytest

from tracetwin.process.own_attributes import own_attributes


class Plain:
    def __init__(self) -> None:
        self.kept = 1


class Slotted:
    __slots__ = ("kept",)


class Answering(Plain):
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError(name)


class Hiding(Plain):
    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        raise KeyboardInterrupt


Again: type = ABCMeta(Plain.__name__, Plain.__bases__, dict(vars(Plain)))


@pytest.mark.parametrize(
    ("kind", "found"), [(Plain, {"kept": 1}), (Answering, {"kept": 1}), (Again, {"kept": 1}), (Hiding, None)]
)
def test_attributes_are_read_past_a_class(kind: type, found: object) -> None:
    assert own_attributes(kind()) == found


class Refusing:
    __slots__ = ()

    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        raise TypeError


def test_what_has_no_dictionary_has_no_attributes() -> None:
    assert own_attributes(Slotted()) is None
    assert own_attributes(Refusing()) is None
    assert own_attributes(3) is None


def test_the_dictionary_is_the_one_that_the_object_has() -> None:
    thing = Again()
    held = own_attributes(thing)
    assert held is not None
    held["kept"] = 2
    assert thing.kept == 2
