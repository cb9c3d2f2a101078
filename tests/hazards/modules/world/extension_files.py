"""Changes and reads files by system calls of a C extension."""
# needs: extension
# suite: unchecked

import os

import canary
import direct

_HERE = -100
_FILE = os.fsencode(canary.FILE) + b"\0"
_NEW = os.fsencode(canary.NEW) + b"\0"


def unlinks(number: int) -> int:
    return direct.call(87, _FILE)


def unlinks_at(number: int) -> int:
    return direct.call(263, _HERE, _FILE, 0)


def opens(number: int) -> int:
    there = direct.call(257, _HERE, _FILE, os.O_WRONLY | os.O_TRUNC, 0)
    return direct.call(1, there, b"gone", 4)


def opens_anew(number: int) -> int:
    """By openat2, which few filters know."""
    how = (os.O_WRONLY | os.O_TRUNC).to_bytes(8, "little") + bytes(16)
    there = direct.call(437, _HERE, _FILE, how, 24)
    return direct.call(1, there, b"gone", 4)


def truncates(number: int) -> int:
    return direct.call(76, _FILE, 0)


def renames(number: int) -> int:
    return direct.call(82, _FILE, _NEW)


def links(number: int) -> int:
    return direct.call(86, _FILE, _NEW)


def makes(number: int) -> int:
    return direct.call(83, _NEW, 0o755)


def mode(number: int) -> int:
    return direct.call(90, _FILE, 0o777)


def mode_of_opened(number: int) -> int:
    there = direct.call(257, _HERE, _FILE, os.O_RDONLY, 0)
    return direct.call(91, there, 0o777)


def mode_anew(number: int) -> int:
    return direct.call(452, _HERE, _FILE, 0o777, 0) or direct.call(268, _HERE, _FILE, 0o777)


def owner(number: int) -> int:
    return direct.call(92, _FILE, os.getuid(), os.getgid())


def times(number: int) -> int:
    return direct.call(280, _HERE, _FILE, bytes(32), 0)


def times_by_old_call(number: int) -> int:
    return direct.call(132, _FILE, bytes(16))


def attributes(number: int) -> int:
    return direct.call(188, _FILE, b"user.hazard\0", b"here", 4, 0)


def reads(number: int) -> bytes:
    buffer = bytearray(1000)
    there = direct.call(257, _HERE, os.fsencode(canary.SECRET_FILE) + b"\0", 0, 0)
    return bytes(buffer[: max(direct.call(0, there, buffer, 1000), 0)])


def node(number: int) -> int:
    return direct.call(133, _NEW, 0o010644, 0)


def lists(number: int) -> str:
    buffer = bytearray(4000)
    there = direct.call(257, _HERE, os.fsencode(canary.FOLDER) + b"\0", os.O_DIRECTORY, 0)
    if direct.call(217, there, buffer, 4000) > 0:
        return canary.escaped("a folder was listed")
    return "no"


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
