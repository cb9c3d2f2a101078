"""Constants of functions: what they name themselves, and what those name that they call."""

from __future__ import annotations

import ast
from pathlib import Path

from tracetwin.emit.select.telling.constants import ConstantsOfFunctions, callees, constants_of


def test_methods_have_the_constants_of_the_constructor_too(tmp_path: Path) -> None:
    file = tmp_path / "client.py"
    file.write_text(
        "class Client:\n    def __init__(self, base):\n        self.base = base.rstrip('/')\n"
        "    def get(self, number):\n        return number == 'x'\n"
    )
    assert ("x", "/") == ConstantsOfFunctions(file)("Client.get").texts


def test_the_constants_of_a_function_are_those_that_it_names_too() -> None:
    method = (
        "    def f(self):\n        if self.n == 'ab' or self.n.startswith(MARK):\n            return 2.5\n"
        "        raise ValueError('no text to pass') if self.x < LIMIT else KeyError(f'{self}')\n"
    )
    tree = ast.parse(f"LIMIT = 18\nMARK = '--'\nclass A:\n{method}")
    found = constants_of(tree)["A.f"]
    assert (18,) == found.ints
    assert (2.5,) == found.floats
    assert {"ab", "--"} == set(found.texts), "no message of an error"


def test_what_is_called_brings_its_constants_after_the_own_ones(tmp_path: Path) -> None:
    file = tmp_path / "client.py"
    file.write_text(
        "AGAIN = frozenset({429, 503})\n"
        "class Client:\n"
        "    def get(self, number):\n        return self._send('x', 7)\n"
        "    def _send(self, name, number):\n        return checked(number) in AGAIN or name == 'y'\n"
        "def checked(number):\n    return number if number < 400 else checked(number - 1)\n"
        "def other(number):\n    return number == 1\n"
    )
    constants = ConstantsOfFunctions(file)
    assert constants("Client.get").ints[0] == 7
    assert set(constants("Client.get").ints) == {7, 429, 503, 400, 1}
    assert constants("Client.get").texts == ("y",)
    assert constants("other").ints == (1,)


def test_a_method_of_the_own_class_is_called_before_those_of_others() -> None:
    tree = ast.parse(
        "class A:\n    def read(self): ...\n"
        "class B:\n    def read(self): ...\n    def run(self):\n        self.read()\n"
    )
    assert callees(tree)["B.run"] == ["B.read", "A.read"]
