"""Options of the worker on a twin: the user's rules, adapters, typeshed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tracetwin.support.plugin_files import ADAPTERS, plugin_files
from tracetwin.target.typeshed import typeshed_folder


def worker_options(selection: Sequence[str], rules: Mapping[str, Any]) -> dict[str, Any]:
    """Plain data for the start of a worker.

    Args:
        selection: qualified names to work on, or () for all.
        rules: what the user lets be done with the target.
    """
    return {
        "selection": list(selection),
        "guide": dict(rules),
        "adapters": plugin_files(ADAPTERS),
        "typeshed": typeshed_folder(),
    }
