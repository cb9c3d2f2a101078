"""The environment of a project: found, and asked what it is.

tracetwin is often installed apart from it. Whatever runs a project's code is run by its environment's own
interpreter, with the packages that are there; nothing is installed or written in it.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tracetwin.support.errors import TargetError
from tracetwin.target.environment import Environment
from tracetwin.target.managed import managed
from tracetwin.target.module import TargetModule

NAMES: Final = (".venv", "venv")
"""Folders beside a project's files that hold its environment."""

_ASKING_SECONDS: Final = 20.0
_QUESTION: Final = """\
import importlib.util, json, os, sys, sysconfig
paths = sysconfig.get_paths()
library = [os.path.realpath(paths[name]) for name in ("stdlib", "platstdlib")]
def is_library(place):
    place = os.path.realpath(place)
    inner = any(place == one or place == os.path.join(one, "lib-dynload") for one in library)
    return inner or place.endswith(".zip")
places = [place for place in sys.path if place and os.path.isdir(place) and not is_library(place)]
library = os.path.dirname(os.path.realpath(os.__file__))
magic = importlib.util.MAGIC_NUMBER.hex()
version = list(sys.version_info[:2])
print(json.dumps([version, sys.prefix, places, library, magic, sys.implementation.name]))
"""


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
        version, prefix, places, library, magic, implementation = json.loads(done.stdout)
        return Environment(
            os.path.abspath(file),  # noqa: PTH100 - a link to an interpreter is what makes an environment
            (int(version[0]), int(version[1])),
            prefix,
            tuple(places),
            library,
            bytes.fromhex(magic),
            implementation,
        )
    except OSError as error:
        raise TargetError(python, f"can't be run: {error.strerror}") from None
    except (subprocess.SubprocessError, ValueError, TypeError, LookupError):
        raise TargetError(python, "does not answer as an interpreter of Python does") from None


def project_environment(modules: Iterable[TargetModule]) -> str:
    """Return the folder of the environment that is active, or is some modules' project's; "" for none.

    Folders above the modules are looked at up to the first with a ``pyproject.toml`` or ``.git``.
    """
    if active := os.environ.get("VIRTUAL_ENV", "") or _conda():
        return active
    for module in modules:
        for folder in (Path(module.root), *Path(module.root).parents):
            is_top = any((folder / mark).exists() for mark in ("pyproject.toml", "setup.py", ".git"))
            places = [folder / name for name in NAMES] + (list(managed(folder)) if is_top else [])
            for place in places:
                if (place / "pyvenv.cfg").is_file():
                    return str(place)
            if is_top:
                break
    return ""


def _conda() -> str:
    """The active environment of conda, but for the one that is always active."""
    return "" if os.environ.get("CONDA_DEFAULT_ENV", "") == "base" else os.environ.get("CONDA_PREFIX", "")


def within(modules: Sequence[TargetModule], environment: Environment) -> list[TargetModule]:
    """Return modules that run in an environment."""
    return [replace(module, python=environment) for module in modules]


def _interpreter(folder: Path) -> Path:
    places = (folder / "bin" / "python", folder / "Scripts" / "python.exe", folder / "python.exe")
    return next((place for place in places if place.exists()), places[0])
