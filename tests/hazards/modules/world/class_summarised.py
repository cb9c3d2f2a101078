"""A class whose methods are summarised: they act."""
# command: summary Store
# tests:

import os
import socket

import canary


class Store:
    def __init__(self, size: int) -> None:
        self.size = size

    def clear(self) -> None:
        os.remove(canary.FILE)
        self.size = 0

    def send(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
            one.sendto(b"here", ("127.0.0.1", canary.UDP_PORT))
        self.size = 1

    def read(self) -> str:
        return os.read(os.open(canary.SECRET_FILE, os.O_RDONLY), 100).decode()

    def grow(self, by: int) -> int:
        if by > 10:
            self.size += by
        return self.size


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
