"""An interpreter that a target has damaged is told from one that is whole."""

from __future__ import annotations

import builtins
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from tracetwin.process import integrity as soundness
from tracetwin.process.integrity import Soundness, threads_left


def test_nothing_is_wrong_where_nothing_was_changed() -> None:
    assert Soundness().damage() == ""


@pytest.mark.parametrize(
    ("module", "name"),
    [
        *((builtins, name) for name in ("len", "isinstance", "ValueError")),
        (os, "write"),
        (threading, "Thread"),
    ],
)
def test_a_replaced_function_or_class_is_named(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str
) -> None:
    sound = Soundness()
    with monkeypatch.context() as patch:
        patch.setattr(module, name, lambda *_: None)
        damage = sound.damage()
    assert damage == f"{module.__name__}.{name} is another"
    assert sound.damage() == ""


def test_a_module_that_was_taken_away_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = Soundness()
    monkeypatch.delitem(sys.modules, "string")
    assert sound.damage() == "string is no longer in sys.modules"


@pytest.mark.parametrize(
    ("turn", "back", "words"),
    [
        (lambda: sys.setrecursionlimit(1234), lambda: sys.setrecursionlimit(1000), "recursion limit"),
        (gc.disable, gc.enable, "garbage collector"),
        (lambda: sys.setprofile(lambda *_: None), lambda: sys.setprofile(None), "profiles"),
    ],
)
def test_a_setting_that_was_turned_is_named(
    turn: Callable[[], object], back: Callable[[], object], words: str
) -> None:
    back()
    sound = Soundness()
    turn()
    try:
        damage = sound.damage()
    finally:
        back()
    assert words in damage


def test_a_thread_that_keeps_the_process_from_ending_is_told() -> None:
    assert threads_left() == ""
    end = threading.Event()
    thread = threading.Thread(target=end.wait)
    thread.start()
    try:
        assert "keeps the process from ending" in threads_left()
    finally:
        end.set()
        thread.join()
    assert threads_left() == ""


def test_a_few_daemons_are_let_be_and_many_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    end = threading.Event()
    threads = [threading.Thread(target=end.wait, daemon=True) for _ in range(9)]
    for thread in threads:
        thread.start()
    try:
        # Those of other tests do not count.
        monkeypatch.setattr(soundness, "_threads", lambda: threads[:8])
        assert threads_left() == ""
        monkeypatch.setattr(soundness, "_threads", lambda: threads)
        assert "more than 8 threads" in threads_left()
    finally:
        end.set()
        for thread in threads:
            thread.join()


def test_a_handler_of_signals_that_was_left_is_found() -> None:
    sound, before = Soundness(()), signal.getsignal(signal.SIGVTALRM)
    try:
        signal.signal(signal.SIGVTALRM, signal.SIG_IGN)
        assert sound.interrupter() == ""
        signal.signal(signal.SIGVTALRM, lambda *_: None)
        assert sound.interrupter() == f"the handler of signal {int(signal.SIGVTALRM)} is another"
    finally:
        signal.signal(signal.SIGVTALRM, before)
