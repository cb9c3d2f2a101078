"""Reaches files by other names for them: through /proc, /dev/fd, the root and the current folder."""

import os

import canary


def by_root(number: int) -> int:
    with open("/proc/self/root" + canary.FILE, "w") as file:
        file.write("gone")
    return number


def by_current_folder(number: int) -> int:
    os.chdir(canary.FOLDER)
    with open("/proc/self/cwd/plain.txt", "w") as file:
        file.write("gone")
    return number


def by_opened_folder(number: int) -> int:
    there = os.open(canary.FOLDER, os.O_RDONLY)
    with open(f"/dev/fd/{there}/plain.txt", "w") as file:
        file.write("gone")
    return number


def by_path_only(number: int) -> int:
    there = os.open(canary.FOLDER, os.O_PATH)
    os.remove(f"/proc/self/fd/{there}/plain.txt")
    return number


def reopened(number: int) -> int:
    there = os.open(canary.FILE, os.O_PATH)
    with open(f"/proc/thread-self/fd/{there}", "w") as file:
        file.write("gone")
    return number


def opened_for_reading(number: int) -> int:
    there = os.open(canary.FILE, os.O_RDONLY)
    os.truncate(f"/proc/self/fd/{there}", 0)
    return number


def by_bytes(number: int) -> int:
    os.remove(os.fsencode(canary.FILE))
    return number


def by_slashes(number: int) -> int:
    os.remove("//" + canary.FILE.replace("/", "//./"))
    return number


def elsewhere(number: int) -> int:
    """The folder of a descriptor and the current folder differ: what is checked is not what is opened."""
    os.makedirs("sub", exist_ok=True)
    os.symlink(canary.FOLDER, "out")
    here = os.open(".", os.O_RDONLY)
    os.chdir("sub")
    os.write(os.open("out/plain.txt", os.O_WRONLY | os.O_TRUNC, dir_fd=here), b"gone")
    return number


def read_elsewhere(number: int) -> bytes:
    os.makedirs("sub", exist_ok=True)
    os.symlink(canary.FOLDER, "out")
    here = os.open(".", os.O_RDONLY)
    os.chdir("sub")
    return os.read(os.open("out/secret.txt", os.O_RDONLY, dir_fd=here), 1000)


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
