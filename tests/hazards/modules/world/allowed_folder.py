"""May write into one folder, and reaches for those beside it."""
# options: --allow write:{VOID}
# report: write files

import os
import shutil

import canary


def beside(number: int) -> int:
    with open(canary.VOID + "/../plain.txt", "w") as file:
        file.write("gone")
    return number


def of_like_name(number: int) -> int:
    os.mkdir(canary.VOID + "-too")
    return number


def folder_itself(number: int) -> int:
    os.rmdir(canary.VOID)
    return number


def folder_moved(number: int) -> int:
    os.rename(canary.VOID, canary.NEW)
    return number


def copied(number: int) -> int:
    shutil.copy(canary.VOID + "/../plain.txt", canary.FIRST)
    return number


def elsewhere(number: int) -> int:
    os.remove(canary.LEAF)
    return number


def reads(number: int) -> str:
    with open(canary.VOID + "/../secret.txt") as file:
        return file.read()


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
