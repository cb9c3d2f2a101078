"""Our own modules: where they lie, and how a program and they are kept apart in one process.

A program may have a top-level module called `runtime`, `instrumenter` or `tracetwin` (it may even be one
of ours). Where code of a program runs, ours are loaded by a finder of their own, live in a private table
(`OwnModules`), and leave `sys.modules` before anything of the program is imported. Each of them gets a
private ``__builtins__`` whose ``__import__`` looks into that table first: imports inside functions still
find ours, and a program that replaces `builtins.len` or `builtins.__import__` does not reach our code.
Where only the driver runs, ours are imported by their names before anything else (`import_first`).

A worker loads this file alone, by its path: it imports nothing of ours at the top.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType, ModuleType
from typing import Any, ClassVar, Final

NAMES: Final = ("runtime", "instrumenter")
"""Our packages beside this one."""

_HOME: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
_original_import = builtins.__import__


def folder(name: str) -> str:
    """The folder of one of our packages, whichever way it is installed.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    beside = os.path.join(_HOME, name)
    if os.path.isdir(beside):
        return beside
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"our package {name} is not installed beside tracetwin")
    return next(iter(spec.submodule_search_locations))


def load(name: str) -> ModuleType:
    """One of our modules, for use in a program's own process.

    It does not stand in `sys.modules`, where the program finds its own namesake instead, unless ours are
    there already: then somebody has imported them by name, and gets the same ones here.
    """
    own = _in_this_process()
    return importlib.import_module(name) if own is None else own.load(name)


def import_first() -> None:
    """Import ours by their names from beside this package, for a process that runs nothing of the program's.

    Raises:
        TargetError: the process has imported other modules of these names.
    """
    from tracetwin.support.errors import TargetError

    sys.path.insert(0, _HOME)
    try:
        for name in NAMES:
            importlib.import_module(name)
            if not _is_ours(name):
                raise TargetError(name, "a module of this name is imported already; use a new process")
    finally:
        sys.path.remove(_HOME)


@functools.cache
def _in_this_process() -> OwnModules | None:
    """The private table of this process; hooks of one process know each other by their class."""
    present = [name for name in NAMES if name in sys.modules]
    if present and all(map(_is_ours, present)):
        import_first()
        return None
    return OwnModules({name: folder(name) for name in NAMES})


def _is_ours(name: str) -> bool:
    """True if the imported module of this name is ours."""
    places = getattr(sys.modules[name], "__path__", ())
    return any(os.path.realpath(place) == os.path.realpath(folder(name)) for place in places)


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a source file with the private builtins in place."""

    names: ClassVar[dict[str, Any]] = {}

    def get_code(self, fullname: str) -> CodeType | None:
        """The module's code; ours is kept as bytecode beside us, also where a target's must not be."""
        kept, sys.dont_write_bytecode = sys.dont_write_bytecode, False
        try:
            return super().get_code(fullname)
        finally:
            sys.dont_write_bytecode = kept

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__builtins__"] = self.names
        super().exec_module(module)


class _Bare:
    """Makes a package of a folder without an `__init__`."""

    def create_module(self, _spec: object) -> None:
        """The usual kind of module."""

    def exec_module(self, _module: ModuleType) -> None:
        """Nothing to run."""


class OwnModules:
    """The private table of our modules.

    Attributes:
        places: top-level package name -> its folder.
        modules: dotted name -> module, for all that were loaded.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self.places = dict(places)
        self.modules: dict[str, ModuleType] = {}
        self._lock = threading.RLock()
        self._depth = 0
        self._visible_to = 0
        self._theirs: dict[str, ModuleType] = {}
        names = dict(vars(builtins))
        names["__import__"] = self._import
        self._loader: type[_Loader] = type("_Loader", (_Loader,), {"names": names})

    def load(self, name: str) -> ModuleType:
        """Import one of our modules by its dotted name."""
        found = self.modules.get(name)
        if found is not None:
            return found
        with self.visible():
            return importlib.import_module(name)

    def load_file(self, name: str, file: str) -> ModuleType:
        """Run a source file as a module of ours that can't be imported by name."""
        spec = importlib.util.spec_from_file_location(name, file, loader=self._loader(name, file))
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        with self.visible():
            sys.modules[name] = module  # dataclasses look their module up there
            try:
                spec.loader.exec_module(module)
            finally:
                sys.modules.pop(name, None)
        return module

    @contextlib.contextmanager
    def visible(self) -> Iterator[None]:
        """Within this block ours stand in `sys.modules`, in the place of the target's namesakes."""
        with self._lock:
            if self._depth == 0:
                self._theirs = self._take_out()
                sys.modules.update(self.modules)
                sys.meta_path.insert(0, self)
                self._visible_to = threading.get_ident()
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._withdraw()
                    self.modules.update(self._take_out())
                    sys.modules.update(self._theirs)

    def _withdraw(self) -> None:
        if self in sys.meta_path:
            sys.meta_path.remove(self)

    def _take_out(self) -> dict[str, ModuleType]:
        taken = [name for name in sys.modules if name.partition(".")[0] in self.places]
        return {name: sys.modules.pop(name) for name in taken}

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The finder's side: where one of our modules lies."""
        top, _, rest = name.partition(".")
        if top not in self.places:
            return None
        if not rest:
            return self._package_spec(name, self.places[top])
        for folder in path or ():
            place = os.path.join(folder, name.rpartition(".")[2])
            if os.path.isdir(place):
                return self._package_spec(name, place)
            if os.path.isfile(place + ".py"):
                file = place + ".py"
                return importlib.util.spec_from_file_location(name, file, loader=self._loader(name, file))
        return None

    def _package_spec(self, name: str, folder: str) -> importlib.machinery.ModuleSpec:
        file = os.path.join(folder, "__init__.py")
        if not os.path.isfile(file):
            spec = importlib.machinery.ModuleSpec(name, _Bare(), origin=file, is_package=True)  # type: ignore[arg-type]
            spec.submodule_search_locations = [folder]
            return spec
        found = importlib.util.spec_from_file_location(
            name, file, loader=self._loader(name, file), submodule_search_locations=[folder]
        )
        assert found is not None
        return found

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 - the signature of __import__
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """`__import__` as our modules see it."""
        full = name
        if level:
            package = str((globals or {}).get("__package__") or "")
            full = importlib.util.resolve_name("." * level + name, package)
        top = full.partition(".")[0]
        if top not in self.places:
            return _original_import(name, globals, locals, fromlist or (), level)
        module = self.modules.get(full)
        if module is not None and self._depth == 0:
            if not fromlist and not level:
                return self.modules[top]
            if fromlist and all(hasattr(module, part) for part in fromlist):
                return module
        if self._depth and self._visible_to == threading.get_ident():
            return _original_import(name, globals, locals, fromlist or (), level)
        with self.visible():
            return _original_import(name, globals, locals, fromlist or (), level)


class Hider:
    """A finder that hides our packages on `sys.path` from the target, but not its own namesakes."""

    def __init__(self, places: Mapping[str, str]) -> None:
        """Hide what lies in `places` (top-level name -> folder)."""
        self.places = {name: os.path.realpath(folder) for name, folder in places.items()}

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        """Raises `ModuleNotFoundError` where only ours would be found."""
        if name not in self.places:
            return
        spec = importlib.machinery.PathFinder.find_spec(name)
        if spec is not None:
            locations = list(spec.submodule_search_locations or [])
            if spec.origin is not None and not locations:
                return
            if any(os.path.realpath(place) != self.places[name] for place in locations):
                return
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
