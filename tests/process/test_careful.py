"""A handler with `StateGuard` and `Ambient`: which runs cost a runner, and which do not."""

from __future__ import annotations

import pytest

from tracetwin.process.worker import Worker


@pytest.mark.parametrize(
    ("name", "replaced"),
    [
        ("draws", False),
        ("keeps", False),
        ("spoils_builtins", False),
        ("takes_streams_away", False),
        ("changes_settings", False),
        ("uses_scratch", True),  # its files are gone, but the hook has seen changes
        ("leaves_a_file", True),
        ("leaves_a_thread", True),
        ("leaves_a_descriptor", True),
        ("closes_streams", True),
        ("tinkers", True),  # the current folder
    ],
)
def test_a_runner_is_replaced_only_where_it_must(careful: Worker, name: str, replaced: bool) -> None:
    careful.replace_runner()
    first = careful.request((name, ()))
    forks = careful.forks
    assert careful.request((name, ())) == first
    assert careful.forks - forks == int(replaced)


def test_a_file_that_a_run_left_behind_costs_the_runs_after_it_nothing(careful: Worker) -> None:
    careful.request(("leaves_a_file", ()))
    careful.request(("draws", ()))  # in a new process, for which the file was removed
    forks = careful.forks
    for _ in range(3):
        careful.request(("draws", ()))
    assert careful.forks == forks
