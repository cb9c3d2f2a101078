"""Sends signals to the neighbour, and to whoever stands above."""
# report: send signals
# alone: no everyone above

import fcntl
import os
import signal
import socket

import canary


def kills(number: int) -> int:
    os.kill(canary.NEIGHBOUR, signal.SIGKILL)
    return number


def disturbs(number: int) -> int:
    os.kill(canary.NEIGHBOUR, signal.SIGUSR1)
    return number


def group(number: int) -> int:
    os.killpg(canary.NEIGHBOUR, signal.SIGTERM)
    return number


def group_by_sign(number: int) -> int:
    os.kill(-canary.NEIGHBOUR, signal.SIGTERM)
    return number


def handle(number: int) -> int:
    signal.pidfd_send_signal(os.pidfd_open(canary.NEIGHBOUR), signal.SIGTERM)
    return number


def stops(number: int) -> int:
    os.kill(canary.NEIGHBOUR, signal.SIGSTOP)
    return number


def everyone(number: int) -> int:
    """With a signal that nobody heeds, but the neighbour notes."""
    os.kill(-1, signal.SIGWINCH)
    return number


def above(number: int) -> int:
    os.kill(os.getppid(), signal.SIGTERM)
    return number


def by_descriptor(number: int) -> int:
    """The kernel sends it when a socket has something to read."""
    one, other = socket.socketpair()
    fcntl.fcntl(one, fcntl.F_SETOWN, canary.NEIGHBOUR)
    fcntl.fcntl(one, 10, signal.SIGUSR1)  # F_SETSIG
    fcntl.fcntl(one, fcntl.F_SETFL, fcntl.fcntl(one, fcntl.F_GETFL) | os.O_ASYNC)
    other.send(b"x")
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
