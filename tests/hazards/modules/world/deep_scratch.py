"""Fills its scratch folder with what is hard to remove."""
# alone: no

import os

import canary


def deep(number: int) -> int:
    start = os.getcwd()
    try:
        for _ in range(3000):
            os.mkdir("deeper")
            os.chdir("deeper")
    except OSError:
        return number
    finally:
        os.chdir(start)
    return number


def many(number: int) -> int:
    for one in range(3000):
        open(f"file-{one}", "w").close()
    return number


def odd_names(number: int) -> int:
    for name in (b"\xff\xfe", b"new\nline", b" ", b"-rf", b"*", b"\x1b[31m", b"a" * 255):
        os.mkdir(name)
    return number


def closed(number: int) -> int:
    os.makedirs("closed/inside")
    os.chmod("closed", 0)
    return number


def links_out(number: int) -> int:
    os.symlink(canary.FOLDER, "out")
    os.makedirs("inner")
    os.symlink(canary.FOLDER + "/deep", "inner/out")
    return number


def unchangeable(number: int) -> int:
    import fcntl
    import struct

    with open("fixed", "w") as file:
        fcntl.ioctl(file.fileno(), 0x40086602, struct.pack("l", 0x10))
    return number


def pipes(number: int) -> int:
    import socket

    for name in ("one", "two"):
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(name)
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
