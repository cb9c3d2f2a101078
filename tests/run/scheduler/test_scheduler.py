"""What explorers hand over while they work."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tracetwin.run.scheduler.scheduler import Scheduler
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
