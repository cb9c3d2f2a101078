"""What modules read of the world through another module, where no test patches it."""

# ruff: noqa: DTZ005, DTZ011, ICN001 - a target as people write them

import datetime
import os
import random
import secrets
import socket
import threading
import time
import uuid


def now():
    return datetime.datetime.now()


def utc():
    return datetime.datetime.now(datetime.timezone.utc)


def today():
    return datetime.date.today()


def seconds():
    return int(time.time())


def uptime():
    return int(time.clock_gettime(time.CLOCK_MONOTONIC))


def roll():
    return random.random()


def die():
    return random.Random().randint(1, 6)


def token():
    return secrets.token_hex(4)


def new_id():
    return uuid.uuid4()


def host():
    return socket.gethostname()


def number():
    return os.getpid()


def race(count):
    order = []
    gate = threading.Barrier(count)

    def work(place):
        gate.wait()
        order.append(place)

    threads = [threading.Thread(target=work, args=(place,)) for place in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return order
