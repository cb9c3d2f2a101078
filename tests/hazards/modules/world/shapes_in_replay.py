"""Answers for the replaying process with what is no observation: other types, missing parts."""
# alone: no

import marshal
import os
import stat
import struct

import canary

_CODE = f"x\n__import__('os').remove({canary.FILE!r})\n"
_CALL = f"__import__('os').remove({canary.FILE!r})"
_BLANK = {
    "outcome": "returned", "why": "", "value": ("lit", 1), "exception": None, "bases": [], "raised_at": None,
    "how": "call", "changed": [], "kept": [], "state": [], "touched": [], "altered": [], "stdout": "", "stderr": "",
    "stdin": False, "told_world": [], "setup": [], "awaited": [], "same": None, "calls": [], "reads": None,
    "interfaces": [], "empty": False, "ways": [], "leaks": [], "lines": [], "arcs": [], "own_lines": [], "own_arcs": [],
}  # fmt: skip


def _tell(**parts):
    """The first answer in our place is the one that is read."""
    try:
        if stat.S_ISSOCK(os.fstat(200).st_mode):
            return
    except OSError:
        pass
    lines = list(range(1, 300))
    seen = {**_BLANK, "lines": lines, "own_lines": lines, **parts}
    body = marshal.dumps(seen, 2)
    for descriptor in range(3, 256):
        try:
            if stat.S_ISFIFO(os.fstat(descriptor).st_mode):
                os.write(descriptor, struct.pack("<Q", len(body)) + body)
        except OSError:
            continue
    os._exit(0)


def shapes(number: int) -> int:
    _tell(value=7, exception=7, changed=7, lines=["x"], own_arcs=[7], setup=7, calls=7, interfaces=7, told_world=7)
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
