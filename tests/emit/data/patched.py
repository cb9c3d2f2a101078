"""Functions that read the world around them."""

import datetime as dt
import os
import random
import time
from datetime import date, datetime


def stamp():
    return time.time()


def lasts():
    start = time.time()
    return time.time() - start


def nap(seconds):
    time.sleep(seconds)
    return seconds


def today():
    return date.today()


def hour():
    return dt.datetime.now().hour


def is_moment(value):
    return isinstance(value, datetime) and value < datetime.now()


def since(year):
    return (datetime.now() - datetime(year, 1, 1)).days


def mode():
    return os.environ["MODE"]


def head(path):
    with open(path) as file:
        return file.readline()


def both(left, right):
    with open(left) as one, open(right) as other:
        return one.read() + other.read()


def ask():
    print("hello")
    return input()


def save(path, text):
    with open(path, "w") as file:
        file.write(text)


def lines(path, items):
    with open(path, "w") as file:
        for item in items:
            file.write(item)


class Die:
    def __init__(self):
        self.rolls = []

    def roll(self):
        self.rolls.append(random.randint(1, 6))
        return self.rolls[-1]
