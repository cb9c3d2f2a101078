"""Signals everyone by a system call of a C extension; the kernel says that it went well, whoever was reached."""
# needs: extension
# suite: unchecked
# alone: no

import signal

import canary
import direct


def everyone(number: int) -> int:
    """With a signal that nobody heeds, but the neighbour notes."""
    return direct.call(62, -1, signal.SIGWINCH)


def group(number: int) -> int:
    return direct.call(62, 0, signal.SIGWINCH)


def group_of_neighbour(number: int) -> int:
    return direct.call(62, -canary.NEIGHBOUR, signal.SIGTERM)


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
