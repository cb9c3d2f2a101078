"""Opens files for writing in every mode that there is."""
# report: write files

import codecs
import io
import mmap
import os
import pathlib

import canary


def truncates(number: int) -> int:
    with open(canary.FILE, "w") as file:
        file.write("gone")
    return number


def appends(number: int) -> int:
    with open(canary.FILE, "ab") as file:
        file.write(b"more")
    return number


def creates(number: int) -> int:
    with open(canary.NEW, "x") as file:
        file.write("new")
    return number


def updates(number: int) -> int:
    with open(canary.FILE, "r+") as file:
        file.write("X")
    return number


def raw(number: int) -> int:
    with io.FileIO(canary.FILE, "w") as file:
        file.write(b"gone")
    return number


def by_flags(number: int) -> int:
    os.write(os.open(canary.FILE, os.O_WRONLY), b"X")
    return number


def only_truncates(number: int) -> int:
    os.close(os.open(canary.FILE, os.O_RDONLY | os.O_TRUNC))
    return number


def only_creates(number: int) -> int:
    os.close(os.open(canary.NEW, os.O_RDONLY | os.O_CREAT))
    return number


def by_path(number: int) -> int:
    return pathlib.Path(canary.FILE).write_text("gone") + number


def touches(number: int) -> int:
    pathlib.Path(canary.FILE).touch()
    return number


def by_codec(number: int) -> int:
    with codecs.open(canary.FILE, "w", "utf-8") as file:
        file.write("gone")
    return number


def by_mapping(number: int) -> int:
    with open(canary.LARGE, "r+b") as file, mmap.mmap(file.fileno(), 0) as pages:
        pages[0] = number % 256
    return number


def by_length(number: int) -> int:
    os.truncate(canary.FILE, number % 3)
    return number


def nameless(number: int) -> int:
    os.open(canary.FOLDER, os.O_TMPFILE | os.O_RDWR)
    return canary.escaped("a file without a name was made")


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
