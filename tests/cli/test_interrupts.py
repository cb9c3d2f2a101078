"""Signals end the commands wherever they come."""

from __future__ import annotations

import signal
import sys
import time
import weakref
from typing import Any

import pytest

from tracetwin.cli.tools import interruptible


class Sends:
    """An object that is interrupted while it goes."""

    def __init__(self, number=signal.SIGINT):
        self.number = number

    def __del__(self):
        signal.raise_signal(self.number)


def received_while(act):
    """The signals that ended it, [] where none was heard of within twenty seconds."""
    try:
        with interruptible() as received:
            act()
            end = time.monotonic() + 20
            while time.monotonic() < end:
                time.sleep(0.005)
    except KeyboardInterrupt:
        return received
    return []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_within_a_finalizer_is_not_lost(number):
    assert [number] == received_while(lambda: Sends(number))


def test_a_signal_within_a_callback_of_a_weak_reference_is_not_lost():
    class Target:
        pass

    targets = [Target()]
    reference = weakref.ref(targets[0], lambda _: signal.raise_signal(signal.SIGINT))
    assert [signal.SIGINT] == received_while(targets.clear)
    assert reference() is None


def test_other_errors_of_finalizers_are_told_as_before(monkeypatch):
    class Fails:
        def __del__(self):
            raise ValueError("as it was")

    seen: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", seen.append)
    with interruptible():
        Fails()
    assert [ValueError] == [unraisable.exc_type for unraisable in seen]
    assert seen.append == sys.unraisablehook
