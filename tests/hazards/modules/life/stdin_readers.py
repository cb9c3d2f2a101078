"""Reads the standard input in every way, and waits for it."""

# options: --max-runs 70
# within: 120
# alone: no

import fileinput
import getpass
import os
import select
import sys


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def asks(x: int) -> str:
    return input("? ") if x > 3 else ""


def reads() -> str:
    return sys.stdin.read()


def reads_lines() -> list:
    return [line for line in sys.stdin]


def reads_raw() -> bytes:
    return os.read(0, 100)


def reads_original() -> str:
    return sys.__stdin__.readline()


def reads_terminal() -> str:
    with open("/dev/tty") as terminal:
        return terminal.readline()


def password() -> str:
    return getpass.getpass()


def waits() -> tuple:
    return select.select([0], [], [], None)


def from_files() -> list:
    return list(fileinput.input())


def for_ever() -> int:
    count = 0
    while True:
        count += len(os.read(0, 1)) + 1
