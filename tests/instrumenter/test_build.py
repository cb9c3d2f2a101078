"""Building needs nothing of the modules that the program may be importing at that moment."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from instrumenter.build import build


@pytest.mark.parametrize("name", ["warnings", "tokenize", "re"])
def test_a_half_imported_module_does_not_stand_in_the_way(monkeypatch, name):
    build("x = 0\n", name="before", filename="before.py")
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, name, ModuleType(name))
        built = build(b"# coding: utf-8\ny = len('a') + x\n", name="sample", filename="sample.py")
    assert built.twin.untouched is None
    assert "_tt." in built.twin.source
