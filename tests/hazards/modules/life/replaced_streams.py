"""Replaces the standard streams: by None, by what raises, hangs, exits, and by itself."""

# options: --max-runs 70
# within: 120
# report: it changes the interpreter: sys.stdout is another
# report: it closes sys.stdout
# report: exited with status 2
# alone: no

import io
import os
import sys


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


def none(x: int) -> int:
    sys.stdout = sys.stderr = sys.stdin = None
    print("nobody hears")
    return x


class Hanging(io.StringIO):
    def write(self, text: str) -> int:
        while True:
            pass

    def flush(self) -> None:
        while True:
            pass


def hanging(x: int) -> int:
    sys.stdout = Hanging()
    if x > 3:
        print("hello")
    return x


class Exiting(io.StringIO):
    def getvalue(self) -> str:
        os._exit(2)

    def flush(self) -> None:
        os._exit(2)

    def close(self) -> None:
        os._exit(2)


def exiting(x: int) -> int:
    sys.stdout = sys.stderr = sys.__stdout__ = Exiting()
    return x


def closes(x: int) -> int:
    sys.stdout.close()
    sys.stderr.close()
    sys.stdin.close()
    return x


def detaches(x: int) -> int:
    sys.stdout.detach()
    return x


def deletes(x: int) -> int:
    del sys.stdout, sys.stderr
    return x


def spoils(x: int) -> int:
    stream = sys.stdout
    stream.getvalue = stream.text = stream.flush = lambda *_: os._exit(8)
    return x
