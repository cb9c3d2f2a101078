# ruff: noqa: DTZ005, F401, FURB167, ICN001, PLW1641, PTH123, RUF023, SIM115
"""Classes and functions that are hard to look at."""

import collections
import contextlib
import enum
import pathlib
import re
import sys
import threading
import typing

LIMIT = 3


class Slots:
    __slots__ = ("a", "_b")

    def __init__(self):
        self.a = 1
        self._b = 2


class Celsius(float):
    def __init__(self, value):
        self.unit = "C"


class Names(list):
    pass


class Evil:
    """Raises whatever is asked."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __init__(self):
        self.fine = 1

    @property
    def leaves(self):
        sys.exit(1)

    def __eq__(self, other):
        raise RuntimeError

    def __bool__(self):
        raise RuntimeError


class Worse:
    @property
    def __class__(self):
        raise RuntimeError("no class")

    @property
    def __dict__(self):
        raise RuntimeError("no dict")


class BadError(Exception):
    def __str__(self):
        raise RuntimeError("no text")


class Counter:
    total = 0

    def __init__(self):
        self._count = 0

    def __secret(self):
        return 5

    def add(self):
        self._count += 1
        Counter.total += 1
        return Counter.total

    @property
    def reads(self):
        self._count += 100
        return self._count


def make(name, *args):
    return globals()[name](*args)


def boom(kind):
    raise {"bad": BadError(), "local": type("Local", (ValueError,), {})("x")}[kind]


def cycle():
    items = []
    items.append(items)
    return items


def deep(levels):
    items = []
    for _ in range(levels):
        items = [items]
    return items


def wide(count):
    return list(range(count))


def huge():
    return "x" * 10_000


def standard():
    return [
        collections.deque([1, 2], 5),
        collections.OrderedDict(a=1),
        collections.defaultdict(list, a=[1]),
        pathlib.PurePosixPath("a/b"),
        re.compile("a+", re.I),
        range(1, 9, 2),
        bytearray(b"ab"),
        {"b": 1}.keys(),
        typing.NamedTuple,
        len,
        threading,
        lambda: 1,
    ]


def swallow():
    with contextlib.suppress(Exception):
        open("/tmp/never-written", "w")
    return "went on"


def sockets():
    import socket

    socket.create_connection(("127.0.0.1", 9))


def printed_in_thread():
    thread = threading.Thread(target=print, args=("from a thread",))
    thread.start()
    thread.join()


def recurse():
    return recurse()


def eat():
    items = []
    while True:
        items.append(" " * 10_000_000)


def interrupt():
    raise KeyboardInterrupt


def year():
    import datetime

    return datetime.datetime.now().date().isoformat()
