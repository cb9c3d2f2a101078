"""Starts the recorder in every Python that the project's test command starts, and steps out of the way.

`site` imports the first module of this name on the path. The one that would have been imported without us is
imported afterwards, and this folder leaves `sys.path`: what the tests see is what they see without us.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from types import ModuleType
from typing import Any


def _module(folder: str, name: str) -> Any:
    """A module of the recorder, which no program finds in `sys.modules`, nor takes for its own."""
    place = f"{folder}/{name}.py"
    spec = importlib.util.spec_from_file_location(f"tracetwin.run.learning.recorder.{name}", place)
    if spec is None or spec.loader is None:
        raise ImportError(f"{place} can't be loaded")
    module: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _start(here: str) -> None:
    private = os.environ.get("TRACETWIN_LEARN", "")
    if not private:
        return
    folder = f"{here}/../recorder"
    notes = _module(folder, "notes").Notes(private)
    try:
        settings = notes.settings()
        describer = _module(folder, "describe").Describer(settings["unwanted"])
        recorder = _module(folder, "calls").CallRecorder(settings, describer, notes)
        _module(folder, "watching").start(recorder)
        notes.add({"started": sys.version_info[:2]})
    except Exception as error:  # noqa: BLE001 - the tests run as ever, whatever is wrong with us
        notes.add({"trouble": f"{type(error).__name__}: {error}"})


def _chain(here: str) -> None:
    """Import the module of this name that comes next on the path."""
    sys.path[:] = [entry for entry in sys.path if entry != here]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize")
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


_HERE = str(__file__).rpartition(os.sep)[0]  # as it stands on the path, which is absolute
_start(_HERE)
_chain(_HERE)
