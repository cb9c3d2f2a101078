"""Variables of the environment: each that the program asks for is set or not, to whatever text."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from runtime.frames import hide_frames
from runtime.inputs import Inputs, UnfitInput
from runtime.values import pin, plain
from tracetwin.drawing.environment.sources import decided

if TYPE_CHECKING:
    _Environ = os._Environ[str]  # noqa: SLF001 - the type of os.environ has no other name
else:
    _Environ = type(os.environ)


TEXT: Final = "a"
"""The value of a variable unless the input says otherwise."""

NAME: Final = "A"
"""The name of a variable that is there though nobody asked for it, unless the input says otherwise."""

MOST_OTHERS: Final = 3
"""Variables that are there though nobody asked for them."""


class Variables:
    """The variables of one run.

    Attributes:
        alone: whether the program has seen that some variable is absent, or which there are.
        touched: whether it has asked at all.
    """

    def __init__(self, inputs: Inputs) -> None:
        self._inputs = inputs
        self._now: dict[str, Any] = {}
        self._drawn: dict[str, str] = {}
        self._others: dict[str, Any] | None = None
        self.alone = False
        self.touched = False

    def get(self, name: str, *, expected: bool) -> Any:
        """The text of a variable, None where it is not set."""
        self.touched = True
        if name not in self._now:
            self._now[name] = self._draw(name, expected=expected)
        return self._now[name]

    def set(self, name: str, value: Any) -> None:
        """The program sets a variable; None: it takes it away."""
        self.touched = True
        self._now[name] = value

    def names(self) -> list[Any]:
        """Those that are set, where the program asks for all; further ones that the input adds are traced."""
        self.touched = self.alone = True
        if self._others is None:
            self._others = {}
            self._draw_others(self._others)
        return [self._others.get(name, name) for name, value in self._now.items() if value is not None]

    def drawn(self) -> dict[str, str]:
        """The variables that a test has to set."""
        return dict(self._drawn)

    def _draw(self, name: str, *, expected: bool) -> Any:
        variable = f"os.environ.{name}"
        if not _can_be(name) or not decided(self._inputs, f"{variable}?in", variable, 2, int(expected)):
            self.alone = True
            return None
        return self._text(variable, name)

    def _draw_others(self, others: dict[str, Any]) -> None:
        for number in range(MOST_OTHERS):
            variable = f"os.environ[{number}]"
            if not decided(self._inputs, f"{variable}?in", variable, 2, 0):
                return
            name = self._inputs.text(f"{variable}.name", NAME + str(number or ""))
            plain_name = str(plain(name))
            if not _can_be(plain_name) or plain_name in self._now:
                raise UnfitInput
            others[plain_name] = name
            self._now[plain_name] = self._text(variable, plain_name)

    def _text(self, variable: str, name: str) -> Any:
        """The text of a variable that is set."""
        self._inputs.homes[variable] = TEXT
        value = self._inputs.text(variable, TEXT)
        text = str(plain(value))
        if "\0" in text:
            raise UnfitInput
        self._drawn[name] = text
        return value


def _can_be(name: str) -> bool:
    """True if a variable of that name can be set."""
    return bool(name) and "=" not in name and "\0" not in name


class WatchedEnviron(_Environ):
    """The `os.environ` of a worker: asks the run's variables where the target asks."""

    @staticmethod
    def find() -> Variables | None:
        """The variables of the run for the code that asks; None where that gets the real ones."""
        return None

    def _asked(self, key: object) -> Variables | None:
        return self.find() if isinstance(key, str) and key != "" else None  # no other name is ruled out

    def __getitem__(self, key: str) -> Any:
        variables = self._asked(key)
        if variables is None:
            return super().__getitem__(key)
        value = variables.get(pin(key), expected=True)
        if value is None:
            raise KeyError(key)
        return value

    def __setitem__(self, key: str, value: Any) -> None:
        variables = self._asked(key)
        if variables is not None and isinstance(value, str):
            variables.set(pin(key), value)
        super().__setitem__(pin(key), pin(value))

    def __delitem__(self, key: str) -> None:
        variables = self._asked(key)
        if variables is None:
            super().__delitem__(key)
            return
        if variables.get(pin(key), expected=True) is None:
            raise KeyError(key)
        variables.set(pin(key), None)

    def __contains__(self, key: object) -> bool:
        variables = self._asked(key)
        if variables is None:
            return super().__contains__(key)
        return variables.get(pin(key), expected=False) is not None

    def __iter__(self) -> Iterator[str]:
        variables = self.find()
        return super().__iter__() if variables is None else iter(variables.names())

    def __len__(self) -> int:
        variables = self.find()
        return super().__len__() if variables is None else len(variables.names())

    def get(self, key: str, default: Any = None) -> Any:
        variables = self._asked(key)
        if variables is None:
            return super().get(key, default)
        value = variables.get(pin(key), expected=False)
        return default if value is None else value

    def pop(self, key: str, *default: Any) -> Any:
        variables = self._asked(key)
        if variables is None:
            return super().pop(key, *default)
        value = variables.get(pin(key), expected=not default)
        variables.set(pin(key), None)
        if value is None and not default:
            raise KeyError(key)
        return default[0] if value is None else value

    def setdefault(self, key: str, value: Any) -> Any:
        variables = self._asked(key)
        if variables is None:
            return super().setdefault(key, value)
        if variables.get(pin(key), expected=False) is None:
            self[key] = value
        return variables.get(pin(key), expected=True)


def watch(current: Callable[[], Variables | None]) -> None:
    """Have `os.environ` ask, unless it is something else by now."""
    for method in vars(WatchedEnviron).values():
        hide_frames(method, others_too=True)
    if type(os.environ) is _Environ:
        os.environ.__class__ = type("_Environ", (WatchedEnviron,), {"find": staticmethod(current)})
