"""Options of the worker on a twin: the user's rules, adapters, library models, typeshed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tracetwin.support.plugin_files import ADAPTERS, plugin_files
from tracetwin.support.plugins import MODELS
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
        "models": plugin_files(MODELS),
        "typeshed": typeshed_folder(),
    }
