"""A C extension looks for the guard in our own memory: files that give access to all of it."""
# needs: extension
# suite: unchecked
# alone: no

import os

import canary
import direct


def own_memory(number: int) -> int:
    there = direct.call(257, -100, b"/proc/self/mem\0", os.O_RDWR, 0)
    if there >= 0:
        os.remove(canary.FILE)
    return there


def above_memory(number: int) -> str:
    name = f"/proc/{os.getppid()}/mem".encode() + b"\0"
    there = direct.call(257, -100, name, os.O_RDWR, 0)
    return canary.escaped("the memory of the process above is open") if there >= 0 else "no"


def all_above(number: int) -> str:
    """Each process above: its environment, memory and descriptors."""
    above = os.getppid()
    told = []
    for _ in range(6):
        for name in ("environ", "mem", "fd/0", "cwd/canary.py"):
            path = f"/proc/{above}/{name}".encode() + b"\0"
            there = direct.call(257, -100, path, os.O_RDONLY, 0)
            buffer = bytearray(2000)
            if there >= 0:
                told.append(bytes(buffer[: max(0, direct.call(0, there, buffer, 2000))]))
        buffer = bytearray(400)
        there = direct.call(257, -100, f"/proc/{above}/stat".encode() + b"\0", 0, 0)
        if there < 0 or direct.call(0, there, buffer, 400) <= 0:
            break
        above = int(buffer.decode().rpartition(")")[2].split()[1])
    return repr(told)


def traces_above(number: int) -> str:
    if direct.call(101, 16, os.getppid(), 0, 0) == 0:
        direct.call(101, 17, os.getppid(), 0, 0)
        return canary.escaped("the process above was traced")
    return "no"


def undoes_limits(number: int) -> str:
    """Limits are raised again."""
    wide = b"\xff" * 16
    done = [direct.call(302, 0, kind, wide, 0) for kind in (1, 7, 9)]
    return canary.escaped(f"limits were raised: {done}") if 0 in done else "no"


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
