"""Makes folders, nodes and pipes."""
# report: write files

import os
import pathlib
import tempfile

import canary


def makes(number: int) -> int:
    os.mkdir(canary.NEW)
    return number


def makes_many(number: int) -> int:
    os.makedirs(os.path.join(canary.NEW, "deep", "er"))
    return number


def by_path(number: int) -> int:
    pathlib.Path(canary.HOME, ".cache").mkdir()
    return number


def pipe(number: int) -> int:
    os.mkfifo(canary.NEW)
    return number


def node(number: int) -> int:
    os.mknod(canary.NEW)
    return number


def temporary(number: int) -> int:
    tempfile.mkdtemp(dir=canary.FOLDER)
    return number


def temporary_file(number: int) -> int:
    tempfile.NamedTemporaryFile(dir=canary.FOLDER, delete=False).close()
    return number


def in_folder(number: int) -> int:
    there = os.open(canary.FOLDER, os.O_RDONLY)
    os.mkdir("new", dir_fd=there)
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
