"""Makes links: among the files, and from the scratch folder to the files, to write through them."""
# report: write files

import os
import pathlib

import canary


def symbolic(number: int) -> int:
    os.symlink(canary.FILE, canary.NEW)
    return number


def hard(number: int) -> int:
    os.link(canary.FILE, canary.NEW)
    return number


def hard_by_path(number: int) -> int:
    pathlib.Path(canary.NEW).hardlink_to(canary.FILE)
    return number


def hard_here(number: int) -> int:
    os.link(canary.FILE, "mine")
    with open("mine", "w") as file:
        file.write("gone")
    return number


def through_link(number: int) -> int:
    os.symlink(canary.FILE, "mine")
    with open("mine", "w") as file:
        file.write("gone")
    return number


def through_folder(number: int) -> int:
    os.symlink(canary.FOLDER, "folder")
    os.remove("folder/plain.txt")
    return number


def through_two(number: int) -> int:
    os.symlink(canary.FOLDER, "one")
    os.symlink("one/deep", "two")
    with open("two/er/leaf.txt", "a") as file:
        file.write("more")
    return number


def through_dangling(number: int) -> int:
    with open(canary.DANGLING, "w") as file:
        file.write("new")
    return number


def upwards(number: int) -> int:
    os.makedirs("a/b", exist_ok=True)
    up = "/".join([".."] * 60)
    with open("a/b/" + up + canary.FILE, "w") as file:
        file.write("gone")
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
