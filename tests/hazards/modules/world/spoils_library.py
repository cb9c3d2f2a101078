"""Replaces what a guard may lean upon: functions of os and posixpath, builtins, classes."""

import builtins
import os
import posixpath
import sys

import canary


def _here(*_args, **_options):
    return os.path.join(_here.folder, "mine")


_here.folder = os.getcwd()


def real_path(number: int) -> int:
    os.path.realpath = posixpath.realpath = _here
    posixpath._joinrealpath = lambda *_, **__: (_here(), True)
    os.remove(canary.FILE)
    return number


def joined(number: int) -> int:
    posixpath.join = posixpath.normpath = posixpath.abspath = _here
    os.remove(canary.FILE)
    return number


def looked_up(number: int) -> int:
    def nothing(*_args, **_options):
        raise FileNotFoundError

    os.lstat = os.stat = os.readlink = nothing
    posixpath.os = type("os", (), {name: getattr(os, name) for name in dir(os)})
    os.symlink(canary.FILE, "mine")
    os.truncate("mine", 0)
    return number


def current(number: int) -> int:
    os.getcwd = lambda: _here.folder
    os.fspath = os.fsdecode = _here
    os.chdir(canary.FOLDER)
    os.remove("plain.txt")
    return number


def questions(number: int) -> int:
    builtins.isinstance = lambda *_: True
    builtins.type = lambda *_: str
    builtins.any = builtins.all = lambda *_: False
    try:
        os.remove(canary.FILE)
    finally:
        del builtins.isinstance
    return number


def modules(number: int) -> int:
    sys.modules["os"] = sys.modules["posix"] = sys.modules["posixpath"] = type(sys)("nothing")
    os.remove(canary.FILE)
    return number


def process_number(number: int) -> int:
    os.getpid = lambda: canary.NEIGHBOUR
    os.kill(canary.NEIGHBOUR, 15)
    return number


def anew(number: int) -> int:
    """The functions as they come from the builtin module."""
    import importlib.util

    spec = importlib.util.find_spec("posix")
    again = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(again)
    again.remove(canary.FILE)
    return number


def constants(number: int) -> int:
    os.devnull = posixpath.devnull = canary.FILE
    os.O_WRONLY = os.O_RDWR = 0
    with open(canary.FILE, "w") as file:
        file.write("gone")
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
