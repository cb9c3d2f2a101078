"""Leaves temporary files of each kind, and asks where they lie."""
# alone: no

import os
import shelve
import tempfile

import canary


def made(number: int) -> int:
    _descriptor, _name = tempfile.mkstemp()
    return number


def folder(number: int) -> int:
    with open(os.path.join(tempfile.mkdtemp(), "file"), "w") as file:
        file.write("x" * 1000)
    return number


def kept(number: int) -> int:
    tempfile.NamedTemporaryFile(delete=False).write(b"x")
    return number


def home(number: int) -> int:
    os.makedirs(os.path.expanduser("~/.cache/hazard"), exist_ok=True)
    with open(os.path.expanduser("~/.hazardrc"), "w") as file:
        file.write("x")
    return number


def relative(number: int) -> int:
    with shelve.open("kept") as shelf:
        shelf["x"] = number
    return number


def of_variables(number: int) -> str:
    """Where others have told that they lie."""
    os.environ["TMPDIR"] = canary.FOLDER
    tempfile.tempdir = None
    return tempfile.mkdtemp()


def of_module(number: int) -> str:
    tempfile.tempdir = canary.FOLDER
    return tempfile.mkdtemp()


def large(number: int) -> int:
    with open("large", "wb") as file:
        file.truncate(10 << 20)
    return number


def many_large(number: int) -> int:
    for one in range(20):
        with open(f"large-{one}", "wb") as file:
            file.write(bytes(10 << 20))
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
