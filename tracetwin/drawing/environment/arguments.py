"""The arguments of the program: `sys.argv`, drawn when somebody looks at it."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final

from runtime.expr import Node, Sort, apply, const
from runtime.frames import hide_frames
from runtime.inputs import Inputs
from runtime.values import plain
from tracetwin.analysis.sources import Source, walk
from tracetwin.drawing.environment.sources import decided

PROGRAM: Final = "prog"
"""What stands before the arguments."""

MOST_ARGUMENTS: Final = 5
MOST_OPTIONS: Final = 40

VALUE: Final = "1"
"""What follows an option unless the input says otherwise: most parsers of options can read it."""

_OPTION: Final = re.compile(r"--?[A-Za-z][\w-]*")


class CommandLine:
    """The arguments of one run.

    Attributes:
        drawn: what a test has to put there; None where nobody has looked.
    """

    def __init__(self, inputs: Inputs, options: Sequence[str] = ()) -> None:
        """Begin a run of a program that speaks of some options."""
        self._inputs = inputs
        self._options = options
        self._now: Any = None
        self.drawn: tuple[str, ...] | None = None

    def get(self) -> Any:
        """The program's name and its arguments, as traced texts."""
        if self._now is None:
            inputs, name = self._inputs, "sys.argv[1:]"
            count, length = inputs.length(f"{name}#", 1, MOST_ARGUMENTS)
            assert isinstance(length, Node)
            words = [inputs.text(f"{name}[{index}]") for index in range(count)]
            more = [PROGRAM, *self._option(f"{name}?option")]
            whole = apply("add", Sort.INT, length, const(len(more)))
            self._now = inputs.listed([PROGRAM, *words, *more[1:]], whole)
            self.drawn = (PROGRAM, *(str(plain(word)) for word in (*words, *more[1:])))
        return self._now

    def _option(self, name: str) -> list[Any]:
        """One of the options behind the other arguments, with its value, if the input says so."""
        chosen = decided(self._inputs, name, name, 1 + len(self._options))
        if not chosen:
            return []
        value = f"{name}.value"
        if not decided(self._inputs, f"{value}?in", f"{value}?in{chosen}", 2):
            return [self._options[chosen - 1]]
        self._inputs.homes[value] = VALUE
        return [self._options[chosen - 1], self._inputs.text(value, VALUE)]

    def set(self, words: Any) -> None:
        """The program has others from now on."""
        self._now = words
        self.drawn = self.drawn or (PROGRAM,)


def options_in(source: Source) -> list[str]:
    """The options of which a module speaks, such as ``--verbose``; of two names for one mostly both."""
    texts = [node.value for node in walk(source.tree) if isinstance(node, ast.Constant)]
    options = [text for text in texts if isinstance(text, str) and _OPTION.fullmatch(text)]
    return list(dict.fromkeys(options))[:MOST_OPTIONS]


class WatchedSys(ModuleType):
    """The `sys` of a worker: gives the run's arguments where one is under way."""

    @staticmethod
    def find() -> CommandLine | None:
        """The arguments of the run; None where there is none."""
        return None

    @property
    def argv(self) -> Any:
        """The arguments."""
        line = self.find()
        return vars(self)["argv"] if line is None else line.get()

    @argv.setter
    def argv(self, words: Any) -> None:
        line = self.find()
        if line is None:
            vars(self)["argv"] = words
        else:
            line.set(words)


def watch(current: Callable[[], CommandLine | None]) -> None:
    """Have `sys.argv` ask, unless `sys` is something else by now."""
    hide_frames(current, others_too=True)
    if type(sys) is ModuleType:
        sys.__class__ = type("module", (WatchedSys,), {"find": staticmethod(current)})
