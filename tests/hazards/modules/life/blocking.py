"""Waits for what never comes: sockets, pipes, locks, queues, events, children, timers."""

# options: --max-runs 70
# report: no end after 2 s in line 
# report: socket.connect(
# within: 180
# alone: hangs accepts fills_a_pipe locks queues polls sleeps awaits spins

import asyncio
import os
import queue
import select
import socket
import threading
import time


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def accepts(x: int) -> object:
    first, _second = socket.socketpair()
    return first.recv(10) if x > 3 else x


def reads_a_pipe(x: int) -> bytes:
    reading, _writing = os.pipe()
    return os.read(reading, 1)


def fills_a_pipe(x: int) -> int:
    _reading, writing = os.pipe()
    return os.write(writing, bytes(10_000_000)) if x > 3 else x


def locks(x: int) -> int:
    lock = threading.Lock()
    lock.acquire()
    if x > 3:
        lock.acquire()
    return x


def queues(x: int) -> object:
    return queue.Queue().get() if x > 3 else x


def sleeps(x: int) -> int:
    time.sleep(10**6 if x > 3 else 0)
    return x


def polls(x: int) -> object:
    return select.poll().poll() if x > 3 else x


def sleeps_again_and_again(x: int) -> int:
    while x > 3:
        try:
            time.sleep(1000)
        except BaseException:
            continue
    return x


async def awaits(x: int) -> int:
    if x > 3:
        await asyncio.Event().wait()
    return x


async def spins(x: int) -> int:
    while x > 3:
        await asyncio.sleep(0)
    return x


def connects(x: int) -> object:
    with socket.socket() as sock:
        sock.connect(("192.0.2.1", 9))
    return x


class Waiter:
    lock = threading.Lock()

    def __init__(self, x: int) -> None:
        self.lock.acquire()
        self.x = x

    def value(self) -> int:
        return self.x
