"""Closes, replaces and fills descriptors, the tool's own among them."""

# options: --max-runs 70
# within: 120
# report: closed file descriptors that are not its own
# report: something else than a message arrived
# alone: no

import os
import resource


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def closes_all(x: int) -> int:
    if x > 3:
        os.closerange(0, 4096)
    return x


def closes_standard(x: int) -> int:
    for fd in (0, 1, 2):
        os.close(fd)
    return x + 1 if x > 3 else x


def replaces_all(x: int) -> int:
    null = os.open(os.devnull, os.O_RDWR)
    for fd in range(3, 250):
        try:
            os.dup2(null, fd)
        except OSError:
            pass
    return x


def writes_everywhere(x: int) -> int:
    for fd in range(250):
        try:
            os.write(fd, b"\x00\xff" * 100)
        except OSError:
            pass
    return x


def reads_everywhere(x: int) -> int:
    for fd in range(3, 250):
        try:
            os.set_blocking(fd, False)
            os.read(fd, 100)
        except OSError:
            pass
    return x


def opens_all(x: int) -> int:
    kept = []
    try:
        while True:
            kept.append(os.dup(0))
    except OSError:
        return len(kept) if x > 3 else x


def leaks(x: int) -> int:
    try:
        while x > 3:
            os.dup(0)
    except OSError:
        pass
    return x


def limits_them(x: int) -> int:
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    return x
