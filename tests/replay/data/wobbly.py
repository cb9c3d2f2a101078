"""Functions that do not come out the same each time; the docstring of each says what it depends on."""

# ruff: noqa: PTH100, PTH110 - a target as people write them

import locale
import os
import random
import sys
import time
from pathlib import Path

import wobbly_helpers as helpers


def expires():
    """time"""
    if helpers.now().year > 2030:
        raise RuntimeError("expired")
    return "valid"


def part_of_day():
    """time"""
    return "morning" if helpers.now().hour < 12 else "evening"


def weekend():
    """time"""
    return helpers.today().weekday() >= 5


def quarter():
    """time"""
    return (helpers.utc().month - 1) // 3


def even_second():
    """time"""
    return helpers.seconds() % 2 == 0


def long_running():
    """time"""
    return helpers.uptime() > 3600


def zone():
    """the time zone"""
    return time.tzname[0]


def midnight():
    """the time zone"""
    return time.mktime((2024, 1, 1, 0, 0, 0, 0, 1, 0))


def rarely():
    """randomness"""
    if helpers.roll() < 0.001:
        raise ValueError("rare")
    return "often"


def nearly_always():
    """randomness"""
    return helpers.roll() < 0.999


def six():
    """randomness"""
    return helpers.die() == 6


def key():
    """randomness"""
    return helpers.token()[0] in "01234567"


def identity():
    """randomness"""
    return helpers.new_id()


def shuffled():
    """randomness"""
    cards = ["a", "b"]
    random.Random().shuffle(cards)
    return cards == ["a", "b"]


def joined(words):
    """the hash seed"""
    return "-".join(set(words.split()))


def bucket(text):
    """the hash seed"""
    return hash(text) % 101


def address():
    """addresses"""
    return id(object())


def text():
    """addresses"""
    return f"made of {object()}"


def small():
    """addresses"""
    return id(5)


def encoding():
    """the locale"""
    return locale.getpreferredencoding(False)


def letters():
    """the locale"""
    return (Path(__file__).parent / "umlauts.txt").read_text()


def user():
    """the environment"""
    return os.environ.get("USER", "nobody")


def files():
    """the environment"""
    return os.path.exists("notes.txt")


def processors():
    """the environment"""
    return os.cpu_count()


def machine():
    """the environment"""
    return helpers.host()


def arguments():
    """the environment"""
    return len(sys.argv)


def odd_process():
    """the environment"""
    return helpers.number()


def file():
    """the place of the project"""
    return __file__


def beside():
    """the place of the project"""
    return str(Path(__file__).resolve().parent / "cache.db")


def seeded():
    return random.Random(5).random()


def measured():
    started = time.perf_counter()
    return time.perf_counter() - started >= 0


def from_home(name):
    """the environment"""
    return os.path.relpath(os.path.abspath(name), os.environ["HOME"])
