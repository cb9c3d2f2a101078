"""The environment of a project: where the packages lie that its modules import.

tracetwin is often installed apart from them. An environment of the same version of Python is used in place:
its folders of packages come onto the workers' path; nothing is run in it but one question, nothing written.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tracetwin.support.errors import TargetError
from tracetwin.target.module import TargetModule

NAMES: Final = (".venv", "venv")
"""Folders beside a project's files that hold its environment."""

_ASKING_SECONDS: Final = 20.0
_QUESTION: Final = """\
import json, os, sys, sysconfig
paths = sysconfig.get_paths()
library = [os.path.realpath(paths[name]) for name in ("stdlib", "platstdlib")]
def is_library(place):
    place = os.path.realpath(place)
    inner = any(place == one or place == os.path.join(one, "lib-dynload") for one in library)
    return inner or place.endswith(".zip")
places = [place for place in sys.path if place and os.path.isdir(place) and not is_library(place)]
print(json.dumps([list(sys.version_info[:2]), sys.prefix, places]))
"""


@dataclass(frozen=True)
class Environment:
    """An environment of Python.

    Attributes:
        python: its interpreter.
        version: major and minor.
        prefix: its folder.
        places: its folders of packages, in the order of its path.
    """

    python: str
    version: tuple[int, int]
    prefix: str
    places: tuple[str, ...]

    @property
    def is_ours(self) -> bool:
        """Return whether tracetwin itself runs in it."""
        return os.path.realpath(self.prefix) == os.path.realpath(sys.prefix)

    @property
    def fits(self) -> bool:
        """Return whether what is installed there can be imported here."""
        return self.version == sys.version_info[:2]


def environment_of(python: str) -> Environment:
    """Return the environment of an interpreter, which is asked for it.

    Args:
        python: the interpreter, or the folder of an environment.

    Raises:
        TargetError: there is none, or it does not answer as Python does.
    """
    file = Path(python)
    if file.is_dir():
        file = _interpreter(file)
    try:
        done = subprocess.run(
            [str(file), "-I", "-B", "-c", _QUESTION],
            capture_output=True, text=True, check=True, timeout=_ASKING_SECONDS, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        version, prefix, places = json.loads(done.stdout)
        return Environment(str(file), (int(version[0]), int(version[1])), prefix, tuple(places))
    except OSError as error:
        raise TargetError(python, f"can't be run: {error.strerror}") from None
    except (subprocess.SubprocessError, ValueError, TypeError, LookupError):
        raise TargetError(python, "does not answer as an interpreter of Python does") from None


def project_environment(modules: Iterable[TargetModule]) -> str:
    """Return the folder of the environment that is active, or lies in some modules' project; "" for none.

    Folders above the modules are looked at up to the first with a ``pyproject.toml`` or ``.git``.
    """
    if active := os.environ.get("VIRTUAL_ENV", ""):
        return active
    for module in modules:
        for folder in (Path(module.root), *Path(module.root).parents):
            for name in NAMES:
                if (folder / name / "pyvenv.cfg").is_file():
                    return str(folder / name)
            if any((folder / mark).exists() for mark in ("pyproject.toml", "setup.py", ".git")):
                break
    return ""


def within(modules: Sequence[TargetModule], environment: Environment) -> list[TargetModule]:
    """Return modules that see the packages of an environment.

    Args:
        modules: the targets.
        environment: of the version of Python that runs tracetwin.
    """
    return [
        replace(module, search_path=tuple(dict.fromkeys([*module.search_path, *environment.places])))
        for module in modules
    ]


def _interpreter(folder: Path) -> Path:
    places = (folder / "bin" / "python", folder / "Scripts" / "python.exe", folder / "python.exe")
    return next((place for place in places if place.exists()), places[0])
