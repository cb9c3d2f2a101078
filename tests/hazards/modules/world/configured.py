"""Its own configuration opens the walls and names a command to run."""
# alone: no

import os
import subprocess

import canary


def fine(number: int) -> str:
    return "big" if number > 10 else "small"


def removes(number: int) -> int:
    os.remove(canary.FILE)
    return number


def runs(number: int) -> int:
    return subprocess.call(["rm", canary.FILE]) + number


def reads(number: int) -> str:
    with open(canary.SECRET_FILE) as file:
        return file.read()
