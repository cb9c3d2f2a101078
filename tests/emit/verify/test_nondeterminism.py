"""Only code that may come out differently each time is worth further runs."""

from __future__ import annotations

import types

import pytest

from tracetwin.emit.verify.nondeterminism import _codes, _has_it


def looks_at_luck(source: str) -> bool:
    module = types.ModuleType("sample")
    exec(compile(source, "sample.py", "exec"), vars(module))
    return any(_has_it(code) for code in _codes(module))


@pytest.mark.parametrize(
    "source",
    [
        "def f(words):\n    return list({word for word in words})\n",
        "def f(a, b):\n    return list({a, b})\n",
        "def f(words):\n    return set(words)\n",
        "def f(x):\n    return hash(x)\n",
        "class C:\n    @property\n    def x(self):\n        return id(self)\n",
        "class C:\n    @classmethod\n    def x(cls):\n        return lambda: cls.now()\n",
    ],
)
def test_hashes_clocks_and_chance_are_seen(source: str) -> None:
    assert looks_at_luck(source)


@pytest.mark.parametrize(
    "source",
    [
        "def f(x):\n    return x in {1, 2}\n",
        "def f(x):\n    return [x, {x: 1}]\n",
        "class C:\n    def f(self):\n        return self\n",
    ],
)
def test_other_code_is_calm(source: str) -> None:
    assert not looks_at_luck(source)
