"""Options of the worker on a twin: the user's rules, adapters, library models, typeshed.

The typeshed that types of the standard library are read from: the one that `typeshed_client` brings along.

Which one it is must not depend on what type checker the user happens to have: results would differ with it.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tracetwin.analysis.flow.analyse import facts_of
from tracetwin.analysis.flow.facts import ModuleFacts
from tracetwin.support.errors import TargetError
from tracetwin.support.plugins import ADAPTERS, MODELS, plugin_files
from tracetwin.target.imports import imported_with
from tracetwin.target.module import TargetModule
from tracetwin.target.source import read

MOST_MODULES: Final = 30
"""Modules whose classes are looked at."""


def worker_options(
    module: TargetModule, selection: Sequence[str], rules: Mapping[str, Any]
) -> dict[str, Any]:
    """Plain data for the start of a worker."""
    return {
        "selection": list(selection),
        "guide": dict(rules),
        "adapters": plugin_files(ADAPTERS),
        "models": plugin_files(MODELS),
        "typeshed": typeshed_folder(),
        "changing": {} if module.outside else _changing_methods(module),
    }


def _changing_methods(target: TargetModule) -> dict[str, list[str]]:
    """For each class of the target, and of what it imports, the methods that may change something.

    The classes are named as ``module:Class``.
    """
    found: dict[str, list[str]] = {}
    waiting, seen = [target], {target.name}
    while waiting and len(seen) <= MOST_MODULES:
        module = waiting.pop(0)
        try:
            source = read(module.name, module.file)
            new = [known for known in imported_with(module, source) if known.name not in seen]
        except (TargetError, SyntaxError, ValueError):  # its own import says what is wrong with it
            continue
        seen.update(known.name for known in new)
        waiting += new
        facts = flow_of(source, module.name)
        if facts is not None and not facts.problem:
            found.update((f"{module.name}:{cls}", names) for cls, names in facts.changing().items())
    return found


def flow_of(source: bytes, module: str) -> ModuleFacts | None:
    """Return the data flow of a module; None for one without classes, which nothing hangs on here."""
    return facts_of(source, module) if b"class " in source else None


def typeshed_folder() -> str:
    """The folder with the stubs of the standard library; "" where the distribution is incomplete."""
    spec = importlib.util.find_spec("typeshed_client")  # of a top-level name: nothing is imported
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    folders = [Path(place, "typeshed") for place in places]
    return next((str(folder) for folder in folders if (folder / "VERSIONS").is_file()), "")
