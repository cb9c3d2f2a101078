"""Contents of folders: which names there are is drawn when the program lists them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from runtime.operations.membership import not_in
from runtime.operations.operators import ne
from runtime.values import plain
from tracetwin.drawing.environment.files import path_of
from tracetwin.drawing.environment.sources import EnvironmentRead, Given, NotDrawn, failure, reads
from tracetwin.model.recipe import list_of, tuple_of
from tracetwin.model.recipes import Recipe, call, lit

FIRST: Final = ("a", "b", "c")
"""The names in a folder unless the input says otherwise, as many as there are at most."""

INNER: Final = "inner"
"""The name of a folder in a folder."""

USUAL: Final = (FileNotFoundError, NotADirectoryError, PermissionError, OSError)


@reads("open", "os:listdir")
def listed(reading: EnvironmentRead, folder: Any = ".") -> Given:
    """The names of what is in a folder."""
    _be_there(reading, folder)
    names = _names(reading)
    return names, _recipe(names)


@reads("open", "os:walk")
def walked(reading: EnvironmentRead, folder: Any, *_positional: Any, **_others: Any) -> Given:
    """A folder with the names of its files, and of another one in it, which is not gone into."""
    path = _be_there(reading, folder)
    names, inner = _names(reading), [INNER][: reading.inputs.choice(f"{reading.name}/#", 2)]
    row = tuple_of(lit(path), _recipe(inner), _recipe(names))
    return [(path, inner, names)], list_of(row)


@reads("open", "glob:glob", "glob:iglob")
def matching(reading: EnvironmentRead, _pattern: Any, **_others: Any) -> Given:
    """Paths that fit a pattern; whether they do is not looked at."""
    names = _names(reading)
    return names, _recipe(names)


@reads("open", "pathlib:Path.iterdir", "pathlib:Path.glob", "pathlib:Path.rglob")
def paths(reading: EnvironmentRead, folder: Any, *_pattern: Any, **_others: Any) -> Given:
    """The paths of what is in a folder."""
    path = _be_there(reading, folder)
    found = [Path(path, plain(name)) for name in _names(reading)]
    return found, list_of(*(call("pathlib", "Path", lit(str(one))) for one in found))


def _be_there(reading: EnvironmentRead, folder: Any) -> str:
    """The path of a folder; one that is said not to be there can't be listed."""
    path = path_of(reading, folder)
    if not isinstance(plain(folder), (str, Path)):
        raise NotDrawn
    if path in reading.memory.get("missing", ()):
        raise failure(FileNotFoundError)
    reading.may_raise(*USUAL)
    return path


def _names(reading: EnvironmentRead) -> list[Any]:
    """Names that are no two the same, and could be those of files."""
    count = reading.inputs.choice(f"{reading.name}#", len(FIRST) + 1, 1)
    return list(_drawn(reading, count))


def _drawn(reading: EnvironmentRead, count: int) -> Iterator[Any]:
    before: list[Any] = []
    for number in range(count):
        name = reading.inputs.text(f"{reading.name}[{number}]", FIRST[number])
        for other in ("", *before):
            reading.inputs.assume(ne(name, other))
        for character in "/\0":
            reading.inputs.assume(not_in(character, name))
        before.append(name)
        yield name


def _recipe(names: list[Any]) -> Recipe:
    return list_of(*(lit(plain(name)) for name in names))
