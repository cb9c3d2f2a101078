"""What only looks something up is known by what it does."""

from __future__ import annotations

import ast

import pytest

from tracetwin.analysis.self_contained import only_looks_up


@pytest.mark.parametrize(
    "text",
    [
        "def price(self, key): return self.items[key]",
        'def price(self, key):\n "The price."\n return self.items[key]',
        "def cell(grid, row, column): return grid[row, column]",
        "def forget(self, key): del self.items[key]",
        "def latest(self): return self.items.pop()",
        "def __getitem__(self, key): return self.items[key.lower()]",
    ],
)
def test_it_hands_on_what_it_is_given(text: str) -> None:
    assert only_looks_up(ast.parse(text).body[0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "def lookup(self, key): return self.items[key.lower()]",
        "def get(self, n): return self.items[n + 1]",
        "def first(self): return self.items[0]",
        "def pop(self, key): self.count -= 1; return self.items.pop(key)",
        "def get(self, key): return self.load()[key]",
        "def get(self, key): return self.items[KEY]",
        "def get(self): pass",
    ],
)
def test_whatever_its_name_is(text: str) -> None:
    assert not only_looks_up(ast.parse(text).body[0])  # type: ignore[arg-type]
