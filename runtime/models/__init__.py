"""Models of callables that are written in C: their effect on traced values.

Each file of these folders models one subject and registers its models by decorator; the import lists here and
in `regex/` name them all. `callee` is the one way in.
"""

from __future__ import annotations

from runtime.library_model import follow
from runtime.models import regex  # noqa: F401 - they register themselves
from runtime.models.calls import enums
from runtime.models.calls.callee import callee, callee0, callee1, callee2, enter, enter_models
from runtime.models.collections import elements, heaps, iteration, keyed, ranges, sequences  # noqa: F401 - as above
from runtime.models.numbers import builtins, complexes, floats, integers, mathematics  # noqa: F401 - as above
from runtime.models.objects import attributes, conversions, outputs, streams  # noqa: F401 - as above
from runtime.models.objects.builtins import UNSIZED, container_truth
from runtime.models.shadow import enter as enter_model
from runtime.models.texts import codecs, csv, strings, struct  # noqa: F401 - as above

follow(enter_model)
enter_models()
follow(lambda model: enter((model.function,)))

__all__ = ["UNSIZED", "callee", "callee0", "callee1", "callee2", "container_truth", "enums", "ranges"]
