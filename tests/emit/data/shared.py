"""State that the tests of one file share, contexts, and what has to be awaited."""

from contextlib import contextmanager

log = []
registry = {"a": 1}
count = 0


class Config:
    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.uses = 0
        cls._instance.uses += 1
        return cls._instance


class Pool:
    def __init__(self):
        self.free = []


pool = Pool()


def configure(name):
    global count  # noqa: PLW0603 - what is tested
    log.append(name)
    count += 1
    registry[name] = count


def last():
    if not log:
        return None
    return log[-1]


def known(name):
    if name in registry:
        return count
    return -1


def give(value):
    pool.free.append(value)
    return len(pool.free)


@contextmanager
def opened(name, events):
    events.append("open")
    try:
        yield name
    except KeyError:
        events.append("key")
    finally:
        events.append("close")


class Client:
    def __init__(self):
        self.connected = False

    async def connect(self):
        self.connected = True

    async def ask(self, question):
        if not self.connected:
            raise ConnectionError("closed")
        return question.upper()
