"""May use the network, and nothing else."""
# options: --allow net
# report: delete files

import os
import socket
import subprocess

import canary


def fine(number: int) -> str:
    return "big" if number > 10 else "small"


def removes(number: int) -> int:
    os.remove(canary.FILE)
    return number


def writes(number: int) -> int:
    with open(canary.NEW, "w") as file:
        file.write("new")
    return number


def runs(number: int) -> int:
    return subprocess.call(["rm", canary.FILE])


def reads(number: int) -> str:
    with open(canary.SECRET_FILE) as file:
        return file.read()


def reaches_local(number: int) -> int:
    """A local socket is no network: who listens there may do anything for whoever asks."""
    with socket.socket(socket.AF_UNIX) as one:
        one.connect(canary.SOCKET)
    return number


def environment(number: int) -> str:
    return os.environ.get(canary.TOKEN, "")


def kills(number: int) -> int:
    os.kill(canary.NEIGHBOUR, 15)
    return number
