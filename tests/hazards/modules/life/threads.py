"""Leaves threads running: idle, busy, many, printing, that raise, and that change the module."""

# options: --max-runs 70
# report: it leaves a thread that keeps the process from ending
# report: no end after 2 s in line 
# within: 180
# alone: hangs leaves_idle never_joined

import _thread
import threading
import time

counter = 0


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def leaves_idle(x: int) -> int:
    threading.Thread(target=time.sleep, args=(10**6,)).start()
    return x + 1 if x > 3 else x


def _spin() -> None:
    global counter
    while True:
        counter += 1


def leaves_busy(x: int) -> int:
    threading.Thread(target=_spin, daemon=True).start()
    return x + 1 if x > 3 else x


def leaves_many(x: int) -> int:
    for _ in range(200):
        threading.Thread(target=time.sleep, args=(10**6,), daemon=True).start()
    return x


def _talk() -> None:
    while True:
        print("still here" * 1000)


def leaves_talking(x: int) -> int:
    _thread.start_new_thread(_talk, ())
    return x + 1 if x > 3 else x


def _fail() -> None:
    raise SystemExit("in a thread")


def fails_in_thread(x: int) -> int:
    thread = threading.Thread(target=_fail)
    thread.start()
    thread.join()
    return x


def interrupts_main(x: int) -> int:
    threading.Timer(0.01, _thread.interrupt_main).start()
    time.sleep(0.1 if x > 3 else 0)
    return x


def never_joined(x: int) -> int:
    event = threading.Event()
    thread = threading.Thread(target=event.wait)
    thread.start()
    thread.join()
    return x


class Worker:
    def __init__(self, x: int) -> None:
        self.x = x
        self.thread = threading.Thread(target=_spin, daemon=True)
        self.thread.start()

    def value(self) -> int:
        return self.x + 1
