"""Leaves processes of its own, by fork and by the library's pools."""
# report: fork

import multiprocessing
import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor

import canary


def _touch(number):
    with open(canary.NEW, "a") as file:
        file.write("was here")
    return number


def _stay():
    if os.getsid(0) != os.getpid():
        os.setsid()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    time.sleep(20)
    os._exit(0)


def forks(number: int) -> int:
    if os.fork() == 0:
        _stay()
    return number


def forks_twice(number: int) -> int:
    child = os.fork()
    if child == 0:
        if os.fork() == 0:
            _stay()
        os._exit(0)
    os.waitpid(child, 0)
    return number


def terminal(number: int) -> int:
    if os.forkpty()[0] == 0:
        _stay()
    return number


def process(number: int) -> int:
    child = multiprocessing.get_context("fork").Process(target=_touch, args=(number,))
    child.start()
    child.join()
    return number


def server(number: int) -> int:
    child = multiprocessing.get_context("forkserver").Process(target=os.mkdir, args=(canary.NEW,))
    child.start()
    child.join()
    return number


def spawned(number: int) -> int:
    child = multiprocessing.get_context("spawn").Process(target=os.mkdir, args=(canary.NEW,))
    child.start()
    child.join()
    return number


def pool(number: int) -> int:
    with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as workers:
        return workers.submit(_touch, number).result()


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
