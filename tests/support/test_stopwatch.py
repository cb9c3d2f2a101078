"""Seconds by name, each counted once."""

from __future__ import annotations

import pytest

from tracetwin.support.stopwatch import Stopwatch


def test_what_is_nested_counts_for_itself_only(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 1.0, 3.0, 6.0, 10.0, 11.0, 13.0])
    monkeypatch.setattr("time.monotonic", times.__next__)
    watch = Stopwatch()
    with watch.phase("outer"), watch.phase("inner"):
        pass
    with watch.phase("inner"):
        pass
    assert {"outer": 2.0 + 4.0, "inner": 3.0 + 2.0} == watch.seconds
