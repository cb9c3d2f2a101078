"""What explorers hand over while they work."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from tracetwin.run.scheduler.scheduler import Scheduler
from tracetwin.run.scheduler.stages import Stages
from tracetwin.run.tasks import Found


@pytest.mark.parametrize(
    ("running", "kept"), [({"put"}, "newer"), (set(), "finished"), ({"get"}, "finished")]
)
def test_what_is_gone_through_again_does_not_replace_what_was_finished(running: set[str], kept: str) -> None:
    """An explorer that takes a class over repeats what another did, for the members that ended, too."""
    outcomes: dict[str, Any] = {"put": SimpleNamespace(qualname="put", cases="finished")}
    scheduler = object.__new__(Scheduler)
    scheduler._states = [SimpleNamespace(running=running, outcomes=outcomes)]  # type: ignore[list-item]
    scheduler._take(Found(0, SimpleNamespace(qualname="put", cases="newer")))  # type: ignore[arg-type]
    assert outcomes["put"].cases == kept


def test_work_ahead_is_done_in_small_steps_and_an_error_in_it_ends_that_work_only() -> None:
    done: list[str] = []

    def steps(name: str, *, breaks: bool = False) -> Iterator[None]:
        done.append(f"{name} 1")
        yield
        if breaks:
            raise RuntimeError(name)
        done.append(f"{name} 2")
        yield

    stages = object.__new__(Stages)
    stages._ahead = [steps("first"), steps("second", breaks=True)]
    assert stages.work_ahead()
    assert ["second 1"] == done
    assert stages.work_ahead(), "the other goes on"
    assert stages.work_ahead()
    assert not stages.work_ahead()
    assert ["second 1", "first 1", "first 2"] == done
