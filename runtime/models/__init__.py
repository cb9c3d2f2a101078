"""Models of callables that are written in C: what they do to traced values.

Each file of this folder models one subject and registers its models by decorator; the import list
below is the list of all of them. `callee` is the one way in.
"""

from __future__ import annotations

from runtime.models import (  # noqa: F401 - they register themselves
    arithmetic,
    codecs,
    complexes,
    conversions,
    csv,
    elements,
    enums,
    floats,
    functions,
    heaps,
    indexing,
    integers,
    iteration,
    keyed,
    leaving,
    mathematics,
    objects,
    passages,
    ranges,
    regex,
    sequences,
    slices,
    strings,
    struct,
)
from runtime.models.boundary import callee, callee0, callee1, callee2, enter_models
from runtime.models.objects import UNSIZED, container_truth

enter_models()

__all__ = ["UNSIZED", "callee", "callee0", "callee1", "callee2", "container_truth", "enums", "ranges"]
