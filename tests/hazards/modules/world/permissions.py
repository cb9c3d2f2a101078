"""Changes modes, owners, times and attributes of files."""
# report: write files
# alone: no owner owner_of_link

import os
import pathlib
import shutil

import canary


def mode(number: int) -> int:
    os.chmod(canary.LOCKED, 0o777)
    return number


def mode_of_opened(number: int) -> int:
    os.fchmod(os.open(canary.FILE, os.O_RDONLY), 0o777)
    return number


def mode_by_path(number: int) -> int:
    pathlib.Path(canary.HOME, ".ssh").chmod(0o777)
    return number


def owner(number: int) -> int:
    os.chown(canary.FILE, 12345, 12345)
    return number


def owner_of_link(number: int) -> int:
    os.lchown(canary.LINK, 12345, 12345)
    return number


def same_owner(number: int) -> int:
    os.chown(canary.FILE, os.getuid(), os.getgid())
    return number


def times(number: int) -> int:
    os.utime(canary.FILE, (1, 1))
    return number


def times_of_opened(number: int) -> int:
    os.utime(os.open(canary.FILE, os.O_RDONLY), (1, 1))
    return number


def times_of_link(number: int) -> int:
    os.utime(canary.LINK, (1, 1), follow_symlinks=False)
    return number


def attributes(number: int) -> int:
    os.setxattr(canary.FILE, "user.hazard", b"was here")
    return number


def all_of_another(number: int) -> int:
    shutil.copystat(os.getcwd(), canary.FILE)
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
