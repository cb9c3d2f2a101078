"""What stands in for a class is that class for everybody who does not call it."""

from __future__ import annotations

import socket
from unittest.mock import patch

from tracetwin.model.class_stand_in import ClassStandIn, patched, real_class
from tracetwin.model.recipes import class_at, reference


class Base:
    limit = 3


def _stand_in() -> ClassStandIn:
    return ClassStandIn(Base, lambda *args: ("called", args))


def test_calls_are_answered() -> None:
    assert _stand_in()(1) == ("called", (1,))


def test_instances_and_subclasses_are_those_of_the_class() -> None:
    stand_in = _stand_in()
    assert isinstance(Base(), stand_in)  # type: ignore[arg-type] # it is asked
    assert issubclass(Base, stand_in)  # type: ignore[arg-type]
    assert not isinstance(3, stand_in)  # type: ignore[arg-type]


def test_a_class_can_derive_from_it() -> None:
    stand_in = _stand_in()

    class Derived(stand_in):  # type: ignore[misc, valid-type]
        pass

    assert Derived.__mro__ == (Derived, Base, object)
    assert Derived().limit == 3


def test_attributes_and_unions_are_those_of_the_class() -> None:
    assert _stand_in().limit == 3
    assert _stand_in() | None == Base | None
    assert None | _stand_in() == None | Base


def test_a_patched_class_is_found_behind_its_patch() -> None:
    real = socket.socket
    with patch("socket.socket") as put, patched(put, real):
        assert class_at("socket", "socket") is real
        assert reference(real) == ("socket", "socket")
    assert real_class(put) is put
