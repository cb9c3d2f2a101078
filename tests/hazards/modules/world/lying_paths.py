"""Hands over paths that say one thing to who asks and another to who opens."""

import os

import canary


class _Agrees(str):
    """Equals everything, begins and ends with everything."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def startswith(self, *_):
        return True

    def endswith(self, *_):
        return True

    def rstrip(self, *_):
        return "mine"

    def encode(self, *_):
        return b"mine"

    def __str__(self):
        return "mine"

    def __fspath__(self):
        return "mine"


class _Turns:
    """Another path each time it is asked."""

    def __init__(self, *paths):
        self.paths = list(paths)

    def __fspath__(self):
        return self.paths.pop(0) if len(self.paths) > 1 else self.paths[0]


class _Bytes(bytes):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def decode(self, *_):
        return "mine"


class _Name(os.PathLike):
    def __fspath__(self):
        return _Agrees(canary.FILE)


def agreeing(number: int) -> int:
    os.remove(_Agrees(canary.FILE))
    return number


def agreeing_opened(number: int) -> int:
    with open(_Agrees(canary.FILE), "w") as file:
        file.write("gone")
    return number


def agreeing_mode(number: int) -> int:
    class Mode(str):
        def __contains__(self, _):
            return False

        def __iter__(self):
            return iter(())

    with open(canary.FILE, Mode("w")) as file:
        file.write("gone")
    return number


def agreeing_bytes(number: int) -> int:
    os.remove(_Bytes(os.fsencode(canary.FILE)))
    return number


def turning(number: int) -> int:
    for first in (["mine"], ["mine", "mine"], ["mine", "mine", "mine"], []):
        try:
            os.remove(_Turns(*first, canary.FILE))
        except FileNotFoundError:
            continue
    return number


def turning_opened(number: int) -> int:
    for first in ([], ["mine"], ["mine", "mine"], ["mine", "mine", "mine"]):
        with open(_Turns(*first, canary.FILE), "w") as file:
            file.write("gone")
    return number


def nested(number: int) -> int:
    os.truncate(_Name(), 0)
    return number


def flags(number: int) -> int:
    class Flags(int):
        def __and__(self, _):
            return 0

        __rand__ = __and__

    os.write(os.open(canary.FILE, Flags(os.O_WRONLY | os.O_TRUNC)), b"gone")
    return number


def folder(number: int) -> int:
    class Folder(int):
        def __eq__(self, _):
            return True

        def __hash__(self):
            return 0

        def __ge__(self, _):
            return False

    os.remove("plain.txt", dir_fd=Folder(os.open(canary.FOLDER, os.O_RDONLY)))
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
