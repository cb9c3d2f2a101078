"""Signals, traces and reads other processes, and leaves daemons, by system calls of a C extension."""
# needs: extension
# alone: no above

import os
import signal

import canary
import direct


def kills(number: int) -> int:
    return direct.call(62, canary.NEIGHBOUR, signal.SIGKILL)


def kills_thread(number: int) -> int:
    return direct.call(234, canary.NEIGHBOUR, canary.NEIGHBOUR, signal.SIGUSR1)


def kills_thread_simply(number: int) -> int:
    return direct.call(200, canary.NEIGHBOUR, signal.SIGUSR1)


def queues(number: int) -> int:
    information = signal.SIGUSR1.to_bytes(4, "little") + bytes(4) + (-1 % 2**32).to_bytes(4, "little")
    return direct.call(129, canary.NEIGHBOUR, signal.SIGUSR1, information + bytes(116))


def by_handle(number: int) -> int:
    return direct.call(424, direct.call(434, canary.NEIGHBOUR, 0), signal.SIGTERM, 0, 0)


def above(number: int) -> int:
    return direct.call(62, os.getppid(), signal.SIGTERM)


def traces(number: int) -> str:
    if direct.call(101, 16, canary.NEIGHBOUR, 0, 0) == 0:  # PTRACE_ATTACH
        direct.call(101, 17, canary.NEIGHBOUR, 0, 0)
        return canary.escaped("the neighbour was traced")
    return "no"


def reads_memory(number: int) -> str:
    mine = bytearray(8)
    here = direct.address(mine).to_bytes(8, "little") + (8).to_bytes(8, "little")
    for address in (0x400000, 0x10000):
        there = address.to_bytes(8, "little") + (8).to_bytes(8, "little")
        if direct.call(310, canary.NEIGHBOUR, here, 1, there, 1, 0) in (8, -14):  # read, or nothing is there
            return canary.escaped("the neighbour's memory was read")
    return "no"


def priority(number: int) -> int:
    return direct.call(141, 0, canary.NEIGHBOUR, 15)


def processors(number: int) -> int:
    return direct.call(203, canary.NEIGHBOUR, 8, (1).to_bytes(8, "little"))


def scheduler(number: int) -> int:
    return direct.call(144, canary.NEIGHBOUR, 3, bytes(4))


def limits(number: int) -> int:
    return direct.call(302, canary.NEIGHBOUR, 7, (64).to_bytes(8, "little") * 2, 0)


def takes_descriptor(number: int) -> str:
    there = direct.call(438, direct.call(434, canary.NEIGHBOUR, 0), 3, 0)
    return canary.escaped("a descriptor was taken") if there >= 0 else "no"


def leaves_daemon(number: int) -> int:
    return direct.leave_daemon(20)


def becomes(number: int) -> int:
    words = [b"/bin/sh\0", b"-c\0", b"echo was here > " + os.fsencode(canary.NEW) + b"\0"]
    table = b"".join(direct.address(word).to_bytes(8, "little") for word in words) + bytes(8)
    return direct.call(59, words[0], table, bytes(8))


def becomes_nameless(number: int) -> int:
    """A program that lies in memory only."""
    with open("/bin/sh", "rb") as file:
        program = file.read()
    there = direct.call(319, b"x\0", 0)
    os.write(there, program)
    words = [b"sh\0", b"-c\0", b"echo was here > " + os.fsencode(canary.NEW) + b"\0"]
    table = b"".join(direct.address(word).to_bytes(8, "little") for word in words) + bytes(8)
    return direct.call(322, there, b"\0", table, bytes(8), 0x1000)


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
