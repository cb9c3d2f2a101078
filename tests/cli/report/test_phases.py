"""The line that tells where the time went."""

from __future__ import annotations

from tracetwin.cli.report.table import phase_lines


def test_runs_a_second_and_the_parts_of_the_suite():
    stats = {"exploration_seconds": 4.0, "phases": {"replaying": 1.25, "choosing": 0.01, "verifying": 0.5}}
    assert [
        "  exploring: 4.0 s, 300 runs a second",
        "  the suite: 1.8 s (replaying 1.2 s, verifying 0.50 s)",
    ] == list(phase_lines(1200, stats))


def test_nothing_where_nothing_was_measured():
    assert [] == list(phase_lines(0, {}))
    assert [] == list(phase_lines(3, {"exploration_seconds": 0.0, "phases": {}}))
