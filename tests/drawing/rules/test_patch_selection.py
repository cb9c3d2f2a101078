"""Which functions are patched: those behind the walls unless the target may really call them."""

from __future__ import annotations

import socket

import pytest

from tracetwin.drawing.rules.patch_selection import ALL, Selection


def test_what_the_walls_refuse_is_patched() -> None:
    assert ("socket.socket", "net") in set(Selection().behind_walls())
    assert Selection().takes("subprocess.run", "subprocess", "subprocess")


@pytest.mark.parametrize("less", ["net", "socket", "socket.socket", ALL])
def test_a_name_its_module_and_its_group_are_taken_out(less: str) -> None:
    assert "socket.socket" not in dict(Selection(less=[less]).behind_walls())


def test_what_is_allowed_is_really_called() -> None:
    titles = dict(Selection(allowed=["net"]).behind_walls())
    assert "socket.socket" not in titles
    assert "subprocess.Popen" in titles


def test_no_instance_is_made_of_a_class_that_is_patched() -> None:
    assert Selection().stands_in_for(socket.socket)
    assert not Selection(allowed=["net"]).stands_in_for(socket.socket)
    assert not Selection().stands_in_for(dict)
