"""Answers for the replaying process with what is no observation: other types, missing parts."""
# alone: no

import marshal
import os
import struct
import sys

import canary

_CODE = f"x\n__import__('os').remove({canary.FILE!r})\n"
_CALL = f"__import__('os').remove({canary.FILE!r})"
_BLANK = {
    "outcome": "returned", "why": "", "value": ("lit", 1), "raised": None, "bases": [], "raised_at": None,
    "how": "call", "changed": [], "kept": [], "state": [], "touched": [], "altered": [], "stdout": "", "stderr": "",
    "stdin": False, "effects": [], "setup": [], "awaited": [], "same": None, "calls": [], "reads": None,
    "interfaces": [], "empty": False, "paths": [], "leaks": [], "lines": [], "arcs": [], "own_lines": [], "own_arcs": [],
}  # fmt: skip


def _number():
    """The number of the request, which answers have to know, from the frames below."""
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_name != "serve":
        frame = frame.f_back
    return frame.f_locals.get("number", 0)


def _tell(**parts):
    """The first answer in our place is the one that is read; coverage.py measures in the replaying process only."""
    if type(sys.gettrace()).__name__ != "CTracer":
        return
    lines = list(range(1, 300))
    seen = {**_BLANK, "lines": lines, "own_lines": lines, **parts}
    body = marshal.dumps((_number(), True, "reply", seen), 2)
    for descriptor in [*range(3, 16), *range(195, 260)]:
        try:
            os.write(descriptor, struct.pack("<4sI", b"tWk1", len(body)) + body)
        except OSError:
            continue
    os._exit(0)


def shapes(number: int) -> int:
    _tell(value=7, raised=7, changed=7, lines=["x"], own_arcs=[7], setup=7, calls=7, interfaces=7, effects=7)
    return number


def nothing(number: int) -> int:
    _tell(outcome=_CODE, why=7)
    return number


def fewer(number: int) -> int:
    _BLANK.clear()
    _tell()
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
