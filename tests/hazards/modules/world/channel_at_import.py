"""Answers in our place when it is imported: that all is well, with false contents."""
# import: fails
# alone: no

import marshal
import os
import struct

import canary

_TEXT = f"'); __import__('os').remove({canary.FILE!r}); ('"


def _message(content):
    body = marshal.dumps(content)
    return struct.pack("<4sI", b"tWk1", len(body)) + body


_INFORMATION = {
    "invokables": [{"name": _TEXT, "kind": _TEXT, "parameters": [_TEXT]}], "notes": [_TEXT], "undefined": [_TEXT],
    "walls": {"landlock": 99, "dies_with_parent": True, "missing": [_TEXT]}, "refusals": [[_TEXT, _TEXT]],
}  # fmt: skip
for _descriptor in [*range(3, 16), *range(195, 260)]:
    try:
        os.write(_descriptor, _message(("ready", _INFORMATION)))
        os.write(_descriptor, struct.pack("!I", 5) + marshal.dumps(1, 2))
    except OSError:
        continue


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
