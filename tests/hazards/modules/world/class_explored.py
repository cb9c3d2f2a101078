"""A class whose states are explored: its methods act."""
# command: explore Store
# tests:

import os
import subprocess

import canary


class Store:
    def __init__(self, size: int) -> None:
        self.size = size

    def clear(self) -> None:
        os.remove(canary.FILE)
        self.size = 0

    def run(self) -> None:
        try:
            subprocess.run(["touch", canary.NEW])
        except OSError:
            self.size = -1

    def read(self) -> str:
        return os.read(os.open(canary.SECRET_FILE, os.O_RDONLY), 100).decode()

    def grow(self, by: int) -> int:
        if by > 10:
            self.size += by
        return self.size


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
