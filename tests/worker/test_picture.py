"""Pictures of receivers: what is too much is one cell, however long it takes to go through it."""

from __future__ import annotations

from collections import deque

import pytest

from tracetwin.worker.picture import MOST_PARTS, OVERFLOW, Picture


class Held:
    def __init__(self, content: object) -> None:
        self.content = content


class Pile(list[int]):
    pass


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset, deque, dict.fromkeys, Pile])
def test_a_container_of_very_many_is_not_gone_through(kind: type) -> None:
    cells = Picture(Held(kind(range(MOST_PARTS + 1)))).cells
    assert OVERFLOW in cells
    assert len(cells) <= 3


def test_one_of_many_is_seen_item_by_item() -> None:
    owner, content = Picture(Held(list(range(MOST_PARTS)))).cells
    assert owner[2] == (("content", ("cell", 1)),)
    assert len(content[1]) == MOST_PARTS
