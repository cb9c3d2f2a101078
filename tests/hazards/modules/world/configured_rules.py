"""Rules of its own configuration act: conditions, factories, names to patch."""
# import: acts
# alone: no

import os

import canary
import tools


class Store:
    def __init__(self, size: int) -> None:
        self.size = size


def stored(store: Store, number: int) -> int:
    return store.size + number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"


def assumed(number: int) -> int:
    return number


def patched(number: int) -> int:
    return tools.act(number)
