"""Seams where a program reads its environment: functions replaced once, which answer while a run is on.

A worker replaces what a test would patch, and nothing else: the attribute of a module or class
(`time.time`), or the name in the target that an import gave it (`from time import time`). What was bound
before, as a default or in a container, stays what it is, in the worker as under the test's patch. A call by
other code than the target's own gets the real function.
"""

from __future__ import annotations

import functools
import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any, TextIO, cast

from runtime.frames import hide_frames, hide_module_frames
from runtime.inputs import Inputs
from runtime.models import callee
from runtime.trace import is_ours
from tracetwin.analysis import sources
from tracetwin.drawing.discovery.planner import Planner
from tracetwin.drawing.environment import arguments, variables
from tracetwin.drawing.environment.defaults import READERS
from tracetwin.drawing.environment.environment import Environment, PatchPlace
from tracetwin.drawing.environment.files import FileHandle
from tracetwin.drawing.environment.functions import source_of
from tracetwin.drawing.environment.sources import SOURCES, NotDrawn, ReadSource, Thrown
from tracetwin.drawing.environment.uses import CHECKS, MAKES, uses_of
from tracetwin.drawing.mocks.handlers import handled_at
from tracetwin.drawing.rules.patch_selection import Selection
from tracetwin.model.class_stand_in import ClassStandIn
from tracetwin.model.patch import PatchedCall, Way

for _module in (*READERS, arguments, variables):
    hide_module_frames(_module, others_too=True)

_BETWEEN = frozenset((id(vars(os)), id(vars(sys.modules["_collections_abc"]))))
"""The globals, by identity, of code between a program and the methods of `os.environ`."""


class Seams:
    """The seams of one worker; none before they are installed."""

    def __init__(self) -> None:
        self._modules: list[ModuleType] = []
        self._own: dict[int, ModuleType] = {}
        self._environment: Environment | None = None
        self._handled: dict[tuple[str, int], tuple[type[BaseException], ...]] = {}
        self._types = False
        self._package = ""
        self._options: list[str] = []
        self._writable: Sequence[str] = ()

    def install(self, modules: Iterable[ModuleType], wanted: Selection, planner: Planner) -> None:
        """Replace what is to be patched."""
        self._own = {id(vars(module)): module for module in modules}
        self._modules = list(self._own.values())
        self._writable = wanted.writable
        for source in SOURCES.values():
            if source.module in sys.modules and wanted.takes(source.title, source.group, source.needs):
                self._install(source)
        self._package = planner.module.__name__.partition(".")[0]
        behind = _behind_walls(wanted, self._package)
        for name, needs in (*((name, "") for name in wanted.more), *behind):
            if (made := source_of(name, planner, needs)) is not None:
                self._install(made)
        self._types = wanted.takes("sys.stdin", "input")
        if wanted.takes("os.environ", "os.environ"):
            variables.watch(self._variables)
        if wanted.takes("sys.argv", "sys.argv"):
            self._options = arguments.options_in(planner.source)
            arguments.watch(self._arguments)

    @contextmanager
    def opened(self, inputs: Inputs) -> Iterator[Environment]:
        """While this lasts, reads are answered by the input."""
        self._environment = environment = Environment(inputs, self._options, self._writable)
        stdin = sys.stdin
        if self._types:
            sys.stdin = cast("TextIO", FileHandle(environment.stdin))
        try:
            yield environment
        finally:
            self._environment = None
            sys.stdin = stdin

    def _variables(self) -> variables.Variables | None:
        """The variables of the run, where the target's own code asks for one."""
        environment = self._environment
        if environment is None:
            return None
        frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - documented, and there is no other way
        while frame is not None and (is_ours(frame.f_code) or id(frame.f_globals) in _BETWEEN):
            frame = frame.f_back
        return environment.variables if frame is not None and id(frame.f_globals) in self._own else None

    def _arguments(self) -> arguments.CommandLine | None:
        """The arguments of the run, whoever asks: a test's patch answers everybody, too."""
        return None if self._environment is None else self._environment.arguments

    # ---- replacing functions

    def _install(self, source: ReadSource) -> None:
        holder = _holder(source)
        attribute = source.name.rpartition(".")[2]
        raw = inspect.getattr_static(holder, attribute, None)
        if raw is None:
            return
        real = raw.__func__ if isinstance(raw, classmethod) else raw
        stand_in = self._stand_in(source, real, id(holder))
        try:
            setattr(holder, attribute, classmethod(stand_in) if isinstance(raw, classmethod) else stand_in)
        except TypeError:  # a class written in C
            return
        if not isinstance(holder, type):
            self._install_names(source, real)

    def _install_names(self, source: ReadSource, real: Any) -> None:
        """Replace it where the target has imported it by a name of its own."""
        for module in self._modules:
            for name, value in list(vars(module).items()):
                if value is real:
                    place = PatchPlace(module.__name__, name)
                    setattr(module, name, self._stand_in(source, real, id(module), place))

    def _stand_in(
        self, source: ReadSource, real: Any, holder: int, direct: PatchPlace | None = None
    ) -> Callable[..., Any]:
        """The replacement of a function."""
        slot = (holder, direct.name if direct else source.name)

        def stand_in(*args: Any, **kwargs: Any) -> Any:
            environment = self._environment
            frame = None if environment is None else _caller(sys._getframe(1))  # noqa: SLF001 - as above
            if environment is None or frame is None or not self._is_answered(source, frame):
                return callee(real)(*args, **kwargs)
            place = direct or _place(source, frame)
            reading = environment.reading(source.title, self._handled_around(frame), _package_of(frame))
            try:
                value, recipe = source.read(reading, *args, **kwargs)
            except NotDrawn:
                return callee(real)(*args, **kwargs)
            except Thrown as thrown:
                environment.note(slot, place, PatchedCall(Way.RAISE, thrown.recipe), tells=source.tells)
                raise thrown.error from None
            environment.note(slot, place, recipe, tells=source.tells)
            return value

        async def awaited(*args: Any, **kwargs: Any) -> Any:
            found = stand_in(*args, **kwargs)
            return await found if inspect.isawaitable(found) else found

        made: Any = awaited if source.is_async else stand_in
        made.__module__, made.__name__ = source.module, source.name.rpartition(".")[2]
        made.__qualname__, made.__doc__ = source.name, getattr(real, "__doc__", None)
        hide_frames(stand_in, others_too=True)
        hide_frames(made, others_too=True)
        return ClassStandIn(real, made) if isinstance(real, type) else made

    def _is_answered(self, source: ReadSource, frame: FrameType) -> bool:
        """Return whether a call is answered: others' connections and programs are what others are for."""
        module = self._own.get(id(frame.f_globals))
        if module is None or not source.needs:
            return module is not None
        return module.__name__.partition(".")[0] == self._package

    def _handled_around(self, frame: FrameType | None) -> tuple[type[BaseException], ...]:
        """The exceptions that the code which is running now handles, from the inside out."""
        found: dict[type[BaseException], None] = {}
        while frame is not None:
            module = self._own.get(id(frame.f_globals))
            if module is not None:
                found.update(dict.fromkeys(self._handled_in(module, frame.f_lineno)))
            frame = frame.f_back
        return tuple(found)

    def _handled_in(self, module: ModuleType, line: int) -> tuple[type[BaseException], ...]:
        key = (module.__name__, line)
        if key not in self._handled:
            self._handled[key] = tuple(handled_at(sources.read(module), line, vars(module)))
        return self._handled[key]


