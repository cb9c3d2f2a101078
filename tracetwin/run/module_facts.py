"""Facts of a target module for our processes: its source, its twin and sites; sentences about its import.

Modules of the standard library as needs of a target's import.
"""

from __future__ import annotations

import ast
import functools
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tracetwin.explore.criteria.base import ModuleText
from tracetwin.support.errors import TargetError
from tracetwin.target.module import TargetModule
from tracetwin.target.wheels import unpacking
from tracetwin.worker.library.corrections import corrected
from tracetwin.worker.library.modules import HERE, Library, asked_for, source_of

if TYPE_CHECKING:
    from instrumenter.elsewhere import ForeignInterpreter
    from instrumenter.twin import Site, Twin
    from tracetwin.process.worker import Failed
    from tracetwin.target.environment import PythonEnvironment

_IMPORT_WORDS = {
    "import raised": "importing it raised",
    "exited": "importing it ended the process:",
    "hung": "importing it hung:",
    "missing": "it can't be imported:",
    "deep": "it can't be looked through:",
    "spent": "importing it exhausted its process:",
    "internal": "internal error while importing it:",
}


def import_sentence(
    module: TargetModule, failed: Failed, copies: tuple[TargetModule, TargetModule] | None = None
) -> str:
    """Why a module can't be imported, in words that hold for the module as the user named it."""
    message = unpacking.in_users_words(failed.message, module, copies[0]) if copies else failed.message
    sentence = f"{module.name}: {_IMPORT_WORDS.get(failed.kind, failed.kind)} {message}"
    if "ImportError" not in message and "ModuleNotFoundError" not in message:
        return sentence
    # Names of distributions and of modules need not be the same, but mostly they are.
    named = [said for name, said in module.missing if f"'{name.replace('-', '_')}" in message.lower()]
    return "; ".join([sentence, *(named or [said for _, said in module.missing])])


def nothing_sentence(module: TargetModule) -> str:
    """Why there is nothing to explore in a module that could be imported."""
    return f"{module.name}: it defines no function or class that may be called"


def unpacked_notes(module: TargetModule, reasons: Mapping[str, str]) -> list[str]:
    """For each unpacked wheel, why it was."""
    done = "the wheel was unpacked for this run, and to run the tests it has to be installed"
    return [
        f"{'' if wheel == module.root else f'{Path(wheel).name}: '}{why}: {done}"
        for wheel, why in reasons.items()
    ]


def patterns_of(module: TargetModule) -> tuple[str, ...]:
    """The modules imported as twins: all of the target's top-level package."""
    top = module.name.partition(".")[0]
    return (top, f"{top}.*")


def cache_folder() -> str:
    """Where twins are kept between runs, "" where there is no place for them."""
    from instrumenter.cache import default_directory

    return str(default_directory() or "")


def read_source(module: TargetModule) -> bytes:
    """The bytes of the target's source, from a file or out of a wheel."""
    from tracetwin.target.source import read

    return read(module.name, module.file)


def text_of(module: TargetModule) -> ModuleText:
    """The target's source, nothing where it has none."""
    return ModuleText(module.name, b"" if module.file.endswith(".pyc") else read_source(module))


def tree_of(module: TargetModule) -> ast.Module:
    """The syntax tree of the target's source, an empty one where it has none."""
    return text_of(module).tree


def sites_of(module: TargetModule) -> tuple[Site, ...]:
    """The site table of the target, through the cache; nothing for a module that is not traced."""
    return () if module.outside else twin_of(module)[0].sites


def why_untouched(module: TargetModule) -> str:
    """Why a source that Python can load has no twin, "" where it has one."""
    return twin_of(module)[0].untouched or ""


def why_uncached(module: TargetModule) -> str:
    """Why the twin of a module will have to be built anew, "" where it is in the cache."""
    return "" if module.outside else twin_of(module)[1]


@functools.lru_cache(maxsize=8)  # asked for by every function of a module
def twin_of(module: TargetModule) -> tuple[Twin, str]:
    """The twin, through the cache, and why it is not kept there, "" if it is.

    Raises:
        TargetError: the source can't be read, or not be compiled by the Python that it is for.
    """
    from instrumenter.build import InstrumenterWarning
    from instrumenter.cache import TwinCache

    cache = TwinCache(elsewhere=_elsewhere(module.python))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InstrumenterWarning)  # the result says it
        source = as_twinned(module, read_source(module))
        try:
            twin = cache.twin(source, name=module.name, filename=module.file)
        except SyntaxError as error:
            version = module.python.version if module.python else sys.version_info[:2]
            here = f"read as Python {'.'.join(map(str, version))}, by which it is run"
            reason = f"syntax error in line {error.lineno}: {error.msg} ({here})"
            raise TargetError(module.name, reason) from error
    return twin, cache.failure or ""


def _elsewhere(environment: PythonEnvironment | None) -> ForeignInterpreter | None:
    """The interpreter that twins are made for, None for our own."""
    if environment is None:
        return None
    from instrumenter.elsewhere import ForeignInterpreter
    from tracetwin.process.compiler import compiler

    return ForeignInterpreter(environment, compiler(environment).compile)


_NO_ROOT: Final = ""


def library_with(module: TargetModule, source: bytes) -> list[TargetModule]:
    """The modules of the library that a source may import and that are reasoned about."""
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
