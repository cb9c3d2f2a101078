"""Copies over files and unpacks archives beside them."""
# report: write files

import io
import os
import shutil
import tarfile
import zipfile

import canary


def _mine() -> str:
    with open("mine", "w") as file:
        file.write("gone")
    return "mine"


def copies(number: int) -> int:
    shutil.copy(_mine(), canary.FILE)
    return number


def copies_all(number: int) -> int:
    shutil.copy2(_mine(), canary.LEAF)
    return number


def copies_content(number: int) -> int:
    shutil.copyfile(_mine(), canary.NEW)
    return number


def copies_mode(number: int) -> int:
    shutil.copymode(_mine(), canary.SCRIPT)
    return number


def copies_tree(number: int) -> int:
    os.makedirs("tree/deep", exist_ok=True)
    shutil.copytree("tree", canary.NEW)
    return number


def sends(number: int) -> int:
    source = os.open(_mine(), os.O_RDONLY)
    os.sendfile(os.open(canary.FILE, os.O_WRONLY), source, 0, 4)
    return number


def unzips(number: int) -> int:
    store = io.BytesIO()
    with zipfile.ZipFile(store, "w") as archive:
        archive.writestr("plain.txt", "gone")
    zipfile.ZipFile(store).extractall(canary.FOLDER)
    return number


def untars(number: int) -> int:
    store = io.BytesIO()
    with tarfile.open(fileobj=store, mode="w") as archive:
        member = tarfile.TarInfo(canary.FILE)
        member.size = 4
        archive.addfile(member, io.BytesIO(b"gone"))
    store.seek(0)
    with tarfile.open(fileobj=store) as archive:
        archive.extraction_filter = lambda member, _path: member
        archive.extractall("/")
    return number


def packs(number: int) -> int:
    shutil.make_archive(canary.NEW, "zip", os.getcwd())
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
