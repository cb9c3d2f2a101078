"""May read one folder, and tries to change it."""
# options: --allow read:{FOLDER}
# report: write files
# alone: no reads_home shared_mapping

import os

import canary


def writes(number: int) -> int:
    with open(canary.FILE, "a") as file:
        file.write("more")
    return number


def removes(number: int) -> int:
    os.remove(canary.FILE)
    return number


def mode(number: int) -> int:
    there = os.open(canary.FILE, os.O_RDONLY)
    os.fchmod(there, 0o777)
    return number


def mode_by_name(number: int) -> int:
    os.chmod(canary.FILE, 0o777)
    return number


def times(number: int) -> int:
    os.utime(os.open(canary.FILE, os.O_RDONLY), (1, 1))
    return number


def attributes(number: int) -> int:
    os.setxattr(os.open(canary.FILE, os.O_RDONLY), "user.hazard", b"here")
    return number


def owner(number: int) -> int:
    os.fchown(os.open(canary.FILE, os.O_RDONLY), os.getuid(), os.getgid())
    return number


def reopened(number: int) -> int:
    there = os.open(canary.FILE, os.O_RDONLY)
    os.truncate(f"/proc/self/fd/{there}", 0)
    return number


def flags(number: int) -> int:
    import fcntl
    import struct

    there = os.open(canary.FILE, os.O_RDONLY)
    fcntl.ioctl(there, 0x40086602, struct.pack("l", 0x80))
    return number


def shared_mapping(number: int) -> int:
    import mmap

    with open(canary.LARGE, "rb") as file:
        mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ | mmap.PROT_WRITE, flags=mmap.MAP_SHARED)[0] = 1
    return number


def reads_home(number: int) -> str:
    with open(canary.HOME + "/.netrc") as file:
        return file.read()


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
