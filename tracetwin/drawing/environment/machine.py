"""The machine and its user: names, numbers and programs that are another's elsewhere."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from runtime.values import plain
from tracetwin.drawing.environment.sources import EnvironmentRead, NotDrawn, reads
from tracetwin.model.recipe import tuple_of
from tracetwin.model.recipes import Recipe, call, lit

FOLDER: Final = "/work"
"""The current folder unless the input says otherwise."""

_USUAL: Final = {
    "platform.system": "Linux",
    "platform.machine": "x86_64",
    "platform.node": "host",
    "platform.release": "6.1",
    "socket.gethostname": "host",
    "getpass.getuser": "user",
    "os.getlogin": "user",
    "os.getcwd": FOLDER,
}
LARGEST: Final = 2**22
USUAL_NUMBER: Final = 1000


@reads("system", *(title.replace(".", ":") for title in _USUAL))
def told(reading: EnvironmentRead) -> tuple[Any, Recipe]:
    """A name."""
    reading.may_raise(OSError, KeyError)
    return _same(reading, lambda: reading.inputs.text(reading.name, _USUAL[reading.title]))


@reads("system", "os:getpid", "os:getppid", "os:getuid", "os:geteuid", "os:getgid", "os:cpu_count")
def counted(reading: EnvironmentRead) -> tuple[Any, Recipe]:
    """A number."""
    return _same(reading, lambda: reading.inputs.integer(reading.name, USUAL_NUMBER, 0, LARGEST))


def _same(reading: EnvironmentRead, draw: Callable[[], Any]) -> tuple[Any, Recipe]:
    """The value that is drawn when it is first asked for, at each read: it is one machine."""
    known = reading.memory.setdefault("machine", {})
    if reading.title not in known:
        known[reading.title] = draw()
    value = known[reading.title]
    return value, lit(plain(value))


@reads("system", "pathlib:Path.cwd", "pathlib:Path.home")
def folder(reading: EnvironmentRead, *_cls: Any) -> tuple[Any, Recipe]:
    """A folder that is there."""
    path = FOLDER if reading.title.endswith("cwd") else f"{FOLDER}/home"
    return Path(path), call("pathlib", "Path", lit(path))


@reads("system", "os:getloadavg")
def load(reading: EnvironmentRead) -> tuple[Any, Recipe]:
    """How busy the machine is."""
    parts = [reading.inputs.floating(f"{reading.name}[{number}]", 0.0, LARGEST) for number in range(3)]
    return tuple(parts), tuple_of(*(lit(plain(part)) for part in parts))


@reads("system", "shutil:which")
def installed(reading: EnvironmentRead, program: Any, *_more: Any, **_others: Any) -> tuple[Any, Recipe]:
    """The path of a program, or None where it is not installed."""
    name = plain(program)
    if not isinstance(name, str):
        raise NotDrawn
    known = reading.memory.setdefault("installed", {})
    if name not in known:
        known[name] = reading.inputs.choice(reading.name, 2)
    value = None if known[name] else os.path.join("/usr/bin", os.path.basename(name))
    return value, lit(value)
