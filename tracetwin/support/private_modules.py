"""Our own modules inside a worker, kept apart from those of the target.

The target may have a top-level module called `runtime`, `instrumenter` or `tracetwin` (it may even be
one of ours). So ours are loaded by a finder of their own, live in a private table, and leave
`sys.modules` before the target is imported. Each of them gets a private ``__builtins__`` whose
``__import__`` looks into that table first: imports inside functions still find ours, and a target that
replaces `builtins.len` or `builtins.__import__` does not reach our code.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import importlib.machinery
import importlib.util
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, ClassVar

_original_import = builtins.__import__


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a source file with the private builtins in place."""

    names: ClassVar[dict[str, Any]] = {}

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code."""
        module.__dict__["__builtins__"] = self.names
        super().exec_module(module)


class _Bare:
    """Makes a package without running its `__init__`: the driver's imports z3 and much else."""

    def create_module(self, _spec: object) -> None:
        """The usual kind of module."""

    def exec_module(self, _module: ModuleType) -> None:
        """Nothing to run."""


class Rooms:
    """The private table of our modules.

    Attributes:
        places: top-level package name -> its folder.
        bare: names in `places` whose `__init__` is not to be run.
        modules: dotted name -> module, for all that were loaded.
    """

    def __init__(self, places: Mapping[str, str], bare: Sequence[str] = ()) -> None:
        """Nothing is loaded yet."""
        self.places = dict(places)
        self.bare = frozenset(bare)
        self.modules: dict[str, ModuleType] = {}
        self._lock = threading.RLock()
        self._depth = 0
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
        if name in self.bare or not os.path.isfile(file):
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
