"""A class of a metaclass that hangs whoever looks at it."""

# import: fails
# report: hanging_metaclass: importing it hung
# alone: no


def fine(x: int) -> str:
    return "big" if x > 10 else "small"


class Meta(type):
    def __getattribute__(cls, name: str) -> object:
        while name == "__mro__" or name == "__qualname__":
            pass
        return type.__getattribute__(cls, name)

    def __instancecheck__(cls, instance: object) -> bool:
        while True:
            pass

    def __subclasscheck__(cls, subclass: type) -> bool:
        while True:
            pass


class Strange(metaclass=Meta):
    def __init__(self, x: int) -> None:
        self.x = x

    def value(self) -> int:
        return self.x


def takes_strange(strange: Strange) -> int:
    return strange.value()
