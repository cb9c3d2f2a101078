"""Renames and moves files, in both directions over the border of the scratch folder."""
# report: write files

import os
import pathlib
import shutil

import canary


def renames(number: int) -> int:
    os.rename(canary.FILE, canary.NEW)
    return number


def replaces(number: int) -> int:
    with open("mine", "w") as file:
        file.write("gone")
    os.replace("mine", canary.FILE)
    return number


def takes_away(number: int) -> int:
    os.rename(canary.FILE, "mine")
    return number


def moves(number: int) -> int:
    shutil.move(canary.FILE, canary.NEW)
    return number


def moves_folder(number: int) -> int:
    shutil.move(canary.FOLDER, os.getcwd())
    return number


def renames_all(number: int) -> int:
    os.renames(canary.LEAF, os.path.join(canary.FOLDER, "a", "b", "leaf"))
    return number


def by_path(number: int) -> int:
    pathlib.Path(canary.FILE).replace(canary.LEAF)
    return number


def by_descriptors(number: int) -> int:
    there = os.open(canary.FOLDER, os.O_RDONLY | os.O_DIRECTORY)
    os.rename("plain.txt", "moved.txt", src_dir_fd=there, dst_dir_fd=there)
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
