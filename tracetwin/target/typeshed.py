"""The typeshed that types of the standard library are read from: the one that `typeshed_client` brings along.

Which one it is must not depend on what type checker the user happens to have: results would differ with it.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path


def typeshed_folder() -> str:
    """The folder with the stubs of the standard library; "" where the distribution is incomplete."""
    spec = importlib.util.find_spec("typeshed_client")  # of a top-level name: nothing is imported
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    folders = [Path(place, "typeshed") for place in places]
    return next((str(folder) for folder in folders if (folder / "VERSIONS").is_file()), "")
