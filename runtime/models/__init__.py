"""Models of callables that are written in C: what they do to traced values.

Each file of this folder models one subject and registers its models by decorator; the import list
below is the list of all of them. `callee_of` is the one way in.
"""

from __future__ import annotations

from runtime.models import builtin, enums, mathematics, ranges, regex, strings  # noqa: F401 - they register themselves
from runtime.models.boundary import callee_of
from runtime.models.builtin import UNSIZED, container_truth
from runtime.models.registry import BOUND_KINDS, CALLEES

__all__ = ["BOUND_KINDS", "CALLEES", "UNSIZED", "callee_of", "container_truth", "enums", "ranges"]