hide_frames(ClassStandIn.__call__, others_too=True)


def _behind_walls(wanted: Selection, own: str) -> Iterator[tuple[str, str]]:
    """Yield the loaded functions of other packages than `own` that the walls refuse, with what they need."""
    for title, needs in wanted.behind_walls():
        home = title.rpartition(".")[0]
        if home in sys.modules and home.partition(".")[0] != own:
            yield title, needs


def _holder(source: ReadSource) -> Any:
    found: Any = sys.modules[source.module]
    for part in source.name.split(".")[:-1]:
        found = getattr(found, part)
    return found


def _caller(frame: FrameType | None) -> FrameType | None:
    """The frame of the program that calls: ours may stand between."""
    while frame is not None and is_ours(frame.f_code):
        frame = frame.f_back
    return frame


def _package_of(frame: FrameType) -> str:
    """The folder of the top-level package whose code runs in a frame, "" where that is in none."""
    top = sys.modules.get(str(frame.f_globals.get("__name__", "")).partition(".")[0])
    return next(iter(getattr(top, "__path__", ())), "")


def _place(source: ReadSource, frame: FrameType) -> PatchPlace:
    """The name that a test patches for this code: ``shop.time``, else ``time``."""
    parts = f"{source.module}.{source.name}".split(".")
    names = frame.f_code.co_names
    for length in range(len(parts) - 1, 0, -1):
        known = _found(parts[:length])
        for name, value in frame.f_globals.items():
            if value is known and name in names:
                path = ".".join((name, *parts[length:-1]))
                home = str(frame.f_globals["__name__"])
                return PatchPlace(f"{home}.{path}", parts[-1], _owner(source, home, path))
    return PatchPlace(".".join(parts[:-1]), parts[-1], _owner(source, "", ""))


def _found(parts: list[str]) -> Any:
    """The module, or class of a module, of a dotted name."""
    module = sys.modules.get(".".join(parts))
    if module is not None:
        return module
    return getattr(sys.modules.get(".".join(parts[:-1])), parts[-1], None)


@functools.lru_cache
def _owner(source: ReadSource, home: str, name: str) -> tuple[str, str, tuple[str, ...]] | None:
    """The class of a method that can't be patched, as it is written in C while it is no twin."""
    owner = source.name.rpartition(".")[0]
    if not owner or source.module != "datetime":
        return None
    tree = sources.read(sys.modules[home]).tree if home else None
    beside = (one for one in SOURCES.values() if one.module == source.module)
    methods = frozenset(one.name.rpartition(".")[2] for one in beside)
    return source.module, owner, uses_of(tree, name, methods) if tree else (CHECKS, MAKES)
