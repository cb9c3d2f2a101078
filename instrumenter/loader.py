"""Loads a twin: the original's loader, except for the code it hands out."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, Protocol
from zipimport import zipimporter

from instrumenter.build import BuiltTwin
from instrumenter.twin import Twin

# Who overrides one of these makes code in a way of its own, which a twin would lose.
_MAKE_CODE = ("get_code", "exec_module", "source_to_code")

_KINDS = {
    "ExtensionFileLoader": "an extension module",
    "SourcelessFileLoader": "bytecode without source",
    "BuiltinImporter": "built into Python",
    "FrozenImporter": "frozen into Python",
}


class TwinBuilder(Protocol):
    """Builds the twins of one import hook, and holds those that are loaded."""

    twins: dict[str, Twin]
    interface: ModuleType

    def build(self, source: str | bytes, name: str, filename: str) -> BuiltTwin:
        """Return a module's twin."""


class TwinLoader:
    """Mixed in front of the class of an original's loader, so that a twin's loader is an instance of it.

    Source, data, resources and file names are those of the original. The code never comes from a bytecode
    file, and none is written.
    """

    _finder: TwinBuilder
    _fullname: str
    _source_file: str

    @property
    def get_code(self) -> Callable[[str], CodeType]:
        """Return the function that answers with a module's code.

        It is picked on each access, by trying: when there can be no twin, because the file is gone or its
        syntax is wrong, the original's method is to say so, without a frame of ours around it; the import
        system hides its own frames only where they are next to each other.
        """
        original: Any = super()
        usual: Callable[[str], CodeType] = original.get_code
        try:
            code = self._twin_code()
        except Exception:  # noqa: BLE001 - said by the original's method, if it is not our fault alone
            return usual
        return lambda fullname: code if fullname == self._fullname else usual(fullname)

    def _twin_code(self) -> CodeType:
        original: Any = self
        built = self._finder.build(original.get_data(self._source_file), self._fullname, self._source_file)
        self._finder.twins[self._fullname] = built.twin
        # In builtins, not in the module: `dir(module)` and `globals()` are as in the original. It stays
        # there, since a twin that somebody holds may be called at any time.
        setattr(builtins, built.twin.prelude_name, self._finder.interface)
        return built.code


class _ZippedTwinLoader(TwinLoader):
    def load_module(self, fullname: str) -> ModuleType:
        """Load a module as before Python 3.4; zipimport's own method goes around `get_code`."""
        shim: Any = super(zipimporter, self)
        module: ModuleType = shim.load_module(fullname)
        return module


def twin_loader(spec: ModuleSpec, finder: TwinBuilder) -> Any:
    """Return a copy of a spec's loader that hands out the twin."""
    kind: Any = type(spec.loader)
    twin: Any = object.__new__(_twin_class(kind))
    vars(twin).update(vars(spec.loader), _finder=finder, _fullname=spec.name, _source_file=_source_file(spec))
    return twin


def why_untouched(spec: ModuleSpec) -> str | None:
    """Return why a module with a loader can't be loaded as a twin, or None if it can."""
    loader: Any = spec.loader
    kind = loader if isinstance(loader, type) else type(loader)
    if kind.__name__ in _KINDS:
        return _KINDS[kind.__name__]
    if issubclass(kind, zipimporter):
        if _makes_code_like(kind, zipimporter):
            return None if _holds(loader, _source_file(spec)) else _KINDS["SourcelessFileLoader"]
    elif spec.origin and hasattr(kind, "get_data") and _makes_code_like(kind, SourceFileLoader):
        return None
    return f"loaded in a way of its own, by {kind.__module__}.{kind.__qualname__}"


def _source_file(spec: ModuleSpec) -> str:
    # In a zip, bytecode beside the source comes first.
    loader: Any = spec.loader
    file = spec.origin or ""
    return file.removesuffix("c") if isinstance(loader, zipimporter) else file


def _makes_code_like(kind: type, plain: type) -> bool:
    return all(getattr(kind, name, None) is getattr(plain, name, None) for name in _MAKE_CODE)


def _holds(loader: zipimporter, file: str) -> bool:
    try:
        loader.get_data(file)
    except OSError:
        return False
    return True


@functools.cache
def _twin_class(kind: type) -> type:
    mixin = _ZippedTwinLoader if issubclass(kind, zipimporter) else TwinLoader
    return type(f"Twin{kind.__name__}", (mixin, kind), {"__doc__": TwinLoader.__doc__})
