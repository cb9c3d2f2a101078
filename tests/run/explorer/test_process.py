"""An explorer process ends with its parent, and says nothing of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tracetwin.run.explorer.process import Job


@pytest.mark.parametrize("error", [EOFError, ConnectionResetError, BrokenPipeError])
def test_it_ends_quietly_when_its_parent_has_gone(error: type[Exception]) -> None:
    def receive() -> Any:
        raise error

    job = SimpleNamespace(_connection=SimpleNamespace(recv=receive), _members=SimpleNamespace(whole=list))
    Job.serve(job)  # type: ignore[arg-type]
