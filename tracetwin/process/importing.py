"""Importing the target inside the walls, and saying in one sentence why it failed."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, PathFinder
from types import ModuleType
from typing import Any, Final

AS_IT_IS: Final = "as it is"
"""The kind of failure that names modules of the library that C code needs as they are."""


class ImportFailure(Exception):
    """The target can't be imported.

    Attributes:
        kind: ``"missing"``, ``"import raised"``, ``"exited"``, ``"spent"``, ``"deep"`` or `AS_IT_IS`.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message


def prepare_path(root: str, search_path: Sequence[str]) -> None:
    """Put the target's import root first, then its extra entries."""
    first = [root, *search_path]
    sys.path[:] = first + [entry for entry in sys.path if entry not in first]


def compiled_from(file: str) -> str:
    """Return the extension beside a source, which an import would take in its place; "" without one."""
    beside = (file.removesuffix(".py") + suffix for suffix in EXTENSION_SUFFIXES)
    return next(filter(os.path.exists, beside), "") if file.endswith(".py") else ""


class SourcesFirst:
    """Finds the sources of one package before the extensions that were compiled from them."""

    def __init__(self, package: str) -> None:
        self._package = package

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a source beside an extension."""
        if name.partition(".")[0] != self._package:
            return None
        spec = PathFinder.find_spec(name, path, target)
        origin = "" if spec is None else spec.origin or ""
        suffix = next(filter(origin.endswith, EXTENSION_SUFFIXES), "")
        source = origin.removesuffix(suffix) + ".py"
        if spec is None or not suffix or not os.path.isfile(source):
            return None
        folders = spec.submodule_search_locations
        return importlib.util.spec_from_file_location(name, source, submodule_search_locations=folders)


def collect_again() -> None:
    """Have the collector again, which rested while what is ours was loaded.

    Not earlier: when it would have run hangs on the names of folders, and with it the addresses of all later.
    """
    gc.freeze()
    gc.enable()


def import_target(start: dict[str, Any]) -> ModuleType:
    """Import the module that a start message names.

    Raises:
        ImportFailure: whatever it does instead of being imported.
    """
    name, file = start["name"], start["file"]
    make_room(lambda known: known == name)
    collect_again()
    limit = sys.getrecursionlimit()
    if compiled_from(file):
        place = sys.meta_path.index(PathFinder) if PathFinder in sys.meta_path else len(sys.meta_path)
        sys.meta_path.insert(place, SourcesFirst(name.partition(".")[0]))
    try:
        try:
            module = importlib.import_module(name)
            found = getattr(sys.modules.get(name, module), "__file__", None)
        finally:
            _set_recursion_limit(limit)  # our own side needs it, too
    except ModuleNotFoundError as error:
        kind = "missing" if error.name and (name + ".").startswith(error.name + ".") else "import raised"
        raise ImportFailure(kind, describe(error, file)) from None
    except SystemExit as error:
        raise ImportFailure("exited", f"sys.exit({_text(error)})") from None
    except BaseException as error:  # noqa: BLE001 - an import may raise anything
        raise ImportFailure("import raised", describe(error, file)) from None
    module = _behind(sys.modules.get(name, module), name)
    if file and isinstance(found, str) and os.path.realpath(found) != os.path.realpath(file):
        raise ImportFailure("missing", f"{name} is imported from {found}, not from {file}")
    return module


def _behind(module: ModuleType, name: str) -> ModuleType:
    """Return the module that stands behind one which it has put in its own place, else the module itself."""
    held = (part for part in list(getattr(module, "__dict__", {}).values()) if type(part) is ModuleType)
    found = (part for part in held if part is not module and part.__dict__.get("__name__") == name)
    return module if type(module) is ModuleType else next(found, module)


_set_recursion_limit = sys.setrecursionlimit  # the target may put something else there


# Without these the interpreter, or our own side, would not go on.
_NEEDED: Final = frozenset(("sys", "builtins", "__main__", "os", "posix", "io", "abc", "types", "importlib"))


def make_room(matches: Callable[[str], bool]) -> None:
    """Forget modules that our own side has imported: the target's are others, or twins of them."""
    forgotten = {name for name in sys.modules if matches(name) and name.partition(".")[0] not in _NEEDED}
    for name in list(sys.modules):
        # A package that is made anew would not have what was imported below the one before.
        if name in forgotten or any(name.startswith(f"{package}.") for package in forgotten):
            del sys.modules[name]


def describe(error: BaseException, file: str = "") -> str:
    """One line about an exception: type, message, and the last line of `file` that it passed."""
    where = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename == file:
            where = f" (line {line})"
    text = _text(error)
    return f"{type(error).__name__}{': ' if text else ''}{text}{where}"


def passes(error: BaseException, file: str) -> bool:
    """True if an exception came through code of a file."""
    return any(frame.f_code.co_filename == file for frame, _ in traceback.walk_tb(error.__traceback__))


def _text(error: BaseException) -> str:
    try:
        return " ".join(str(error).split())[:500]
    except BaseException:  # noqa: BLE001 - its __str__ is the target's code
        return ""
