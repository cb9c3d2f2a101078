"""Deletes files and folders in every way that the library has."""
# report: delete files

import os
import pathlib
import shutil

import canary


def fine(number: int) -> str:
    return "big" if number > 10 else "small"


def removes(number: int) -> int:
    os.remove(canary.FILE)
    return number


def unlinks(number: int) -> int:
    pathlib.Path(canary.FILE).unlink()
    return number


def swallows(number: int) -> int:
    try:
        os.unlink(canary.FILE)
    except OSError:
        pass
    return number + 1


def removes_folder(number: int) -> int:
    os.rmdir(canary.VOID)
    return number


def removes_tree(number: int) -> int:
    shutil.rmtree(canary.FOLDER, ignore_errors=True)
    return number


def by_descriptor(number: int) -> int:
    folder = os.open(canary.FOLDER, os.O_RDONLY)
    os.unlink("plain.txt", dir_fd=folder)
    return number


def changes_folder(number: int) -> int:
    os.chdir(canary.FOLDER)
    os.remove("plain.txt")
    return number
