"""Objects that confuse whoever looks at them: lying classes, endless attributes, hostile comparisons."""

# options: --max-runs 70
# within: 180
# alone: no

import os


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


class Liar:
    @property
    def __class__(self) -> type:
        while True:
            pass

    def __eq__(self, other: object) -> bool:
        os._exit(1)

    def __hash__(self) -> int:
        os._exit(1)

    def __bool__(self) -> bool:
        while True:
            pass

    def __len__(self) -> int:
        return 10**30

    def __iter__(self):
        while True:
            yield self

    def __reduce_ex__(self, protocol: int) -> object:
        while True:
            pass


def gives_liar(x: int) -> Liar:
    return Liar()


class Endless:
    def __getattr__(self, name: str) -> "Endless":
        return self

    def __call__(self, *args: object) -> "Endless":
        return self

    def __getitem__(self, key: object) -> "Endless":
        return self


def gives_endless(x: int) -> Endless:
    return Endless()


class HangingDict(dict):
    def items(self):
        while True:
            pass

    __iter__ = keys = values = items


def gives_dict(x: int) -> dict:
    return HangingDict({x: x})


class HangingText(str):
    def __str__(self) -> str:
        while True:
            pass

    __repr__ = __eq__ = __hash__ = __str__


def gives_text(x: int) -> str:
    return HangingText("text")


class Error(Exception):
    def __str__(self) -> str:
        while True:
            pass

    __repr__ = __str__


def raises(x: int) -> None:
    raise Error("x")


class ExitingError(Exception):
    def __str__(self) -> str:
        os._exit(12)


def raises_exiting(x: int) -> None:
    raise ExitingError
