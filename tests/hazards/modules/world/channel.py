"""Speaks to the tool in our place: messages on every descriptor, true in form and false in content."""
# alone: no
# tests:

import marshal
import os
import struct

import canary

_TEXT = f"__import__('os').remove({canary.FILE!r})"


def _sockets():
    return [int(name) for name in os.listdir("/proc/self/fd") if int(name) > 2]


def _message(content, version=4):
    body = marshal.dumps(content, version)
    return struct.pack("<4sI", b"tWk1", len(body)) + body


def _raw(body):
    return struct.pack("<4sI", b"tWk1", len(body)) + body


def _say(*messages):
    for descriptor in [*range(3, 16), *range(195, 260)]:
        for message in messages:
            try:
                os.write(descriptor, message)
            except OSError:
                break


def returns(number: int) -> int:
    reply = {
        "status": "returned", "detail": "", "line": 1, "recipe": ("lit", _TEXT), "nodes": [], "path": [],
        "variables": [], "sites": [], "lines": [_TEXT], "patches": [], "homes": [], "kinds": [],
        "epoch": 0, "refused": [],
    }  # fmt: skip
    _say(_message((False, "reply", reply)))
    return number


def nothing(number: int) -> int:
    _say(_message((False, "reply", {})), _message((False, "reply", None)), _message(None))
    return number


def strange(number: int) -> int:
    _say(_message((True, _TEXT, [_TEXT] * 10)), _message([1, 2, 3]), _message((1, 2, 3, 4)))
    return number


def large(number: int) -> int:
    _say(struct.pack("<4sI", b"tWk1", 2**32 - 1), struct.pack("<4sI", b"tWk1", 60 << 20))
    return number


def promises_much(number: int) -> int:
    """A tuple of which five bytes say that it has half a milliard items."""
    _say(_raw(b"(" + struct.pack("<i", 2**29)))
    return number


def promises_nested(number: int) -> int:
    _say(_raw((b"(" + struct.pack("<i", 2**26)) * 20))
    return number


def deep(number: int) -> int:
    _say(_raw(b"(" + struct.pack("<i", 1) + (b"(" + struct.pack("<i", 1)) * 100_000))
    return number


def code(number: int) -> int:
    _say(_message((False, "reply", {"x": compile(_TEXT, "x", "exec")})))
    return number


def cyclic(number: int) -> int:
    """A list that holds itself."""
    _say(_raw(b"\xdb" + struct.pack("<i", 1) + b"r" + struct.pack("<i", 0)))
    return number


def damaged(number: int) -> int:
    _say(_raw(bytes(range(256)) * 10), b"tWk1", b"x" * 100_000)
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
