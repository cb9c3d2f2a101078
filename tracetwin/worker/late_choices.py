"""Choices about an argument stand on the path where the call first uses it, or not at all.

What an unannotated parameter is (`x?`), how long ``*rest`` is, whether a default is replaced: that is drawn
before the call, since a call needs its arguments. For the search it is decided later: a path on which `y` is
never looked at is the same whatever `y` is, and a type of `x` that fails at once is tried once, not once for
each type of `y`. So these conditions are moved when the run is over, to where the path stood when an
instruction of the target first loaded the parameter. Everything before that place can't depend on it.

Instructions are looked at one by one until all such parameters have been loaded, in the lines that load one;
a call whose arguments hold no choice is not looked at.
"""

from __future__ import annotations

import dis
import functools
import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType, FunctionType, MethodType
from typing import Any, Final, TypeAlias

from runtime import trace
from runtime.expr import Node
from runtime.inputs import Inputs
from runtime.trace import Kind
from tracetwin.worker.loads import watch

Step: TypeAlias = tuple[Node, int, int, int]

_ROOT: Final = re.compile(r"[^.\[?#~@|(]+")
"""The parameter at the beginning of the name of a drawn value."""

_OF_INPUT: Final = (Kind.INPUT, Kind.ASSUME, Kind.HINT)
_UNDECIDED: Final = (Kind.INPUT, Kind.HINT)
_STORES: Final = ("STORE_FAST", "STORE_DEREF", "MAKE_CELL", "COPY_FREE_VARS")
_LOOKS_AROUND: Final = frozenset("locals vars dir eval exec _getframe currentframe stack super".split())
"""Names by which a function may get at its arguments without loading them."""


class Undecided:
    """The choices among the conditions of one call's arguments, and where each parameter was first used.

    Args:
        inputs: what the arguments were drawn from, just now.
        start: the length of the path before they were drawn.
    """

    def __init__(self, inputs: Inputs, start: int, parameters: Iterable[str]) -> None:
        self._trace = trace.current
        self._path = trace.current.path
        self._start = start
        self._end = len(self._path)
        self._groups = _grouped(self._path[start:], frozenset(parameters), inputs)
        self._used: dict[str, int] = {}
        self._was_entered = False

    @contextmanager
    def until_used(self, called: Any) -> Iterator[None]:
        """In this block what gets the arguments is called; at its end their choices are where they matter."""
        function = _function_of(called) if self._groups else None
        if function is None:
            yield
            return
        try:
            with watch(function.__code__, _loads(function.__code__), self._noted):
                yield
        finally:
            if self._was_entered and len(self._path) < trace.MAX_CONDITIONS:
                self._decide_late()

    def _noted(self, names: Sequence[str]) -> bool:
        """Take in that a function is entered, or parameters are used now; whether others are waited for."""
        self._was_entered = True
        for name in names:
            if name in self._groups:
                self._used.setdefault(name, len(self._path))
        return len(self._used) < len(self._groups)

    def _decide_late(self) -> None:
        moved = {self._start + place for places in self._groups.values() for place in places}
        arrivals: dict[int, list[int]] = {}
        for name, places in self._groups.items():
            at = self._place_of(name)
            if at is not None:
                arrivals.setdefault(at, []).extend(self._start + place for place in places)
        order: list[int] = []
        for place in range(self._start, len(self._path) + 1):
            order += arrivals.get(place, ())
            if place not in moved and place < len(self._path):
                order.append(place)
        _reorder(self._trace, self._start, order, moved)

    def _place_of(self, name: str) -> int | None:
        """The place for the conditions of a parameter: before all that may depend on it."""
        names = {drawn for place in self._groups[name] for drawn in self._path[self._start + place][0].names}
        for place in range(self._end, len(self._path)):
            if place == self._used.get(name) or not names.isdisjoint(self._path[place][0].names):
                return place
        return self._used.get(name)


def _reorder(run: trace.Trace, start: int, order: list[int], moved: set[int]) -> None:
    """Put the conditions from a place on into another order, and have the marks follow.

    A mark says behind which condition a side was taken: behind the last that stayed, now.
    """
    path = run.path
    places = {old: start + new for new, old in enumerate(order)}
    behind = {start: start}
    for old in range(start, len(path)):
        behind[old + 1] = behind[old] if old in moved else places[old] + 1
    path[start:] = [path[old] for old in order]
    for side, place in run.marks.items():
        run.marks[side] = behind.get(place, place)


def _grouped(steps: Sequence[Step], parameters: frozenset[str], inputs: Inputs) -> dict[str, list[int]]:
    """For each parameter with a choice the places of its conditions, where they speak of no other.

    What the program's code decided while an argument was made stays where it is, with all that belongs to it.
    """
    groups: dict[str, list[int]] = {}
    choices: set[str] = set()
    fixed: set[str] = set()
    for place, (node, _, _, kind) in enumerate(steps):
        roots = {match[0] for name in node.names if (match := _ROOT.match(name))}
        if any("@" in name and inputs.variables[name][1] for name in node.names if name in inputs.variables):
            return {}  # an argument is another one, or what a call returned
        if len(roots) != 1 or kind not in _OF_INPUT:
            fixed |= roots
            continue
        root = next(iter(roots))
        groups.setdefault(root, []).append(place)
        if kind in _UNDECIDED:
            choices.add(root)
    return {name: places for name, places in groups.items() if name in choices & parameters - fixed}


def _function_of(called: Any) -> FunctionType | None:
    """The function that gets the arguments as its parameters; None where something stands in between."""
    if isinstance(called, type):
        plain = type(called) is type and not any("__new__" in vars(base) for base in called.__mro__[:-1])
        called = vars(called).get("__init__") if plain else None
    if type(called) is MethodType:
        called = called.__func__
    if type(called) is not FunctionType or "__wrapped__" in called.__dict__:
        return None
    code: CodeType = called.__code__
    return None if _LOOKS_AROUND & {*code.co_names, *code.co_freevars} else called


@functools.cache
def _loads(code: CodeType) -> dict[int, tuple[str, ...]]:
    """Which parameters an instruction loads, or hands to a function within, by its offset; 0 for none."""
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    parameters = frozenset(code.co_varnames[:count])
    found: dict[int, tuple[str, ...]] = {}
    for item in dis.get_instructions(code):
        if item.opname not in _STORES:
            names = item.argval if isinstance(item.argval, tuple) else (item.argval,)
            loaded = tuple(name for name in names if isinstance(name, str) and name in parameters)
            if loaded and item.opcode in _OF_LOCALS:
                found[item.offset] = loaded
    return found


_OF_LOCALS: Final = frozenset((*dis.haslocal, *dis.hasfree))
