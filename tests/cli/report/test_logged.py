"""What is remembered of a run, for its report and for a log file."""

from __future__ import annotations

from pathlib import Path

from tests.cli.report.samples import failure, function, module
from tracetwin.cli.report import logged
from tracetwin.cli.report.logged import Logged
from tracetwin.run.listener import Listener
from tracetwin.run.results.refusals import Refusal
from tracetwin.support.failures import Failure
from tracetwin.support.log import Log


def test_what_matters_afterwards_is_remembered(tmp_path: Path) -> None:
    log = Log(tmp_path / "log")
    listener = Logged(Listener(), log)
    listener.module_started("shop.cart", ["Cart.add"])
    listener.message("a word")
    listener.function_finished("shop.cart", function())
    refused = Refusal("f", "os.remove", "x", 2)
    listener.module_finished(module(failures=[Failure("exploring f", "full", "...")], refusals=[refused]))
    listener.module_finished(failure())
    log.close()
    kinds = [entry.kind for entry in listener.entries]
    assert kinds[:4] == ["module", "message", "function", "module"]
    assert {"refusal", "failure"} <= set(kinds)
    written = (tmp_path / "log").read_text(encoding="utf-8")
    for entry in listener.entries:
        assert entry.text in written


def test_a_run_without_end_does_not_fill_the_memory(monkeypatch) -> None:
    monkeypatch.setattr(logged, "MOST_ENTRIES", 3)
    listener = Logged(Listener())
    for number in range(10):
        listener.message(str(number))
    assert [entry.text for entry in listener.entries] == ["0", "1", "2"]
