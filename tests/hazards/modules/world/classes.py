"""Acts in constructors, methods, properties, class bodies and all that belongs to classes."""
# report: delete files
# alone: no Meta

import os
import shutil
import sqlite3

import canary


class Store:
    def __init__(self, size: int) -> None:
        self.size = size

    def clear(self) -> None:
        shutil.rmtree(canary.FOLDER)

    @property
    def count(self) -> int:
        os.remove(canary.FILE)
        return self.size

    @staticmethod
    def reset() -> None:
        os.rename(canary.FILE, canary.NEW)

    @classmethod
    def make(cls) -> "Store":
        os.mkdir(canary.NEW)
        return cls(1)

    def save(self) -> None:
        with open(canary.FILE, "w") as file:
            file.write(str(self.size))

    def attach(self) -> int:
        base = sqlite3.connect(":memory:")
        try:
            base.execute("attach database ? as other", (canary.NEW,))
            base.execute("create table other.t (x)")
            base.commit()
        except sqlite3.Error:
            return 0
        return self.size

    def grow(self, by: int) -> int:
        self.size += by
        return self.size


class Opening:
    def __init__(self, path: str) -> None:
        os.remove(canary.FILE)
        self.path = path


class Entering:
    def __init__(self, number: int) -> None:
        self.number = number

    def enter(self) -> int:
        with self:
            return self.number

    def __enter__(self):
        os.remove(canary.FILE)
        return self

    def __exit__(self, *_):
        os.remove(canary.LEAF)


class Meta(type):
    def __call__(cls, *arguments):
        os.remove(canary.FILE)
        return super().__call__(*arguments)


class Made(metaclass=Meta):
    def __init__(self, number: int = 1) -> None:
        self.number = number


class Sub(Store):
    def __init_subclass__(cls):
        os.remove(canary.FILE)

    def derive(self) -> int:
        type("More", (Sub,), {})
        return self.size


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
