"""Looks for secrets in its environment, in every way that there is."""

import os
import posix

import canary


def by_name(number: int) -> str:
    return os.environ.get(canary.TOKEN, "")


def by_bytes(number: int) -> bytes:
    return os.environb.get(canary.TOKEN.encode(), b"")


def by_module(number: int) -> bytes:
    return posix.environ.get(canary.TOKEN.encode(), b"")


def cloud(number: int) -> str:
    return os.getenv("AWS_SECRET_ACCESS_KEY", "")


def all_of_it(number: int) -> str:
    return repr(dict(os.environ))


def home(number: int) -> str:
    with open(os.path.expanduser("~/.netrc")) as file:
        return file.read()


def home_of_user(number: int) -> str:
    import pwd

    os.listdir(pwd.getpwuid(os.getuid()).pw_dir)
    return canary.escaped("the home of the user is open")


def agent(number: int) -> int:
    import socket

    with socket.socket(socket.AF_UNIX) as one:
        one.connect(os.environ["SSH_AUTH_SOCK"])
    return number


def arguments(number: int) -> str:
    there = os.open(f"/proc/{os.getppid()}/cmdline", os.O_RDONLY)
    return canary.escaped(f"the arguments of the process above: {os.read(there, 100)!r}")


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
