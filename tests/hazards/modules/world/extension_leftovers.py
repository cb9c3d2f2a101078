"""Leaves what outlives a process: keys, shared memory and queues of the kernel."""
# needs: extension

import canary
import direct


def shared_memory(number: int) -> str:
    made = direct.call(29, 0, 4096, 0o1600)
    if made < 0:
        return "no"
    direct.call(31, made, 0, 0)
    return canary.escaped("shared memory was made")


def messages(number: int) -> str:
    made = direct.call(68, 0, 0o1600)
    if made < 0:
        return "no"
    direct.call(71, made, 0, 0)
    return canary.escaped("a queue was made")


def semaphores(number: int) -> str:
    made = direct.call(64, 0, 1, 0o1600)
    if made < 0:
        return "no"
    direct.call(66, made, 0, 0)
    return canary.escaped("semaphores were made")


def queue(number: int) -> str:
    name = canary.SHARED.lstrip("/").encode() + b"\0"
    if direct.call(240, name, 0o102, 0o600, 0) < 0:
        return "no"
    direct.call(241, name)
    return canary.escaped("a named queue was made")


def key(number: int) -> str:
    made = direct.call(248, b"user\0", canary.SHARED.encode() + b"\0", b"here", 4, -4)
    if made < 0:
        return "no"
    direct.call(250, 9, made, -4)
    return canary.escaped("a key was kept")


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
