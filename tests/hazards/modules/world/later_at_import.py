"""Leaves threads, timers, finalizers and handlers behind when it is imported, which act again and again."""
# import: acts
# tests:

import atexit
import gc
import os
import signal
import threading
import time

import canary


def _act(*_):
    try:
        os.remove(canary.FILE)
    except OSError:
        return


def _again():
    while True:
        _act()
        time.sleep(0.02)


class _Dying:
    def __del__(self):
        _act()


threading.Thread(target=_again, daemon=True).start()
threading.Timer(0.2, _act).start()
atexit.register(_act)
os.register_at_fork(before=_act, after_in_child=_act, after_in_parent=_act)
gc.callbacks.append(_act)
signal.signal(signal.SIGALRM, _act)
_kept = _Dying()
_kept.me = _kept


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
