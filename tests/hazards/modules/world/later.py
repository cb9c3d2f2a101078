"""Acts when the call is over: in threads, finalizers, callbacks, at the exit."""

import atexit
import gc
import os
import signal
import sys
import threading
import time
import weakref

import canary

_kept = []


def _act(*_):
    os.remove(canary.FILE)


class _Dying:
    def __del__(self):
        _act()


class _Thing:
    pass


def thread(number: int) -> int:
    threading.Thread(target=_act).start()
    return number


def slow_thread(number: int) -> int:
    def wait():
        time.sleep(0.3)
        _act()

    threading.Thread(target=wait, daemon=False).start()
    return number


def timer(number: int) -> int:
    threading.Timer(0.05, _act).start()
    return number


def at_exit(number: int) -> int:
    atexit.register(_act)
    return number


def finalizer(number: int) -> int:
    _Dying()
    return number


def finalizer_of_cycle(number: int) -> int:
    dying = _Dying()
    dying.me = dying
    return number


def finalizer_at_exit(number: int) -> int:
    _kept.append(_Dying())
    return number


def weak(number: int) -> int:
    thing = _Thing()
    weakref.finalize(thing, _act)
    return number


def weak_callback(number: int) -> int:
    thing = _Thing()
    _kept.append(weakref.ref(thing, _act))
    return number


def collector(number: int) -> int:
    gc.callbacks.append(_act)
    gc.collect()
    return number


def exception_hook(number: int) -> int:
    threading.excepthook = sys.excepthook = sys.unraisablehook = _act
    thread = threading.Thread(target=lambda: 1 // 0)
    thread.start()
    thread.join()
    return number


def alarm(number: int) -> int:
    signal.signal(signal.SIGALRM, _act)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.1)
    return number


def generator(number: int):
    try:
        yield number
    finally:
        _act()


def display(number: int) -> int:
    sys.displayhook = sys.breakpointhook = lambda *_: _act()
    breakpoint()
    return number


def profiler(number: int) -> int:
    def profile(*_):
        sys.setprofile(None)
        _act()

    sys.setprofile(profile)
    return len([number])


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
