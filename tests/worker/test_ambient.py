"""The interpreter is the same before every run."""

from __future__ import annotations

import builtins
import decimal
import gc
import os
import random
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator

import pytest

from tracetwin.worker.restore.ambient import Ambient


@pytest.fixture
def ambient() -> Iterator[Ambient]:
    recursion = sys.getrecursionlimit()
    made = Ambient(recursion)
    yield made
    made.settle()
    sys.setrecursionlimit(recursion)


def _environment() -> None:
    os.environ["NEW_NAME"] = "1"
    del os.environ["PATH"]


def _handler() -> None:
    signal.signal(signal.SIGUSR1, lambda *_: None)


CHANGES: list[tuple[Callable[[], object], Callable[[], object]]] = [
    (_environment, lambda: sorted(name for name in os.environ if name != "PYTEST_CURRENT_TEST")),
    (sys.path.clear, lambda: list(sys.path)),
    (lambda: sys.argv.append("x"), lambda: list(sys.argv)),
    (lambda: setattr(sys, "stdout", None), lambda: sys.stdout),
    (lambda: setattr(sys, "excepthook", None), lambda: sys.excepthook),
    (lambda: setattr(builtins, "len", None), lambda: builtins.len),
    (lambda: setattr(builtins, "brand_new", 1), lambda: hasattr(builtins, "brand_new")),
    (lambda: warnings.simplefilter("ignore"), lambda: list(warnings.filters)),
    (gc.disable, gc.isenabled),
    (lambda: gc.set_threshold(1, 1, 1), gc.get_threshold),
    (_handler, lambda: signal.getsignal(signal.SIGUSR1)),
    (lambda: os.umask(0o777), lambda: os.umask(0o022)),
]


@pytest.mark.parametrize(("change", "read"), CHANGES, ids=range(len(CHANGES)))
def test_a_change_is_put_back(
    ambient: Ambient, change: Callable[[], object], read: Callable[[], object]
) -> None:
    os.umask(0o022)
    before = read()
    change()
    assert ambient.settle()
    assert read() == before


def test_tracing_ends_with_the_run(ambient: Ambient) -> None:
    kept = sys.gettrace(), sys.getprofile()
    try:
        sys.setprofile(lambda *_: None)
        assert ambient.settle()
        assert sys.getprofile() is None
    finally:
        sys.settrace(kept[0])
        sys.setprofile(kept[1])


def test_each_run_draws_the_same_numbers(ambient: Ambient) -> None:
    drawn = []
    for _ in range(2):
        ambient.begin()
        drawn.append((random.random(), random.gauss(0, 1)))
    assert drawn[0] == drawn[1]


def test_each_run_has_a_fresh_decimal_context(ambient: Ambient) -> None:
    before = decimal.getcontext().prec
    decimal.getcontext().prec = 3
    ambient.begin()
    ambient.begin()
    assert decimal.getcontext().prec == before


def test_a_recursion_limit_is_put_back(ambient: Ambient) -> None:
    sys.setrecursionlimit(5000)
    ambient.begin()
    assert sys.getrecursionlimit() == ambient.recursion


def test_a_thread_left_running_asks_for_a_new_process(ambient: Ambient) -> None:
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert not ambient.settle()
    finally:
        stop.set()
        thread.join()
    until = time.monotonic() + 2
    while not ambient.settle() and time.monotonic() < until:
        time.sleep(0.01)
    assert ambient.settle()


def test_a_clock_that_will_interrupt_asks_for_a_new_process(ambient: Ambient) -> None:
    signal.setitimer(signal.ITIMER_VIRTUAL, 1000.0)
    try:
        assert not ambient.settle()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
    assert ambient.settle()


def test_an_open_descriptor_asks_for_a_new_process(ambient: Ambient) -> None:
    fd = os.open(os.devnull, os.O_RDONLY)
    try:
        assert not ambient.settle()
    finally:
        os.close(fd)
    assert ambient.settle()
