"""Modules of the standard library as needs of a target's import."""

from __future__ import annotations

from typing import Final

from tracetwin.target.module import TargetModule
from tracetwin.worker.library.corrections import corrected
from tracetwin.worker.library.modules import HERE, Library, asked_for, source_of

_NO_ROOT: Final = ""


def library_with(module: TargetModule, source: bytes) -> list[TargetModule]:
    """The modules of the library that a source may import and that are reasoned about.

    Args:
        module: the one whose source it is.
        source: its text.
    """
    python = module.python
    library = Library(python.library, python.version) if python else HERE
    own = "" if is_library(module) else module.name.partition(".")[0]  # all of that is traced anyway
    return [
        TargetModule(name, file, _NO_ROOT, python=module.python)
        for name in asked_for(source, library)
        if name.partition(".")[0] != own and name != module.name and (file := source_of(name, library))
    ]


def is_library(module: TargetModule) -> bool:
    """Return whether a module is needed as a part of the library, and is no target."""
    return module.root == _NO_ROOT


def as_twinned(module: TargetModule, source: bytes) -> bytes:
    """The source that the twin of a module is made of."""
    return corrected(module.name, source) if is_library(module) else source
