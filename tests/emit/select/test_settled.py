"""Which cases are settled by two whole replays, and when that ends."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tracetwin.emit.select.choice import Choice
from tracetwin.replay.session import NO_TIME


@pytest.mark.parametrize(("first", "left"), [((0, 2), [0, 2]), ((), [])])
def test_when_the_time_is_up_what_stands_in_the_file_is_kept_unseen(
    first: tuple[int, ...], left: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    choice: Any = object.__new__(Choice)
    choice.cases = [SimpleNamespace(target="f")] * 3
    choice.excluded, choice._observed, choice._first = {}, set(), frozenset(first)
    choice._select = lambda: [at for at in range(3) if at not in choice.excluded]
    choice._keep_time = lambda tests: None
    monkeypatch.setattr(Choice, "is_over", True)
    assert choice._settled() == left
    assert choice.excluded == {at: NO_TIME for at in range(3) if at not in first}
