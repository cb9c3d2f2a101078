"""Returns objects that act when they are looked at, compared, copied, written down or thrown away."""
# alone: no

import os

import canary


def _act():
    os.remove(canary.FILE)


class Acting:
    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self):
        _act()
        return "Acting()"

    __str__ = __repr__

    def __eq__(self, other):
        _act()
        return True

    def __hash__(self):
        _act()
        return 1

    def __len__(self):
        _act()
        return 1

    def __bool__(self):
        _act()
        return True

    def __iter__(self):
        _act()
        return iter(())

    def __contains__(self, _):
        _act()
        return True

    def __reduce_ex__(self, _):
        _act()
        return os.remove, (canary.FILE,)

    def __deepcopy__(self, _):
        _act()

    def __copy__(self):
        _act()

    def __getattr__(self, name):
        _act()
        raise AttributeError(name)

    def __dir__(self):
        _act()
        return []

    def __format__(self, _):
        _act()
        return ""

    def __sizeof__(self):
        _act()
        return 1

    def __del__(self):
        _act()

    @property
    def size(self):
        _act()
        return 1

    @property
    def __class__(self):
        _act()
        return int

    @property
    def __dict__(self):
        _act()
        return {}


class _Meta(type):
    def __instancecheck__(cls, _):
        _act()
        return True

    def __subclasscheck__(cls, _):
        _act()
        return True

    def __getattribute__(cls, name):
        if name in ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"):
            _act()
        return super().__getattribute__(name)


class _Error(Exception):
    def __str__(self):
        _act()
        return "error"

    __repr__ = __str__

    @property
    def args(self):
        _act()
        return ()


class _Path:
    def __fspath__(self):
        return canary.FILE


class _Number(int):
    def __repr__(self):
        return f"__import__('os').remove({canary.FILE!r})"

    __str__ = __repr__

    def __reduce__(self):
        return os.remove, (canary.FILE,)


class _Text(str):
    def __repr__(self):
        return f"__import__('os').remove({canary.FILE!r})"

    __str__ = __repr__


def gives(number: int):
    return Acting(number)


def gives_many(number: int):
    return [Acting(number), {"x": Acting(number)}]


def raises(number: int):
    raise _Error(number)


def number_that_lies(number: int):
    return _Number(number)


def text_that_lies(number: int):
    return _Text("text")


def list_that_lies(number: int):
    class Items(list):
        def __repr__(self):
            return f"__import__('os').remove({canary.FILE!r})"

    return Items([_Number(1), _Text("x")])


def path(number: int):
    return _Path()


def strange_class(number: int):
    return _Meta("Strange", (), {"__qualname__": f"x'); __import__('os').remove({canary.FILE!r}); ('"})()


def name_that_lies(number: int):
    kind = type("Named", (), {})
    kind.__module__ = f"os; __import__('os').remove({canary.FILE!r})"
    kind.__qualname__ = kind.__name__ = "Named(); import os"
    return kind()


def error_that_lies(number: int):
    kind = type("Wrong", (Exception,), {"__module__": "builtins"})
    raise kind(f"'''\nimport os\nos.remove({canary.FILE!r})\n'''")


def prints(number: int) -> int:
    print(f"'''\nimport os\nos.remove({canary.FILE!r})\n'''")
    return number


def fine(number: int) -> str:
    return "big" if number > 10 else "small"
