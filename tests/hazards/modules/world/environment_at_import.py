"""Keeps secrets of the environment when it is imported, as defaults and as constants."""
# import: acts
# tests: fine

import os
import pathlib

import canary

TOKEN = os.environ.get(canary.TOKEN, "none")
ALL = dict(os.environ)
try:
    OWN = pathlib.Path("/proc/self/environ").read_text("utf-8", "replace")
except OSError:
    OWN = "none"
try:
    KEY = pathlib.Path(canary.HOME, ".ssh/id_ed25519").read_text()
except OSError:
    KEY = "none"
print(TOKEN, ALL, OWN, KEY)


def fine(number: int, token: str = TOKEN) -> str:
    """Big, small, or what was found."""
    return f"{token} {KEY} {OWN}" if number > 10 else ALL.get(canary.TOKEN, "none")
