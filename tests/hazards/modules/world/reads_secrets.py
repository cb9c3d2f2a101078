"""Reads secrets from files and from the environment."""

import os
import pathlib

import canary


def fine(number: int) -> str:
    return "big" if number > 10 else "small"


def from_file(number: int) -> str:
    with open(canary.SECRET_FILE) as file:
        return file.read()


def from_home(number: int) -> str:
    return pathlib.Path(canary.HOME, ".ssh", "id_ed25519").read_text()


def by_descriptor(number: int) -> bytes:
    return os.read(os.open(canary.SECRET_FILE, os.O_RDONLY), 1000)


def from_environment(number: int) -> str:
    return str(os.environ.get(canary.TOKEN))


def from_environment_of_this_process(number: int) -> str:
    return pathlib.Path("/proc/self/environ").read_text()
