"""What tests of more than one room need."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runtime import expr, nodes

SLOW_WEIGHT = 50
"""A slow test takes about as long as so many others."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long files first: a worker that got one last would go on when the others have nothing left."""
    weights: Counter[Path] = Counter()
    for item in items:
        weights[item.path] += SLOW_WEIGHT if item.get_closest_marker("slow") else 1
    items.sort(key=lambda item: -weights[item.path])


@pytest.fixture(autouse=True)
def _import_hooks() -> Iterator[None]:
    """What a test leaves in the import system is its own failure, and not that of a test after it."""
    before = list(sys.meta_path)
    yield
    after, sys.meta_path[:] = list(sys.meta_path), before
    assert before == after


@pytest.fixture
def own_expressions() -> Iterator[None]:
    """Lets a test forget all expressions; those that follow, and have some in their module, get them back."""
    tables: list[dict[Any, Any]] = [nodes._table, expr._applied, nodes._ints]
    kept = [dict(table) for table in tables]
    yield
    for table, old in zip(tables, kept, strict=True):
        table.clear()
        table.update(old)
