from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import Worker
from tracetwin.target.module import TargetModule as Target

HERE = Path(__file__).parent
STUB = ("tracetwin_worker_stub", "Stub", str(HERE / "stub.py"))


@pytest.fixture
def make_worker(tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    """Makes workers on a module of the given source, and closes them."""
    with contextlib.ExitStack() as made:

        def make(
            source: str, *, name: str = "target", limits: Limits | None = None, **options: Any
        ) -> Worker:
            root = tmp_path / "root"
            file = root / (name.replace(".", "/") + ".py")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(textwrap.dedent(source), encoding="utf-8")
            worker = Worker(Target(name, str(file), str(root)), limits, handler=STUB, **options)
            made.callback(worker.close)
            return worker

        yield make


@pytest.fixture(scope="session")
def careful() -> Iterator[Worker]:
    """A worker on the same target whose handler looks after its state."""
    folder = HERE / "hazards"
    target = Target("hostile", str(folder / "hostile.py"), str(folder))
    with Worker(target, Limits(wall_seconds=1), handler=(STUB[0], "Careful", STUB[2])) as worker:
        yield worker


@pytest.fixture(scope="session")
def hostile() -> Iterator[Worker]:
    """One worker that all hazards are tried on, one after the other."""
    folder = HERE / "hazards"
    limits = Limits(wall_seconds=0.3, memory_bytes=256 << 20)
    with Worker(Target("hostile", str(folder / "hostile.py"), str(folder)), limits, handler=STUB) as worker:
        yield worker
