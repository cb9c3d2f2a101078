"""The adapter that `docs/extending.md` adds: taken from the page, run in a worker, and conforming."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.drawing.adapters.conformance import conforms
from tracetwin.explore.loop.executor import WorkerExecutor
from tracetwin.explore.loop.run import Request, Run
from tracetwin.process.walls.sandbox import Limits
from tracetwin.process.worker import Ready, Worker
from tracetwin.run.explorer.process import TWIN
from tracetwin.target.module import TargetModule

PAGE = Path(__file__).parents[3] / "docs" / "extending.md"


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    section = PAGE.read_text(encoding="utf-8").partition("\n## An adapter\n")[2].partition("\n## ")[0]
    blocks = re.findall(r'```python title="(\w+\.py)"\n(.*?)```', section, re.DOTALL)
    assert [name for name, _ in blocks] == ["ledger.py", "fees.py", "ledger_adapter.py"]
    for name, text in blocks:
        (tmp_path / name).write_text(text, encoding="utf-8")
    yield tmp_path
    for name, _ in blocks:
        sys.modules.pop(name.removesuffix(".py"), None)


def test_it_conforms(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(folder))
    money = importlib.import_module("ledger").Money
    conforms(importlib.import_module("ledger_adapter").ADAPTER, [money])


def run(folder: Path, *, adapters: bool, **assignment: object) -> Run:
    files = [("ledger", str(folder / "ledger_adapter.py"), "ADAPTER")] if adapters else []
    module = TargetModule("fees", str(folder / "fees.py"), str(folder))
    options = {"selection": [], "guide": {}, "adapters": files}
    with Worker(module, Limits(), patterns=("fees",), handler=TWIN, options=options) as worker:
        assert isinstance(started := worker.start(), Ready), started
        return WorkerExecutor(worker).run(Request("fee", (), assignment))


def test_a_worker_draws_what_it_plans(folder: Path) -> None:
    made = run(folder, adapters=True, **{"amount.cents": 123457, "amount.currency?": 1})
    assert made.status == "returned"
    assert "Money.of_cents" in repr(made.steps)
    assert made.variables["amount.cents"][1] == 123457
    assert len(made.path) > len(run(folder, adapters=False).path)
