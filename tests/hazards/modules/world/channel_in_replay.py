"""Tells of results that it never had: false observations, with source code in the places of names."""
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


def error(number: int) -> int:
    _tell(outcome="raised", raised=("builtins", _CODE, "x"), bases=[("builtins", _CODE)], raised_at=1)
    return number


def error_of_module(number: int) -> int:
    _tell(outcome="raised", raised=(_CODE, "Error", _CODE), bases=[(_CODE, "Error")], raised_at=1)
    return number


def reference(number: int) -> int:
    _tell(value=("ref", "builtins", _CALL))
    return number


def reference_to_module(number: int) -> int:
    _tell(value=("ref", _CODE, "x"))
    return number


def built(number: int) -> int:
    _tell(value=("built", "builtins", _CALL, [], []))
    return number


def built_by_name(number: int) -> int:
    _tell(value=("built", "types", "SimpleNamespace", [], [(_CALL, ("lit", 1))]))
    return number


def thing(number: int) -> int:
    _tell(value=("object", "", "Thing", [(_CALL, ("lit", 1)), ("x or " + _CALL, ("lit", 2))]))
    return number


def thing_of_module(number: int) -> int:
    _tell(value=("object", "os", "remove", [("__call__(__import__('canary').FILE)", ("lit", 1))]))
    return number


def run_function(number: int) -> int:
    """A value that is made by a call of what is there already."""
    _tell(value=("built", "os", "remove", [("lit", canary.FILE)], []))
    return number


def run_other_function(number: int) -> int:
    _tell(value=("built", "os", "system", [("lit", f"rm {canary.FILE}")], []))
    return number


def error_that_acts(number: int) -> int:
    _tell(outcome="raised", raised=("os", "remove", "x"), bases=[], raised_at=1)
    return number


def text(number: int) -> int:
    _tell(stdout=f"'''\n{_CALL}\n'''", value=("lit", f"'''\n{_CALL}\n'''"))
    return number


def iterated(number: int) -> int:
    _tell(how="iterate", value=("iter", _CODE, [("lit", 1)], True))
    return number


def opaque(number: int) -> int:
    _tell(value=("opaque", _CODE, _CODE))
    return number


def changed(numbers: list) -> int:
    _tell(changed=[(("arg", 0, None), ("built", "os", "remove", [("lit", canary.FILE)], []))])
    return 1


def changed_part(numbers: list) -> int:
    _tell(changed=[(("arg", 0, _CALL), ("lit", 1))], state=[(("var", _CALL, None), ("lit", 1))])
    return 1


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
