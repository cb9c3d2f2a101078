"""Finds stub files: beside a module, in a stub package (PEP 561), in the typeshed that the driver names."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from typing import Final

from tracetwin.analysis.evidence.stubs import Stub, read_stub

_typeshed = ""


def use_typeshed(folder: str) -> None:
    """Read the stubs of the standard library in this folder from now on; "": there are none."""
    global _typeshed  # noqa: PLW0603 - one process has one
    _typeshed = folder


def stub_of(module: str, file: str | None = None) -> Stub | None:
    """The stub of a module that is not part of the standard library."""
    for place in _places(module, file):
        if os.path.isfile(place):
            return read_stub(place, module)
    return None


def _places(module: str, file: str | None) -> Iterator[str]:
    if file:
        yield f"{os.path.splitext(file)[0]}.pyi"
    top, *rest = module.split(".")
    folders = _search_path(tuple(sys.path))
    for root in _stub_roots(folders, top):
        yield from _forms(os.path.join(root, *rest))
    for folder in folders if file is None else ():
        yield from _forms(os.path.join(folder, top, *rest))


def _forms(path: str) -> tuple[str, str]:
    return f"{path}.pyi", os.path.join(path, "__init__.pyi")


def library_stub(module: str) -> Stub | None:
    """The stub of a module of the standard library, None where typeshed has none."""
    for place in _forms(os.path.join(_typeshed, *module.split("."))) if _typeshed else ():
        if os.path.isfile(place):
            return read_stub(place, module)
    return None


def any_stub(module: str) -> Stub | None:
    """The stub of any module, the standard library's by typeshed."""
    if module.partition(".")[0] in sys.stdlib_module_names or module.partition(".")[0] in _ONLY_THERE:
        return library_stub(module)
    return stub_of(module)


_ONLY_THERE: Final = frozenset(("_typeshed", "typing_extensions"))


@functools.lru_cache(maxsize=8)  # asked for each function that is called
def _search_path(path: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(folder for folder in path if folder and os.path.isdir(folder))


@functools.lru_cache(maxsize=1024)
def _stub_roots(folders: tuple[str, ...], top: str) -> tuple[str, ...]:
    """The places at which stubs of a package are, in order: stub packages, and folders of one's own stubs."""
    names = (f"{top}-stubs", os.path.join("typings", top))
    roots = (os.path.join(folder, name) for folder in folders for name in names)
    return tuple(root for root in roots if os.path.isdir(root) or os.path.isfile(f"{root}.pyi"))
